import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { codeOf } from '../../ground/failure.ts';

/** Max statements that get a name: a connection keeps what it has prepared until it ends. */
const maxNamed = 500;

/**
 * Errors of a statement that was prepared: its tables have other columns since, as after a migration by another replica.
 * Nothing was done.
 */
const stale = '0A000';

/** Errors by which a connection turns out to be with one server after the other, none of which has what another one prepared. */
const elsewhere = new Set(['26000', '42P05']);

/** Says what to set where names are of no use. */
const unkept = 'a pooler gives each transaction another connection: set DATABASE_PREPARE=false';

type SentStatement = Readonly<{ text: string; name?: string }>;

/**
 * Lets each connection of a pool prepare the statements that come again, and plan them less often. What fails for that alone
 * runs once more, unprepared; within a transaction its error ends that one. A name tells the text, for all processes: behind
 * a pooler they share what servers keep. What has become stale is prepared anew by another text, since a pooler that
 * prepares by itself goes by that. Where a connection does not keep what it prepared, `faulty` hears so once, and no more
 * names are given.
 */
export function prepareByName(pool: pg.Pool, faulty: (error: unknown) => void): void {
  const known = new Map<string, SentStatement>();
  let mark = '';
  let isKept = true;
  /** A statement as it is sent: with a name if it came before. */
  const named = (text: string): SentStatement => {
    const before = known.get(text);
    if (before || !isKept || known.size >= maxNamed) return before ?? { text };
    const marked = `${text}${mark}`;
    known.set(text, { text: marked, name: createHash('sha256').update(marked).digest('hex').slice(0, 40) });
    return { text };
  };
  /** Whether an error means that a statement is to run without its name; then no other one runs by the names until now. */
  const isOfName = (text: string, { name }: SentStatement, error: unknown) => {
    const code = codeOf(error);
    if (name === undefined || !(code === stale || elsewhere.has(code))) return false;
    // Another one may have failed, and renewed all, since this one was sent.
    if (known.get(text)?.name !== name) return true;
    known.clear();
    mark = ` /* ${randomUUID()} */`;
    if (elsewhere.has(code) && isKept) faulty(new Error(unkept, { cause: error }));
    isKept &&= code === stale;
    return true;
  };
  pool.on('connect', client => {
    const run = (...given: readonly unknown[]): unknown => Reflect.apply(pg.Client.prototype.query, client, given);
    const runNamed = async (text: string, values: readonly unknown[]) => {
      const sent = named(text);
      try {
        return await run(sent, values);
      } catch (error) {
        if (!isOfName(text, sent, error)) throw error;
        try {
          return await run({ text }, values);
        } catch {
          throw error;
        }
      }
    };
    Reflect.set(client, 'query', (...given: readonly unknown[]) => {
      const [text, values, ...others] = given;
      const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0 && others.length === 0;
      return isPlain ? runNamed(text, values) : run(...given);
    });
  });
}
