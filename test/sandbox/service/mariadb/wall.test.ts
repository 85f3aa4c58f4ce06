import { execFileSync } from 'node:child_process';
import {
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commandsOf } from '../../../../src/sandbox/service/mariadb/programs/commands.ts';
import { askOf } from '../../../../src/sandbox/service/mariadb/servers/sql.ts';
import { findAccount, findGuest, handOverTree } from '../../../../src/sandbox/service/mariadb/wall/account.ts';
import type { WallKind } from '../../../../src/sandbox/service/mariadb/wall/wall.ts';
import { tool } from '../../../mariadb.ts';
import { few } from '../../../whole.ts';
import { field } from '../client.ts';
import { serversIn } from './process.ts';
import { describeReal, hostOf, live, type Real } from './real.ts';

/** The same claims behind the strongest wall of this machine, and behind the strongest one without namespaces. */
const attempts: readonly [string, readonly WallKind[] | undefined][] = [
  ['behind the strongest wall that stands here', undefined],
  ['without namespaces', ['user', 'none']],
  ['without any wall', ['none']],
];

// What holds without any wall is little, and holds behind each.
for (const [title, walls] of few(attempts, ([, walls]) => walls?.[0] !== 'none'))
  describeReal(`a clone ${title}`, real => claims(real), walls);
