import { existsSync } from 'node:fs';
import { givenIn } from '../app/config/given.ts';
import { mariadbFolder } from './realServers.ts';
import { cleanMariadb } from './service/mariadb/mariadb.ts';

/* npm run sandbox:clean */

if (existsSync('.env')) process.loadEnvFile('.env');
const given = givenIn(process.env);
const folder = mariadbFolder(given, given.DATA_DIR ?? './data/sandbox');
try {
  const removed = await cleanMariadb(folder);
  console.log(
    removed === undefined
      ? `There is nothing of the sandbox’s MariaDB servers in ${folder}.`
      : `Removed ${folder}: ${removed.servers} processes ended, ${removed.clones} clones deleted.`,
  );
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
