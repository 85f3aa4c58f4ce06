import { changeDatabase } from './change.ts';
import type { Context } from './endpoint.ts';
import type { Effects } from './engine.ts';
import { type Database, nextIdentifier } from './estate.ts';
import { snapshotKinds } from './identifiers.ts';

/** Starts the job that takes a new snapshot of a live database (spec §4.1). Resolves when it has ended, well or not. */
export function backUpData(context: Context, database: Database, effects: Effects): Promise<void> {
  const id = nextIdentifier(context.estate, snapshotKinds[database.vendor]);
  return changeDatabase(context, database, {
    operation: 'database/sync',
    effects,
    during: 'BACKING_UP',
    async work(task) {
      const { type, sizeMb } = await context.engines[database.vendor].backup({ ...task, database, id });
      // The list grows only here, when the data is safe: a snapshot that is listed can be cloned.
      const createdAt = context.clock.now();
      const name = `${database.name}-${new Date(createdAt).toISOString().slice(0, 16)}`;
      database.snapshots.push({ id, name, type, state: 'AVAILABLE', createdAt, sizeMb });
      return {};
    },
  });
}

/** Starts the job that backs up the logs alone (spec §4.1). Resolves when it has ended, well or not. */
export function backUpLogs(context: Context, database: Database, effects: Effects): Promise<void> {
  return changeDatabase(context, database, {
    operation: 'database/sync LOG',
    effects,
    during: 'BACKING_UP',
    work: task => context.engines[database.vendor].backupLogs({ ...task, database }),
    after: now => ({ lastLogBackupAt: now }),
  });
}
