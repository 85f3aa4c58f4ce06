import { afterEach, beforeEach, expect, test } from 'vitest';
import { type Schedule, schedules } from '../../../src/features/schedules/schedule.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { aSchedule } from '../schedules/aSchedule.ts';
import { alertBoard, ana } from './alertBoard.ts';

/* What Dolly does itself is no alert where it went as it was asked; what went wrong is. */

const shop = 'MYSQL_LIVE_SERVER-1';
let here: Awaited<ReturnType<typeof alertBoard>>;
beforeEach(async () => {
  here = await alertBoard(await storeIn(folder()));
  await here.on({ ...ana, channel: 'C7' });
  await here.looks();
  await here.told();
});
afterEach(() => here.end());

async function scheduled(changes: Partial<Schedule>) {
  const plannedAt = here.clock.now() + 20 * hour;
  const { revision: _, ...as } = aSchedule({ channel: 'C7', plannedAt, ...changes });
  await here.parts.things.act(schedules, as.id, () => ({ as }), here.clock.now());
}
const name = () => here.database(shop).name;

test('a database that Dolly disabled as it was asked is told to nobody, also later', async () => {
  await here.hasJob('database.disable', 'succeeded', { target: shop, seen: { state: 'DISABLED' } });
  here.database(shop).state = 'DISABLED';
  await here.looks();
  for (let look = 0; look < 6; look++) await here.looks();
  expect(await here.told()).toEqual([]);
  await here.clock.leap(day);
  await here.looks();
  expect(await here.told()).toEqual([]);
});

test('one that somebody else disabled is told', async () => {
  here.database(shop).state = 'DISABLED';
  await here.looks();
  expect(await here.told()).toEqual([`C7: incident disabled ${name()}`]);
});

test('a single failure of a scheduled run is told and calls nobody', async () => {
  await scheduled({ failures: 1 });
  await here.hasJob('database.backup', 'failed', { target: shop, change: { schedule: 's1', place: 'C2' } });
  Object.assign(here.database(shop), { state: 'FAILED', error: 'The disk is full.' });
  await here.looks();
  expect(await here.told()).toEqual([`C7: incident failed ${name()}`]);
});

test('the third in a row calls people, once', async () => {
  await scheduled({ failures: 2 });
  await here.looks();
  expect(await here.told()).toEqual([]);
  await scheduled({ failures: 3 });
  await here.looks();
  expect(await here.told()).toEqual([`C7: incident runs ${name()} @U0ANA`]);
  await scheduled({ failures: 0 });
  await here.looks();
  expect(await here.told()).toEqual([`thread: mended runs ${name()}, 0 left`]);
});

test('a run that was left out, or could not begin, is told and waits for the morning', async () => {
  await scheduled({ leftAt: here.clock.now() - hour });
  await here.looks();
  expect(await here.told()).toEqual([`C7: incident runs ${name()}`]);
  await scheduled({ leftAt: null });
  await here.looks();
  expect(await here.told()).toEqual([`thread: mended runs ${name()}, 0 left`]);
  await scheduled({ plannedAt: here.clock.now() - hour });
  await here.looks();
  expect(await here.told()).toEqual([`thread: news runs ${name()}`]);
});

test('a job that runs for longer than twice its usual time and ten minutes is told', async () => {
  for (let count = 1; count < 4; count++) {
    const endedAt = here.clock.now() - count * day;
    await here.hasJob('database.refresh', 'succeeded', {
      target: shop,
      change: { endedAt, sentAt: endedAt - 8 * minute },
    });
  }
  const sentAt = here.clock.now() - 20 * minute;
  await here.hasJob('database.refresh', 'running', { target: shop, change: { endedAt: null, sentAt, shown: 0 } });
  await here.looks();
  expect(await here.told()).toEqual([]);
  await here.looks();
  expect(await here.told()).toEqual([`C7: incident slow ${name()}`]);
});
