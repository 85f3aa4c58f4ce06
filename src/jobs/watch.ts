import type { Job } from '../store/jobs.ts';
import { attend } from './decide.ts';
import { look } from './look.ts';
import type { Parts } from './parts.ts';
import { isSendable, send, settle } from './send.ts';

/** A loop that acts on whatever is due. */
export type Loop = {
  /** Something may be due now. */
  wake(): void;
  /** Takes nothing new and resolves when what was begun is finished. */
  stop(): Promise<void>;
};

/** How long a job is left to the process that took it without a sign of life of that one. Milliseconds. */
export const lease = 20_000;
const mostAtOnce = 500;
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
  const inHand = new Set<string>();
  const keep = keeper(clock, until => jobs.renew('leaseUntil', [...inHand], until));
  const inTurn = atMost(mostLooks);
  const lookAt = async (due: readonly Job[]) => {
    const [first] = due;
    if (!first) return;
    const owner = { team: first.team, person: first.person };
    const now = clock.now();
    const along = await jobs.takeAlong(owner, now, now + soon, lease, mostAtOnce);
    for (const { id } of along) inHand.add(id);
    try {
      await look(parts, owner, [...due, ...along]);
    } finally {
      for (const { id } of along) inHand.delete(id);
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
    for (const { id } of group) inHand.delete(id);
  };
  return loop(
    clock,
    async run => {
      await keep();
      const due = await jobs.takeDue(clock.now(), lease, mostAtOnce);
      for (const { id } of due) inHand.add(id);
      // Each person is worked for apart: a service that is slow for one delays no other.
      for (const group of Map.groupBy(due, personOf).values()) run(step(group));
      return due.length === mostAtOnce ? clock.now() : jobs.nextTime('dueAt', clock.now());
    },
    error => log.error({ error }, 'the list of due jobs could not be read'),
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
  let renewedAt = clock.now();
  return async () => {
    if (clock.now() - renewedAt < lease / 4) return;
    renewedAt = clock.now();
    await renew(renewedAt + lease);
  };
}

/**
 * Runs `turn` again and again: at the time that it returns, when woken, and at least every few seconds. What it hands
 * to `run` goes on beside it and is waited for at the end.
 */
export function loop(
  clock: Parts['clock'],
  turn: (run: (task: Promise<void>) => void) => Promise<number | undefined>,
  failed: (error: unknown) => void,
): Loop {
  const tasks = new Set<Promise<void>>();
  let alarm = new AbortController();
  let stopping = false;
  const run = (task: Promise<void>) => {
    tasks.add(task);
    // A finished task may have made the next step due.
    void task.finally(() => {
      tasks.delete(task);
      alarm.abort();
    });
  };
  const running = (async () => {
    while (!stopping) {
      alarm = new AbortController();
      const { signal } = alarm;
      const at = await turn(run).catch((error: unknown) => {
        failed(error);
        return clock.now() + 1_000;
      });
      const pause = Math.min(at === undefined ? longestSleep : at - clock.now(), longestSleep);
      if (!stopping && pause > 0) await clock.wait(pause, signal);
    }
  })();
  return {
    wake: () => alarm.abort(),
    async stop() {
      stopping = true;
      alarm.abort();
      await running;
      await Promise.all(tasks);
    },
  };
}
