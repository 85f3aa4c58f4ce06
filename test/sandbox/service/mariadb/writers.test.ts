import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { field } from '../client.ts';
import { caughtUp, type Foreign, register, replicaOf } from './foreign.ts';
import { describeReal, live, type Real } from './real.ts';
import { fields, heldItems, judge, startWriters } from './writers.ts';

const table = { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'target', tableName: 'items' };
const database = { objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'target' };

/** One in `npm test`, as many as one likes with `RESTORES=50 npm run kills`. */
const restores = Number(process.env.RESTORES ?? 1);

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
  await caughtUp(replica, position);
  expect(await sumsOf(replica.ask)).toEqual(await sumsOf(statement => real.sql(id, statement)));
}

/** Restores these parts of the server in turn while others write. */
async function restoreAmongWriters(real: Real, id: string, scopes: readonly object[]): Promise<void> {
  await real.sql(id, fields);
  const snapshot = field(await real.backUp(id), 'id');
  const [held] = await real.sql(id, heldItems);
  const [, option = ''] = await real.command(id);
  const faults: string[] = [];
  const longest: number[] = [];
  let done = 0;
  for (let round = 0; round < restores; round += 1) {
    const from = round * 1_000_000;
    const scope = scopes[round % scopes.length] ?? table;
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

const limit = 120_000 + restores * 20_000;

describeReal('restores while others write', real => {
  test(
    'a restore among writers on the sandbox’s own server loses no commit elsewhere, and its replica ends equal',
    async () => {
      const options = await readFile(join(real().folder, 'live', 'webshop', 'client.cnf'), 'utf8');
      const replica = await replicaOf(join(real().folder, '..', 'replica'), options);
      await restoreAmongWriters(real(), live, [database, table]);
      await isEqual(real(), live, replica);
    },
    limit,
  );

  // Only in `npm run kills`: the tests of all kinds of objects have a registered server with a replica, too.
  test.skipIf(process.env.RESTORES === undefined)(
    'a restore among writers on a registered server loses no commit elsewhere, and its replica ends equal',
    async () => {
      const { id, server } = await register(real(), 'logged', ['--server-id=1', '--log-bin=binlog']);
      const replica = await replicaOf(join(real().folder, '..', 'second'), server.options);
      await restoreAmongWriters(real(), id, [table, database]);
      await isEqual(real(), id, replica);
    },
    limit,
  );

  test(
    'a restore among writers on a registered server without a binary log loses no commit elsewhere',
    async () => {
      const { id } = await register(real(), 'unlogged', ['--skip-log-bin']);
      await restoreAmongWriters(real(), id, [table, database]);
    },
    limit,
  );
});
