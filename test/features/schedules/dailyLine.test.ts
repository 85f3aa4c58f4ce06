import { expect, onTestFinished, test } from 'vitest';
import { schedules } from '../../../src/features/schedules/schedule.ts';
import { dailyLines } from '../../../src/features/schedules/scheduleNotice.ts';
import { hour } from '../../../src/ground/durations.ts';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { signInOf } from '../../../src/store/things/kind.ts';
import { type Things, thingsIn } from '../../../src/store/things/things.ts';
import { testClock } from '../../clock.ts';
import { folder, jobsOf, storeIn } from '../../store/folder.ts';
import { aSchedule } from './aSchedule.ts';
import { ana, scheduleBoard } from './scheduleBoard.ts';

/* The line of a day about runs that wait for the sign-in of their owner. */

/** The nightly backups of an owner who is signed out at two o’clock; of those that went well nothing is told but a line. */
async function waiting() {
  const here = await scheduleBoard(await storeIn(folder()));
  onTestFinished(() => here.end());
  const { id } = await here.asks({ tells: 'failures' });
  await here.parts.credentials.forget(ana, here.clock.now());
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.schedule(id)).waitsFor !== null);
  const signsIn = async () => {
    await here.signsIn('U0ANA', 'ana');
    await here.parts.things.wakeWaiting(signInOf(ana), here.clock.now());
  };
  /** The counts of the lines so far, without those that are 0. */
  const lines = async () => {
    const rows = await here.store.selectFrom('outbox').select('data').orderBy('createdAt').execute();
    return rows
      .map(({ data }) => JSON.parse(data))
      .filter(({ what }) => what === 'daily')
      .map(({ counts }) => Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0)));
  };
  /** Lets nine o’clock of a day pass. */
  const nine = async (date: string) => {
    const before = (await lines()).length;
    await here.goTo(`${date}T08:59:50Z`);
    await here.works(async () => (await lines()).length > before);
  };
  return { ...here, id, signsIn, lines, nine };
}

test('the daily line counts a run that a sign-in made up for as gone well, not as left out', async () => {
  const here = await waiting();
  await here.goTo('2026-11-22T08:00:00Z');
  await here.signsIn();
  await here.runsOnce(here.id);
  await here.nine('2026-11-22');
  expect(await here.lines()).toEqual([{ well: 1 }]);
});

test('the daily line counts a run that waits for a sign-in as waiting, and later as left out', async () => {
  const here = await waiting();
  await here.nine('2026-11-22');
  expect(await here.lines()).toEqual([{ waits: 1 }]);
  await here.goTo('2026-11-22T20:00:00Z');
  await here.signsIn();
  await here.works(async () => (await here.schedule(here.id)).waitsFor === null);
  await here.goTo('2026-11-23T01:59:50Z');
  await here.runsOnce(here.id);
  await here.nine('2026-11-23');
  expect(await here.lines()).toEqual([{ waits: 1 }, { well: 1, left: 1 }]);
});

test('all schedules of a channel share one look for the daily line, and look again after a fault', async () => {
  const store = await storeIn(folder());
  const [notices, clock] = [outboxIn(store), testClock(Date.UTC(2026, 10, 23, 12))];
  let [lists, isBroken] = [0, true];
  const things: Things = {
    ...thingsIn(store),
    async list() {
      lists += 1;
      if (isBroken) throw new Error('the store is away');
      return [];
    },
  };
  const add = dailyLines({ jobs: jobsOf(store), things, outbox: notices, clock });
  const some = ['s1', 's2', 's3'].map(id => aSchedule({ id, tells: 'failures' }));
  const now = clock.now();
  await Promise.allSettled(some.map(one => add(one, now)));
  isBroken = false;
  await Promise.all(some.map(one => add(one, now)));
  for (const one of some) await add(one, now);
  expect(lists).toBe(2);
});

test.each([
  ['a report of that day has it', 1, 'report 1'],
  ['one of two days before does not', 48, null],
])('the daily line stands in the thread of its day’s report, else in the channel: %s', async (_, hours, thread) => {
  const store = await storeIn(folder());
  const [outbox, clock] = [outboxIn(store), testClock(Date.UTC(2026, 10, 23, 12))];
  const report = aSchedule({ kind: 'report', tells: 'all' });
  const things = thingsIn(store);
  await things.act(schedules, report.id, () => ({ as: report, dueAt: null }), clock.now());
  const well = { well: 1, unshown: 0, unconfirmed: 0, failed: 0, open: 0, waits: 0, left: 0 };
  const jobs = { ...jobsOf(store), countRuns: async () => well };
  const { id, team, channel } = report;
  const createdAt = clock.now() - hours * hour;
  await outbox.add([{ id: 'report 1', subject: id, team, kind: 'report', createdAt, data: {}, to: { channel } }]);
  await store.updateTable('outbox').set({ place: channel, ts: '1.000001' }).execute();
  await dailyLines({ jobs, things, outbox, clock })(aSchedule({ tells: 'failures' }), clock.now());
  const rows = await store.selectFrom('outbox').select(['kind', 'thread']).where('kind', '=', 'schedule').execute();
  expect(rows).toEqual([{ kind: 'schedule', thread }]);
});
