import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { opensForm } from './clones.ts';

/* What is typed is taken whole or refused, and what is told rests on what the records show now. */

/** Leaves of what records speak of no more than identifiers. */
const nameless: Middleware = async (request, next) => {
  const answer = await next(request);
  const body = await answer.text();
  const unnamed = body.replace(/"(environment|project|sourceDatabase)Name":"[^"]*",?/g, '');
  const isEnvironment = new URL(request.url).pathname.includes('/environment/');
  const kept = isBare && isEnvironment ? unnamed.replace(/"(installs|environmentUsers)":\[[^\]]*\],?/g, '') : unnamed;
  return new Response(kept, { status: answer.status, headers: { 'content-type': 'application/json' } });
};

/** Whether environments show neither their installations nor their users. */
let isBare = false;
let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ service: { middleware: nameless } });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(async () => {
  if (ana.hasModal()) await ana.cancels(true);
});
afterAll(() => earth.close());

const told = async (line: string) => textOf(await answerTo(ana, line, '#dev'));

/** Claims that a command is answered to the person alone, and that nothing of it is sent or becomes a job. */
async function isRefused(line: string, says: readonly string[]): Promise<void> {
  const [writes, cards] = [earth.writes().length, earth.cards('#dev').length];
  const text = await told(line);
  for (const words of says) expect(text).toContain(words);
  await earth.clock.advance(2_000);
  expect([earth.writes().length, earth.cards('#dev').length]).toEqual([writes, cards]);
  expect(ana.hasModal()).toBe(false);
}

describe('words that do not belong to a command are refused, with the command that is meant:', () => {
  test.each([
    ['/db backup orders syncType=LOG', ['`syncType`', '`/db backup-logs`']],
    ['/db backup orders SYNCTYPE=log', ['`/db backup-logs`']],
    ['/db backup orders logs', ['`/db backup-logs`']],
    ['/db stop orders-3320 force=true', ['has no field `force`', 'I did nothing']],
    ['/db refresh orders port=3310', ['`port` is a field of', '`/db clone`']],
    ['/db delete helpdesk force=true', ['has no field `force`']],
    ['/db stop orders-3320 database=orders-3321', ['give two values']],
    ['/db list state=STOPPED', ['`/db list STOPPED`']],
    ['/db show orders full=yes', ['has no field `full`']],
    ['/db whoami ben', ['`/db whoami` takes no other words']],
    ['/db logout ben', ['`/db logout` takes no other words']],
    ['/db jobs owner=ana', ['`jobs` has no field `owner`']],
    ['/db several env=prod', ['`several` has no field `env`', 'I did nothing']],
    ['/db leases owner=ana', ['`leases` has no field `owner`']],
    ['/db report daily at=08:30 every=day', ['`report` has no field `every`']],
    ['/db why backup orders syncType=LOG', ['`/db backup-logs`']],
    ['/db show HOST_ENVIRONMENT-1', ['HOST_ENVIRONMENT-1 is an environment', 'Use `/db env show` for that']],
    ['/db refresh dev', ['Nothing is called `dev`']],
    ['/db refresh HOST_ENVIRONMENT-4', ['Use `/db env refresh` for that']],
  ])('words that do not belong to their command (%s) are refused, and nothing is sent', isRefused);

  test('“reason=” is accepted by a command whose operation needs no reason', async () => {
    const cards = earth.cards('#dev').length;
    await ana.types('#dev', '/db refresh orders reason="a new column"');
    await earth.until(() => earth.cards('#dev').length > cards && earth.writes().length > 0, 'the job to be sent');
  });
});

describe('what changes nothing is not sent, but said:', () => {
  test.each([
    ['/db start orders-3320', ['orders-3320 is already RUNNING', 'I sent nothing']],
    ['/db stop orders-3321', ['orders-3321 is already STOPPED']],
    ['/db enable orders', ['orders is already RUNNING']],
    ['/db env enable dev', ['dev is already ENABLED']],
  ])('a command that would change nothing (%s) says so, and is not sent', isRefused);

  test.each([
    ['/db disable archive_2023', 'archive_2023 is already DISABLED'],
    ['/db env disable perf-lab', 'perf-lab is already DISABLED'],
  ])('a form for an operation that would change nothing (%s) says so, and nothing is sent', async (line, says) => {
    const writes = earth.writes().length;
    await ana.types('#dev', line);
    await ana.until(() => JSON.stringify(ana.sees().views).includes(says), says);
    expect(earth.writes()).toHaveLength(writes);
  });

  test('a form whose chosen target would not change says so at its field, and sends nothing', async () => {
    const writes = earth.writes().length;
    await opensForm(ana, '#dev', '/db stop');
    await ana.fills({ database: 'orders-3321' });
    expect((await ana.submits()).errors).toEqual({ database: 'orders-3321 is already STOPPED, so I sent nothing.' });
    expect(earth.writes()).toHaveLength(writes);
  });
});

