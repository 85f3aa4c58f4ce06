import { rmSync } from 'node:fs';
import { afterAll } from 'vitest';
import { systemClock } from '../../../src/ground/clock.ts';
import type { Store } from '../../../src/store/database.ts';
import { openShared } from '../../../src/store/drivers/postgres.ts';
import { openStore } from '../../../src/store/drivers/sqlite.ts';
import { freshTables } from '../../postgres.ts';
import { hasPostgres } from '../../postgresServer.ts';
import { scratchFolder } from '../../scratch.ts';

/*
 * One store of each kind for a whole file of tests: to make one for each of some hundred tests would take longer than
 * they do.
 */

async function embedded() {
  const folder = scratchFolder('queues');
  const store = await openStore(folder);
  const close = async () => {
    await store.destroy();
    rmSync(folder, { recursive: true, force: true });
  };
  return { store, close };
}

async function shared() {
  const faulty = (error: unknown) => {
    throw error;
  };
  return openShared(await freshTables(), systemClock, { heard: () => undefined, faulty });
}

const kinds = [['the embedded store', embedded] as const, ...(hasPostgres ? [['PostgreSQL', shared] as const] : [])];

/** Each kind of store, opened when it is first asked for, and emptied each time. */
export const keptStores: readonly (readonly [string, () => Promise<Store>])[] = kinds.map(([name, open]) => {
  let opened: ReturnType<typeof open> | undefined;
  afterAll(async () => (await opened)?.close());
  return [
    name,
    async () => {
      opened ??= open();
      const { store } = await opened;
      await empty(store);
      return store;
    },
  ];
});

const filled = ['jobs', 'looks', 'inbox', 'outbox', 'due', 'things', 'watchers', 'homes'] as const;
const besides = ['audit', 'credentials', 'heard', 'claims', 'words', 'requiredFields'] as const;

async function empty(store: Store): Promise<void> {
  for (const table of [...filled, ...besides]) await store.deleteFrom(table).execute();
}
