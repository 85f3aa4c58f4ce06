import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks } from './asking.ts';
import { ends, quickClone, quickLine } from './clones.ts';
import { counting } from './counting.ts';

/* The line `ownClones: free` of a policy: people delete their own young clones alone, and nothing else. */

let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  const folder = scratchFolder('own-clones');
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'policy.yml');
  writeFileSync(
    file,
    'ownClones: free\nrules: [{ operation: database.delete, name: "shop-3407", decision: approve, title: keep it }]',
  );
  earth = await world({ environment: { POLICY_FILE: file }, service: { tokenLifetime: 30 * day }, handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const why = async (someone: Someone, name: string) => textOf(await answerTo(someone, `/db why delete ${name}`));
const made = async (port: number) => ends(earth, await quickClone(earth, ana, port), 'Confirmed');
/** Makes Dev the owner of the lease of a clone, as if it had been handed over. */
async function handsOver(name: string): Promise<void> {
  const id = earth.service.service.estate.databases.values().find(one => one.name === name)?.id ?? '';
  await earth.store().updateTable('things').set({ person: dev.id }).where('subject', '=', id).execute();
}
const isFree = 'It needs no approval: it is your own clone, made less than a day ago';

test('with “ownClones: free”, a person deletes their own young clone with two clicks and no typing', async () => {
  const card = await quickClone(earth, ana, 3401);
  await ends(earth, card, 'Confirmed');
  const [cards, writes] = [earth.cards('#databases').length, earth.writes().length];
  const message = ana.messages('#databases').find(({ ts }) => ts === card.ts);
  if (!message) throw new Error('there is no message');
  const page = counting(ana);
  await page.presses('Delete…');
  await ana.until(async () => (await ana.modal()).text.includes('Nobody has to approve'), 'the last page');
  expect(Object.keys((await ana.modal()).fields)).toEqual([]);
  await page.submits();
  expect(page.cost()).toEqual({ clicks: 2, characters: 0, typed: 0 });
  const quoted = '`ownClones: free`: *Delete…* | 2 | 0 |';
  expect(readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8')).toContain(quoted);
  const deletion = await earth.until(() => earth.cards('#databases')[cards], 'the message');
  await ends(earth, deletion, 'Confirmed');
  expect(earth.writes().slice(writes)).toHaveLength(1);
});

test('the status, the leases and Home agree on a clone’s holder: its maker, until somebody else has its lease', async () => {
  await made(3409);
  const lineOf = async (command: string) =>
    textOf(await answerTo(ana, command))
      .split('\n')
      .find(line => line.includes('shop-3409'));
  const isAmongOwn = (someone: Someone) => {
    const [own = ''] = textOf(recordOf(someone.sees().home).blocks).split('Others that you can see');
    return own.includes('Yours') && own.includes('shop-3409');
  };
  const isOf = async (one: Someone, other: Someone) => {
    expect(await lineOf('/db leases')).toContain(`<@${one.id}>`);
    expect(await lineOf('/db status show=clones')).toMatch(new RegExp(`\t${one === ana ? 'ana' : 'dev'}\t`));
    await Promise.all([one.opensHome(), other.opensHome()]);
    await earth.until(() => isAmongOwn(one) && !isAmongOwn(other), 'both Homes');
  };
  await isOf(ana, dev);
  expect(textOf(await answerTo(ana, '/db lease shop-3409 3d'))).toContain('shop-3409');
  await handsOver('shop-3409');
  await earth.clock.advance(2 * minute);
  await isOf(dev, ana);
});

test('with “ownClones: free”, another’s clone, or one on which a rule decides, still needs approval', async () => {
  await made(3402);
  expect(await why(ana, 'shop-3402')).toContain(isFree);
  expect(await why(dev, 'shop-3402')).toContain('It would wait for approval');
  await made(3407);
  expect(await why(ana, 'shop-3407')).toContain('keep it');
});

test('with “ownClones: free”, a clone that is a day old, or another one with its identifier, still needs approval', async () => {
  await made(3405);
  const clone = earth.service.service.estate.databases.values().find(({ name }) => name === 'shop-3405');
  if (!clone) throw new Error('there is no clone');
  expect(await why(ana, 'shop-3405')).toContain(isFree);
  const { createdAt } = clone;
  clone.createdAt = createdAt + hour;
  await earth.clock.advance(20_000);
  expect(await why(ana, 'shop-3405')).toContain('It would wait for approval');
  clone.createdAt = createdAt;
  await earth.clock.advance(20_000);
  expect(await why(ana, 'shop-3405')).toContain(isFree);
  await earth.clock.leap(day);
  await earth.clock.advance(20_000);
  expect(await why(ana, 'shop-3405')).toContain('It would wait for approval');
});

test('with “ownClones: free”, a clone whose lease somebody else has still needs approval', async () => {
  await made(3408);
  expect(await why(ana, 'shop-3408')).toContain(isFree);
  expect(textOf(await answerTo(ana, '/db lease shop-3408 3d'))).toContain('shop-3408');
  expect(await why(ana, 'shop-3408')).toContain(isFree);
  await handsOver('shop-3408');
  expect(await why(ana, 'shop-3408')).toContain('It would wait for approval');
});

test('with “ownClones: free”, a physical clone, or one on which another depends, still needs approval', async () => {
  await made(3404);
  const place = 'environment=HOST_ENVIRONMENT-5 install=MYSQL_INSTALL-3 environmentUser=ENVIRONMENT_USER-12';
  const share = `/db share shop-3404 port=3452 mountBase=/mnt/c3452 ${place}`;
  await ends(earth, await asks(earth, ana, share, { fields: {} }), 'Confirmed');
  expect(await why(ana, 'shop-3404')).not.toContain(isFree);
  const line = quickLine(3403);
  await ends(earth, await asks(earth, ana, `${line} cloneType=PHYSICAL`, { fields: {} }), 'Confirmed');
  expect(await why(ana, 'shop-3403')).toContain('It would wait for approval');
});
