import Sqlite from 'better-sqlite3';

/** Commits that were watched until `end`. Each is named by its statements, such as `insert jobs + insert audit`. */
export type DurableCommits = Readonly<{ commits: string[]; end(): void }>;

/**
 * Notes each commit of SQLite in this process that waits for the disk: one that changed rows while `synchronous` was
 * FULL. It must begin before the store is opened.
 */
export function watchDurableCommits(): DurableCommits {
  const commits: string[] = [];
  const names: string[] = [];
  const { prepare } = Sqlite.prototype;
  const watched = function (this: Sqlite.Database, sql: string) {
    const statement: Sqlite.Statement<unknown[]> = prepare.call(this, sql);
    const changes = prepare.call(this, 'select total_changes()').pluck();
    const noting =
      <T>(work: (...parameters: unknown[]) => T) =>
      (...parameters: unknown[]) => {
        const before = changes.get();
        const result = work.apply(statement, parameters);
        if (changes.get() !== before)
          names.push(
            sql
              .match(/^\w+|(?<=")\w+/g)
              ?.slice(0, 2)
              .join(' ') ?? sql,
          );
        if (!this.inTransaction && names.length > 0) {
          if (this.pragma('synchronous', { simple: true }) === 2) commits.push(names.join(' + '));
          names.length = 0;
        }
        return result;
      };
    return Object.assign(statement, { all: noting(statement.all), run: noting(statement.run) });
  };
  Object.assign(Sqlite.prototype, { prepare: watched });
  return { commits, end: () => void Object.assign(Sqlite.prototype, { prepare }) };
}