describe('an Oracle clone that is typed as a server is the clone of that number', () => {
  test('a list, a record and a command find an Oracle clone that is typed as a server of that number', async () => {
    expect(await told('/db list oracle_clone_server-1')).toContain('PAYDEV');
    expect(await told('/db show ORACLE_CLONE_SERVER-1')).toContain('PAYDEV');
    await isRefused('/db start ORACLE_CLONE_SERVER-1', ['PAYDEV is already RUNNING']);
  });

  test('a picker finds an Oracle clone that is typed as a server of that number', async () => {
    await opensForm(ana, '#dev', '/db stop');
    expect(await ana.choices('database', 'ORACLE_CLONE_SERVER-1')).toEqual(['PAYDEV']);
  });
});

describe('what a record shows is read now, and told by names:', () => {
  test('a list and a record show a database’s new name right after it was renamed', async () => {
    await told('/db list');
    await told('/db show MYSQL_LIVE_SERVER-2');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'renamed_since');
    await earth.clock.advance(10);
    expect(await told('/db list renamed_since')).toContain('MYSQL_LIVE_SERVER-2');
    expect(await told('/db show MYSQL_LIVE_SERVER-2')).toContain('renamed_since');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'shop');
    await earth.clock.advance(10);
  });

  test('“/db list” finds databases by the names of their environment and their project', async () => {
    expect(await told('/db list orders-3320')).toContain('dev');
    expect(await told('/db list mysql-prod')).toMatch(/orders[\s\S]*shop/);
    expect(await told('/db list finance live')).toMatch(/billing[\s\S]*payroll/);
    expect(await told('/db show orders-3320')).toMatch(/dev `HOST_ENVIRONMENT-4`[\s\S]*orders `MYSQL_LIVE_SERVER-1`/);
  });

  test('Home and the choice between two databases of one name show their environments by name', async () => {
    expect(await ana.opensHome()).toContain('Signed in');
    await ana.until(() => JSON.stringify(ana.sees().home).includes('·  dev'), 'the environment of a clone');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'orders');
    await earth.clock.advance(20_000);
    expect(await told('/db show orders')).toContain('MYSQL_LIVE_SERVER-2 on mysql-prod');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'shop');
    await earth.clock.advance(20_000);
  });

  test('“/db show” of a database shows its clones and what is inside it', async () => {
    const text = await told('/db show orders');
    for (const fact of ['Clones* (2)', 'orders-3320', 'STOPPED', 'Databases* (2)', 'orders_archive', 'web-shop'])
      expect(text).toContain(fact);
    const oracle = await told('/db show warehouse');
    for (const fact of ['Pluggable databases* (3)', 'CARRIERS', 'Tablespaces', 'STOCK_DATA', 'WHDEV'])
      expect(oracle).toContain(fact);
  });

  test('“/db env show” shows an environment’s installations, its users and its databases', async () => {
    const text = await told('/db env show dev');
    for (const fact of ['Installations* (3)', 'MARIADB 10.11.9', 'Users* (4)', '`ENVIRONMENT_USER-', 'PAYDEV'])
      expect(text).toContain(fact);
  });
});

