import { Failure } from '../ground/failure.ts';
import { readSecretFile, SecretFileFault } from '../ground/secretFile.ts';
import { within } from '../ground/within.ts';
import { closeRefusals, tellRefusal } from '../jobs/account/accountNews.ts';
import { learnIdentity } from '../jobs/approval/people/identity.ts';
import { type Account, withAccount } from '../records/accountSignIn.ts';
import { recordReader } from '../records/recordReader.ts';
import type { Credentials } from '../store/tables/credentials.ts';
import type { AccountKeys } from './config/accountKeys.ts';
import { approvalChannelOf } from './config/approvalChannel.ts';
import type { Config } from './config/config.ts';
import type { AllParts } from './wholeDesk.ts';

/** The parts with which the service account signs in, and by which people are told where it cannot. */
type AccountNeeds = Pick<AllParts, 'credentials' | 'service' | 'outbox' | 'people' | 'clock' | 'log'> &
  Readonly<{ config: Config }>;

/** Max wait for the account's identity, in milliseconds. Without it, the identity is learned when it is needed. */
const patience = 10_000;

/** Adds the sign-in of the service account, if one is configured, to those of people. */
export function openAccount(needs: AccountNeeds): Credentials {
  const { config, clock, service } = needs;
  const { mapping, policy } = config;
  const approvalChannel = approvalChannelOf(config.approvalChannels);
  const account = config.account && accountOf(config.account);
  const news = { ...needs, policy, approvalChannel, account };
  return withAccount({
    ...needs,
    account,
    learn(token, username, answer) {
      const records = recordReader(call => service.fetch(token, call), mapping);
      const learning = within(clock, patience, learnIdentity(records, token, username, answer));
      return learning.catch(() => undefined);
    },
    signedIn: owner => closeRefusals(news, owner),
    failed: (owner, error) => tellRefusal(news, owner, error),
  });
}

/** Reads the password anew for each sign-in: it may be changed while Dolly runs. */
function accountOf({ username, passwordFile }: AccountKeys): Account {
  return {
    username,
    async password() {
      try {
        return readSecretFile(passwordFile);
      } catch (error) {
        if (!(error instanceof SecretFileFault)) throw error;
        throw new Failure('input', `The file that SERVICE_PASSWORD_FILE names ${error.message}.`);
      }
    },
  };
}
