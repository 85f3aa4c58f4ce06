import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { hour, minute } from '../../src/ground/durations.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { asks, comesToAnEnd } from './asking.ts';
import { again, newReminder, nextOfReminder, reminders } from './reminder.ts';

/*
 * A kind of durable things is added by a definition, a pure function and its messages (reminder.ts), and an entry in
 * app/features.ts, and nowhere else.
 */
vi.mock('../../src/app/features.ts', async original => {
  const actual = await original<typeof import('../../src/app/features.ts')>();
  const { reminderFeature } = await import('./reminder.ts');
  return { features: [...actual.features, reminderFeature] };
});

const orders = { team: 'T0SANDBOX', record: 'MYSQL_LIVE_SERVER-1', name: 'orders' };
let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

/** Asks Ana at a time, as the act of a command would. */
async function remind(dueAt: number) {
  const { team } = await earth.store().selectFrom('credentials').select(['team']).executeTakeFirstOrThrow();
  const now = earth.clock.now();
  const as = newReminder({ ...orders, team, person: ana.id }, { now, dueAt });
  await thingsIn(earth.store()).act(reminders, as.id, () => ({ as, dueAt }), now);
  return as.id;
}

const questions = () =>
  ana
    .messages('@dolly')
    .map(textOf)
    .filter(text => text.includes('back up'));
const stateOf = async (id: string) => (await thingsIn(earth.store()).find(reminders, id))?.state;

test('a made-up thing takes 250 lines at most', () => {
  const lines = readFileSync(new URL('reminder.ts', import.meta.url), 'utf8').split('\n');
  expect(lines.length).toBeLessThanOrEqual(250);
});

test('asks at its time, asks again after a restart, and is over once a job has done it', async () => {
  const id = await remind(earth.clock.now() + hour);
  await earth.clock.advance(30 * minute);
  expect(questions()).toEqual([]);
  await earth.clock.advance(31 * minute);
  await earth.until(() => questions().length === 1, 'the first question');
  await earth.restart();
  await earth.clock.advance(again);
  await earth.until(() => questions().length === 2, 'the second question');
  expect(questions()[0]).toContain('I have asked again.');
  await comesToAnEnd(earth, await asks(earth, ana, '/db backup orders'));
  await earth.until(() => questions().every(text => text.startsWith('~')), 'the end of the questions');
  expect(questions()[1]).toContain('It was backed up.');
  expect(await stateOf(id)).toBe('over');
});

test('gives up after three questions, and begins anew for the next time', async () => {
  const id = await remind(earth.clock.now());
  for (let count = 0; count < 4; count++) await earth.clock.advance(again + minute);
  await earth.until(async () => (await stateOf(id)) === 'over', 'the end');
  const given = () => questions().filter(text => text.includes('I do not ask any more.'));
  await earth.until(() => given().length === 1, 'the end of the last question');
  expect(questions()).toHaveLength(5);
});

test('its next step follows from it alone', () => {
  const thing = { ...newReminder({ ...orders, person: 'U1' }, { now: 0, dueAt: 5 }), revision: 1 };
  expect(nextOfReminder(thing, 5)).toMatchObject({ changes: { state: 'asking', asked: 1 }, dueAt: 5 + again });
  expect(nextOfReminder({ ...thing, asked: 3 }, 9)).toMatchObject({
    changes: { state: 'over', endedAt: 9 },
    dueAt: null,
  });
});
