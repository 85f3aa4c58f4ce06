import { existsSync } from 'node:fs';
import { ConfigFault, readStoreKeys } from './app/config/config.ts';
import { systemClock } from './ground/clock.ts';
import { mayHaveStored } from './ground/failure.ts';
import { StoreFault } from './store/database.ts';
import { moveStore } from './store/moveStore.ts';

if (existsSync('.env')) process.loadEnvFile('.env');
try {
  const { dataDir, databaseUrl } = readStoreKeys(process.env);
  const carried = await moveStore(dataDir, databaseUrl, systemClock);
  const lines = carried.map(({ table, rows }) => `  ${table.padEnd(12)} ${rows}`);
  console.log(
    [
      'Moved into PostgreSQL:',
      ...lines,
      `The store in ${dataDir} was left as it was; nothing reads it while DATABASE_URL is set.`,
      'TOKEN_KEYS must stay the same: the sign-ins are sealed with them.',
    ].join('\n'),
  );
} catch (error) {
  const isKnown = error instanceof ConfigFault || error instanceof StoreFault;
  console.error(isKnown ? error.message : error);
  console.error(
    mayHaveStored(error)
      ? 'The connection to PostgreSQL was lost at the end: either everything was moved, or nothing. Run this again: if the store has rows already, all of them are there.'
      : 'Nothing was moved.',
  );
  process.exitCode = 1;
}
