import type { Service } from '../api/connection/serviceClient.ts';
import { backOff, type Clock } from '../ground/clock.ts';
import { hour, minute } from '../ground/durations.ts';
import { isAccount } from '../store/serviceOwner.ts';
import type { Credential, Credentials } from '../store/tables/credentials.ts';
import type { Owner } from '../store/vault.ts';

/*
 * The service account: a user of the service with whose sign-in approved schedules and reports run while nobody is
 * there. Nobody's click runs with it.
 */

/** The user name of the service account, and its password as its file has it now. */
export type Account = Readonly<{ username: string; password(): Promise<string> }>;

/** The parts that {@link withAccount} needs. */
export type AccountParts = Readonly<{
  credentials: Pick<Credentials, 'find' | 'drop' | 'keep'>;
  service: Pick<Service, 'signIn'>;
  /** The account of the configuration; `undefined` where there is none. */
  account: Account | undefined;
  clock: Clock;
  /** Called after each sign-in: work may wait for it. */
  signedIn(owner: Owner): Promise<void>;
  /** Called with the failure of each sign-in that failed. */
  failed(owner: Owner, error: unknown): Promise<void>;
}>;

/** The shortest and the longest pause between two sign-ins, in milliseconds. */
const [firstPause, longestPause] = [minute, hour];

/**
 * Adds the service account’s sign-in to those of people: finding it signs in where there is no token. It gives
 * `undefined` where no account is configured, and while the service refuses it: then it tries again after a minute, and
 * later and later up to an hour.
 */
export function withAccount(parts: AccountParts): Pick<Credentials, 'find' | 'drop'> {
  const { credentials, account } = parts;
  const obtain = account && signInsOf(account, parts);
  return {
    async find(owner) {
      if (!isAccount(owner)) return credentials.find(owner);
      const kept = await credentials.find(owner);
      // Another account may have been configured since.
      return kept && kept.username === account?.username ? kept : obtain?.(owner);
    },
    drop: credentials.drop,
  };
}

type Attempts = Readonly<{ pending?: Promise<Credential | undefined>; failed: number; nextAt: number }>;

/** Signs the account in for one workspace at a time, with a pause between two attempts. */
function signInsOf({ username, password }: Account, { credentials, service, clock, signedIn, failed }: AccountParts) {
  const attempts = new Map<string, Attempts>();

  async function signIn(owner: Owner): Promise<Credential> {
    const token = await service.signIn(username, await password());
    const since = clock.now();
    await credentials.keep(owner, username, token, since);
    await signedIn(owner);
    return { username, token, since };
  }

  async function attempt(owner: Owner, before: number): Promise<Credential | undefined> {
    try {
      const credential = await signIn(owner);
      // A token that is refused at once is not asked for again and again.
      attempts.set(owner.team, { failed: 0, nextAt: clock.steady() + firstPause });
      return credential;
    } catch (error) {
      attempts.set(owner.team, {
        failed: before + 1,
        nextAt: clock.steady() + backOff(before, firstPause, longestPause),
      });
      await failed(owner, error);
      return undefined;
    }
  }

  return async (owner: Owner): Promise<Credential | undefined> => {
    const {
      pending,
      failed: before,
      nextAt,
    } = attempts.get(owner.team) ?? { failed: 0, nextAt: Number.NEGATIVE_INFINITY };
    if (pending) return pending;
    if (clock.steady() < nextAt) return undefined;
    const begun = attempt(owner, before);
    attempts.set(owner.team, { pending: begun, failed: before, nextAt });
    return begun;
  };
}
