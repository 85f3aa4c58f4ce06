import { type Identifier, type Noun, parseIdentifier } from '../../api/identifiers.ts';
import { isSignedOut, kindOf } from '../../ground/failure.ts';
import { idIn } from '../../jobs/approval/facts/fact.ts';
import { approversOf } from '../../jobs/approval/people/mayDecide.ts';
import type { Judge } from '../../jobs/parts.ts';
import type { Listed } from '../../store/jobs/reading.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk } from '../desk/desk.ts';

/** Max waiting requests that one look reads. */
const maxLookedThrough = 200;

/** What waits for a person; `isPart` where there may be more. */
export type Waiting = Readonly<{ jobs: readonly Listed[]; isPart: boolean }>;

/** Reads what waits for a person. */
export type WaitingReader = Judge & Desk<'jobs' | 'credentials' | 'records' | 'log'>;

/**
 * Lists the jobs that wait for this person's decision, the oldest first. A person who is not signed in gets none. If
 * the policy names no approvers, only people who see the target with their own sign-in get a request: it may come from
 * a private channel. Everybody gets a job of another release, because its approvers are unknown.
 * @throws {Failure} `signed-out` where the service refuses that sign-in
 */
export async function waitingFor(desk: WaitingReader, owner: Owner): Promise<Waiting> {
  if (!(await desk.credentials.find(owner))) return { jobs: [], isPart: false };
  const waiting = await desk.jobs.awaiting(owner.team, maxLookedThrough);
  const others = waiting.filter(({ person }) => person !== owner.person);
  const isMine = await Promise.all(
    others.map(async job => {
      if (job.state === 'unreadable') return true;
      const approvers = approversOf(desk.policy, job);
      if (approvers.length === 0) return isSeen(desk, owner, job);
      return (await desk.people.isAmong(owner, approvers)) !== false;
    }),
  );
  const isPart = waiting.length === maxLookedThrough || isMine.includes(undefined);
  return { jobs: others.filter((_, at) => isMine[at]), isPart };
}

/** Whether the service shows a person the target of a request; `undefined` where it does not tell. */
async function isSeen(desk: Desk<'records' | 'log'>, owner: Owner, job: Job): Promise<boolean | undefined> {
  // A snapshot may have no record of its own: a person who sees its database may see it.
  const ids = [job.target, idIn(job, 'of') ?? ''].flatMap(text => parseIdentifier(text) ?? []);
  try {
    for (const id of ids) if (await isShown(desk, owner, id)) return true;
  } catch (error) {
    if (isSignedOut(error)) throw error;
    if (kindOf(error) === 'forbidden' || kindOf(error) === 'missing') return false;
    desk.log.info({ error, job: job.id }, 'not shown: whether its target may be read is not known');
    return undefined;
  }
  return false;
}

async function isShown(desk: Desk<'records'>, owner: Owner, id: Identifier): Promise<boolean> {
  const listed: Noun | undefined = id.noun === 'snapshot' ? 'live' : id.noun;
  if (listed === undefined) return false;
  const known = desk.records.of(owner);
  const { records, cut } = await known.list(listed === 'live' ? ['live', 'clone'] : [listed]);
  const isListed = records.some(
    record =>
      record.id.text === id.text || (id.noun === 'snapshot' && record.mentions.some(one => one.id.text === id.text)),
  );
  return isListed || (cut && (await known.alone(id)) !== undefined);
}
