import { ServerResponse } from 'node:http';
import Sqlite from 'better-sqlite3';
import { type DurableCommits, watchDurableCommits } from './durableCommits.ts';

/** What SQLite was asked in this process, by the first words of each statement. */
export type Statements = Readonly<{
  /** What was asked during some work. `beforeAck` is what came before the bot answered Slack for the first time. */
  during(
    work: () => Promise<unknown>,
  ): Promise<Readonly<{ all: string[]; beforeAck: string[]; durableBeforeAck: number }>>;
  end(): void;
}>;

/** Notes each statement of SQLite. It must begin before the store is opened. */
export function watchStatements(): Statements {
  const durable: DurableCommits = watchDurableCommits();
  let all: string[] = [];
  let ack: Readonly<{ at: number; durable: number }> | undefined;
  const { prepare } = Sqlite.prototype;
  const { end } = ServerResponse.prototype;
  const watched = function (this: Sqlite.Database, sql: string) {
    const statement: Sqlite.Statement<unknown[]> = prepare.call(this, sql);
    const name = [...(sql.match(/^\w+/) ?? []), ...(/(?:from|into|update) "(\w+)"/.exec(sql)?.slice(1) ?? [])].join(
      ' ',
    );
    const noting =
      <T>(work: (...parameters: unknown[]) => T) =>
      (...parameters: unknown[]) => {
        all.push(name);
        return work.apply(statement, parameters);
      };
    return Object.assign(statement, { all: noting(statement.all), run: noting(statement.run) });
  };
  const answered = function (this: ServerResponse, ...given: unknown[]) {
    if (this.req.url === '/slack/events') ack ??= { at: all.length, durable: durable.commits.length };
    return Reflect.apply(end, this, given);
  };
  Object.assign(Sqlite.prototype, { prepare: watched });
  Object.assign(ServerResponse.prototype, { end: answered });
  return {
    async during(work) {
      [all, ack] = [[], undefined];
      const before = durable.commits.length;
      await work();
      const { at = all.length, durable: many = durable.commits.length } = ack ?? {};
      return { all: [...all], beforeAck: all.slice(0, at), durableBeforeAck: many - before };
    },
    end() {
      Object.assign(Sqlite.prototype, { prepare });
      Object.assign(ServerResponse.prototype, { end });
      durable.end();
    },
  };
}
