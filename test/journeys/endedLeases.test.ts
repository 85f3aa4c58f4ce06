import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks, comesToAnEnd } from './asking.ts';
import { isTold, keepsClone, plain, requestsTo, sleepsUntil } from './keeping.ts';

/* The lease of a clone that is deleted, by whomever, is told as over wherever it is told. */

const policy = join(scratchFolder('ended-leases'), 'policy.yml');
let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  writeFileSync(
    policy,
    `leases: [{ title: two days, default: 2d, warn: [1d], end: delete, grace: 1d }]
rules: [{ operation: database.delete, decision: allow }]
`,
  );
  earth = await world({ environment: { POLICY_FILE: policy }, service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const idOf = (name: string) => {
  const found = earth.service.service.estate.databases.values().find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found.id;
};
const lease = async (words: string, someone = ana) => plain(textOf(await answerTo(someone, `/db lease ${words}`)));
/** Asks for the deletion of a clone, and waits until it is proved. */
async function deletes(someone: Someone, name: string) {
  expect(await comesToAnEnd(earth, await asks(earth, someone, `/db delete ${name}`, { name }))).toContain('deleted');
  await earth.clock.advance(minute);
}
/** What the direct messages about a clone say now. */
const messages = (name: string) =>
  ana
    .messages('@dolly')
    .map(message => plain(textOf(message)))
    .filter(text => text.includes(name));

const over = /is gone, and its lease has ended\.$/;

test.each<readonly [string, number, (name: string, id: string) => Promise<unknown>]>([
  ['its owner', 3401, name => deletes(ana, name)],
  [
    'its owner, before Dolly looked at the lease again',
    3402,
    async name => comesToAnEnd(earth, await asks(earth, ana, `/db delete ${name}`, { name })),
  ],
  ['a colleague', 3403, name => deletes(dev, name)],
  [
    'a stranger, at the service',
    3404,
    async (_, id) => {
      earth.service.service.estate.databases.delete(id);
      await earth.clock.advance(minute);
    },
  ],
])('the lease of a clone that was deleted by %s is told as over', async (_, port, goes) => {
  await keepsClone(earth, ana, port, 'keepFor=5d');
  const [name, id] = [`shop-${port}`, idOf(`shop-${port}`)];
  expect(await lease(id)).toContain('is kept until');
  await goes(name, id);
  expect(await lease(id)).toMatch(over);
  expect(await lease(name)).toMatch(over);
  expect(await lease(name.toUpperCase())).toMatch(over);
  // Of others' leases, only those who see the clone hear.
  expect(await lease(name, dev)).toContain('Nothing is called');
  expect(await lease('MYSQL_CLONE_SERVER-4711')).toContain('No record shows MYSQL_CLONE_SERVER-4711');
});

test('a clone that the policy deletes when its time is up is told as deleted, and its lease as over', async () => {
  await keepsClone(earth, ana, 3405, '');
  const [id, deletions] = [idOf('shop-3405'), requestsTo(earth, '/service/database/delete')];
  await sleepsUntil(earth, earth.clock.now() + day);
  await isTold(earth, ana, /shop-3405 is kept until/);
  await sleepsUntil(earth, earth.clock.now() + day);
  await isTold(earth, ana, 'shop-3405 is stopped: its time is up');
  expect(messages('shop-3405')).not.toContainEqual(expect.stringContaining('being'));
  await sleepsUntil(earth, earth.clock.now() + day);
  await earth.until(() => requestsTo(earth, '/service/database/delete') > deletions, 'the deletion');
  await isTold(earth, ana, 'shop-3405: Nobody brought it back: it is deleted.');
  expect(messages('shop-3405')).not.toContainEqual(expect.stringContaining('being'));
  expect(await lease(id)).toMatch(over);
});

test('an owner who is signed out is told once that the leased clone is gone, and asked nothing more about it', async () => {
  await keepsClone(earth, ana, 3406, 'keepFor=2d');
  const end = earth.clock.now() + 2 * day;
  await sleepsUntil(earth, end - day);
  await isTold(earth, ana, /shop-3406 is kept until/);
  await answerTo(ana, '/db logout');
  await deletes(dev, 'shop-3406');
  await isTold(earth, ana, 'shop-3406: The clone is gone, and its lease with it.');
  const told = messages('shop-3406');
  await sleepsUntil(earth, end + day);
  await earth.clock.advance(2 * minute);
  expect(messages('shop-3406')).toEqual(told);
  await earth.signsIn(ana, '#databases', 'ana');
});
