import { type CompiledQuery, type Dialect, type SqliteDatabase, SqliteDialect, type SqliteStatement } from 'kysely';
import type { StorePlace } from '../../src/store/history/history.ts';
import type { Host } from './kernel.ts';

/** A process's work at the store: a transaction, or a statement alone. No other work goes on meanwhile. */
export type Work = { readonly host: Host; readonly line: number; begin(): void };

/** The connection of a process to the store, as it was made. */
export type Link = Pick<Work, 'host' | 'line'>;

/** Whether a process has come as far as the store, and lets it come there. */
export type Arrived = Readonly<{ isHere(place: StorePlace): boolean; arrive(place: StorePlace): Promise<unknown> }>;

/** The store of a world, as its connections see it. */
export type Connections = Readonly<{
  place(): StorePlace;
  /** Counts the stores that have gone on from an earlier state: the connections to an older one are broken. */
  line(): number;
  prepare(sql: string): SqliteStatement;
  /** Runs a query in the name of a process, which hears of its result if it still lives then. */
  ask<T>(link: Link, query: CompiledQuery, transaction: Work | undefined, run: () => Promise<T>): Promise<T>;
  isInHand(work: Work | undefined): boolean;
}>;

/** A dialect whose statements go to the store of the world, in the name of a process. */
export function linkedDialect(
  host: Host,
  { place, line, prepare, ask, isInHand, isHere, arrive }: Connections & Arrived,
): Dialect {
  const database: SqliteDatabase = { close: () => undefined, prepare };
  const inner = new SqliteDialect({ database });
  return {
    createAdapter: () => inner.createAdapter(),
    createIntrospector: store => inner.createIntrospector(store),
    createQueryCompiler: () => inner.createQueryCompiler(),
    createDriver() {
      const driver = inner.createDriver();
      const { acquireConnection } = driver;
      let isWrapped = false;
      let link: Link = { host, line: line() };
      return Object.assign(driver, {
        async acquireConnection() {
          const connection = await acquireConnection.call(driver);
          // Kysely keeps a single connection locked for ever where this one fails: its statements do.
          let isBroken = false;
          while (!isBroken && !isHere(place()))
            await arrive(place()).catch(() => {
              isBroken = true;
            });
          link = { host, line: isBroken ? 0 : line() };
          if (isWrapped) return connection;
          isWrapped = true;
          const run = connection.executeQuery.bind(connection);
          let transaction: Work | undefined;
          return Object.assign(connection, {
            async executeQuery(query: CompiledQuery) {
              const { sql } = query;
              if (sql === 'begin') {
                const work: Work = { ...link, begin: () => undefined };
                const begun = await ask(link, query, work, () => run(query));
                transaction = work;
                return begun;
              }
              const work = transaction;
              if (sql === 'commit' || sql === 'rollback') transaction = undefined;
              // The store has ended it already, where the answer to its commit was lost.
              if (sql === 'rollback' && !isInHand(work)) return { rows: [] };
              return ask(link, query, work, () => run(query));
            },
          });
        },
      });
    },
  };
}
