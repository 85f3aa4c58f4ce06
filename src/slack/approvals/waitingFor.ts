import { type Identifier, type Noun, parseIdentifier } from '../../api/identifiers.ts';
import { isSignedOut } from '../../ground/failure.ts';
import { idIn } from '../../jobs/approval/facts/fact.ts';
import { approversOf } from '../../jobs/approval/people/approvers.ts';
import type { Judge } from '../../jobs/parts.ts';
import type { Listed } from '../../store/jobs/reading.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk } from '../desk/desk.ts';

/** Max waiting requests that one look reads. */
const maxLookedThrough = 200;

/** Reads what waits for a person. */
export type WaitingReader = Judge & Desk<'jobs' | 'credentials' | 'records' | 'log'>;

/**
 * Lists the jobs that wait for this person's decision, the oldest first. A person who is not signed in gets none. If
 * the policy names no approvers, only people who see the target with their own sign-in get a request: it may come from
 * a private channel. Everybody gets a job of another release, because its approvers are unknown.
 * @throws {Failure} `signed-out` where the service refuses that sign-in
 */
export async function waitingFor(desk: WaitingReader, owner: Owner): Promise<readonly Listed[]> {
  if (!(await desk.credentials.find(owner))) return [];
  const waiting = await desk.jobs.awaiting(owner.team, maxLookedThrough);
  const others = waiting.filter(({ person }) => person !== owner.person);
  const mine = await Promise.all(
    others.map(async job => {
      if (job.state === 'unreadable') return [job];
      const approvers = approversOf(desk.policy, job);
      const isMine =
        approvers.length === 0
          ? await isSeen(desk, owner, job)
          : (await desk.people.isAmong(owner, approvers)) !== false;
      return isMine ? [job] : [];
    }),
  );
  return mine.flat();
}

/** Whether the service shows a person the target of a request; `false` if the service does not answer. */
async function isSeen(desk: Desk<'records' | 'log'>, owner: Owner, job: Job): Promise<boolean> {
  // A snapshot may have no record of its own: a person who sees its database may see it.
  const ids = [job.target, idIn(job, 'of') ?? ''].flatMap(text => parseIdentifier(text) ?? []);
  try {
    for (const id of ids) if (await isShown(desk, owner, id)) return true;
  } catch (error) {
    if (isSignedOut(error)) throw error;
    desk.log.info({ error, job: job.id }, 'not shown: whether its target may be read is not known');
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
