import { Failure } from '../../../ground/failure.ts';
import type { Session } from '../../../records/records.ts';
import type { Decision } from '../../../store/jobs/rows/data.ts';
import type { JobIn } from '../../../store/jobs/rows/job.ts';
import type { Identity } from '../../../store/tables/credentials.ts';
import type { Owner } from '../../../store/vault.ts';
import type { Parts } from '../../parts.ts';
import { identityOf, identityOfName, relationOf } from './identity.ts';

/*
 * The rule of two people: a decision is made by another user of the service than the one who asked. An approval is also
 * made by another user than each approval before it.
 */

/** A person who decides: their sign-in, and their identity at the service. */
export type Decider = Pick<Session, 'credential' | 'records'> & Readonly<{ identity: Identity }>;

/**
 * Gives the identity at the service of a person who decides on a job.
 * @throws {Failure} `forbidden` where that is, or may be, the same user as the person who asked; another kind where the
 *   service does not tell at the moment
 */
export async function mustBeAnother(
  parts: Parts<'credentials' | 'policy'>,
  job: JobIn<'awaiting'>,
  session: Session,
): Promise<Identity> {
  const { credential, records } = session;
  const requester = await parts.credentials.find({ team: job.team, person: job.person });
  try {
    const mine = await identityOf(session);
    const differ = async (other: Identity) =>
      mustDiffer(await relationOf(parts, { team: job.team, records }, [mine, other]), mine, other);
    if (requester?.token === credential.token) throw failureOfSameUser(mine, mine);
    await differ(job.approval.terms.asker);
    // Where the service could not tell at the sign-in, the list of users tells more about the name.
    if (requester) await differ(requester.identity ?? (await identityOfName(records, requester.username)));
    return mine;
  } catch (error) {
    if (!(error instanceof Failure) || error.kind === 'signed-out' || error.kind === 'forbidden') throw error;
    const why = `The service does not tell at the moment which user you are: ${error.message} Nothing was decided.`;
    throw new Failure(error.kind, why, { cause: error });
  }
}

/** Finds an earlier approval by the same person, or by somebody who may be the same user of the service. */
export async function findEarlierApproval(
  parts: Parts<'credentials' | 'policy'>,
  decisions: readonly Decision[],
  { team, person }: Owner,
  decider: Decider,
): Promise<Decision | undefined> {
  for (const one of decisions)
    if (one.type === 'approved' && (one.person === person || !(await isOfAnother(parts, team, one, decider))))
      return one;
  return undefined;
}

/** Whether an approval was given by another user of the service than the one whose sign-in this is. */
export async function isOfAnother(
  parts: Parts<'credentials' | 'policy'>,
  team: string,
  one: Decision,
  { credential, identity, records }: Decider,
): Promise<boolean> {
  const isOther = async (other: Identity) =>
    (await relationOf(parts, { team, records }, [identity, other])) === 'other';
  if (!(await isOther(one.identity))) return false;
  const now = await parts.credentials.find({ team, person: one.person });
  return !now || (now.token !== credential.token && isOther(now.identity ?? { users: [], names: [now.username] }));
}

/** @throws {Failure} `forbidden` where two may be one user of the service */
function mustDiffer(relation: 'same' | 'other' | 'untold', mine: Identity, asker: Identity): void {
  if (relation === 'same') throw failureOfSameUser(mine, asker);
  if (relation === 'other') return;
  const why = `Nothing tells me that ${mine.names[0]} and ${asker.names[0]} are two users of the service, so they count as one. Sign in with a name of the same kind (both with the user name, or both with the e-mail address), or let somebody else decide.`;
  throw new Failure('forbidden', why);
}

function failureOfSameUser(mine: Identity, asker: Identity): Failure {
  const [me, other] = [mine.names[0], asker.names[0]];
  const called = me === other ? me : `${me}, which is the same user as ${other}`;
  const why = `You are signed in to the service as ${called}, as the person who asked: another user has to decide.`;
  return new Failure('forbidden', why);
}
