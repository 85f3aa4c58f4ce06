import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { recordsOf } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { crossing } from './crossing.ts';

/*
 * A service that shows the first records of each list, and says that there are more. Whatever door a name comes through,
 * nobody hears that there is no such record.
 */

let earth: World;
let ana: Someone;
const road = crossing();
const lists = ['/database/list', '/environment/list', '/project/list', '/user/list'];
/** What the lists still show: the live database “shop”, and the first record of each other list. */
const isShown = (path: string, record: unknown, at: number) =>
  path === '/database/list' ? JSON.stringify(record).includes('"name":"shop"') : at === 0;

beforeAll(async () => {
  const service = { tokenLifetime: 900 * day, middleware: road.middleware };
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' }, service });
  ana = await earth.enters('Dev', 'dev');
  for (const path of lists)
    road.meets(path, async (_request, next) => {
      const body: unknown = await (await next()).json();
      const all = Array.isArray(body) ? body : recordsOf(body);
      return Response.json({ items: all.filter((record, at) => isShown(path, record, at)), hasMore: true });
    });
});
afterAll(() => earth.close());

const hedge = 'that I could read. There may be more: name one by its identifier.';

describe('where a service shows only some of its records, no name is said to be of nothing', () => {
  test.each([
    ['a database', '/db show nosuch', 'Nothing is called `nosuch`'],
    ['databases', '/db list nosuch', 'No databases match nosuch'],
    ['environments', '/db env list nosuch', 'No environments match nosuch'],
    ['an environment', '/db env show nosuch', 'Nothing is called `nosuch`'],
    ['a user', '/db user show nosuch', 'Nothing is called `nosuch`'],
    ['a project', '/db project show nosuch', 'Nothing is called `nosuch`'],
    ['a request without a form', '/db refresh nosuch', 'Nothing is called `nosuch`'],
    ['several databases', '/db backup shop nosuch', 'Nothing is called `nosuch`'],
    ['databases by words', '/db several nosuch', 'No databases or clones match these words'],
    ['a schedule', '/db schedule backup nosuch every=day at=02:00', 'Nothing is called `nosuch`'],
    ['a schedule of an environment', '/db schedule backup env:nosuch every=day at=02:00', 'Nothing is called `nosuch`'],
    [
      'a schedule of all on an environment',
      '/db schedule backup env:HOST_ENVIRONMENT-1 every=day at=02:00',
      'No live database is on it',
    ],
    ['late backups', '/db backup late', 'Nothing that you could back up is late'],
    ['the check of a look', '/db why show nosuch', 'Nothing is called “nosuch”'],
    ['the check of a request', '/db why delete nosuch', 'Nothing is called “nosuch”'],
    ['the check of a field', '/db why clone shop targetEnvironment=nosuch', 'Nothing is called `nosuch`'],
    ['the check of a snapshot', '/db why snapshot delete nosuch', 'Nothing is called “nosuch”'],
    ['a lease', '/db lease nosuch 3d', 'Nothing is called `nosuch`'],
    ['leases', '/db leases', 'There are no clones that you can see'],
    ['leases by words', '/db leases nosuch', 'No clone matches `nosuch`'],
    ['maintenance', '/db maintenance nosuch until=4h why=x', 'Nothing is called `nosuch`'],
  ])('an answer about %s (%s) says that the service may have more records than it showed', async (_, line, lead) => {
    const told = textOf(await answerTo(ana, line));
    expect(told).toContain(`${lead} among the `);
    expect(told).toContain(hedge);
  });

  test.each([
    ['a deletion', '/db delete nosuch'],
    ['a clone', '/clone nosuch'],
    ['a restore', '/restore nosuch'],
    ['a clone in an environment', '/clone shop targetEnvironment=nosuch'],
    ['a snapshot', '/db snapshot delete nosuch'],
  ])('the form of %s (%s) says that the service may have more records than it showed', async (_, line) => {
    await ana.types('#databases', line);
    const page = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
    await ana.until(() => page().includes('nosuch` among the '), 'the form');
    expect(page()).toContain(hedge);
    await ana.cancels();
  });

  test('a status says that it is of some records only, and a report is set up where only some environments are listed', async () => {
    expect(textOf(await answerTo(ana, '/db status nosuch'))).toContain('The service shows only part of its records');
    await earth.clock.advance(minute);
    const whole = road.meets('/database/list', (_request, next) => next());
    expect(textOf(await answerTo(ana, '/db report daily nosuch at=08:30'))).toContain(
      'gets the protection report of `nosuch`',
    );
    whole.leave();
    await earth.clock.advance(minute);
  });

  test('a clone form says that a value filled in as free may be taken where the service lists only some records', async () => {
    await ana.types('#databases', '/clone shop cloneType=VIRTUALCLONE targetEnvironment=HOST_ENVIRONMENT-5');
    const page = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
    await ana.until(() => page().includes('Filled in for you'), 'the form');
    expect(page()).toContain('a value filled in as free may already be taken');
    await ana.cancels();
  });

  test.each([
    ['several databases', 'several shop', 0],
    ['late databases', 'backup late', 3 * day],
  ])(
    'the batch page of %s says that it is incomplete where the service lists only some records',
    async (_, words, later) => {
      // No bot works on all of that time.
      await earth.stop();
      await earth.clock.advance(later);
      await earth.start();
      await ana.types('#databases', `/db ${words}`);
      const page = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
      await ana.until(() => page().includes('shop'), 'the page');
      expect(page()).toContain('This list is incomplete: the service says that there are more.');
      await ana.cancels();
    },
  );

  test('a database’s environment is read by its identifier where the service lists only some environments', async () => {
    expect(textOf(await answerTo(ana, '/db why backup shop'))).toMatch(/Environment\* {2}mysql-prod/);
  });

  test('a database that the service’s list leaves out is still found by its identifier', async () => {
    const { id = '' } = [...earth.service.service.estate.databases.values()].find(one => one.name === 'crm') ?? {};
    expect(textOf(await answerTo(ana, '/db show crm'))).toContain(hedge);
    expect(textOf(await answerTo(ana, `/db show ${id}`))).toContain('*crm*');
    expect(textOf(await answerTo(ana, `/db why delete ${id}`))).toContain(`crm is ${id}`);
  });
});
