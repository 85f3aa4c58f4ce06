import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete } from './approvals.ts';
import { answerTo, readsShutPage } from './asking.ts';
import { quickClone } from './clones.ts';

/* What keeps a step of a plan from being done is said before anybody is asked: on its page, by `why`, and by its request. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  const folder = scratchFolder('obstacles');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'policy.yml');
  writeFileSync(
    file,
    'rules: [{ operation: database.delete, name: "billing-*", decision: forbid, title: keep billing }]',
  );
  earth = await world({ environment: { ...approvalKeys, POLICY_FILE: file } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const why = async (line: string) => textOf(await answerTo(ana, `/db why ${line}`));
/** What the last page of a command says; it is left without asking for anything. */
async function page(line: string): Promise<string> {
  await ana.types('#databases', `/db ${line}`);
  const shown = await earth.until(async () => {
    const { text } = ana.hasModal() ? await ana.modal() : { text: '' };
    return /deletion|It would be refused/.test(text) ? text : undefined;
  }, `the page of ${line}`);
  await ana.cancels();
  return shown;
}

test.each([
  ['a step that the policy forbids', 'teardown billing', /Step 1 of 2 \(Deletion of billing-3330\).*keep billing/],
  ['a record on a disabled environment', 'teardown loadtest', /loadtest.*perf-lab is DISABLED/],
])('a teardown with %s cannot be submitted, and “/db why” says what is in its way', async (_, line, words) => {
  const answer = await why(line);
  expect(answer).toContain('*It would be refused.*');
  expect(answer).toMatch(words);
  const [cards, writes] = [earth.cards(approvalChannel).length, earth.writes().length];
  expect(await readsShutPage(ana, `/db ${line}`, /It would be refused/)).toMatch(words);
  expect([earth.cards(approvalChannel).length, earth.writes().length]).toEqual([cards, writes]);
});

test('a teardown with a clone that is still being made says so on its page and by “/db why”', async () => {
  await quickClone(earth, ana, 3401);
  await earth.until(async () => /Step 1 of .* at the moment/.test(await why('teardown shop')), 'the clone in the list');
  expect(await page('teardown shop')).toMatch(/at the moment/);
});

test('“/db why” shows the tree of a teardown, and that nothing is in its way', async () => {
  const answer = await why('teardown orders');
  expect(answer).toContain('It would wait for approval');
  expect(answer).toMatch(/[├└]─ \*orders-/);
  expect(answer).toMatch(/Steps\* {2}\d steps, and the records show nothing in the way/);
});

test('“/db why” says that a renewal onto a disabled environment would be refused', async () => {
  const answer = await why('renew orders-3320 targetEnvironment=perf-lab');
  expect(answer).toMatch(/Step 2 of 2.*perf-lab is DISABLED/);
  expect(answer).toContain('*It would be refused.*');
});

test('“/db why” says that a renewal onto another clone’s port, or from a snapshot that is gone, would be refused', async () => {
  const port = await why('renew orders-3320 port=3330');
  expect(port).toMatch(/Step 2 of 2.*Port 3330 on dev belongs to billing-3330/);
  const snapshot = await why('renew orders-3320 snapshot=MYSQL_SNAPSHOT-4711');
  expect(snapshot).toMatch(/Step 2 of 2.*no longer shows the snapshot MYSQL_SNAPSHOT-4711/);
  for (const answer of [port, snapshot]) expect(answer).toContain('*It would be refused.*');
});

test('“/db why” says that a renewal with an unknown installation or environment user would be refused', async () => {
  const software = await why('renew orders-3320 install=MYSQL_INSTALL-4711');
  expect(software).toMatch(/Step 2 of 2.*MYSQL_INSTALL-4711 is not among the installations of dev/);
  const user = await why('renew orders-3320 environmentUser=ENVIRONMENT_USER-4711');
  expect(user).toMatch(/Step 2 of 2.*ENVIRONMENT_USER-4711 is not among the environment users of dev/);
  for (const answer of [software, user]) expect(answer).toContain('*It would be refused.*');
  expect(await why('renew orders-3320')).not.toContain('It would be refused');
});

test('“/db why” refuses a renewal into a project that is gone, but not where the service shows no projects at all', async () => {
  const gone = await why('renew orders-3320 project=PROJECT-4711');
  expect(gone).toMatch(/Step 2 of 2.*PROJECT-4711 is no longer among the service’s projects/);
  expect(gone).toContain('*It would be refused.*');
  const { projects } = earth.service.service.estate;
  const [kept] = projects.keys();
  expect(await why(`renew orders-3320 project=${kept}`)).not.toContain('It would be refused');
  projects.clear();
  await earth.clock.advance(2 * minute);
  expect(await why('renew orders-3320 project=PROJECT-4711')).not.toContain('It would be refused');
});

describe('a clone that failed, of which nobody knows whether the service counts it,', () => {
  const database = (name: string) => {
    const found = earth.service.service.estate.databases.values().find(one => one.name === name);
    if (!found) throw new Error(`there is no ${name}`);
    return found;
  };
  const failed = async (...names: string[]) => {
    for (const name of names) Object.assign(database(name), { state: 'FAILED', error: 'It broke.' });
    await earth.clock.advance(minute);
  };

  test('a database whose only clones have failed can be put up for deletion, and the card names those clones', async () => {
    expect(await why('delete orders')).toMatch(/It would be refused.*orders-3321/);
    await failed('orders-3320');
    expect(await why('delete orders')).toMatch(/It would be refused.*orders-3321/);
    await failed('orders-3321');
    const answer = await why('delete orders');
    expect(answer).toContain('*It would wait for approval*');
    expect(answer).not.toContain('most likely');
    expect(answer).toMatch(
      /grey_question.*orders-3321 \(MYSQL_CLONE_SERVER-2\) depend on it; whether a clone that failed/,
    );
    const { card } = await asksToDelete(earth, ana, '/db delete orders', 'orders');
    expect(earth.text(card)).toMatch(/Depends on it.*orders-3320.*orders-3321/);
  });

  test('a failed clone that depends on another clone does not keep that one from being renewed', async () => {
    const source = database('billing-3330');
    Object.assign(database('orders-3320'), { sourceDatabase: source.id, snapshot: undefined });
    await earth.clock.advance(minute);
    expect(await why('renew billing-3330')).not.toContain('no step deletes');
  });
});
