import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { field, rows } from '../client.ts';
import { type Foreign, foreignServer } from './foreign.ts';
import { describeReal, hostOf, live, type Real } from './real.ts';
import { fields, heldItems, judge, startWriters } from './writers.ts';

const table = { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'target', tableName: 'items' };
const database = { objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'target' };

/** A few in `npm test`, as many as one likes with `RESTORES=50 npm run kills`. */
const restores = Number(process.env.RESTORES ?? 2);

/** A replica of a server, from the first of its binary logs on. */
async function replicaOf(folder: string, options: string, log: string): Promise<Foreign> {
  const replica = await foreignServer(folder, ['--server-id=2', '--innodb-flush-log-at-trx-commit=0']);
  onTestFinished(async () => {
    await replica.end();
  });
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, 'm').exec(options)?.[1] ?? '';
  // The definer of the trigger, which the sandbox makes past the binary log.
  await replica.ask('CREATE USER dolly@localhost; GRANT ALL ON *.* TO dolly@localhost');
  await replica.ask(
    `CHANGE MASTER TO MASTER_HOST='127.0.0.1', MASTER_PORT=${value('port')}, MASTER_USER='${value('user')}', MASTER_PASSWORD='${value('password')}',
     MASTER_LOG_FILE='${log}', MASTER_LOG_POS=4; START SLAVE`,
  );
  return replica;
}

const ours = "table_schema IN ('target', 'beside', 'around', 'shop', 'reviews') OR table_schema LIKE 'dolly%'";

async function sumsOf(ask: (statement: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  const names = await ask(
    `SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND (${ours}) ORDER BY 1`,
  );
  return ask(`CHECKSUM TABLE ${names.join(', ')} EXTENDED`);
}

/** The replica runs and has all that its server has. */
async function isEqual(real: Real, id: string, replica: Foreign): Promise<void> {
  const [position = ''] = await real.sql(id, 'SELECT @@gtid_binlog_pos');
  const [reached] = await replica.ask(`SELECT MASTER_GTID_WAIT('${position}', 60)`);
  const fault = `${await replica.ask('SHOW SLAVE STATUS')}`;
  expect(reached, fault).toBe('0');
  expect(await replica.ask("SELECT COUNT(*) FROM information_schema.processlist WHERE command LIKE 'Slave_%'")).toEqual(
    ['2'],
  );
  expect(await sumsOf(replica.ask)).toEqual(await sumsOf(statement => real.sql(id, statement)));
}

async function restoreAmongWriters(real: Real, id: string): Promise<void> {
  await real.sql(id, fields);
  const snapshot = field(await real.backUp(id), 'id');
  const [held] = await real.sql(id, heldItems);
  const [, option = ''] = await real.command(id);
  const faults: string[] = [];
  const longest: number[] = [];
  let done = 0;
  for (let round = 0; round < restores; round += 1) {
    const from = round * 1_000_000;
    const scope = round % 2 === 0 ? table : database;
    const writers = startWriters(option.replace('--defaults-file=', ''), from);
    onTestFinished(() => writers.stop());
    await vi.waitFor(() => expect(writers.items.acknowledged.size).toBeGreaterThan(20), {
      timeout: 20_000,
      interval: 20,
    });
    await real.ask('POST /database/restore', { database: id, snapshot, ...scope });
    const record = await real.settled(id);
    const at = writers.items.sent;
    await vi.waitFor(() => expect(writers.items.sent).toBeGreaterThan(at + 10), { timeout: 20_000, interval: 20 });
    await writers.stop();
    const isDone = field(record, 'state') === 'RUNNING';
    if (isDone) done += 1;
    else faults.push(String(field(record, 'error')));
    const found = await judge(statement => real.sql(id, statement), writers, from, isDone, scope === database, held);
    faults.push(...found.map(fault => `${round}: ${fault}`));
    longest.push(Math.max(writers.items.longest, writers.upserted.longest));
  }
  process.stdout.write(
    `${done} of ${restores} restores among writers, who stood ${Math.round(Math.max(...longest))} ms at most\n`,
  );
  expect(faults).toEqual([]);
}

/** Registers a server that somebody else runs, as another user of the system. */
async function register(real: Real, name: string, args: readonly string[]): Promise<{ id: string; server: Foreign }> {
  const server = await foreignServer(join(real.folder, '..', name), args, true);
  onTestFinished(async () => {
    await server.end();
  });
  await writeFile(join(real.folder, 'registered', `${name}.cnf`), server.options, { mode: 0o644 });
  const environment = String(field(await hostOf(real.send), 'id'));
  await real.ask('PUT /environment/refresh', environment);
  await vi.waitFor(async () => expect(await real.record(environment)).toMatchObject({ state: 'ENABLED' }), 20_000);
  const listed = rows((await real.send('GET /database/list')).body);
  const found = listed.find(record => field(record, 'name') === name);
  expect(found, JSON.stringify(await real.record(environment))).toBeDefined();
  return { id: String(field(found, 'id')), server };
}

const limit = 120_000 + restores * 20_000;

describeReal('restores while others write', real => {
  test(
    'on the sandbox’s own server: no commit elsewhere is lost, and a replica goes on and ends equal',
    async () => {
      const options = await readFile(join(real().folder, 'live', 'webshop', 'client.cnf'), 'utf8');
      const replica = await replicaOf(join(real().folder, '..', 'replica'), options, 'binlog.000001');
      await restoreAmongWriters(real(), live);
      await isEqual(real(), live, replica);
    },
    limit,
  );

  test(
    'on a registered server of another user, with a replica',
    async () => {
      const { id, server } = await register(real(), 'logged', ['--server-id=1', '--log-bin=binlog']);
      const replica = await replicaOf(join(real().folder, '..', 'second'), server.options, 'binlog.000001');
      await restoreAmongWriters(real(), id);
      await isEqual(real(), id, replica);
    },
    limit,
  );

  test(
    'on a registered server of another user that writes no binary log',
    async () => {
      const { id } = await register(real(), 'unlogged', ['--skip-log-bin']);
      await restoreAmongWriters(real(), id);
    },
    limit,
  );
});
