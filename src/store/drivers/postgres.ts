import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { backOff, type Clock } from '../../ground/clock.ts';
import { logged, type Ran, type Schema, type Store, StoreFault } from '../database.ts';
import { migrate } from '../migrations.ts';
import { tellingTrouble } from './trouble.ts';

/** A store that several processes share. */
export type SharedStore = Readonly<{
  store: Store;
  /** Tells the other processes that something changed. Never throws: they also look by themselves every few seconds. */
  announce(): void;
  /** The numbers of all connections, of the idle ones among them, and of the requests that wait for one. */
  connections(): Readonly<Record<'total' | 'idle' | 'waiting', number>>;
  close(): Promise<void>;
}>;

/** Max connections. Each piece of work takes one for as long as a statement or a transaction lasts. */
const maxConnections = 10;
/**
 * Time limits in milliseconds: for making a connection, for a statement, for holding a connection, and for closing all.
 */
const usualPatience = { connect: 5_000, statement: 30_000, hold: 45_000, close: 3_000 } as const;
/** The first and the longest pause before a lost listener is connected again, in milliseconds. */
const [shortestPause, longestPause] = [500, 15_000];
const channel = 'dolly';

/** Reads 64-bit integers as numbers: here they are times in milliseconds, or counts, which a number holds. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format),
};

/**
 * Functions that the shared store calls. `heard` is called when another process announced a change, or may have done so
 * while none was heard. `faulty` is called for errors outside any statement, such as a lost connection, which is made
 * anew by itself. `ran` is called after each statement.
 */
type Hooks = Readonly<{ heard: () => void; faulty: (error: unknown) => void; ran?: Ran | undefined }>;

/**
 * Opens the store in PostgreSQL and brings it to this release's schema (one replica does; the others wait for it).
 * @throws {StoreFault} where it cannot be reached, does not let us in, or a newer release wrote it
 */
export async function openShared(
  url: string,
  clock: Clock,
  { heard, faulty, ran }: Hooks,
  patience: Readonly<Record<keyof typeof usualPatience, number>> = usualPatience,
): Promise<SharedStore> {
  const settings = { connectionString: url, connectionTimeoutMillis: patience.connect, application_name: 'dolly' };
  const pool = new pg.Pool({
    ...settings,
    types,
    max: maxConnections,
    keepAlive: true,
    statement_timeout: patience.statement,
    idle_in_transaction_session_timeout: patience.statement,
  });
  // A connection may be lost while it is idle, or within a transaction; the next statement gets a new one. The pool
  // listens for errors of idle connections only, and an error without a listener would end the process.
  pool.on('connect', client => client.on('error', faulty));
  pool.on('error', () => undefined);
  const store = new Kysely<Schema>({
    dialect: tellingTrouble(new PostgresDialect({ pool })),
    plugins: [new CamelCasePlugin()],
    ...logged(ran),
  });
  try {
    await pool.query('select 1');
    await migrate(store, `in ${nameOf(url)}`, 'DATABASE_URL');
    // Only after the migration: bringing a large store to a new schema may take longer than any other work.
    endDead(pool, patience.hold);
  } catch (cause) {
    await store.destroy();
    throw cause instanceof StoreFault ? cause : new StoreFault(openFault(cause, nameOf(url)), { cause });
  }
  const self = randomUUID();
  const listener = listen(() => new pg.Client({ ...settings, keepAlive: true }), clock, self, { heard, faulty });
  let announcing = false;
  let again = false;
  const announce = () => {
    again = announcing;
    if (announcing) return;
    announcing = true;
    void pool
      .query('select pg_notify($1, $2)', [channel, self])
      .catch(faulty)
      .finally(() => {
        announcing = false;
        if (again) announce();
      });
  };
  return {
    store,
    announce,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      const closed = listener.stop().then(() => store.destroy());
      // A connection that died silently does not answer when it is closed, either.
      await Promise.race([closed, sleep(patience.close, undefined, { ref: false })]);
    },
  };
}

/**
 * Ends each connection that is held for more than `longest` milliseconds: no work takes so long, so it died silently.
 */
function endDead(pool: pg.Pool, longest: number): void {
  const held = new WeakMap<pg.PoolClient, NodeJS.Timeout>();
  const end = (client: pg.PoolClient) => client instanceof pg.Client && void client.end().catch(() => undefined);
  pool.on('acquire', client => held.set(client, setTimeout(end, longest, client).unref()));
  pool.on('release', (_error, client) => clearTimeout(held.get(client)));
}

/** Listens on a connection of its own, and connects anew when that is lost. */
function listen(
  connect: () => pg.Client,
  clock: Clock,
  self: string,
  { heard, faulty }: Hooks,
): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const running = (async () => {
    let tries = 0;
    while (!signal.aborted) {
      const client = connect();
      const lost = new Promise<unknown>(resolve => {
        client.on('error', resolve);
        client.on('end', () => resolve(undefined));
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
      });
      client.on('notification', ({ payload }) => payload !== self && heard());
      try {
        await client.connect();
        await client.query(`listen ${channel}`);
        tries = 0;
        // Announcements from the time without a connection are lost, so a change is assumed.
        heard();
        const error = await lost;
        if (error !== undefined) faulty(error);
      } catch (error) {
        if (!signal.aborted) faulty(error);
      }
      await client.end().catch(() => undefined);
      if (!signal.aborted) await clock.wait(backOff(tries++, shortestPause, longestPause), signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

/** The database as people know it, without the user's password. */
function nameOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  return `PostgreSQL at ${searchParams.get('host') ?? hostname}${port ? `:${port}` : ''}${pathname}`;
}

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not listen',
  ENOTFOUND: 'has a host name that nobody knows',
  ETIMEDOUT: 'does not answer',
  '28P01': 'refuses the password',
  '28000': 'does not let this user in',
  '3D000': 'has no such database',
  '42501': 'does not let this user make tables',
  '53300': 'has no connection left',
};

function openFault(cause: unknown, name: string): string {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  return `The store, ${name}, ${refusals[code] ?? `cannot be used (${code || 'no answer'})`}. Check DATABASE_URL.`;
}
