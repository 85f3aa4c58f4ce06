import { seldom } from '../ground/clock.ts';
import type { Parts } from '../jobs/parts.ts';
import type { Store } from '../store/database.ts';
import type { WentBack } from '../store/drivers/postgres.ts';
import { alone, type Hooks, type Replicas } from '../store/drivers/replicas.ts';
import type { Config } from './config/config.ts';

/** The opened store, PostgreSQL or the embedded one. */
export type Storage = Readonly<{
  store: Store;
  /** Whether other processes may use the same store at the same time. */
  isShared: boolean;
  /** Those processes and this one. */
  replicas: Replicas;
  close(): Promise<void>;
}>;

type Surroundings = Parts<'clock' | 'log' | 'meter'> & Required<Pick<Hooks, 'heard' | 'paused'>> & WentBack;

/** A store that no other process uses. */
export function ownedAlone(store: Store): Storage {
  return { store, isShared: false, replicas: alone, close: () => store.destroy() };
}

/** Opens PostgreSQL where the configuration names one, else the embedded store. @throws {StoreFault} where it cannot */
export async function openStorage(
  { databaseUrl, preparing, dataDir, metricsToken }: Config,
  { clock, log, meter, heard, paused, ...onReturn }: Surroundings,
): Promise<Storage> {
  const ran =
    metricsToken === undefined ? undefined : (statement: string, ms: number) => meter.took('store', { statement }, ms);
  // Only one of the two drivers is loaded.
  if (databaseUrl === undefined) {
    const { isEmptyStore, openStore } = await import('../store/drivers/sqlite.ts');
    if (isEmptyStore(dataDir))
      log.warn(
        { dataDir },
        'DATA_DIR: the file of the store is empty, so Dolly starts a new store: nobody is signed in, and it knows no earlier jobs. If a store was here, stop Dolly and put back the whole folder from its backup',
      );
    return ownedAlone(await openStore(dataDir, ran));
  }
  const warn = seldom(clock, (error, times) => log.warn({ error, times }, 'the connection to the store is in trouble'));
  const { openShared } = await import('../store/drivers/postgres.ts');
  const waits = () =>
    log.info('another process brings the store to the schema of this release; Dolly waits for its end');
  const shared = await openShared(databaseUrl, clock, { heard, paused, faulty: warn, ran, preparing, onReturn, waits });
  meter.reads('connections', async () =>
    Object.entries(shared.connections()).map(([state, value]) => ({ labels: { state }, value })),
  );
  return { store: shared.store, isShared: true, replicas: shared.replicas, close: () => shared.close() };
}
