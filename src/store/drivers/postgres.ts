import { setTimeout as sleep } from 'node:timers/promises';
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Clock } from '../../ground/clock.ts';
import { codeOf, StoreTrouble } from '../../ground/failure.ts';
import { logged, type Ran, type Schema, type Store, StoreFault } from '../database.ts';
import { followHistory } from '../history/history.ts';
import type { PutBack } from '../history/putBack.ts';
import { withoutWaiting } from '../light.ts';
import { forPostgres } from '../lists.ts';
import { migrate } from '../migrations.ts';
import type { Told } from '../tables/audit/audit.ts';
import { arrivingFirst } from './arriving.ts';
import { leavingReadOnly } from './failOver.ts';
import { prepareByName } from './named.ts';
import { type Hooks, joinReplicas, type Replicas } from './replicas.ts';
import { ownWords, tellingTrouble } from './trouble.ts';

/** A store that several processes share. */
type SharedStore = Readonly<{
  store: Store;
  replicas: Replicas;
  /** The numbers of all connections, of the idle ones among them, and of the requests that wait for one. */
  connections(): Readonly<Record<'total' | 'idle' | 'waiting', number>>;
  close(): Promise<void>;
}>;

/** Max connections. Each piece of work takes one for as long as a statement or a transaction lasts. */
const maxConnections = 10;
/**
 * Time limits in milliseconds: for making a connection, for a statement, for holding a connection, for closing all, and for
 * the silence of another process.
 */
const usualPatience = { connect: 5_000, statement: 30_000, hold: 45_000, close: 3_000, silence: 60_000 } as const;

/** Asks for the limit of a statement in milliseconds, which is given with each connection, and which a pooler may drop. */
const statementLimit = "select setting::int as limit from pg_settings where name = 'statement_timeout'";
const unlimited =
  "statements have no limit of time, since a pooler drops it: give it to the role (ALTER ROLE … SET statement_timeout = '30s')";

/** Reads 64-bit integers as numbers: here they are times in milliseconds, or counts, which a number holds. */
const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    id === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(id, format),
};

/** Hear of what was put back into a store that went back, and of the entries of the trail about it. */
export type WentBack = Readonly<{ wentBack(put: readonly PutBack[]): void; told: Told }>;

/**
 * Opens the store in PostgreSQL and brings it to this release's schema (one replica does; the others wait for it, and call
 * `waits`).
 * `faulty` is also called for errors outside any statement, such as a lost connection. `ran` is called after each
 * statement. Without `preparing` no statement gets a name that its connection has to keep. With `onReturn` this process works
 * on the store from now on: it puts back what it wrote where the store goes back.
 * @throws {StoreFault} where it cannot be reached, does not let us in, or the schema is not one of this release or of those before it
 */
export async function openShared(
  url: string,
  clock: Clock,
  {
    ran,
    preparing = true,
    onReturn,
    waits,
    ...hooks
  }: Hooks & { ran?: Ran | undefined; preparing?: boolean; onReturn?: WentBack; waits?: () => void },
  given: Partial<Readonly<Record<keyof typeof usualPatience, number>>> = {},
): Promise<SharedStore> {
  const patience = { ...usualPatience, ...given };
  const connection = { connectionString: url, connectionTimeoutMillis: patience.connect, keepAlive: true };
  const settings = { ...connection, application_name: 'dolly' };
  const { statement } = patience;
  const timeouts = { statement_timeout: statement, idle_in_transaction_session_timeout: statement };
  const pool = new pg.Pool({ ...settings, types, max: maxConnections, ...timeouts });
  // A connection may be lost while it is idle, or within a transaction; the next statement gets a new one. The pool
  // listens for errors of idle connections only, and an error without a listener would end the process.
  pool.on('connect', client => client.on('error', hooks.faulty));
  pool.on('error', () => undefined);
  if (preparing) prepareByName(pool, hooks.faulty);
  const ending = new AbortController();
  const needs = { settings, clock, signal: ending.signal, faulty: hooks.faulty };
  const { acquire, connect, refused } = leavingReadOnly(pool, needs);
  const arriving = arrivingFirst({ pool: { connect: acquire }, clock, faulty: hooks.faulty });
  const storeOn = (connect: typeof acquire) =>
    new Kysely<Schema>({
      dialect: tellingTrouble(
        new PostgresDialect({ pool: { connect, end: () => pool.end(), options: pool.options } }),
        { written: (text, isAlone) => forPostgres(isAlone ? withoutWaiting(text) : text), refused },
      ),
      plugins: [new CamelCasePlugin()],
      ...logged(ran),
    });
  const store = storeOn(arriving.connect);
  let stopHistory = async () => {};
  try {
    const { rows } = await pool.query<{ limit: number }>(statementLimit);
    if (rows.some(({ limit }) => limit === 0 || limit > statement)) hooks.faulty(new Error(unlimited));
    await migrate(store, `in ${nameOf(url)}`, 'DATABASE_URL', waits);
    // Only after the migration: bringing a large store to a new schema may take longer than any other work.
    endDead(pool, patience.hold);
    if (onReturn) {
      const place = arriving.look;
      const history = followHistory({
        store,
        beside: storeOn(acquire),
        place,
        clock,
        faulty: hooks.faulty,
        ...onReturn,
      });
      arriving.follow(history);
      stopHistory = history.stop;
      await history.begin();
    }
  } catch (cause) {
    ending.abort();
    await stopHistory();
    await store.destroy();
    throw cause instanceof StoreFault ? cause : new StoreFault(openFault(cause, nameOf(url)), { cause });
  }
  const replicas = joinReplicas({ pool, connect, silence: patience.silence }, clock, hooks);
  return {
    store,
    replicas,
    connections: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      ending.abort();
      const closed = Promise.all([stopHistory(), replicas.stop()]).then(() => store.destroy());
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

/** The database as people know it, without the user's password. */
function nameOf(url: string): string {
  const { hostname, port, pathname, searchParams } = new URL(url);
  return `PostgreSQL at ${searchParams.get('host') ?? hostname}${port ? `:${port}` : ''}${pathname}`;
}

const refusals: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'does not listen',
  ENOTFOUND: 'has an unknown host name',
  ETIMEDOUT: 'does not answer',
  '28P01': 'refuses the password',
  '28000': 'does not let this user in',
  '3D000': 'has no such database',
  '42501': 'does not let this user make tables',
  '53300': 'has no connection left',
};

function openFault(cause: unknown, name: string): string {
  const own = cause instanceof StoreTrouble ? cause.cause : cause;
  return `The store, ${name}, ${refusals[codeOf(own)] ?? `cannot be used (${ownWords(own)})`}. Check DATABASE_URL.`;
}