function claims(real: () => Real): void {
  let id = '';
  let home = '';
  let wall = '';
  /** What a clone must never reach. */
  let treasure = '';
  beforeAll(async () => {
    const { clone, record, send, folder } = real();
    wall = String(field(await hostOf(send), 'wall'));
    id = await clone();
    home = dirname(String(field(await record(id), 'dataDirectory')));
    treasure = join(folder, 'live', 'webshop');
  });
  const isClosed = () => wall.startsWith('namespaces');
  const isOpen = () => wall.startsWith('no wall');

  test('the sandbox’s record of its machine says which wall stands between clones and the rest', () => {
    expect(wall).toMatch(/^(namespaces \((bubblewrap|unshare)\)|a user of their own|no wall): /);
  });

  test('a clone’s server is the first to go when memory runs out, and is walled off by its user and its network', async () => {
    const pids = await serversIn(real().folder);
    const [clone, liveOne] = [pids.get(home), pids.get(treasure)];
    expect(readFileSync(`/proc/${clone}/oom_score_adj`, 'utf8').trim()).toBe('1000');
    const uid = (pid: number | undefined) => /^Uid:\t(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    if (process.getuid?.() === 0) expect(uid(clone) === uid(liveOne)).toBe(isOpen());
    for (const name of ['net', 'mnt', 'pid'])
      expect(readlinkSync(`/proc/${clone}/ns/${name}`) !== readlinkSync(`/proc/${liveOne}/ns/${name}`)).toBe(
        isClosed(),
      );
  });

  test('a walled-off clone writes no file where a live server is, and reads none of it', async () => {
    const { sql } = real();
    const planted = join(treasure, 'data', 'planted');
    await sql(id, 'CREATE DATABASE IF NOT EXISTS tries');
    const tries = [
      `SET GLOBAL general_log_file = '${planted}.log'; SET GLOBAL general_log = ON; SELECT 1`,
      `SET GLOBAL slow_query_log_file = '${planted}.slow'; SET GLOBAL slow_query_log = ON; SELECT SLEEP(0)`,
      `SELECT 1 INTO OUTFILE '${planted}.txt'`,
      `SELECT 1 INTO DUMPFILE '${planted}.so'`,
      `CREATE TABLE tries.moved (id INT) DATA DIRECTORY = '${planted}'`,
      `CREATE TABLE tries.isam (id INT) ENGINE=MyISAM DATA DIRECTORY = '${planted}' INDEX DIRECTORY = '${planted}'`,
      'SET GLOBAL innodb_buffer_pool_filename = "../../../live/webshop/data/planted.pool"; SET GLOBAL innodb_buffer_pool_dump_now = ON',
    ];
    for (const statement of tries) await sql(id, statement).catch(() => undefined);
    const left = execFileSync('find', [treasure, '-name', '*planted*'], { encoding: 'utf8' });
    expect(left.split('\n').filter(line => !isOpen() && line !== '')).toEqual([]);
    await sql(id, 'SET GLOBAL general_log = OFF; SET GLOBAL slow_query_log = OFF').catch(() => undefined);
    for (const file of [join(treasure, 'client.cnf'), '/etc/passwd', '/etc/shadow']) {
      expect(await sql(id, `SELECT LOAD_FILE('${file}')`)).toEqual(['NULL']);
      await expect(
        sql(id, `CREATE OR REPLACE TABLE tries.read (line TEXT); LOAD DATA INFILE '${file}' INTO TABLE tries.read`),
      ).rejects.toThrow(/ERROR (1290|13)\b/);
    }
    execFileSync('find', [treasure, '-name', '*planted*', '-delete']);
  });

  test('a clone keeps a table with a DATA DIRECTORY through a stop and a start', async () => {
    const { sql, ask, done } = real();
    await sql(id, 'DROP DATABASE IF EXISTS tries; CREATE DATABASE tries');
    await sql(
      id,
      `CREATE TABLE tries.moved (id INT) DATA DIRECTORY = '${treasure}/elsewhere'; INSERT INTO tries.moved VALUES (7)`,
    );
    await ask('PUT /database/stop', id);
    await done(id);
    await ask('PUT /database/start', id);
    await done(id);
    expect(await sql(id, 'SELECT id FROM tries.moved')).toEqual(['7']);
    expect(existsSync(join(treasure, 'elsewhere'))).toBe(false);
  });

  test('the service follows no link that was planted in a clone’s data, nor does a clone in namespaces', async () => {
    const { sql, ask, done, folder } = real();
    const mine = join(folder, 'kept', 'mine');
    rmSync(mine, { force: true });
    writeFileSync(mine, 'untouched', { mode: 0o600 });
    const before = lstatSync(mine);
    const links = ['data/mariadb.sock', 'tmp/mariadbd.pid', 'tmp/account.sql', 'tmp/mariadb.sock', 'tmp/client.cnf'];
    await ask('PUT /database/stop', id);
    await done(id);
    for (const link of links) {
      rmSync(join(home, link), { force: true });
      symlinkSync(mine, join(home, link));
    }
    symlinkSync(join(treasure, 'data', 'shop'), join(home, 'data', 'stolen'));
    await ask('PUT /database/start', id);
    await done(id);
    const rows = await sql(id, 'SELECT COUNT(*) FROM stolen.customers').catch(error => String(error));
    if (isClosed()) expect(rows).toMatch(/ERROR/);
    await ask('PUT /database/reset', id);
    await done(id);
    expect(readFileSync(mine, 'utf8')).toBe('untouched');
    expect(lstatSync(mine)).toMatchObject({ uid: before.uid, gid: before.gid, mode: before.mode });
  });

  test('a clone loads no code but what is installed here, and cannot add to it', async () => {
    const { sql } = real();
    const [plugins = ''] = await sql(id, 'SELECT @@plugin_dir');
    await expect(sql(id, `SELECT 'code' INTO DUMPFILE '${plugins}evil.so'`)).rejects.toThrow(/ERROR/);
    await expect(sql(id, "CREATE FUNCTION evil RETURNS INTEGER SONAME '../../../tmp/evil.so'")).rejects.toThrow(
      /ERROR/,
    );
    await expect(sql(id, "SET GLOBAL init_file = '/etc/passwd'")).rejects.toThrow(/ERROR 1238/);
    const installs = sql(id, "INSTALL SONAME 'ha_federatedx'");
    if (isClosed()) await installs.catch(error => expect(String(error)).toMatch(/ERROR (1125|1126)/));
    else await expect(installs).rejects.toThrow(/ERROR 1126/);
  });

  test('a clone reaches no other server by an engine of tables, and no replication in it begins by itself', async () => {
    const { sql, command, ask, done } = real();
    const file = readFileSync(String((await command(live))[1]).replace('--defaults-file=', ''), 'utf8');
    const [, port = ''] = /^port=(.+)$/m.exec(file) ?? [];
    const [, password = ''] = /^password=(.+)$/m.exec(file) ?? [];
    await sql(
      id,
      `CREATE OR REPLACE SERVER there FOREIGN DATA WRAPPER mysql OPTIONS (HOST '127.0.0.1', PORT ${port}, USER 'dolly', PASSWORD '${password}', DATABASE 'shop')`,
    );
    const table =
      "CREATE DATABASE IF NOT EXISTS far; CREATE OR REPLACE TABLE far.customers (id INT PRIMARY KEY, name VARCHAR(90)) ENGINE=FEDERATED CONNECTION='there/customers'; SELECT COUNT(*) FROM far.customers";
    await expect(sql(id, table)).rejects.toThrow(/ERROR/);
    const master = `CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = ${port}, MASTER_USER = 'dolly', MASTER_PASSWORD = '${password}', MASTER_CONNECT_RETRY = 1`;
    await sql(id, `${master}; START SLAVE`);
    const threads = () => sql(id, "SELECT id FROM information_schema.processlist WHERE command LIKE 'Slave%'");
    if (isClosed())
      await expect
        .poll(() => sql(id, 'SHOW SLAVE STATUS'))
        .toEqual([expect.stringContaining('error connecting to master')]);
    expect(await threads()).not.toEqual([]);
    await ask('PUT /database/stop', id);
    await done(id);
    await ask('PUT /database/start', id);
    await done(id);
    expect(await threads()).toEqual([]);
    await sql(id, 'RESET SLAVE ALL');
  });

  test('a clone lets no event happen by itself, though the live server does', async () => {
    const { sql, clone } = real();
    await sql(live, 'SET GLOBAL event_scheduler = ON');
    expect(await sql(await clone(), 'SELECT @@event_scheduler')).toEqual(['OFF']);
    await sql(live, 'SET GLOBAL event_scheduler = OFF');
  });

  test('a clone’s server cannot read files through the client with which the service asks it', async () => {
    const { folder, command } = real();
    const account = await findAccount();
    if (account === undefined) throw new Error('there is no user');
    const options = String((await command(id))[1]).replace('--defaults-file=', '');
    const tools = { client: tool('client'), server: '', backup: '', dump: '', binlog: '', install: '' };
    const ask = askOf(commandsOf(account, folder), tools, options);
    const { signal } = new AbortController();
    const load =
      "CREATE OR REPLACE TABLE far.lines (line TEXT); LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE far.lines";
    await expect(ask(load, signal)).rejects.toThrow(/ERROR (1148|4166)/);
  });

  test('the script of a clone in namespaces reaches its clone, and nothing of a live server', async () => {
    const { folder, begin, settled } = real();
    const pid = (await serversIn(folder)).get(treasure);
    const file = readFileSync(join(treasure, 'client.cnf'), 'utf8');
    const [, port = ''] = /^port=(.+)$/m.exec(file) ?? [];
    const path = join(folder, 'scripts', 'looks.sh');
    const lines = [
      '#!/bin/sh',
      `cat ${treasure}/client.cnf >/dev/null 2>&1 && echo reads the password`,
      `ls ${treasure}/data >/dev/null 2>&1 && echo sees the files`,
      `kill -0 ${pid} 2>/dev/null && echo reaches the process`,
      `cat /proc/${pid}/environ 2>/dev/null | grep -q DOLLY && echo sees its variables`,
      `mariadb --protocol=tcp --host=127.0.0.1 --port=${port} -e 'SELECT 1' 2>&1 | grep -q '2002\\|2003' || echo calls the port`,
      'touch /usr/bin/planted 2>/dev/null && echo changes programs',
      'mariadb --defaults-file="$DOLLY_DEFAULTS_FILE" -e "SELECT 1" >/dev/null && echo works',
    ];
    writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o755 });
    const made = await begin('POST /database/clone/create', { specificPostScriptPath: path });
    const record = await settled(made);
    expect(field(record, 'error')).toBeUndefined();
    const said = String(field(record, 'postScriptOutput')).split('\n');
    expect(said).toContain('works');
    if (isClosed()) expect(said).toEqual(['works']);
    if (!isOpen()) for (const line of ['reads the password', 'sees the files']) expect(said).not.toContain(line);
  });

  test('a walled-off clone has the tables with a DATA DIRECTORY, and writes nothing into that folder', async () => {
    const { sql, ask, begin, settled, done } = real();
    const elsewhere = join(treasure, 'elsewhere');
    const account = await findAccount();
    mkdirSync(elsewhere, { mode: 0o700 });
    if (account?.isOther) chownSync(elsewhere, account.uid, account.gid);
    await sql(
      live,
      `CREATE DATABASE far; CREATE TABLE far.inno (id INT PRIMARY KEY) DATA DIRECTORY = '${elsewhere}'; INSERT INTO far.inno VALUES (1);
       CREATE TABLE far.isam (id INT) ENGINE=MyISAM DATA DIRECTORY = '${elsewhere}'; INSERT INTO far.isam VALUES (1)`,
    );
    const rows = 'SELECT COUNT(*) FROM far.inno; SELECT COUNT(*) FROM far.isam';
    for (const count of ['1', '2']) {
      await ask('PUT /database/sync', { database: live });
      const backedUp = await settled(live);
      if (isOpen()) {
        expect(backedUp).toMatchObject({ state: 'FAILED', error: expect.stringContaining('DATA DIRECTORY') });
        break;
      }
      await done(live);
      for (const endpoint of ['POST /database/clone/create', 'POST /database/duplicate/create']) {
        const made = await begin(endpoint);
        await done(made);
        expect(await sql(made, rows)).toEqual([count, count]);
        await sql(made, 'INSERT INTO far.inno VALUES (77); INSERT INTO far.isam VALUES (77); FLUSH TABLES far.isam');
      }
      if (count === '1') await sql(live, 'INSERT INTO far.inno VALUES (2); INSERT INTO far.isam VALUES (2)');
      expect(await sql(live, rows)).toEqual(['2', '2']);
    }
    const files = execFileSync('find', [elsewhere, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n');
    expect(files.map(file => file.slice(elsewhere.length + 1)).toSorted()).toEqual(['far/inno.ibd', 'isam.MYD']);
    await sql(live, 'DROP DATABASE far');
  });

  test('a clone of an earlier release, whose files are another user’s, is found again, and new ones can be made', async () => {
    const { folder, restart } = real();
    const account = await findAccount();
    if (account === undefined) throw new Error('there is no user');
    for (const tree of [join(folder, 'snapshots'), join(home, 'data')]) await handOverTree(account, tree);
    const { sql, clone, done } = await restart();
    expect(await done(id)).toMatchObject({ state: 'RUNNING' });
    expect(await sql(id, 'SELECT COUNT(*) > 0 FROM shop.customers')).toEqual(['1']);
    await clone();
  });

  test('a clone that is deleted leaves nothing of itself running', async () => {
    const { send, folder } = real();
    await send(`DELETE /database/delete?input=${id}`);
    await expect.poll(() => existsSync(home)).toBe(false);
    expect((await serversIn(folder)).has(home)).toBe(false);
  });
}

test('the user that walled-off clones run as is nobody whom the system knows', async () => {
  const account = { name: 'root-made', uid: 102, gid: 105, isOther: true };
  const guest = await findGuest(account);
  expect(readFileSync('/etc/passwd', 'utf8')).not.toContain(`:${guest.uid}:`);
  expect(await findGuest({ ...account, isOther: false })).toMatchObject({ uid: 102 });
});
