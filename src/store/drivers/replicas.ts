import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { z } from 'zod';
import { backOff, type Clock, spaced } from '../../ground/clock.ts';
import { second } from '../../ground/durations.ts';
import { parseJson } from '../../ground/json.ts';
import type { Hint } from '../agenda.ts';

/** A pause that something outside asked of one process, and that all processes keep: of which limit, and how long. */
export type Pause = Readonly<{ limit: string; key: string; milliseconds: number }>;

/** The processes that share a store. What they tell one another only saves time, and may get lost. */
export type Replicas = Readonly<{
  /** The number of processes that work on the store now, this one included. */
  count(): number;
  /**
   * Tells the others what is due by what was written; without hints, that anything may be. They also look by themselves every
   * few seconds.
   */
  announce(hints?: readonly Hint[]): void;
  /** Tells the others of a pause. */
  passOn(pause: Pause): void;
  stop(): Promise<void>;
}>;

/** The only process on its store. */
export const alone: Replicas = {
  count: () => 1,
  announce: () => undefined,
  passOn: () => undefined,
  stop: async () => undefined,
};

/**
 * Functions that the replicas call. `heard` is called with what another process announced; without hints, when anything may
 * have been announced while none was heard; `paused` when it passed on a pause. `faulty` is called for errors of the connection, which is
 * made anew by itself.
 */
export type Hooks = Readonly<{
  heard: (hints?: readonly Hint[]) => void;
  paused?: (pause: Pause) => void;
  faulty: (error: unknown) => void;
}>;

/**
 * Connections to PostgreSQL: those that all work shares, and a new one to listen on. A process that was silent for `silence`
 * milliseconds stands still, or its machine is gone: PostgreSQL may keep its connections for hours.
 */
type Connections = Readonly<{ pool: pg.Pool; connect: () => pg.Client; silence: number }>;

/** The first and the longest pause before a lost listener is connected again, in milliseconds. */
const [shortestPause, longestPause] = [500, 15_000];
/** The shortest time between two announcements that are sent, or acted on: under load, each end of a job is one. */
const announceEvery = 250;
/** The pause between two signs of life, with a count of the processes that give any, in milliseconds. */
const beatEvery = 5 * second;
const channel = 'dolly';
/** Max length of the hints of one announcement: PostgreSQL takes 8,000 bytes. */
const maxHints = 7_000;

const Hints = z.array(
  z.object({
    queue: z.string(),
    at: z.number(),
    whose: z.object({ team: z.string(), person: z.string().optional() }).optional(),
  }),
);

/**
 * Joins the other processes on the same store. A notification begins with the process that sends it. Alone it announces
 * that anything may be due; a word after it says more.
 */
export function joinReplicas({ pool, connect, silence }: Connections, clock: Clock, hooks: Hooks): Replicas {
  const { heard, paused, faulty } = hooks;
  const self = randomUUID();
  const stopping = new AbortController();
  const { signal } = stopping;
  let count = 1;
  const recount = () =>
    pool.query<{ count: number }>(countListeners, [silence]).then(({ rows }) => {
      count = Math.max(1, rows[0]?.count ?? 1);
    }, faulty);
  const send = (...words: readonly (string | number)[]) =>
    void pool.query('select pg_notify($1, $2)', [channel, [self, ...words].join(' ')]).catch(faulty);
  const hearChange = spaced(clock, announceEvery, () => heard());
  let waiting: Hint[] | 'anything' = [];
  const sendWaiting = spaced(clock, announceEvery, () => {
    const text = waiting === 'anything' ? '' : JSON.stringify(waiting);
    waiting = [];
    if (text === '' || text.length > maxHints) send();
    else send('due', text);
  });
  const hear = (payload = '') => {
    const [from, word, limit = '', key = '', milliseconds] = payload.split(' ');
    if (from === self) return;
    const hints = word === 'due' ? Hints.safeParse(parseJson(payload.slice(payload.indexOf('[')))) : undefined;
    if (hints?.success) return heard(hints.data);
    if (word === 'joined') void recount();
    else if (word === 'pause') paused?.({ limit, key, milliseconds: Number(milliseconds) });
    else hearChange();
  };
  const begun = async () => {
    await recount();
    send('joined');
    // Announcements from the time without a connection are lost, so a change is assumed.
    heard();
  };
  const listening = listen(connect, clock, signal, { begun, beaten: recount, hear, faulty });
  return {
    count: () => count,
    announce(hints) {
      if (!hints) waiting = 'anything';
      else if (waiting !== 'anything') waiting = merged([...waiting, ...hints]);
      sendWaiting();
    },
    passOn: ({ limit, key, milliseconds }) => send('pause', limit, key, milliseconds),
    async stop() {
      stopping.abort();
      await listening;
    },
  };
}

/** The hints with each queue's earliest time, for each Home apart. */
function merged(hints: readonly Hint[]): Hint[] {
  const earliest = new Map<string, Hint>();
  for (const hint of hints) {
    const key = JSON.stringify([hint.queue, hint.whose]);
    const known = earliest.get(key);
    if (!known || hint.at < known.at) earliest.set(key, hint);
  }
  return [...earliest.values()];
}

/** Counts the processes by their listeners, which send no other statement, by the clock of the database. */
const countListeners = `
  select count(*) from pg_stat_activity
  where datname = current_database() and query = 'listen ${channel}'
    and query_start > clock_timestamp() - $1 * interval '1 millisecond'`;

async function every(clock: Clock, pause: number, signal: AbortSignal, act: () => Promise<void>): Promise<void> {
  for (;;) {
    await clock.wait(pause, signal);
    if (signal.aborted) return;
    await act();
  }
}

type Listener = Pick<Hooks, 'faulty'> &
  Readonly<Record<'begun' | 'beaten', () => Promise<void>> & { hear(payload: string | undefined): void }>;

/** Listens on a connection of its own until `signal` aborts, and connects anew when that is lost. */
async function listen(
  connect: () => pg.Client,
  clock: Clock,
  signal: AbortSignal,
  { begun, beaten, hear, faulty }: Listener,
) {
  let tries = 0;
  while (!signal.aborted) {
    const client = connect();
    const lost = new Promise<unknown>(resolve => {
      client.on('error', resolve);
      client.on('end', () => resolve(undefined));
      signal.addEventListener('abort', () => resolve(undefined), { once: true });
    });
    const over = new AbortController();
    void lost.then(() => over.abort());
    client.on('notification', ({ payload }) => hear(payload));
    try {
      await client.connect();
      await client.query(`listen ${channel}`);
      tries = 0;
      await begun();
      await every(clock, beatEvery, over.signal, async () => {
        await client.query(`listen ${channel}`);
        await beaten();
      });
      const error = await lost;
      if (error !== undefined) faulty(error);
    } catch (error) {
      if (!signal.aborted) faulty(error);
    }
    await client.end().catch(() => undefined);
    if (!signal.aborted) await clock.wait(backOff(tries++, shortestPause, longestPause), signal);
  }
}
