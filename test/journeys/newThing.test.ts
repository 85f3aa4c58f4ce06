import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { features } from '../../src/app/features.ts';
import { hour, minute } from '../../src/ground/durations.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks, comesToAnEnd } from './asking.ts';
import { again, newReminder, nextOfReminder, reminderFeature, reminders } from './reminder.ts';

/*
 * A feature with a durable thing, a command and a button is one folder (reminder.ts) and one entry in app/features.ts, and
 * nothing else.
 */
const orders = { team: 'T0SANDBOX', record: 'MYSQL_LIVE_SERVER-1', name: 'orders' };
let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ handsOnStore: true, surroundings: { features: [...features, reminderFeature] } });
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

test('a made-up feature with a durable thing takes 250 lines at most', () => {
  const lines = readFileSync(new URL('reminder.ts', import.meta.url), 'utf8').split('\n');
  expect(lines.length).toBeLessThanOrEqual(250);
});

test('a made-up reminder asks at its time, asks again after a restart, and is over once a job has done it', async () => {
  const id = await remind(earth.clock.now() + hour);
  await earth.clock.leap(59 * minute);
  await earth.clock.advance(10_000);
  expect(questions()).toEqual([]);
  await earth.clock.advance(minute);
  await earth.until(() => questions().length === 1, 'the first question');
  await earth.restart();
  await earth.clock.leap(again);
  await earth.until(() => questions().length === 2, 'the second question');
  expect(questions()[0]).toContain('I have asked again.');
  await comesToAnEnd(earth, await asks(earth, ana, '/db backup orders'));
  await earth.until(() => questions().every(text => text.startsWith('~')), 'the end of the questions');
  expect(questions()[1]).toContain('It was backed up.');
  expect(await stateOf(id)).toBe('over');
});

test('a made-up reminder gives up after three questions', async () => {
  const id = await remind(earth.clock.now());
  for (let count = 0; count < 4; count++) {
    await earth.clock.leap(again);
    await earth.clock.advance(minute);
  }
  await earth.until(async () => (await stateOf(id)) === 'over', 'the end');
  const given = () => questions().filter(text => text.includes('I do not ask any more.'));
  await earth.until(() => given().length === 1, 'the end of the last question');
  expect(questions()).toHaveLength(5);
});

test('a made-up reminder is in the help, is begun by its command, and ended by its button', async () => {
  expect(textOf(await answerTo(ana, '/db help remind'))).toContain('Ask me in an hour');
  await earth.signsIn(ana, '#databases', 'ana');
  const before = questions().length;
  expect(textOf(await answerTo(ana, '/db remind orders'))).toContain('I ask you about *orders* in an hour.');
  await earth.clock.leap(hour);
  await earth.until(() => questions().length === before + 1, 'the question');
  await ana.presses('Enough');
  await earth.until(() => questions().every(text => text.startsWith('~')), 'the end of the question');
  expect(questions().at(-1)).toContain('You have had enough.');
});

test('a made-up reminder’s next step follows from its own data and the time', () => {
  const thing = { ...newReminder({ ...orders, person: 'U1' }, { now: 0, dueAt: 5 }), revision: 1 };
  expect(nextOfReminder(thing, 5)).toMatchObject({ changes: { state: 'asking', asked: 1 }, dueAt: 5 + again });
  expect(nextOfReminder({ ...thing, asked: 3 }, 9)).toMatchObject({
    changes: { state: 'over', endedAt: 9 },
    dueAt: null,
  });
});
