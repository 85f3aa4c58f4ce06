import Sqlite from 'better-sqlite3';
import { CamelCasePlugin, type CompiledQuery, Kysely, type SqliteStatement } from 'kysely';
import type { Schema, Store } from '../../src/store/database.ts';
import { withFunctions } from '../../src/store/drivers/sqlite.ts';
import { tellingTrouble } from '../../src/store/drivers/trouble.ts';
import type { StorePlace } from '../../src/store/history/history.ts';
import { halvesOf } from '../../src/store/inOne.ts';
import { isLight } from '../../src/store/light.ts';
import type { Host, Kernel } from './kernel.ts';
import { type Arrived, type Connections, type Link, linkedDialect, type Work } from './linkedDialect.ts';

/** What may go wrong with a statement. `unknown`: it is done, and its answer is a broken connection. */
export type Mishap = 'full' | 'away' | 'unknown' | undefined;

/** A row as it stands in the store. */
export type StoredRow = Readonly<Record<string, unknown>>;

/** The store of a world, which outlives every process that works on it. */
export type Disk = Readonly<{
  /** Opens it for the present process. Nothing is done on it before the process has `arrived` where it stands. */
  open(arrived?: Arrived): Store;
  place(): StorePlace;
  /** Rolls back what a dead process had begun, and lets the others go on. */
  died(host: Host): void;
  /** The power fails: of what was committed lightly since the last durable commit, only a beginning is left. */
  losePower(): void;
  /** Goes on as it was: all connections break, and nothing is left of what was committed since. */
  goBack(past: Buffer): void;
  /** Reads for the oracles: outside of the world, at once. */
  rows(sql: string, ...parameters: readonly (string | number)[]): readonly StoredRow[];
  bytes(): Buffer;
}>;

export type DiskOptions = Readonly<{
  /** The store as the first start of a bot makes it. */
  image: Buffer;
  /** Whether commits that are marked as light wait for the next durable one. */
  isEmbedded: boolean;
  mishap(host: Host, isCommit: boolean): Mishap;
  /** Called after each commit that may have changed something. */
  committed(): void;
}>;

/** The longest time that a statement takes, in milliseconds. */
const longestStatement = 2;

const codes = { full: 'SQLITE_FULL', away: 'ECONNRESET', unknown: 'ECONNRESET' } as const;

/**
 * The id of an entry in the trail. Its count orders the entries of one millisecond, and goes on from world to world: a
 * process of our own has several.
 */
const entryId = /("[0-9a-f]{12})-[0-9a-f]{4}(?=-[0-9a-f]{8}")/g;

