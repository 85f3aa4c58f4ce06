import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, confirms } from './asking.ts';
import { opensForm, quickClone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* After Stop after this step and Stop the rest, a later reply tells the end of what was under way by then. */

let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { tokenLifetime: 30 * day, middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const plain = (text: string) => text.replaceAll('*', '');
const repliesOf = (card: StoredMessage) => earth.replies(card).map(reply => plain(earth.text(reply)));
const replied = (card: StoredMessage, many: number) =>
  earth.until(() => (earth.replies(card).length === many ? repliesOf(card) : undefined), `${many} replies`);

/** A renewal that is stopped while its clone is being deleted. */
async function stopped(port: number): Promise<StoredMessage> {
  const made = await quickClone(earth, ana, port);
  await earth.until(() => earth.text(made).includes('is ready'), 'the clone');
  const cards = earth.cards('#databases').length;
  await opensForm(ana, '#databases', `/db renew shop-${port}`);
  await ana.submits();
  await ana.until(async () => /after the one before is confirmed/.test((await ana.modal()).text), 'the last page');
  const deletions = () => earth.writes().filter(({ path }) => path.endsWith('/database/delete')).length;
  const before = deletions();
  await confirms(ana);
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
  await earth.until(() => deletions() > before, 'the deletion');
  await ana.presses('Stop after this step', { message: card });
  await earth.until(() => earth.text(card).includes('Withdrawn'), 'the withdrawal');
  return card;
}

test('the end of a step that went on after “Stop after this step” is told in a later reply, with a mention', async () => {
  const card = await stopped(3401);
  const [first] = await replied(card, 1);
  expect(first).toContain('Step 1 of 2 (Deletion of shop-3401) was under way by then and goes on to its end.');
  expect(first).not.toContain(`<@${ana.id}>`);
  const [, second] = await replied(card, 2);
  expect(second).toMatch(new RegExp(`<@${ana.id}> Renewal of shop-3401.* · withdrawn`));
  expect(second).toMatch(
    /Step 1 of 2 \(Deletion of shop-3401\) is confirmed: .*shop-3401 is deleted, and was not made again/,
  );
  expect(second).not.toContain('goes on to its end');
  expect(plain(earth.text(card))).toMatch(/Renewal of shop-3401 · Withdrawn.*\n.*is confirmed/);
  await earth.clock.advance(10 * minute);
  expect(earth.replies(card)).toHaveLength(2);
  const jobs = plain(textOf(await answerTo(ana, '/db jobs')));
  expect(jobs).toMatch(/Renewal.*shop-3401.*Withdrawn/i);
});

test('the failure of a step that went on after “Stop after this step” is told in a later reply', async () => {
  const gate = Promise.withResolvers<void>();
  const met = road.meets('/database/delete', async () => {
    await gate.promise;
    return Response.json({ message: 'The disk of dev is full.' }, { status: 409 });
  });
  const made = stopped(3402);
  made.then(() => gate.resolve(), gate.reject);
  const card = await made;
  const told = await earth.until(() => repliesOf(card).find(text => text.includes('failed')), 'the end');
  met.leave();
  expect(told).toMatch(/Step 1 of 2 \(Deletion of shop-3402\) failed: .*The disk of dev is full/);
  expect(told).toContain(`<@${ana.id}>`);
  expect(told).not.toContain('is deleted');
});

test('one later reply tells the ends of all jobs of a batch that went on after “Stop the rest”', async () => {
  const cards = earth.cards('#databases').length;
  const names = ['shop', 'orders', 'billing', 'archive_2023', 'slow_reports', 'payroll'];
  await ana.types('#databases', `/db backup ${names.join(' ')}`);
  await ana.until(async () => ana.hasModal() && (await ana.modal()).text.includes('slow_reports'), 'the page');
  await ana.submits();
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
  await earth.until(() => earth.text(card).includes('Stop the rest'), 'the button');
  await ana.presses('Stop the rest', { message: card });
  const [first] = await replied(card, 1);
  expect(first).toMatch(/of 6 confirmed/);
  expect(first).not.toContain('has ended');
  const [, second] = await replied(card, 2);
  expect(second).toContain(`<@${ana.id}>`);
  expect(second).toContain('The work that was still under way has ended.');
  expect(second).not.toMatch(/\d under way:/);
  expect(second).toMatch(/not begun/);
  await earth.clock.advance(10 * minute);
  expect(earth.replies(card)).toHaveLength(2);
});
