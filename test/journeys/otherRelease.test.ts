import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { ends, quickClone } from './clones.ts';

/* Two releases of Dolly work on one store while a deployment is upgraded: one writes jobs that the other cannot read. */

let earth: World;
let ana: Someone;
let ben: Someone;
/** The identifiers of the jobs of another release: of an operation that this one does not know, and of other JSON. */
let others: string[];
const sentence = 'Another version of Dolly made this job: I cannot read it.';
const rows = () => earth.store().selectFrom('jobs').selectAll().orderBy('createdAt').execute();
/** All but the locks of the other release's jobs, and the counts of who tried to read them. */
const kept = async () =>
  (await rows())
    .filter(({ id }) => others.includes(id))
    .map(({ lockedUntil, tellLockedUntil, fence: _, ...row }) => ({ ...row, locks: lockedUntil + tellLockedUntil }));

beforeAll(async () => {
  earth = await world({ handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());

test('jobs of another release are left alone, and keep no other job from its end', async () => {
  const cards = [await quickClone(earth, ana, 3401), await quickClone(earth, ana, 3402)];
  const own = await quickClone(earth, ana, 3403);
  for (const card of [...cards, own]) await earth.until(() => earth.text(card).includes('Running'), 'a job that runs');
  const now = earth.clock.now();
  const [first = '', second = '', third = ''] = (await rows()).map(({ id }) => id);
  others = [first, second];
  // They are due, and to be told, before all others; the job of this release is due together with them.
  const due = { dueAt: now - 60_000, tellAt: now - 60_000, revision: 99 };
  const change = (id: string, set: object) => earth.store().updateTable('jobs').set(set).where('id', '=', id).execute();
  await change(first, { ...due, operation: 'cluster.create' });
  await change(second, { ...due, evidence: '{"shape":"of another release"}' });
  await change(third, { dueAt: now });
  const before = await kept();
  const said = cards.map(card => earth.text(card));
  expect(await ends(earth, own, 'Confirmed')).toContain('3403');
  // For longer than they are left alone at a time.
  for (let seconds = 0; seconds < 130; seconds++) await earth.clock.advance(1_000);
  expect(await kept()).toEqual(before.map(row => ({ ...row, locks: 0 })));
  expect(cards.map(card => earth.text(card))).toEqual(said);
});

test('“/db jobs” and Home say that another release made some jobs, beside all the others', async () => {
  const list = textOf(await answerTo(ana, '/db jobs'));
  expect(list.split(sentence)).toHaveLength(3);
  for (const id of others) expect(list).toContain(id);
  expect(list).toContain('Confirmed');
  await ana.opensHome();
  const home = () => textOf(recordOf(ana.sees().home).blocks);
  await earth.until(() => home().includes('Confirmed'), 'the jobs in Home');
  expect(home().split(sentence)).toHaveLength(3);
});

test('a click on a job of another release is answered, and changes nothing', async () => {
  const before = await kept();
  const [card] = earth.cards('#databases');
  if (!card) throw new Error('there is no card');
  const told = ana.messages('#databases').length;
  await ana.presses('Check now', { message: card });
  const answer = await ana.until(() => ana.messages('#databases')[told], 'an answer');
  expect(textOf(answer)).toContain('Another version of Dolly made this job');
  expect(await kept()).toEqual(before);
});

test('“/db approvals” says that jobs of another release wait', async () => {
  const change = { state: 'awaiting', terms: '{"shape":"of another release"}' };
  await earth.store().updateTable('jobs').set(change).where('id', 'in', others).execute();
  expect(textOf(await answerTo(ben, '/db approvals')).split(sentence)).toHaveLength(3);
});
