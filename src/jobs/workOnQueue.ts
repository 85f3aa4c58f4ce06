import pLimit from 'p-limit';
import { type Clock, thisMoment, wasSetSince } from '../ground/clock.ts';
import { minute } from '../ground/durations.ts';
import { type Loop, lockRenewal, startLoop } from '../ground/loop.ts';
import { inTurn } from '../ground/slices.ts';
import type { Due, DueQueue, DueWork } from '../store/dueQueue.ts';
import type { Parts } from './parts.ts';

/** A row that was taken, at the moment of its step. `wasSet`: the clock was set beyond the row’s time, or back before it. */
export type TakenWork<Row> = DueWork<Row> & Readonly<{ now: number; wasSet: boolean }>;

/** The work on the rows of a queue, a table of its own for each kind. */
type QueueWork<Row, Shared> = Readonly<{
  /** What the rows are called in the log, such as `leases`. */
  name: string;
  queue: DueQueue<Row>;
  /** Done once, before the first row is taken. */
  begin?(queue: DueQueue<Row>, now: number): Promise<void>;
  /** Max rows in hand, and max groups that are worked on at once. */
  maxAtOnce: number;
  groupsAtOnce: number;
  /** Rows of the same group are worked on one after the other, with what is `shared` among them. */
  groupOf(row: Row): string;
  shared(rows: readonly Row[]): Shared;
  /** Does what is due about a row, and puts it off or ends it. */
  step(taken: TakenWork<Row>, shared: Shared): Promise<void>;
  /** The pause after a try that failed, in milliseconds. `tries` failed before it. */
  pauseAfter(error: unknown, tries: number): number;
}>;

/** The loop of a queue. */
export type QueueLoop = Loop & {
  /** Keeps the lock of a row that this process took by itself, for as long as the work on it goes on. */
  keep<T>(due: Due, work: () => Promise<T>): Promise<T>;
};

/** The time between two looks whether the app is installed again for the team of a row, in milliseconds. */
const restTime = 10 * minute;

/**
 * Does what is due in a queue. What is common to all queues is decided here: locks are renewed while work goes on, a
 * failure is tried again later, nothing is done for a team without the app, and what a wrong clock put off is done.
 */
export function workOnQueue<Row, Shared>(
  { clock, log, isUninstalled }: Parts<'isUninstalled' | 'clock' | 'log'>,
  { name, queue, begin, maxAtOnce, groupsAtOnce, groupOf, shared, step, pauseAfter }: QueueWork<Row, Shared>,
): QueueLoop {
  const inHand = new Map<string, Due>();
  const renewLocks = lockRenewal(clock, until => queue.renew([...inHand.values()], until));
  const inGroups = pLimit(groupsAtOnce);
  const jumps = jumpsOf(clock);
  let hasBegun = false;
  let [turns, isFull] = [0, false];
  const takeStep = async ({ due, row }: DueWork<Row>, wasSet: boolean, common: Shared) => {
    const now = clock.now();
    try {
      if (await isUninstalled(due.team)) return await queue.rest(due, now + restTime, { now });
      await step({ due, row, now, wasSet }, common);
    } catch (error) {
      const pause = pauseAfter(error, due.tries);
      log.warn({ error, [name]: due.id, pause }, 'it could not be worked on, and is put off');
      const later = clock.now();
      await queue.rest(due, later + pause, { now: later, failed: true });
    }
  };
  const workOn = async (some: readonly DueWork<Row>[]) => {
    try {
      const common = shared(some.map(({ row }) => row));
      for (const work of some) await takeStep(work, jumps.isAcross(work.due), common);
    } catch (error) {
      log.error({ error, [name]: some.map(({ due }) => due.id) }, 'they could not be worked on');
    } finally {
      for (const { due } of some) inHand.delete(due.id);
    }
  };
  /** Works on rows. A turn that passed them over meanwhile, or had no room, is followed by another one. */
  const workInTurn = async (whose: string, some: readonly DueWork<Row>[]) => {
    const begun = turns;
    await inGroups(() => inTurn({ whose, urgency: 'watching' }, () => workOn(some)));
    return isFull ? undefined : turns === begun ? Number.POSITIVE_INFINITY : clock.now();
  };
  const nextTime = async (after?: number) => (await queue.nextTime(after)) ?? Number.POSITIVE_INFINITY;
  const loop = startLoop(clock, {
    async turn(run, isPoll, known) {
      const now = clock.now();
      turns += 1;
      if (!hasBegun) await begin?.(queue, now);
      hasBegun = true;
      if (jumps.look()) await queue.recall(now);
      await renewLocks();
      if (isPoll) {
        const next = await nextTime();
        if (next > now) return next;
      }
      const room = maxAtOnce - inHand.size;
      isFull = room <= 0;
      if (isFull) return undefined;
      // The work on a row ends first: after a pause of this process its own lock may be over, or a step may have freed it.
      const taken = await queue.take(now, room, [...inHand.keys()]);
      for (const { due } of taken) inHand.set(due.id, due);
      for (const [whose, some] of Map.groupBy(taken, ({ row }) => groupOf(row))) run(workInTurn(whose, some));
      return taken.length >= room ? now : (known ?? nextTime(now));
    },
    renew: renewLocks,
    failed: (error, times) => log.error({ error, times }, `the queue of ${name} could not be read`),
  });
  queue.listen(loop.wake);
  return {
    ...loop,
    async keep(due, work) {
      const ended = Promise.withResolvers<number>();
      inHand.set(due.id, due);
      loop.run(ended.promise);
      try {
        return await work();
      } finally {
        inHand.delete(due.id);
        // No turn follows on it.
        ended.resolve(Number.POSITIVE_INFINITY);
      }
    },
  };
}

/** Watches for a clock that is set while the process runs: what lies between the two times was not reached in truth. */
function jumpsOf(clock: Clock) {
  let before = thisMoment(clock);
  let jump = { from: 0, to: 0 };
  let searchedAt: number | undefined;
  return {
    /** Notes the present time. Tells whether to search for what a wrong clock put off: at first, and once a minute. */
    look(): boolean {
      const moment = thisMoment(clock);
      const wasSet = wasSetSince(clock, before);
      if (wasSet) jump = { from: before.now + moment.steady - before.steady, to: moment.now };
      before = moment;
      if (!wasSet && searchedAt !== undefined && moment.steady - searchedAt < minute) return false;
      searchedAt = moment.steady;
      return true;
    },
    isAcross: ({ dueAt }: Due) => dueAt > jump.from && dueAt <= jump.to,
  };
}
