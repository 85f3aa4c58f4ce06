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
  const kept = body.replace(/"(environment|project|sourceDatabase)Name":"[^"]*",?/g, '');
  return new Response(kept, { status: answer.status, headers: { 'content-type': 'application/json' } });
};

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
    ['/db stop orders-3320 force=true', ['has no field `force`', 'nothing was done']],
    ['/db refresh orders port=3310', ['`port` is a field of', '`/db clone`']],
    ['/db delete helpdesk force=true', ['has no field `force`']],
    ['/db stop orders-3320 database=orders-3321', ['name two things']],
    ['/db list state=STOPPED', ['`/db list STOPPED`']],
    ['/db show orders full=yes', ['has no field `full`']],
    ['/db whoami ben', ['`/db whoami` takes no other words']],
    ['/db logout ben', ['`/db logout` takes no other words']],
    ['/db jobs state=failed', ['`/db jobs` takes no other words']],
    ['/db why backup orders syncType=LOG', ['`/db backup-logs`']],
    ['/db show HOST_ENVIRONMENT-1', ['HOST_ENVIRONMENT-1 is an environment', '`/db env show` is for that']],
    ['/db refresh dev', ['Nothing is called `dev`']],
    ['/db refresh HOST_ENVIRONMENT-4', ['`/db env refresh` is for that']],
  ])('%s', isRefused);

  test('a reason belongs to every command that asks for something', async () => {
    const cards = earth.cards('#dev').length;
    await ana.types('#dev', '/db refresh orders reason="a new column"');
    await earth.until(() => earth.cards('#dev').length > cards && earth.writes().length > 0, 'the job to be sent');
  });
});

describe('what changes nothing is not sent, but said:', () => {
  test.each([
    ['/db start orders-3320', ['orders-3320 is RUNNING already', 'nothing was sent']],
    ['/db stop orders-3321', ['orders-3321 is STOPPED already']],
    ['/db enable orders', ['orders is RUNNING already']],
    ['/db env enable dev', ['dev is ENABLED already']],
  ])('%s', isRefused);

  test.each([
    ['/db disable archive_2023', 'archive_2023 is DISABLED already'],
    ['/db env disable perf-lab', 'perf-lab is DISABLED already'],
  ])('also by a form: %s', async (line, says) => {
    const writes = earth.writes().length;
    await ana.types('#dev', line);
    await ana.until(() => JSON.stringify(ana.sees().views).includes(says), says);
    expect(earth.writes()).toHaveLength(writes);
  });

  test('also where the target is chosen in the form', async () => {
    const writes = earth.writes().length;
    await opensForm(ana, '#dev', '/db stop');
    await ana.fills({ database: 'orders-3321' });
    expect((await ana.submits()).errors).toEqual({ database: 'orders-3321 is STOPPED already, so nothing was sent.' });
    expect(earth.writes()).toHaveLength(writes);
  });
});

describe('an Oracle clone that is typed as a server is the clone of that number', () => {
  test('in a list, a record and a command', async () => {
    expect(await told('/db list oracle_clone_server-1')).toContain('PAYDEV');
    expect(await told('/db show ORACLE_CLONE_SERVER-1')).toContain('PAYDEV');
    await isRefused('/db start ORACLE_CLONE_SERVER-1', ['PAYDEV is RUNNING already']);
  });

  test('in a picker', async () => {
    await opensForm(ana, '#dev', '/db stop');
    expect(await ana.choices('database', 'ORACLE_CLONE_SERVER-1')).toEqual(['PAYDEV']);
  });
});

describe('what a record shows is read now, and told by names:', () => {
  test('a list and a record are never of a moment ago', async () => {
    await told('/db list');
    await told('/db show MYSQL_LIVE_SERVER-2');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'renamed_since');
    await earth.clock.advance(10);
    expect(await told('/db list renamed_since')).toContain('MYSQL_LIVE_SERVER-2');
    expect(await told('/db show MYSQL_LIVE_SERVER-2')).toContain('renamed_since');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'shop');
    await earth.clock.advance(10);
  });

  test('a list by what its records stand on, belong to and come from', async () => {
    expect(await told('/db list orders-3320')).toContain('dev');
    expect(await told('/db list mysql-prod')).toMatch(/orders[\s\S]*shop/);
    expect(await told('/db list finance live')).toMatch(/billing[\s\S]*payroll/);
    expect(await told('/db show orders-3320')).toMatch(/dev `HOST_ENVIRONMENT-4`[\s\S]*orders `MYSQL_LIVE_SERVER-1`/);
  });

  test('Home, and a chooser between two of one name', async () => {
    expect(await ana.opensHome()).toContain('Signed in');
    await ana.until(() => JSON.stringify(ana.sees().home).includes('·  dev'), 'the environment of a clone');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'orders');
    await earth.clock.advance(20_000);
    expect(await told('/db show orders')).toContain('MYSQL_LIVE_SERVER-2 on mysql-prod');
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'shop');
    await earth.clock.advance(20_000);
  });

  test('a database with its clones and what is inside it', async () => {
    const text = await told('/db show orders');
    for (const fact of ['Clones* (2)', 'orders-3320', 'STOPPED', 'Databases* (2)', 'orders_archive', 'web-shop'])
      expect(text).toContain(fact);
    const oracle = await told('/db show warehouse');
    for (const fact of ['Pluggable databases* (3)', 'CARRIERS', 'Tablespaces', 'STOCK_DATA', 'WHDEV'])
      expect(oracle).toContain(fact);
  });

  test('an environment with its installations, its users and what stands on it', async () => {
    const text = await told('/db env show dev');
    for (const fact of ['Installations* (3)', 'MARIADB 10.11.9', 'Users* (4)', '`ENVIRONMENT_USER-', 'PAYDEV'])
      expect(text).toContain(fact);
  });
});
