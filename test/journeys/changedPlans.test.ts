import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Database } from '../../src/sandbox/service/estate.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { asks } from './asking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* Plans whose records change while their cards wait: what was approved is not what would be deleted. */

let earth: World;
let road: Crossing;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware, tokenLifetime: 30 * 24 * 3_600_000 } });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

function databaseCalled(name: string): Database {
  const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
}

/** Adds a clone like another record. */
function adds(id: string, like: string, change: Partial<Database>): void {
  const { service } = earth.service;
  service.add({ ...databaseCalled(like), id, name: 'newcomer', cloneType: 'VIRTUALCLONE', snapshots: [], ...change });
}

const deletions = (from: number) =>
  earth
    .writes()
    .slice(from)
    .filter(({ method }) => method === 'DELETE');

/** Asks for a plan, and waits for its buttons. */
async function asksForPlan(line: string, name: string): Promise<StoredMessage> {
  const card = await asks(earth, ana, line, { name });
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  return card;
}

const newcomer = 'MYSQL_CLONE_SERVER-77';

describe('an approved teardown deletes nothing, and says why, where meanwhile', () => {
  test.each<[string, string, string, () => () => void, RegExp]>([
    [
      'a clone was made of its root',
      '/db teardown orders',
      'orders',
      () => {
        adds(newcomer, 'orders-3320', { sourceDatabase: databaseCalled('orders').id });
        return () => earth.service.service.remove(newcomer);
      },
      /It would now have to include: Deletion of newcomer/,
    ],
    [
      'a clone was made of its leaf',
      '/db teardown orders',
      'orders',
      () => {
        adds(newcomer, 'orders-3320', { sourceDatabase: databaseCalled('orders-3321').id });
        return () => earth.service.service.remove(newcomer);
      },
      /It would now have to include: Deletion of newcomer/,
    ],
    [
      'a branch is gone, which the approver still saw',
      '/db teardown orders',
      'orders',
      () => {
        const gone = databaseCalled('orders-3320');
        const meeting = road.meets('/database/list', async (_request, next) => {
          const answer = await next();
          meeting.leave();
          earth.service.service.remove(gone.id);
          return answer;
        });
        return () => earth.service.service.add(gone);
      },
      /orders-3320\): I cannot read|I cannot read MYSQL_CLONE_SERVER-1/,
    ],
    [
      'the root has another name',
      '/db teardown orders',
      'orders',
      () => {
        const { id } = databaseCalled('orders');
        earth.service.service.rename(id, 'ledger');
        return () => earth.service.service.rename(id, 'orders');
      },
      /Step 3 of 3 \(Deletion of orders\): Name was orders, and is ledger/,
    ],
    [
      'a physical clone was made on the environment',
      '/db env teardown test',
      'test',
      () => {
        adds(newcomer, 'orders-3321', { cloneType: 'PHYSICAL' });
        return () => earth.service.service.remove(newcomer);
      },
      /It would now have to include: Deletion of newcomer/,
    ],
  ])(
    'an approved teardown is void, says why and deletes nothing where meanwhile %s',
    async (_, line, name, changes, why) => {
      const before = earth.writes().length;
      const card = await asksForPlan(line, name);
      const restores = changes();
      expect(await clicks(dev, card, 'Approve…')).toContain('You approved it');
      await earth.until(() => earth.text(card).includes('Approval void'), 'the end of the approval');
      await earth.clock.advance(60_000);
      expect(earth.writes().slice(before)).toEqual([]);
      expect(earth.text(card)).toMatch(why);
      restores();
    },
  );

  test('a teardown under way fails and deletes nothing where a new clone came onto its environment in its first step', async () => {
    const before = earth.writes().length;
    const card = await asksForPlan('/db env teardown perf-lab', 'perf-lab');
    const enabling = road.holds('/environment/enable', 'before');
    expect(await clicks(dev, card, 'Approve…')).toContain('You approved it');
    let isThere = false;
    void enabling.arrived.then(() => {
      isThere = true;
    });
    await earth.until(() => isThere, 'the first step');
    adds(newcomer, 'orders-3321', { environment: 'HOST_ENVIRONMENT-6', cloneType: 'PHYSICAL' });
    enabling.lets();
    await earth.until(() => /Failed/.test(earth.text(card)), 'the end');
    expect(deletions(before)).toEqual([]);
    expect(earth.text(card)).toContain('It would now have to include: Deletion of newcomer');
    earth.service.service.remove(newcomer);
  });
});

test('a teardown page has no submit button until its tree of records is there, and asks for what the tree shows', async () => {
  const page = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
  await ana.types('#databases', '/db teardown orders');
  await ana.until(() => page().includes('"submit":{'), 'the last page');
  adds('MYSQL_CLONE_SERVER-77', 'orders-3321', {});
  await earth.clock.advance(60_000);
  // The first list of the submitted page tells that the records changed; the one for the page itself hangs.
  let lists = 0;
  const [arrived, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const meeting = road.meets('/database/list', async (_request, next) => {
    if (++lists < 2) return next();
    arrived.resolve();
    await gate.promise;
    return next();
  });
  await ana.fills({ confirm: 'orders', reason: 'It is over.' });
  const submitting = ana.submits();
  await arrived.promise;
  await earth.clock.advance(3_000);
  expect(await submitting).toMatchObject({ open: true });
  await ana.until(
    () => page().includes('Looking at the records for everything that this deletes'),
    'the page without a tree',
  );
  expect(page()).not.toContain('"submit":{');
  expect(page()).toContain('have changed since you saw them');
  gate.resolve();
  meeting.leave();
  await ana.until(() => page().includes('newcomer') && page().includes('"submit":{'), 'the tree');
  const cards = earth.cards('#databases').length;
  await ana.fills({ confirm: 'orders', reason: 'It is over.' });
  expect(await ana.submits()).toMatchObject({ open: false });
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the card');
  await earth.until(() => earth.text(card).includes('newcomer'), 'the new step');
  earth.service.service.remove('MYSQL_CLONE_SERVER-77');
});
