import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { marked } from '../../../../src/sandbox/service/mariadb/programs/processes.ts';
import { describeOnServers } from '../../../mariadb.ts';
import { field } from '../client.ts';
import { type Disk, disks, mounted } from './disks.ts';
import { caughtUp, type Foreign, foreignServer, replicaOf } from './foreign.ts';
import { good, must } from './kills.ts';
import { ask, live, type ServiceProcess, signal, startProcess, until, type Wanted } from './process.ts';
import { fields, heldItems, judge, startWriters } from './writers.ts';

/*
 * Restores among writers on every kind of server and of disk, and kills of the service and of the server at every step. Only in
 * `npm run kills`: it takes an hour.
 */

const restores = Number(process.env.RESTORES ?? 50);
const steps = ['loading', 'placing', 'exchanging', 'keys', 'triggers', 'moving', 'definitions', 'tidying'];

/** What ends at a step, or inside of it: when so many files have come and gone in the folder of the target. */
type Kill = Readonly<{ step: string; who: 'service' | 'server'; changes?: number }>;
const inside = [1, 2, 3, 5, 8, 12, 18, 26, 36, 50];
const kills: readonly Kill[] = [
  ...steps.flatMap(step => (['service', 'server'] as const).map(who => ({ step, who }))),
  ...inside.map(changes => ({ step: 'exchanging', who: 'server', changes }) as const),
  ...inside.map(changes => ({ step: 'triggers', who: 'server', changes }) as const),
];

/** Whose server it is, and whether it has a replica. The sandbox's own one always writes a binary log. */
const owners = {
  'the sandbox’s own server with a replica': undefined,
  'a registered server of another user with a replica': ['--server-id=7', '--log-bin=binlog'],
  'a registered server of another user without a binary log': ['--skip-log-bin'],
} as const;

/** A service with one server that is restored. */
type Cell = {
  folder: string;
  service: ServiceProcess;
  id: string;
  /** The option file of the server, and its data. */
  options: string;
  data: string;
  replica: Foreign | undefined;
  snapshot: string;
  held: string;
};

async function cellOn(disk: string, args: readonly string[] | undefined): Promise<Cell> {
  const folder = join(disk, 'state');
  const service = await startProcess({ folder });
  if (args === undefined) {
    const home = join(folder, 'live', 'webshop');
    const options = join(home, 'client.cnf');
    const replica = await replicaOf(join(disk, 'replica'), readFileSync(options, 'utf8'));
    return filled({ folder, service, id: live, options, data: join(home, 'data'), replica });
  }
  const server = await foreignServer(join(disk, 'theirs'), args, true);
  onTestFinished(async () => {
    await server.end();
  });
  const options = join(folder, 'registered', 'theirs.cnf');
  await writeFile(options, server.options, { mode: 0o644 });
  const environments: unknown = (await service.send('GET /environment/list')).body;
  const here = Array.isArray(environments) ? environments.find(one => field(one, 'name') === 'this-machine') : '';
  await must(service, 'PUT /environment/refresh', String(field(here, 'id')));
  const id = 'MARIADB_LIVE_SERVER-2';
  await until(async () => (await service.record(id)) !== undefined, 30_000);
  const replica = args.includes('--skip-log-bin') ? undefined : await replicaOf(join(disk, 'replica'), server.options);
  const data = join(disk, 'theirs', 'data');
  return filled({ folder, service, id, options, data, replica });
}

async function filled(cell: Omit<Cell, 'snapshot' | 'held'>): Promise<Cell> {
  const { service, id } = cell;
  await ask(await service.record(id), fields);
  await must(service, 'PUT /database/sync', { database: id });
  const { snapshots } = await good(service, id);
  const held = await ask(await service.record(id), heldItems);
  return { ...cell, snapshot: Array.isArray(snapshots) ? String(snapshots.at(-1)?.id) : '', held };
}

/** Restores once among writers, from a number on. Gives what is wrong, and how it came out. */
async function restoreOnce(cell: Cell, from: number, isWhole: boolean, kill?: Kill) {
  const { folder, id, options, data, snapshot, held } = cell;
  if (kill !== undefined) {
    await cell.service.stop();
    const inside = kill.changes === undefined ? {} : { watched: join(data, 'target'), changes: kill.changes };
    const wanted: Wanted = { folder, diesAt: kill.step, ...inside };
    cell.service = await startProcess(kill.who === 'server' ? { ...wanted, victims: data } : wanted);
  }
  const { service } = cell;
  const writers = startWriters(options, from, kill?.who === 'server');
  const more = (count: number) => {
    const least = writers.items.acknowledged.size + count;
    return until(() => writers.items.acknowledged.size >= least, 60_000);
  };
  try {
    await more(20);
    const scope = isWhole
      ? { objectType: 'MARIADB_DATABASE_RECOVERY_PARAMS', databaseName: 'target' }
      : { objectType: 'MARIADB_TABLE_RECOVERY_PARAMS', databaseName: 'target', tableName: 'items' };
    await must(service, 'POST /database/restore', { database: id, snapshot, ...scope });
    if (kill?.who === 'service') {
      await until(service.ended, 60_000);
      await more(20);
      cell.service = await startProcess({ folder });
    }
    const record = await cell.service.settled(id);
    await more(20);
    await writers.stop();
    const rows = async (statement: string) => (await ask(record, statement)).split('\n').filter(line => line !== '');
    const isDone = (await rows(`SELECT 1 FROM target.items WHERE n = ${from + 1}`)).length === 0;
    const faults = [...(await judge(rows, writers, from, isDone, isWhole, held))];
    const error = String(record?.error ?? '');
    const saysDone = record?.state === 'RUNNING' || /is restored, but something is left/.test(error);
    const saysUndone = /Nothing was changed/.test(error);
    if (isDone ? !saysDone : !saysUndone)
      faults.push(`it ${isDone ? 'was' : 'was not'} restored, and the record: ${error}`);
    if (kill === undefined && !isDone) faults.push(`not restored: ${error}`);
    for (const name of readdirSync(join(folder, 'work'))) faults.push(`work/${name} was left`);
    return { faults, isDone, longest: Math.max(writers.items.longest, writers.upserted.longest) };
  } finally {
    await writers.stop();
  }
}

