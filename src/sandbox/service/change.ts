import type { Context } from './endpoint.ts';
import type { Effects, Observed, Task } from './engine.ts';
import type { Database, DatabaseState, JsonValue } from './estate.ts';

/** An accepted write that begins: what the words below need to know of it. */
export type Beginning = { context: Context; operation: string; effects: Effects };

type Change = {
  /** The state that the record shows while the job runs. */
  during: DatabaseState;
  /** Milliseconds that the simulated job takes. */
  lasts: number;
  work(task: Task): Promise<Observed>;
  /** Fields that differ afterwards. The state is RUNNING unless this names another. */
  becomes?: Partial<Database>;
  /** Fields that the record shows once the job is done; `time` is its end, in ISO 8601. */
  shows?(time: string): Readonly<Record<string, JsonValue>>;
};

/**
 * Starts a job that changes a database or clone: its state during and after, and FAILED with the reason if it fails.
 * Resolves when the job has ended.
 */
export function changeDatabase(
  { context: { jobs, clock }, operation, effects, database }: Beginning & { database: Database },
  { during, lasts, work, becomes, shows }: Change,
): Promise<void> {
  database.state = during;
  database.error = undefined;
  const startedAt = clock.now();
  database.updatedAt = startedAt;
  return jobs.start({
    operation,
    target: database.id,
    effects,
    lasts,
    work,
    done({ contents, facts, port }) {
      const now = clock.now();
      database.contents = contents ?? database.contents;
      database.port = port ?? database.port;
      database.facts = { ...database.facts, ...facts, ...shows?.(new Date(now).toISOString()) };
      Object.assign(database, { state: 'RUNNING', updatedAt: now }, becomes);
      report(database, operation, startedAt, 'SUCCEEDED');
    },
    failed(message) {
      fail(database, message, clock.now());
      report(database, operation, startedAt, 'FAILED');
    },
  });
}

/**
 * Shows in the record of a real engine which job ended last, and when. Real work may take half a second: whoever looks every few
 * seconds sees no state in between, and has no other sign of whose work it was. The simulated service shows states alone.
 */
export function report(database: Database, operation: string, startedAt: number, state: 'SUCCEEDED' | 'FAILED'): void {
  if (database.simulated) return;
  const [began, ended] = [startedAt, database.updatedAt].map(time => new Date(time).toISOString());
  const lastJob = { operation, state, startedAt: began ?? null, completedAt: ended ?? null };
  database.facts = { ...database.facts, lastJob };
}

/** A record that can be deleted. */
type Deletable = { id: string; state: string; error?: string | undefined; updatedAt?: number };

/**
 * Starts a job that removes a record: it is DELETING until `done` takes it out of the estate, and FAILED with the reason if
 * that fails. Resolves when the job has ended.
 */
export function removeRecord(
  { context: { jobs, clock }, operation, effects }: Beginning,
  record: Deletable,
  {
    failed = message => fail(record, message, clock.now()),
    ...removal
  }: { lasts: number; work(task: Task): Promise<void>; done(): void; failed?(message: string): void },
): Promise<void> {
  record.state = 'DELETING';
  record.error = undefined;
  return jobs.start({ operation, target: record.id, effects, failed, ...removal });
}

/** Marks a record as failed. A real failure text may be long: people read its beginning. */
export function fail(
  record: { state: string; error?: string | undefined; updatedAt?: number },
  message: string,
  now: number,
) {
  Object.assign(record, { state: 'FAILED', error: message.slice(0, 2_000), updatedAt: now });
}
