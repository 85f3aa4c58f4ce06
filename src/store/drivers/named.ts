import pg from 'pg';

/** Max statements that get a name: a connection keeps what it has prepared until it ends. */
const maxNamed = 500;

/**
 * Errors of a statement that a connection has prepared: its tables have other columns since, as after a migration by
 * another replica; or the connection at the other end is another one. Nothing was done.
 */
const stale = new Set(['0A000', '26000']);

/**
 * Lets each connection of a pool prepare the statements that come again, and plan them less often. What has become stale is
 * prepared anew by all, and run once more; within a transaction its error ends that one.
 */
export function prepareByName(pool: pg.Pool): void {
  const known = new Map<string, number>();
  let generation = 0;
  /** The name of a statement that came before. */
  const nameOf = (text: string) => {
    const at = known.get(text);
    if (at === undefined && known.size < maxNamed) known.set(text, known.size);
    return at === undefined ? {} : { name: `${generation}.${at}` };
  };
  pool.on('connect', client => {
    const run = (...given: readonly unknown[]): unknown => Reflect.apply(pg.Client.prototype.query, client, given);
    const runNamed = async (text: string, values: readonly unknown[]) => {
      try {
        return await run({ text, ...nameOf(text) }, values);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && stale.has(String(error.code)))) throw error;
        generation += 1;
        try {
          return await run({ text, ...nameOf(text) }, values);
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
