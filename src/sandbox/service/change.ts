import type { Context } from './endpoint.ts';
import type { Effects, Observed, Task } from './engine.ts';
import type { Database, DatabaseState } from './estate.ts';

type Change = {
  operation: string;
  effects: Effects;
  /** Shown while the job runs. */
  during: DatabaseState;
  work(task: Task): Promise<Observed>;
  /** What the record says afterwards; its state is RUNNING unless this names another. */
  after?(now: number): Partial<Database>;
};

/**
 * Starts a job that changes a database or clone: its state during and after, and FAILED with the reason if it fails.
 * Resolves when the job has ended.
 */
export function changeDatabase({ jobs, clock }: Context, database: Database, change: Change): Promise<void> {
  database.state = change.during;
  database.error = undefined;
  database.updatedAt = clock.now();
  return jobs.start({
    operation: change.operation,
    target: database.id,
    effects: change.effects,
    work: change.work,
    done({ contents, facts, port }) {
      const now = clock.now();
      database.contents = contents ?? database.contents;
      database.port = port ?? database.port;
      database.facts = { ...database.facts, ...facts };
      Object.assign(database, { state: 'RUNNING', updatedAt: now }, change.after?.(now));
    },
    failed: message => fail(database, message, clock.now()),
  });
}

/** Marks a record as failed. A real failure text may be long: people read its beginning. */
export function fail(
  record: { state: string; error?: string | undefined; updatedAt?: number },
  message: string,
  now: number,
) {
  Object.assign(record, { state: 'FAILED', error: message.slice(0, 2_000), updatedAt: now });
}