describe('a picker offers what belongs to what is chosen', () => {
  const fieldsOf = async () => JSON.stringify((await ana.modal()).fields);

  test('a picker that depends on another field asks for that field first', async () => {
    await opensForm(ana, '#dev', '/clone');
    for (const field of ['install', 'environmentUser', 'snapshot'])
      expect((await ana.choices(field, ''))[0]).toMatch(/^Choose first: (Target environment|Source database)$/);
    expect(await ana.choices('install', 'MYSQL_INSTALL-2')).toEqual(['MYSQL_INSTALL-2']);
  });

  test('a picker offers nothing of another vendor, even where its identifier is typed', async () => {
    await opensForm(ana, '#dev', '/clone orders targetEnvironment=dev');
    expect(await ana.choices('install', '')).toEqual(['MYSQL 8.4.3']);
    expect(await ana.choices('snapshot', 'ORACLE_SNAPSHOT-1')).not.toContain('ORACLE_SNAPSHOT-1');
    expect(await ana.choices('install', 'ORACLE_INSTALL-1')).not.toContain('ORACLE_INSTALL-1');
  });

  test('a picker offers disabled sources, and environments without the vendor’s software, behind all others', async () => {
    await opensForm(ana, '#dev', '/clone');
    expect((await ana.choices('sourceDatabase', '')).at(-1)).toBe('archive_2023');
    expect(await ana.choices('sourceDatabase', 'archive')).toEqual(['archive_2023']);
    await ana.cancels(true);
    await opensForm(ana, '#dev', '/clone orders');
    expect(await ana.choices('targetEnvironment', 'no mysql installed')).toEqual(['mariadb-prod', 'oracle-prod']);
    expect((await ana.choices('targetEnvironment', '')).slice(-3)).toEqual(['mariadb-prod', 'oracle-prod', 'perf-lab']);
  });

  test('a picker says so where it has nothing to offer', async () => {
    await opensForm(ana, '#dev', '/clone orders');
    expect(await ana.choices('targetEnvironment', 'xyz')).toEqual(['I see no environments with these words']);
    await ana.cancels(true);
    await opensForm(ana, '#dev', '/restore loadtest');
    expect((await ana.choices('snapshot', '')).length).toBeGreaterThan(0);
    const database = earth.service.service.estate.databases.values().find(({ name }) => name === 'loadtest');
    database?.snapshots.splice(0);
    await earth.clock.advance(20_000);
    await ana.cancels(true);
    await opensForm(ana, '#dev', '/restore loadtest');
    expect(await ana.choices('snapshot', '')).toEqual(['I see no snapshots here']);
  });

  test('a picker offers a disabled environment behind all others, and says that it is disabled', async () => {
    await opensForm(ana, '#dev', '/clone orders');
    expect((await ana.choices('targetEnvironment', '')).at(-1)).toBe('perf-lab');
    expect(await ana.choices('targetEnvironment', 'disabled nothing runs')).toEqual(['perf-lab']);
  });

  test('a picker offers the installations that an environment’s databases use where its record shows none', async () => {
    isBare = true;
    await earth.clock.advance(20_000);
    await opensForm(ana, '#dev', '/clone orders targetEnvironment=mysql-prod');
    expect(await ana.choices('install', '')).toEqual(['MYSQL_INSTALL-1']);
    await ana.cancels(true);
    await opensForm(ana, '#dev', '/clone orders targetEnvironment=retired');
    expect(await ana.choices('install', '')).toEqual(['I see no installations here']);
    isBare = false;
    await earth.clock.advance(20_000);
  });

  test('an environment user or an installation that is typed by name is that of the environment beside it', async () => {
    await opensForm(ana, '#dev', '/clone payroll environmentUser=oracle install="ORACLE 19.22" targetEnvironment=test');
    expect((await ana.modal()).text).not.toContain('are called');
    const fields = await fieldsOf();
    await ana.cancels();
    const environment = await told('/db env show test');
    const [, user = environment] = /oracle `(ENVIRONMENT_USER-\d+)`/.exec(environment) ?? [];
    expect(fields).toContain(user);
    expect(fields).toContain('ORACLE_INSTALL-');
  });
});

describe('a restore of a part', () => {
  test('a restore of a table offers the databases that the record lists, and takes another name', async () => {
    await opensForm(ana, '#dev', '/restore orders objectType="One table"');
    expect(await ana.choices('databaseName', '')).toEqual(['orders', 'orders_archive']);
    expect(await ana.choices('databaseName', 'arch')).toEqual(['arch', 'orders_archive']);
    await ana.fills({ databaseName: 'orders_archive', tableName: 'lines' });
    expect(JSON.stringify((await ana.modal()).fields)).toMatch(/orders_archive.*lines/);
  });

  test('a restore of a tablespace offers the tablespaces and pluggable databases that the record lists', async () => {
    await opensForm(ana, '#dev', '/restore warehouse objectType="A tablespace"');
    expect(await ana.choices('tablespaceName', '')).toContain('STOCK_DATA');
    expect(await ana.choices('pdb', '')).toEqual(['CARRIERS', 'REPORTS', 'STOCK']);
  });
});

test('a person in a private channel that Dolly is not in is told there where their job’s message went', async () => {
  await ana.types('#dba-private', '/db refresh shop');
  const note = await ana.reads('#dba-private', 'I am not in this channel');
  expect(note.onlyFor).toBe(ana.id);
  expect(textOf(note)).toContain('I sent you the message of *Refresh of shop* directly');
  expect(textOf(await ana.reads('@dolly', 'Refresh of shop'))).toContain('Refresh of shop');
});
