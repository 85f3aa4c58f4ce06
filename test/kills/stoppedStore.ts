import { systemClock } from '../../src/ground/clock.ts';
import type { Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import type { World } from '../world.ts';

/** Works on the store of a bot that does not run. */
export async function onStore<T>({ environment }: World, work: (store: Store) => Promise<T>): Promise<T> {
  const { DATABASE_URL, DATA_DIR = '' } = environment;
  if (DATABASE_URL === undefined) {
    const store = await openStore(DATA_DIR);
    return work(store).finally(() => store.destroy());
  }
  const hooks = { heard: () => undefined, faulty: () => undefined };
  const { store, close } = await openShared(DATABASE_URL, systemClock, hooks);
  return work(store).finally(close);
}
