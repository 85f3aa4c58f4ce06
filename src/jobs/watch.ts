import { ageOf, backOff, seldom, thisMoment, wasSetSince } from '../ground/clock.ts';
import type { Job } from '../store/tables/job.ts';
import { attend } from './approval/decide.ts';
import { look } from './look.ts';
import type { Parts } from './parts.ts';
import { isSendable, send, settle } from './send.ts';

/** A loop that acts on whatever is due. */
export type Loop = {
  /** Something may be due now. */
  wake(): void;
  /** When it last had a turn that went well, by the steady clock. */
  turnedAt(): number | undefined;
  /** Takes nothing new and resolves when what was begun is finished. */
  stop(): Promise<void>;
};

/** How long a job is left to the process that took it without a sign of life of that one. Milliseconds. */
export const lease = 20_000;
const mostAtOnce = 500;
/**
 * So many are worked on at most; and who has so many in hand gets no more: a service that hangs for one person does not
 * fill the hands of all.
 */
const mostInHand = 5_000;
const mostOfOne = 500;
/** What a clock that was set back would put off for long is looked for so often. Milliseconds. */
const recallEvery = 60_000;
/** What fails in a turn is tried again after so long at first, in milliseconds, and later and later. */
const shortestPause = 250;
/** So many people's records are read at once: fewer than there are connections, so that none waits for one until its time is over. */
const mostLooks = 24;
/** Looks into the store at least this often, for jobs that another process left, and to keep its own. Milliseconds. */
const longestSleep = 5_000;
/** A person's jobs that are due so soon are looked at along with the one that is due. Milliseconds. */
const soon = 10_000;

/**
 * Works on jobs as they fall due: sends the new and the approved, reminds of those that wait for approval, settles the
 * doubtful, looks for the proof of the running.
 */
export function watch(parts: Parts): Loop {
  const { jobs, clock, log } = parts;
  // By step, and not by job: one that is due again is taken anew while others of its step are still worked on.
  const inHand = new Set<readonly Job[]>();
  const held = () => [...inHand].flat();
  const keep = keeper(clock, until =>
    jobs.renew(
      'leaseUntil',
      held().map(({ id }) => id),
      until,
    ),
  );
  const inTurn = atMost(mostLooks);
  const lookAt = async (due: readonly Job[]) => {
    const [first] = due;
    if (!first) return;
    const owner = { team: first.team, person: first.person };
    const now = clock.now();
    const along = await jobs.takeAlong(owner, now, now + soon, lease, mostAtOnce);
    inHand.add(along);
    try {
      await look(parts, owner, [...due, ...along]);
    } finally {
      inHand.delete(along);
    }
  };
  const waiting = new Map<string, { due: Job[]; looked: Promise<void> }>();
  /** Looks when it is the person's turn; what falls due before is looked at along with it. */
  const lookInTurn = (due: readonly Job[]): Promise<void> => {
    const [first] = due;
    if (!first) return Promise.resolve();
    const person = personOf(first);
    const known = waiting.get(person);
    const turn = known ?? { due: [], looked: Promise.resolve() };
    turn.due.push(...due);
    if (known) return known.looked;
    waiting.set(person, turn);
    turn.looked = inTurn(() => {
      waiting.delete(person);
      return lookAt(turn.due);
    });
    return turn.looked;
  };
  const step = async (group: readonly Job[]) => {
    inHand.add(group);
    const looks = lookInTurn(group.filter(job => job.state === 'running'));
    const sends = group.flatMap(job =>
      isSendable(job)
        ? [send(parts, job)]
        : job.state === 'sending'
          ? [settle(parts, job)]
          : job.state === 'awaiting'
            ? [attend(parts, job)]
            : [],
    );
    for (const result of await Promise.allSettled([looks, ...sends])) {
      if (result.status === 'rejected')
        log.error({ error: result.reason, jobs: group.map(job => job.id) }, 'a step failed');
    }
    inHand.delete(group);
  };
  let recalledAt = Number.NEGATIVE_INFINITY;
  let before = thisMoment(clock);
  return loop(
    clock,
    async run => {
      // The time may also have been set while nobody watched, or by another process.
      if (wasSetSince(clock, before)) await jobs.recall(clock.now(), 'all');
      else if (clock.steady() - recalledAt >= recallEvery) {
        await jobs.recall(clock.now());
        recalledAt = clock.steady();
      }
      before = thisMoment(clock);
      await keep();
      const most = Math.min(mostAtOnce, mostInHand - held().length);
      // A step that is finished makes room, and wakes this.
      if (most <= 0) return undefined;
      const busy = [...Map.groupBy(held(), ({ person }) => person)].flatMap(([person, { length }]) =>
        length >= mostOfOne ? [person] : [],
      );
      const due = await jobs.takeDue(clock.now(), lease, most, busy);
      // Each person is worked for apart: a service that is slow for one delays no other.
      for (const group of Map.groupBy(due, personOf).values()) run(step(group));
      return due.length === most ? clock.now() : jobs.nextTime('dueAt', clock.now(), { people: busy });
    },
    (error, times) => log.error({ error, times }, 'the list of due jobs could not be read'),
  );
}

function personOf({ team, person }: Job): string {
  return `${team} ${person}`;
}

/** Runs so many tasks at once at most; the others wait for their turn. */
function atMost(most: number): (task: () => Promise<void>) => Promise<void> {
  let free = most;
  const waiting: (() => void)[] = [];
  return async task => {
    if (free > 0) free -= 1;
    else await new Promise<void>(resolve => waiting.push(resolve));
    try {
      await task();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Renews leases when a quarter of their time is over, however often it is called. */
export function keeper(clock: Parts['clock'], renew: (until: number) => Promise<void>): () => Promise<void> {
  let renewed = thisMoment(clock);
  return async () => {
    if (ageOf(clock, renewed) < lease / 4 && !wasSetSince(clock, renewed)) return;
    renewed = thisMoment(clock);
    await renew(renewed.now + lease);
  };
}

/**
 * Runs `turn` again and again: at the time that it returns, when woken, and after `longest` milliseconds at the latest. What it hands
 * to `run` goes on beside it and is waited for at the end.
 */
export function loop(
  clock: Parts['clock'],
  turn: (run: (task: Promise<void>) => void) => Promise<number | undefined>,
  failed: (error: unknown, times: number) => void,
  longest = longestSleep,
): Loop {
  const tasks = new Set<Promise<void>>();
  const fault = seldom(clock, failed);
  const ending = new AbortController();
  let alarm = new AbortController();
  let failures = 0;
  let turnedAt: number | undefined;
  const run = (task: Promise<void>) => {
    tasks.add(task);
    // A finished task may have made the next step due.
    void task.finally(() => {
      tasks.delete(task);
      alarm.abort();
    });
  };
  const running = (async () => {
    while (!ending.signal.aborted) {
      alarm = new AbortController();
      const { signal } = alarm;
      try {
        const at = await turn(run);
        failures = 0;
        turnedAt = clock.steady();
        const pause = Math.min(at === undefined ? longest : at - clock.now(), longest);
        if (pause > 0) await clock.wait(pause, signal);
      } catch (error) {
        fault(error);
        // News do not hurry what cannot be done.
        await clock.wait(backOff(failures++, shortestPause, longestSleep), ending.signal);
      }
    }
  })();
  return {
    wake: () => alarm.abort(),
    turnedAt: () => turnedAt,
    async stop() {
      ending.abort();
      alarm.abort();
      await running;
      await Promise.all(tasks);
    },
  };
}
