import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, clicks } from './approvals.ts';
import { answerAfter, answerTo } from './asking.ts';
import { refusalsOf } from './clones.ts';
import { plain } from './keeping.ts';

/* Several clones at once: kept longer, and deleted behind one approval. */

let earth: World;
let ana: Someone;
let dev: Someone;

const policy = `rules:
  - title: scratch clones go freely
    operation: database.delete
    name: scratch-*
    decision: allow
`;
const folder = scratchFolder('manyClones');

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  earth = await world({ environment: { ...approvalKeys, POLICY_FILE: file }, service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

const channel = '#databases';
const page = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
const shows = (words: string) => ana.until(() => page().includes('"submit":{') && page().includes(words), words);
const database = (name: string) => {
  const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const deletions = () =>
  earth.writes().flatMap(({ method, path, body }) => (method === 'DELETE' ? [`${path} ${JSON.stringify(body)}`] : []));

test('several clones are kept longer with one page, and one answer says until when', async () => {
  const list = await answerTo(ana, '/db leases');
  await ana.presses('Keep or delete several', { message: list });
  await shows('Keep for 3 days from now');
  expect(page()).toContain('no lease');
  await ana.fills({ operation: 'Keep for 3 days from now', 'targets-0': ['orders-3320', 'orders-3321'] });
  const answer = await answerAfter(ana, channel, () => ana.submits(), 'the answer');
  expect(plain(textOf(answer))).toMatch(/2 clones are kept until .*: orders-3320, orders-3321/);
  expect(plain((await answerTo(ana, '/db leases orders')).text)).toMatch(
    /orders-3320 .*kept until[\s\S]*orders-3321 .*kept until/,
  );
});

test('“/db lease” takes several clones at once, and says why where it changed none of them', async () => {
  const answer = plain(textOf(await answerTo(ana, '/db lease orders-3320, orders-3321 none')));
  expect(answer).toContain('2 clones are kept without an end: orders-3320, orders-3321');
  const late = plain(textOf(await answerTo(ana, '/db lease orders-3320, orders-3321 until=2026-01-01')));
  for (const name of ['orders-3320', 'orders-3321'])
    expect(late).toContain(`${name} was not changed: That time has passed, so I changed nothing.`);
});

/** Ticks clones on the page of `leases`, chooses their deletion, and waits for the page that confirms it. */
async function ticksToDelete(names: readonly string[]): Promise<void> {
  await ana.types(channel, '/db several show=clones');
  await shows('Keep without an end');
  await ana.fills({ operation: 'Delete', 'targets-0': [...names] });
  expect(await ana.submits()).toMatchObject({ open: true, errors: {} });
  await shows('will be deleted');
}

test('several clones are deleted together once their number is typed and another person has approved', async () => {
  const before = [...earth.service.service.estate.databases.values()].length;
  await ticksToDelete(['orders-3320', 'orders-3321']);
  expect(page()).toContain('2 clones will be deleted');
  await ana.fills({ reason: 'The tests are over.', count: '1' });
  expect((await ana.submits()).errors).toEqual({ count: expect.stringContaining('2 are ticked: type 2') });
  await ana.fills({ count: '2' });
  const [cards, own] = [earth.cards(approvalChannel).length, earth.cards(channel).length];
  expect(await ana.submits()).toMatchObject({ open: false, error: '' });
  const card = await earth.until(() => earth.cards(approvalChannel)[cards], 'the card');
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  for (const name of ['orders-3320', 'orders-3321']) expect(earth.text(card)).toContain(name);
  expect(deletions()).toEqual([]);
  expect(await clicks(ana, card, 'Approve…')).toContain('You asked for this yourself');
  expect(deletions()).toEqual([]);
  await clicks(dev, card, 'Approve…');
  const told = await earth.until(() => earth.cards(channel)[own], 'the message');
  await earth.until(() => earth.text(told).includes('all confirmed'), `the end: ${earth.text(told)}`);
  expect(earth.text(told)).toContain('2 clones are deleted');
  expect([...earth.service.service.estate.databases.values()]).toHaveLength(before - 2);
});

/** Adds clones like one that is there. */
async function adds(...names: readonly string[]): Promise<void> {
  const { estate } = earth.service.service;
  for (const name of names) {
    const id = nextIdentifier(estate, 'MYSQL_CLONE_SERVER');
    estate.databases.set(id, { ...database('shop-3322'), id, name, port: 3400 + estate.databases.size, snapshots: [] });
  }
  // What was read a moment ago is remembered.
  await earth.clock.advance(30_000);
}

test('a batch of deletions spares a new clone that has the identifier of one that was shown', async () => {
  await adds('tests-1', 'tests-2', 'tests-3');
  const before = deletions().length;
  await ana.types(channel, '/db delete tests-1 tests-2 tests-3');
  await shows('3 clones will be deleted');
  Object.assign(database('tests-2'), { createdAt: earth.clock.now() });
  await ana.fills({ 'targets-0': ['tests-1', 'tests-2'], reason: 'The tests are over.', count: '2' });
  await ana.submits();
  const refused = await earth.until(() => refusalsOf(ana, channel).at(-1), 'the refusal');
  expect(earth.text(refused)).toMatch(/MYSQL_CLONE_SERVER-\d+ may now be another record: it was tests-2/);
  await earth.clock.advance(60_000);
  expect(deletions()).toHaveLength(before);
});

test('a batch deletes at once what needs no approval, and asks for no approval once another clone has an identifier', async () => {
  await adds('scratch-1', 'kept-1', 'kept-2');
  const before = deletions().length;
  await ana.types(channel, '/db delete scratch-1, kept-1, kept-2');
  await shows('3 clones will be deleted');
  Object.assign(database('kept-1'), { createdAt: earth.clock.now() });
  const [cards, asked] = [earth.cards(channel).length, earth.cards(approvalChannel).length];
  await ana.fills({ reason: 'The tests are over.', count: '3' });
  await ana.submits();
  const told = await earth.until(() => earth.cards(channel)[cards], 'the message');
  await earth.until(() => earth.text(told).includes('1 of 3 confirmed'), 'the end');
  await earth.clock.advance(60_000);
  expect(earth.text(told)).toMatch(/MYSQL_CLONE_SERVER-\d+ may now be another record: it was kept-1/);
  expect(deletions()).toHaveLength(before + 1);
  expect(earth.cards(approvalChannel)).toHaveLength(asked);
});

test('a forged batch page neither deletes a live database nor keeps one', async () => {
  await ticksToDelete(['tests-1', 'tests-2']);
  await ana.fills({ reason: 'The tests are over.', count: '2' });
  const [asked, before] = [earth.cards(channel).length, deletions().length];
  await ana.submits();
  await earth.until(() => earth.cards(channel)[asked], 'the request');
  const [id, live] = [database('tests-1').id, database('shop').id];
  const forged = async (change: (payload: string) => string) =>
    (await earth.replays('view_submission batch', change)).text();
  expect(await forged(payload => payload.replaceAll(id, live))).toContain('This cannot be done to');
  const chosen = (what: string) => (payload: string) =>
    payload
      .replaceAll(id, live)
      .replaceAll('\\"operation\\":\\"database.delete\\"', '\\"operation\\":\\"\\"')
      .replace('"values":{', `"values":{"operation":{"value":{"selected_option":{"value":"${what}"}}},`);
  expect(await forged(chosen('keep 3d'))).toContain('This cannot be done to');
  expect(await forged(chosen('database.delete'))).toContain('This cannot be done to');
  expect(deletions()).toHaveLength(before);
});
