import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { turnAlertsOff } from '../../../src/features/alerts/alertActs.ts';
import { alertMessage } from '../../../src/features/alerts/alertMessages.ts';
import { noticeOfIncident } from '../../../src/features/alerts/alertNotice.ts';
import { stepOfSchedule } from '../../../src/features/schedules/run/scheduleSteps.ts';
import { tellFailing, wasToldByAlerts } from '../../../src/features/schedules/run/tellFailing.ts';
import { type Schedule, schedules } from '../../../src/features/schedules/schedule.ts';
import { ScheduleNotice } from '../../../src/features/schedules/scheduleNotice.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import type { AlertKind } from '../../../src/store/tables/alerts/alertRows.ts';
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

test('a database that somebody else disabled is told', async () => {
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

test('the third failure in a row of a scheduled run calls people, once', async () => {
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

const unseen = 'MYSQL_LIVE_SERVER-9999';

describe('a third failure in a row', () => {
  const all = ['failed', 'runs'] as const;
  const tells = async (changes: Partial<Schedule>, kinds: readonly AlertKind[] | 'off' = all) => {
    const act = { ...ana, channel: 'C7' };
    if (kinds === 'off') await turnAlertsOff(here.parts, act);
    else await here.on(act, kinds);
    const step = await tellFailing(here.parts, aSchedule({ channel: 'C7', ...changes }), here.clock.now());
    return step?.notices?.map(({ data }) => ScheduleNotice.parse(data));
  };

  test.each<readonly [string, Partial<Schedule>, readonly AlertKind[] | 'off', number]>([
    ['by the incident alone where alerts are on', { failures: 3, untold: [shop] }, all, 0],
    ['by the schedule where alerts are off', { failures: 3, untold: [shop] }, 'off', 1],
    ['by the schedule where alerts tell of other things', { failures: 3, untold: [shop] }, ['late'], 1],
    ['by the schedule where nobody looks at the record', { failing: { [unseen]: 3 }, untold: [unseen] }, all, 1],
    ['by the schedule in another channel', { failures: 3, untold: [shop], channel: 'C8' }, all, 1],
  ])('a third failure in a row of scheduled runs is told %s', async (_, changes, kinds, many) => {
    expect(await tells(changes, kinds)).toHaveLength(many);
  });

  test('a third failure in a row of one database under an environment’s schedule is told of that database', async () => {
    const environment = 'HOST_ENVIRONMENT-1';
    const operation = 'database.backup.environment';
    await scheduled({ operation, target: environment, failing: { [shop]: 3 } });
    await here.looks();
    expect(await here.told()).toEqual([`C7: incident runs ${name()} @U0ANA`]);
    const why = { what: 'member failing', why: 'the last 3 runs of shop failed.' };
    const changes = {
      operation,
      target: environment,
      failing: { [shop]: 3 },
      untold: [shop],
      members: { [shop]: 'shop' },
    };
    expect(await tells(changes, 'off')).toMatchObject([why]);
  });
});

describe('trouble that began in a job of Dolly’s', () => {
  const lineOf = async () => {
    await here.looks();
    const [one] = await here.open();
    const notice = one && noticeOfIncident(one);
    return JSON.stringify(alertMessage(notice, null)?.blocks ?? '');
  };
  const fails = (change: object = {}, stateClass = 'failed') =>
    here.hasJob('database.backup', 'failed', {
      target: shop,
      seen: { stateClass },
      change: { place: 'C2', ...change },
    });
  const breaks = () => Object.assign(here.database(shop), { state: 'FAILED', error: 'The disk is full.' });

  test('an alert of a failure in Dolly’s job names the operation and who asked for it', async () => {
    await fails();
    breaks();
    expect(await lineOf()).toContain('in the backup that <@U0ANA> asked for');
  });

  test('an alert of a failure in a scheduled job says whose schedule it was', async () => {
    await fails({ schedule: 's1' });
    breaks();
    expect(await lineOf()).toContain('in the backup of <@U0ANA>’s schedule');
  });

  test.each<readonly [string, () => Promise<void>]>([
    ['the record did not fail in its last job', () => fails({}, 'ok')],
    ['two jobs failed on it', () => fails().then(() => fails())],
    ['no job of Dolly’s failed on it', () => Promise.resolve()],
  ])('an alert of a failed database names nobody where %s', async (_, happens) => {
    await happens();
    breaks();
    expect(await lineOf()).toContain('The disk is full.');
    expect(await lineOf()).not.toContain('in the backup');
  });
});

test('a scheduled run that was left out, or could not begin, is told and calls nobody', async () => {
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

describe('a run that was left out, which its schedule leaves to the alerts to tell', () => {
  /** What the schedule says of it at its next run. */
  const saidAtNextRun = async () => {
    const schedule = aSchedule({ channel: 'C7', leftAt: here.clock.now() - hour, isLeftUntold: true });
    const [now, plannedAt] = [here.clock.now(), here.clock.now()];
    const run = { plannedAt, since: plannedAt, nextAt: null, isTooLate: false };
    const { notices = [] } = stepOfSchedule({
      ...{ schedule, now, approvers: [], signIn: ana, next: { type: 'run', run, target: undefined, place: undefined } },
      isUntold: !(await wasToldByAlerts(here.parts, schedule)),
    });
    return notices.map(({ data }) => ScheduleNotice.parse(data)).map(({ what, plannedAt: at }) => `${what} ${at}`);
  };

  test('the schedule tells of a run that was left out where the alerts did not look before its next run', async () => {
    expect(await saidAtNextRun()).toEqual([`missed ${here.clock.now() - hour}`]);
  });

  test('a schedule that leaves a run out notes whether it told of that run', () => {
    const now = here.clock.now();
    const run = { plannedAt: now, since: now, nextAt: null, isTooLate: false };
    const skips = (isTold: boolean, isForAlerts = false) => {
      const facts = { schedule: aSchedule({ channel: 'C7' }), now, approvers: [], signIn: ana, isForAlerts };
      const { changes, notices } = stepOfSchedule({ ...facts, next: { type: 'skip', run, isTold } });
      return [changes.isLeftUntold, notices?.length];
    };
    expect([skips(true), skips(false, true), skips(false)]).toEqual([
      [true, 0],
      [true, 0],
      [false, 1],
    ]);
  });

  test('a run that was left out is told by the alerts alone where they looked before the next run', async () => {
    await scheduled({ leftAt: here.clock.now() - hour });
    await here.looks();
    expect(await here.told()).toEqual([`C7: incident runs ${name()}`]);
    expect(await saidAtNextRun()).toEqual([]);
  });
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