/** What is over after all that is kept has had its time. */
async function leftOf(cell: Cell): Promise<readonly string[]> {
  const { folder, id } = cell;
  await cell.service.stop();
  const kept = join(folder, 'kept');
  for (const name of readdirSync(kept)) {
    const note: unknown = JSON.parse(readFileSync(join(kept, name), 'utf8'));
    if (typeof note === 'object') writeFileSync(join(kept, name), JSON.stringify({ ...note, until: 0 }));
  }
  cell.service = await startProcess({ folder });
  await until(() => readdirSync(kept).length === 0, 60_000).catch(() => undefined);
  const record = await cell.service.record(id);
  const rows = (
    await ask(
      record,
      `SELECT schema_name FROM information_schema.schemata WHERE schema_name LIKE 'dolly%'
     UNION SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_name LIKE '%dolly\\_2%'
     UNION SELECT trigger_name FROM information_schema.triggers WHERE trigger_name LIKE 'dolly%'`,
    )
  ).split('\n');
  const files = ['kept', 'work', 'clones', 'mounts'].flatMap(name =>
    readdirSync(join(folder, name)).map(file => `${name}/${file}`),
  );
  if (cell.replica !== undefined) {
    const position = await ask(record, 'SELECT @@gtid_binlog_pos');
    await caughtUp(cell.replica, position);
    expect(await sumsOf(statement => cell.replica?.ask(statement) ?? Promise.resolve([]))).toEqual(
      await sumsOf(async statement => (await ask(record, statement)).split('\n')),
    );
  }
  await cell.service.stop();
  const processes = (await marked(folder)).map(({ command }) => command.join(' '));
  return [...rows, ...files, ...processes].filter(line => line !== '');
}

async function sumsOf(rows: (statement: string) => Promise<readonly string[]>): Promise<readonly string[]> {
  const names = await rows(
    "SELECT CONCAT(table_schema, '.', table_name) FROM information_schema.tables WHERE table_type = 'BASE TABLE' AND table_schema IN ('target', 'beside', 'around') ORDER BY 1",
  );
  return rows(`CHECKSUM TABLE ${names.join(', ')} EXTENDED`);
}

const cells = Object.keys(disks).flatMap(disk => Object.keys(owners).map(owner => [disk, owner] as const));
const isDisk = (name: string): name is Disk => name in disks;
const isOwner = (name: string): name is keyof typeof owners => name in owners;

// Only root may mount the file systems.
const isLeftOut = process.env.RESTORES === undefined || process.getuid?.() !== 0;

describeOnServers('restores among writers, and kills at every step,', () => {
  test.skipIf(isLeftOut).each(cells)(
    'restores among writers, and through kills at every step, come out right on %s, of %s',
    async (disk, owner) => {
      if (!isDisk(disk) || !isOwner(owner)) throw new Error(`${disk}, ${owner}`);
      const place = mounted(disk);
      if (place === undefined) throw new Error(`no ${disk} can be mounted here`);
      const { folder } = place;
      onTestFinished(async () => {
        for (const { pid } of await marked(join(folder, 'state'))) signal(pid, 'SIGKILL');
        place.remove();
      });
      const cell = await cellOn(folder, owners[owner]);
      onTestFinished(() => cell.service.kill());
      const faults: string[] = [];
      const longest: number[] = [];
      const ends = { done: 0, undone: 0 };
      let from = 0;
      const all = [...Array.from({ length: restores }, () => undefined), ...kills];
      for (const [round, kill] of all.entries()) {
        from += 1_000_000;
        const name = kill === undefined ? `restore ${round}` : `${kill.who} at ${kill.step} ${kill.changes ?? ''}`;
        const end = await restoreOnce(cell, from, round % 2 === 1, kill).catch((error: unknown) => {
          throw new Error(`${name}: ${error}`, { cause: error });
        });
        faults.push(...end.faults.map(fault => `${name}: ${fault}`));
        for (const fault of end.faults) process.stdout.write(`${disk}, ${owner}: ${name}: ${fault}\n`);
        longest.push(end.longest);
        ends[end.isDone ? 'done' : 'undone'] += 1;
      }
      const most = Math.round(Math.max(...longest));
      process.stdout.write(`${disk}, ${owner}: ${JSON.stringify(ends)}, writers stood ${most} ms at most\n`);
      expect(faults).toEqual([]);
      expect(await leftOf(cell)).toEqual([]);
    },
    restores * 20_000 + kills.length * 60_000 + 120_000,
  );
});
