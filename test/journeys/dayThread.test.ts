import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerAfter, answerTo } from './asking.ts';

/* What rings nobody stands in one thread a day, under the report of that day. What rings stands in the channel. */

let earth: World;
let ana: Someone;
const channel = '#databases';

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 90 * day } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const says = async (text: string) => textOf(await answerTo(ana, text, channel));
const database = (name: string) => {
  const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
/** Leaps to right before a time of the day, in milliseconds after midnight. */
const goesTo = async (time: number) => {
  const now = earth.clock.now() + minute;
  const next = Math.floor(now / day) * day + time;
  await earth.clock.leap((next > now ? next : next + day) - now);
};
/** Lets the next look happen. */
const looks = async () => {
  await earth.clock.leap(5 * minute);
  await earth.clock.advance(10_000);
};
/** Somebody disables a database without Dolly. */
const disables = async (name: string) => {
  database(name).state = 'DISABLED';
  await looks();
  await looks();
};
const cardWith = (words: string) => earth.cards(channel).findLast(card => earth.text(card).includes(words));
const reported = () => earth.cards(channel).findLast(card => earth.text(card).includes('databases protected'));
/** What stands in the thread of the last report. */
const inThread = () => {
  const report = reported();
  return report ? earth.replies(report) : [];
};
const inThreadWith = (words: string) => inThread().findLast(reply => earth.text(reply).includes(words));

test('an alert that rings nobody is told in the thread of the day’s report, from its beginning to its end', async () => {
  expect(await says('/db report daily at=08:30 zone=UTC')).toContain('08:30');
  expect(await says('/db alerts on failed disabled')).toContain('Alerts are on');
  await goesTo(8.5 * hour);
  await earth.until(reported, 'the report', 5 * minute);
  await looks();
  const before = earth.cards(channel).length;

  await disables('shop');
  const told = await earth.until(() => inThreadWith('disabled'), 'what is disabled', 20 * minute);
  expect(earth.cards(channel)).toHaveLength(before);
  const shown = () => ana.messages(told.channel).find(({ ts }) => ts === told.ts);
  const message = await ana.until(shown, 'the message');
  expect(textOf(await answerAfter(ana, channel, () => ana.presses('I’m on it', { message }), 'the answer'))).toContain(
    'You are on it',
  );
  await earth.until(() => earth.text(told).includes('is on it'), 'the name of the one who is on it');
  database('shop').state = 'RUNNING';
  await earth.until(() => inThreadWith('is enabled again'), 'that it is over', 20 * minute);
  expect(earth.cards(channel)).toHaveLength(before);

  Object.assign(database('orders-3320'), { state: 'FAILED', error: 'The disk is full.' });
  await earth.until(() => cardWith('The disk is full'), 'what failed, in the channel', 20 * minute);
});

test('the morning’s message stands in the thread of that day’s report, and mentions the person', async () => {
  await disables('payroll');
  await earth.until(() => inThreadWith('payroll'), 'what is disabled', 20 * minute);
  const first = reported();
  await goesTo(8.5 * hour);
  await earth.until(() => reported() !== first, 'the next report', 5 * minute);
  await goesTo(9 * hour);
  const morning = await earth.until(() => inThreadWith('this morning'), 'the morning', 5 * minute);
  expect(earth.text(morning)).toContain(`<@${ana.id}>`);
  expect(earth.text(morning)).toContain('payroll');
});

test('runs of a schedule that end well stand in the thread of the day’s report', async () => {
  expect(await says('/db schedule backup shop every=6h zone=UTC')).toContain('every 6 hours');
  await goesTo(12 * hour);
  await earth.until(() => inThreadWith('By schedule'), 'the run', 5 * minute);
  await earth.until(() => inThreadWith('is backed up'), 'its end', 5 * minute);
  expect(cardWith('By schedule')).toBeUndefined();
});

test('a failed scheduled run is told in the channel itself, with a mention, and not just in the report’s thread', async () => {
  expect(await says('/db schedule backup failing_feed every=6h zone=UTC')).toContain('every 6 hours');
  await goesTo(18 * hour);
  const told = await earth.until(() => cardWith('Backup of failing_feed'), 'the failure', 10 * minute);
  expect(earth.text(told)).toContain('failed');
  expect(earth.text(told)).toContain(`<@${ana.id}>`);
});
