import { goesBack } from './faults.ts';
import { endWords, isRestore, type Job, neverSent, portOf, requestOf } from './jobRows.ts';
import type { Exchange } from './network.ts';
import { odd } from './oddWord.ts';
import type { Facts, Found } from './oracles.ts';
import { wasRefused } from './requests.ts';

/* Whether what jobs say of themselves is true (7), and all that they could say (28), and nothing was sent of what was withdrawn (6). */

/** The operations of the service whose ends are counted, by those of jobs. */
const ofService: Readonly<Record<string, string>> = { 'database.backup': 'database/sync' };

/** Whether somebody stopped looking for the end of a job, or may not look any more. */
const wasStopped = ({ reason }: Job) => /stop looking|without your sign-in/.test(reason ?? '');

/** What is seen of the truth. */
export type TruthOracle = Readonly<{
  /** A job has changed its state. */
  moved(job: Job): void;
  atEnd(): void;
}>;

/** Watches the truth of a world. `writes` has the requests that change something, by what makes each one request. */
export function watchTruth(
  { kernel, plan, service }: Pick<Facts, 'kernel' | 'plan' | 'service'>,
  {
    jobs,
    writes,
    found,
  }: Readonly<{
    jobs(): readonly Job[];
    writes: ReadonlyMap<string, readonly Exchange[]>;
    found: Found;
  }>,
): TruthOracle {
  /** When each job first stood in the store, and when it ended. */
  const begun = new Map<string, number>();
  const ended = new Map<string, number>();
  const begunAt = ({ id }: Job) => begun.get(id) ?? 0;
  /** The requests of a job: those of the same kind since it stands in the store. */
  const writesOf = (job: Job) =>
    (writes.get(requestOf(job) ?? '') ?? []).filter(({ sentAt }) => sentAt >= begunAt(job));

  return {
    atEnd() {
      if (plan.dialect !== undefined) return;
      for (const job of jobs())
        if (
          job.state === 'unconfirmed' &&
          job.steps === null &&
          !wasStopped(job) &&
          !isShared(job) &&
          truthOf(job) === 'yes'
        )
          found('28 no silence', `${job.operation} of ${job.target} is unconfirmed, and it happened (${job.reason})`);
    },
    moved(job) {
      if (!begun.has(job.id)) begun.set(job.id, kernel.now());
      if (job.state in endWords) ended.set(job.id, kernel.now());
      else ended.delete(job.id);
      if (job.state in endWords) checkTruth(job);
      else if (job.no_answer !== null) checkDoubt(job);
    },
  };

  /** Whether more jobs are confirmed by what was done on a record than the service has done there (7). */
  function checkCount(job: Job): void {
    const operation = ofService[job.operation];
    if (operation === undefined || job.state !== 'succeeded') return;
    const done = service.ends.filter(end => end.operation === operation && end.target === job.target && end.isDone);
    const told = jobs().filter(
      one => one.operation === job.operation && one.target === job.target && one.state === 'succeeded',
    );
    if (told.length > done.length)
      found(
        '7 true ends',
        `${told.length} × ${job.operation} of ${job.target} are confirmed, and ${done.length} were done (${told.map(({ reason }) => reason).join('; ')})`,
      );
  }

  /** Whether the end of a job is true (7). */
  function checkTruth(job: Job): void {
    checkCount(job);
    const truth = truthOf(job);
    if (job.state === 'succeeded' && truth === 'no')
      found('7 true ends', `${job.operation} of ${job.target} is confirmed, and it did not happen (${job.reason})`);
    // Where nothing was sent, somebody else brought it about: a record that was made anew under its number, say.
    if (job.state === 'failed' && truth === 'yes' && writesOf(job).length > 0)
      found('7 true ends', `${job.operation} of ${job.target} is told as failed, and it happened (${job.reason})`);
    const wasSent = writesOf(job).some(one => !wasRefused(one));
    // Of a plan, what was under way when it was withdrawn goes on.
    // A backup that was put back does not know what was sent since; people are told to look.
    const isUnknown = goesBack(plan, 'restored');
    if (neverSent.has(job.state) && wasSent && !isUnknown && !isShared(job) && job.steps === null)
      found('6 nothing after the end', `${job.operation} of ${job.target} is ${job.state}, and was sent`);
  }

  /** Whether a job that is told as interrupted was: by the death of the process that sent it, or by a pause of it since (7). */
  function checkDoubt(job: Job): void {
    const sent = writesOf(job).at(-1);
    // After a pause, a process sends nothing that another one may have.
    const wasPaused = sent !== undefined && sent.from.frozenUntil > sent.sentAt;
    const isWaitedFor = sent?.known === 'nothing' && sent.from.isUp && !wasPaused;
    if (!job.reason?.includes('was interrupted') || !isWaitedFor || isShared(job)) return;
    found(
      '7 true ends',
      `${job.operation} of ${job.target} is told as interrupted while its process waits for the answer`,
    );
  }

  /** Whether what a job asked for has happened: as the service knows it, of what only this job asks for. */
  function truthOf(job: Job): 'yes' | 'no' | 'untold' {
    // People say how what stands in such a word ended, and may be wrong.
    if (job.inputs.includes(`-${odd.made}`)) return 'untold';
    const port = portOf(job);
    const did = (operation: string, target: string) =>
      service.ends.some(
        end => end.operation === operation && end.target === target && end.isDone && end.at >= begunAt(job),
      );
    if (job.operation === 'clone.create' && port !== undefined) {
      const made = service
        .records()
        .find(record => record.port === port && record.cloneType !== undefined && record.createdAt >= begunAt(job) - 1);
      return made?.usable ? 'yes' : 'no';
    }
    if (job.operation.endsWith('delete')) {
      // One that was made since under the same number is another record.
      const stands = service.records().some(({ id, createdAt }) => id === job.target && createdAt < begunAt(job));
      return stands ? 'no' : 'yes';
    }
    if (isShared(job)) return 'untold';
    if (job.operation === 'database.backup') return did('database/sync', job.target) ? 'yes' : 'no';
    if (isRestore(job)) return did('database/restore', job.target) ? 'yes' : 'no';
    return 'untold';
  }

  /** Whether several requests ask for the same, so that nobody can tell of which one something came. */
  function isShared(job: Job): boolean {
    const named = plan.acts.filter(
      act =>
        'record' in act && act.act !== 'change' && act.act !== 'run step' && service.idOf(act.record) === job.target,
    );
    return named.length > 1 || jobs().some(other => isSame(other, job) && mayMeet(other, job));
  }

  /** Whether two jobs ask for the same, and none is a step of the other: two runs of one schedule. */
  function isSame(one: Job, other: Job): boolean {
    const isPart = one.plan === other.id || other.plan === one.id;
    return one.id !== other.id && !isPart && requestOf(one) !== undefined && requestOf(one) === requestOf(other);
  }

  /** Whether another job may still bring about what this one asks for: it had not ended before, or nobody knows how. */
  function mayMeet(another: Job, job: Job): boolean {
    const end = ended.get(another.id);
    return end === undefined || end > begunAt(job) || another.state === 'unconfirmed' || another.state === 'finished';
  }
}
