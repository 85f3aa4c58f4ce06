import type { CompiledQuery, DatabaseConnection, Dialect } from 'kysely';
import { codeOf, outcomeUnknown, StoreTrouble } from '../../ground/failure.ts';

const silence = 'it does not answer';

/**
 * Kinds of trouble of the store, by its error code. Any other code is a defect of Dolly's, which waiting does not mend; but
 * without a connection there was nothing yet in which Dolly could be wrong.
 */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/^(SQLITE_FULL|ENOSPC|53100)/, 'there is no space left for it'],
  [/^(SQLITE_READONLY|SQLITE_CANTOPEN|SQLITE_PERM|25006)/, 'it cannot be written'],
  [/^(SQLITE_IOERR|SQLITE_CORRUPT|SQLITE_NOTADB|58|XX)/, 'its disk fails'],
  // Of a deadlock, too, all that one of the two did is undone.
  [/^(SQLITE_BUSY|SQLITE_LOCKED|25P0[34]|40001|40P01|53|55P03|57014)/, 'it is too busy'],
  [/^(0A000|26000|42P05)/, 'its tables have just changed'],
  [/^(28|3D000|3F000|42501)/, 'it does not let me in'],
  // The codes of Node for connections begin with an E. The error of one that is lost often has no code.
  [/^($|E(?!RR_)|08|57P)/, silence],
];

/**
 * The code and the words of a connection on which nothing was on its way: the server begins, or a pooler has none to hand it
 * to. Other words of a pooler's, such as `query_timeout`, come after that.
 */
const unmade = /^(57P03|08P01: .*(server login|cannot connect to server|query_wait_timeout|client_login_timeout))/;

/** What a store, or a pooler before it, says of an error itself, cut to a line: its code and its words. */
export function ownWords(cause: unknown): string {
  const [words = ''] = cause instanceof Error ? cause.message.split('\n') : [];
  return [codeOf(cause), words.slice(0, 200)].filter(Boolean).join(': ') || 'no answer';
}

/**
 * `when` says what failed: the making of a connection, something within a transaction, or what may have ended one. Then a
 * lost connection leaves open what the store has.
 */
function troubled(cause: unknown, when: 'connecting' | 'within' | 'ending' = 'within'): unknown {
  const code = codeOf(cause);
  const why = reasons.find(([pattern]) => pattern.test(code))?.[1] ?? (when === 'connecting' ? silence : undefined);
  if (cause instanceof StoreTrouble || why === undefined) return cause;
  if (when === 'ending' && why === silence && !unmade.test(ownWords(cause)))
    return new StoreTrouble(openOutcome, { cause, isOpen: true });
  return new StoreTrouble(`My store has a problem (${why}), so nothing was sent. Please try again later.`, {
    cause,
  });
}

const openOutcome = `My store does not answer, ${outcomeUnknown}`;

/**
 * What is done with statements before they run: each waits for what `before` gives, and is written as `written` gives; one
 * outside of a transaction, `alone`, may be written otherwise. `refused` hears of each that PostgreSQL takes for a write
 * and does not let through (25006: read_only_sql_transaction).
 */
type Handling = Readonly<{
  before?: () => Promise<void> | undefined;
  written?: (text: string, isAlone: boolean) => string;
  refused?: () => void;
}>;

/** Wraps a dialect: its failures are {@link StoreTrouble} where the store is to blame, and not the statement. */
export function tellingTrouble(
  dialect: Dialect,
  { before = () => undefined, written = text => text, refused = () => undefined }: Handling = {},
): Dialect {
  const known = new WeakSet<DatabaseConnection>();
  const inTransaction = new WeakSet<DatabaseConnection>();
  const telling =
    <Given extends readonly unknown[], T>(work: (...given: Given) => Promise<T>, when?: 'connecting') =>
    (...given: Given): Promise<T> =>
      work(...given).catch((error: unknown) => {
        throw troubled(error, when);
      });
  return {
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: store => dialect.createIntrospector(store),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createDriver() {
      const driver = dialect.createDriver();
      const { acquireConnection, beginTransaction, commitTransaction, rollbackTransaction } = driver;
      return Object.assign(driver, {
        acquireConnection: telling(async (...given: Parameters<typeof acquireConnection>) => {
          const connection = await acquireConnection.apply(driver, given);
          // The pool gives the same connection many times; it is wrapped once.
          if (!known.has(connection)) {
            const run = connection.executeQuery.bind(connection);
            const runAfter = <R>(given: CompiledQuery<R>) => {
              const isAlone = !inTransaction.has(connection);
              const query = { ...given, sql: written(given.sql, isAlone) };
              const running = before()?.then(() => run<R>(query)) ?? run<R>(query);
              return running.catch((error: unknown) => {
                if (codeOf(error) === '25006') refused();
                throw troubled(error, isAlone ? 'ending' : 'within');
              });
            };
            Object.assign(connection, { executeQuery: runAfter });
            known.add(connection);
          }
          return connection;
        }, 'connecting'),
        beginTransaction: telling((...given: Parameters<typeof beginTransaction>) => {
          inTransaction.add(given[0]);
          return beginTransaction.apply(driver, given);
        }),
        commitTransaction: telling((connection: DatabaseConnection) => {
          inTransaction.delete(connection);
          return commitTransaction.call(driver, connection);
        }),
        // What failed before is the fault to tell: after a lost connection, or where SQLite rolls back by itself, this fails, too.
        rollbackTransaction: (connection: DatabaseConnection) =>
          rollbackTransaction
            .call(driver, connection)
            .catch(() => undefined)
            .finally(() => inTransaction.delete(connection)),
      });
    },
  };
}
