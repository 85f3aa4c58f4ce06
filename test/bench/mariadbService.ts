import { openMariadb } from '../../src/sandbox/service/mariadb/mariadb.ts';
import { startService } from '../../src/sandbox/service/server.ts';

/*
 * The sandbox service on real MariaDB servers, in a process of its own. It is ready when its example is made and backed
 * up once. It closes in order: its servers would outlive it.
 */
const folder = process.env.BENCH_FOLDER ?? '';
const opened = await openMariadb({ folder, example: { megabytes: Number(process.env.BENCH_MEGABYTES) } });
if ('reason' in opened) throw new Error(opened.reason);
const service = await startService({ port: 0, engines: { MARIADB: opened.engine }, stateDir: folder });
process.once('SIGTERM', () => void service.close().then(() => process.exit(0)));
const account = service.accounts.find(({ role }) => role === 'DBA');
console.log(`ready ${JSON.stringify({ url: service.url, account })}`);