/** Makes the store of a world. */
export function newDisk(kernel: Kernel, { image, isEmbedded, mishap, committed }: DiskOptions): Disk {
  let sqlite = withFunctions(new Sqlite(image));
  /** Counts the stores that have gone on from an earlier state: the connections to an older one are broken. */
  let line = 1;
  const chance = kernel.random('disk');
  const storeHost = kernel.raise('store', 'machinery');
  const known = new Map<string, SqliteStatement & { readonly isWrite: boolean }>();
  /** What was committed since the last durable commit. */
  let lightly: Readonly<{ statement: SqliteStatement; parameters: readonly unknown[] }>[] = [];
  const lookedAt = new Map<string, Sqlite.Statement<unknown[], StoredRow>>();
  let inHand: Work | undefined;
  let isInTransaction = false;
  /** Whether the open transaction has changed a row. */
  let isChanged = false;
  const waiting: Work[] = [];
  const place = () => ({ line: `${line}`, start: '', position: 0 });
  sqlite.exec('savepoint since_durable');

  const makeDurable = () => {
    sqlite.exec('release since_durable; savepoint since_durable');
    lightly = [];
  };
  const rollBack = () => {
    if (isInTransaction) sqlite.exec('rollback to one_transaction; release one_transaction');
    isInTransaction = false;
  };
  const step = (act: () => void): SqliteStatement => ({
    reader: false,
    all: () => [],
    run: () => {
      act();
      return { changes: 0, lastInsertRowid: 0 };
    },
    iterate: () => [][Symbol.iterator](),
  });
  const steps: Readonly<Record<string, SqliteStatement>> = {
    begin: step(() => {
      sqlite.exec('savepoint one_transaction');
      isInTransaction = true;
      isChanged = false;
    }),
    commit: step(() => {
      sqlite.exec('release one_transaction');
      isInTransaction = false;
      if (!isChanged) return;
      makeDurable();
      committed();
    }),
    rollback: step(rollBack),
  };

  /**
   * A statement, with the second one that belongs to it, as a transaction of its own where none is open. One that changes
   * no row writes nothing: it makes nothing durable either, and most of those that look for work are of that kind.
   */
  function prepare(sql: string) {
    const before = known.get(sql);
    if (before) return before;
    const [first, second] = halvesOf(sql);
    const [one, other] = [sqlite.prepare<unknown[]>(first), second === undefined ? undefined : sqlite.prepare(second)];
    const own = first.split('?').length - 1;
    const isWrite = !one.readonly;
    const alone =
      <T>(work: (parameters: readonly unknown[]) => T, changes: (result: T) => boolean) =>
      (parameters: readonly unknown[]): T => {
        if (!isWrite) return work(parameters);
        if (isInTransaction) {
          const result = work(parameters);
          isChanged ||= changes(result);
          return result;
        }
        sqlite.exec('savepoint one_statement');
        try {
          const result = work(parameters);
          sqlite.exec('release one_statement');
          if (!changes(result)) return result;
          if (isEmbedded && isLight(sql)) lightly.push({ statement, parameters });
          else makeDurable();
          committed();
          return result;
        } catch (error) {
          sqlite.exec('rollback to one_statement; release one_statement');
          throw error;
        }
      };
    const statement = {
      isWrite,
      reader: one.reader,
      // It returns the rows that it changed.
      all: alone(
        parameters => one.all([...parameters]),
        rows => rows.length > 0,
      ),
      run: alone(
        parameters => {
          const done = one.run(parameters.slice(0, other ? own : undefined));
          if (done.changes > 0) other?.run(parameters.slice(own));
          return done;
        },
        ({ changes }) => changes > 0,
      ),
      iterate: (parameters: readonly unknown[]) => one.iterate([...parameters]),
    };
    known.set(sql, statement);
    return statement;
  }

  const next = () => {
    if (inHand) return;
    inHand = waiting.shift();
    inHand?.begin();
  };
  const leave = (work: Work) => {
    if (inHand !== work) return;
    rollBack();
    inHand = undefined;
    next();
  };

  /** Runs a query in the name of a process, which hears of its result if it still lives then. */
  function ask<T>(link: Link, query: CompiledQuery, transaction: Work | undefined, run: () => Promise<T>) {
    const { host } = link;
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const { sql, parameters } = query;
    const isWrite = sql === 'commit' || (!steps[sql] && prepare(sql).isWrite);
    const errand = isWrite ? 'write' : 'other';
    if (!kernel.pass(host, 'statement', 'before', errand)) return promise;
    const given = JSON.stringify(parameters);
    kernel.note(`${sql} ${sql.includes('audit') ? given.replace(entryId, '$1') : given}`);
    const isEnd = sql === 'commit' || sql === 'rollback';
    const isAlone = transaction === undefined;
    const perform = (work: Work) =>
      void kernel.after(chance.next() * longestStatement, storeHost, 'statement', () => {
        if (!host.isUp) return leave(work);
        const isCommit = isWrite && (sql === 'commit' || isAlone);
        const isBroken = work.line !== line;
        const fault = isBroken ? 'away' : sql === 'rollback' ? undefined : mishap(host, isCommit);
        const tell = (answer: () => void) => {
          if (kernel.pass(host, 'statement', 'after', errand)) kernel.after(0, host, 'stored', answer);
          if (isEnd || (isAlone && sql !== 'begin')) leave(work);
        };
        const failed = (error: unknown) => tell(() => reject(error));
        const broken = (kind: keyof typeof codes) =>
          Object.assign(new Error(`the store is ${kind}`), { code: codes[kind] });
        if (fault === 'full' || fault === 'away') {
          // What fails to commit is rolled back by the store itself.
          if (sql === 'begin') leave(work);
          return failed(broken(fault));
        }
        let result: Promise<T>;
        try {
          result = run();
        } catch (error) {
          return failed(error);
        }
        if (fault === 'unknown') return failed(broken(fault));
        tell(() => resolve(result));
        result.catch(() => undefined);
      });
    if (transaction && sql !== 'begin') perform(transaction);
    else {
      const work: Work = transaction ?? { ...link, begin: () => undefined };
      work.begin = () => perform(work);
      waiting.push(work);
      next();
    }
    return promise;
  }

  const connections: Connections = {
    place,
    line: () => line,
    prepare: sql => steps[sql] ?? prepare(sql),
    ask,
    isInHand: work => inHand === work,
  };
  return {
    place,
    open: (arrived = { isHere: () => true, arrive: async () => undefined }) =>
      new Kysely<Schema>({
        dialect: tellingTrouble(linkedDialect(kernel.host(), { ...connections, ...arrived })),
        plugins: [new CamelCasePlugin()],
      }),
    died(host) {
      for (const work of waiting.filter(one => one.host === host)) waiting.splice(waiting.indexOf(work), 1);
      if (inHand?.host === host) leave(inHand);
    },
    losePower() {
      const left = lightly.slice(0, chance.whole(0, lightly.length));
      sqlite.exec('rollback to since_durable');
      for (const { statement, parameters } of left) (statement.reader ? statement.all : statement.run)(parameters);
      makeDurable();
    },
    goBack(past) {
      sqlite.close();
      sqlite = withFunctions(new Sqlite(past));
      sqlite.exec('savepoint since_durable');
      for (const cache of [known, lookedAt]) cache.clear();
      [lightly, isInTransaction, inHand] = [[], false, undefined];
      line += 1;
      committed();
      next();
    },
    rows(sql, ...parameters) {
      const look = lookedAt.get(sql) ?? sqlite.prepare<unknown[], StoredRow>(sql);
      lookedAt.set(sql, look);
      return look.all(...parameters);
    },
    bytes: () => sqlite.serialize(),
  };
}
