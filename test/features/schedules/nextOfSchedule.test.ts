import { describe, expect, test } from 'vitest';
import { countedRun, stepAfterRun } from '../../../src/features/schedules/run/afterRun.ts';
import {
  type NextOfSchedule,
  nextOfSchedule,
  type ScheduleFacts,
} from '../../../src/features/schedules/run/nextOfSchedule.ts';
import { newSchedule, type Schedule } from '../../../src/features/schedules/schedule.ts';
import { digestOfSchedule } from '../../../src/features/schedules/scheduleRules.ts';
import type { Rhythm } from '../../../src/ground/calendar.ts';
import { day, hour, minute } from '../../../src/ground/durations.ts';
import type { JobState } from '../../../src/store/jobs/rows/job.ts';

const two = Date.UTC(2026, 10, 22, 2);
const nightly: Rhythm = { every: 'day', at: '02:00' };
const target = { targetName: 'shop', madeAt: 1_000 };
const ready = { type: 'ready', target } as const;

/** Ana’s schedule, which is next due at two o’clock of 22 November. */
function ofAna({
  rhythm = nightly,
  ...change
}: Partial<Omit<Schedule, 'rhythm'>> & { rhythm?: Rhythm } = {}): Schedule {
  const made = newSchedule({
    ...{ id: 's1', team: 'T1', person: 'U1', channel: 'C1', kind: 'job', operation: 'database.backup', values: {} },
    ...{ labels: {}, target: 'MYSQL_LIVE_SERVER-1', ...target, purpose: null, rhythm: JSON.stringify(rhythm) },
    ...{ zone: 'UTC', tells: 'all', runsAs: 'owner', createdAt: 0 },
  });
  return { ...made, revision: 1, plannedAt: two, ...change };
}

function next(change: Parameters<typeof ofAna>[0], now: number, facts: Partial<ScheduleFacts> = {}): NextOfSchedule {
  return nextOfSchedule({ schedule: ofAna(change), now, last: { type: 'none' }, sight: ready, ...facts });
}

describe('a run by the calendar', () => {
  const cases: [string, Parameters<typeof ofAna>[0], number, Partial<ScheduleFacts>, object][] = [
    ['waits before its time', {}, two - 1, {}, { type: 'wait', nextAt: two, dueAt: two }],
    ['looks at its target first', {}, two, { sight: undefined }, { type: 'look' }],
    ['runs at its time', {}, two, {}, { type: 'run', run: { plannedAt: two, since: two, nextAt: two + day } }],
    ['runs late by half of a day', {}, two + 12 * hour, {}, { type: 'run', run: { plannedAt: two } }],
    [
      'is left out more than half a day late',
      {},
      two + 12 * hour + 1,
      {},
      { type: 'missed', run: { plannedAt: two, nextAt: two + day } },
    ],
    [
      'runs once for all days that were missed',
      {},
      two + 2 * day + hour,
      {},
      { type: 'run', run: { plannedAt: two + 2 * day, since: two, nextAt: two + 3 * day } },
    ],
    [
      'is found at once after a year away, also where it comes each quarter of an hour',
      { rhythm: { every: 'minutes', minutes: 15, at: '00:00' } },
      two + 365 * day + minute,
      {},
      { type: 'run', run: { plannedAt: two + 365 * day, since: two } },
    ],
    [
      'is left out while the one before is under way',
      {},
      two,
      { last: { type: 'open' } },
      { type: 'skip', isTold: false },
    ],
    [
      'is left out quietly while the one before waits for a sign-in',
      {},
      two,
      { last: { type: 'held' } },
      { type: 'skip', isTold: true },
    ],
    ['is not made again after the clock was set back', {}, two, { isDone: true }, { type: 'wait', nextAt: two + day }],
    [
      'is computed anew after the clock was set back',
      { plannedAt: two + 30 * day },
      two - 1,
      {},
      { type: 'wait', nextAt: two },
    ],
    [
      'does not come while its schedule is paused',
      { state: 'paused', plannedAt: two },
      two,
      {},
      { type: 'wait', dueAt: null },
    ],
    [
      'waits for its owner’s sign-in, and tells so',
      {},
      two,
      { sight: { type: 'signed out', why: 'x' } },
      { type: 'signed out', isNews: true },
    ],
    [
      'waits on for its owner’s sign-in, and tells so no more',
      { reason: 'x' },
      two,
      { sight: { type: 'signed out', why: 'x' } },
      { type: 'signed out', isNews: false },
    ],
    [
      'pauses its schedule once its owner has left',
      {},
      two,
      { sight: { type: 'left' } },
      { type: 'pause', what: 'owner left' },
    ],
    [
      'pauses its schedule where its target was made at another time',
      {},
      two,
      { sight: { type: 'ready', target: { ...target, madeAt: 2_000 } } },
      { type: 'pause', why: expect.stringContaining('made at another time') },
    ],
    [
      'pauses its schedule where its target was renamed',
      {},
      two,
      { sight: { type: 'ready', target: { ...target, targetName: 'store' } } },
      { type: 'pause', why: 'Its target is now called store; it was shop before.' },
    ],
    [
      'pauses its schedule where its target has another name and nothing else to know it by',
      { madeAt: null },
      two,
      { sight: { type: 'ready', target: { targetName: 'store', madeAt: null } } },
      { type: 'pause', why: 'Its target is now called store; it was shop before.' },
    ],
    [
      'pauses its schedule where another record has its target’s identifier',
      {},
      two,
      { sight: { type: 'ready', target: { targetName: 'store', madeAt: 2_000 } } },
      { type: 'pause', why: 'Another record now has the identifier of its target.' },
    ],
    [
      'goes on where only its target’s identifier is shown',
      {},
      two,
      { sight: { type: 'ready', target: { targetName: null, madeAt: null } } },
      { type: 'run' },
    ],
    [
      'pauses its schedule, where it deletes, if only its target’s identifier is shown',
      { operation: 'clone.renew' },
      two,
      { sight: { type: 'ready', target: { targetName: null, madeAt: null } } },
      { type: 'pause', why: expect.stringContaining('Only the identifier tells') },
    ],
    [
      'pauses its schedule, where it deletes, if its target was renamed',
      { operation: 'clone.renew' },
      two,
      { sight: { type: 'ready', target: { ...target, targetName: 'store' } } },
      { type: 'pause', why: 'Its target is now called store; it was shop before.' },
    ],
  ];
  test.each(cases)(
    'a scheduled run comes at its time unless something stands against it: it %s',
    (_, change, now, facts, expected) => {
      expect(next(change, now, facts)).toMatchObject(expected);
    },
  );

  test('a schedule with the service account pauses where it differs from what was approved', () => {
    const asked = ofAna({ runsAs: 'service', approvedBy: ['U2'] });
    const approved = { ...asked, digest: digestOfSchedule(asked) };
    expect(next(approvedAs(approved), two)).toMatchObject({ type: 'run' });
    for (const change of [
      { channel: 'C2' },
      { person: 'U3' },
      { zone: 'Europe/Berlin', plannedAt: two },
      { values: { full: true } },
      { target: 'MYSQL_LIVE_SERVER-2' },
      { madeAt: 5 },
      { approvedBy: [] },
      { digest: null },
    ])
      expect(next(approvedAs({ ...approved, ...change }), two)).toMatchObject({
        type: 'pause',
        why: 'It differs from what was approved to run with the service account.',
      });
    const renamed = { type: 'ready', target: { ...target, targetName: 'store' } } as const;
    expect(next(approvedAs(approved), two, { sight: renamed })).toMatchObject({ type: 'pause', what: 'paused' });
  });

  test('a schedule that tells only failures is also looked at for the daily line', () => {
    expect(next({ tells: 'failures', plannedAt: two + 6 * day }, two, {})).toMatchObject({
      dueAt: Date.UTC(2026, 10, 22, 9),
    });
    const weekly: Rhythm = { every: 'week', days: ['fri'], at: '02:00' };
    expect(next({ tells: 'failures', rhythm: weekly, plannedAt: two + 5 * day }, two)).toMatchObject({
      nextAt: Date.UTC(2026, 10, 27, 2),
      dueAt: Date.UTC(2026, 10, 22, 9),
    });
  });
});

/** The parts of a schedule without its rhythm, which the fixture writes. */
function approvedAs({ rhythm: _, ...rest }: Schedule) {
  return rest;
}

describe('the end of a run', () => {
  const under = (change: Partial<Schedule> = {}) => ({ ...ofAna(), lastJob: 'j1', ...change });
  const refresh = (change: Partial<Schedule> = {}) => under({ operation: 'database.refresh', ...change });
  const ends = (schedule: Schedule, state: JobState | undefined, id = 'j1') =>
    stepAfterRun(schedule, { id, state }, two);

  test('a schedule counts failed runs in a row, and pauses at the third', () => {
    expect(ends(refresh(), 'failed')).toEqual({ changes: { lastOutcome: 'failed', failures: 1 } });
    expect(ends(refresh({ failures: 2 }), 'succeeded')?.changes).toEqual({ lastOutcome: 'succeeded', failures: 0 });
    expect(ends(refresh({ failures: 2 }), 'failed')).toMatchObject({
      changes: { state: 'paused', plannedAt: null, failures: 3 },
      dueAt: null,
      notices: [{ to: { channel: 'C1', person: 'U1' }, data: { what: 'failing', revision: 2 } }],
    });
    expect(ends(refresh({ failures: 2, state: 'paused' }), 'failed')?.changes).toEqual({
      lastOutcome: 'failed',
      failures: 3,
    });
  });

  test.each([undefined, 'finished', 'unconfirmed', 'withdrawn'] as const)(
    'a scheduled run that is %s counts neither as gone well nor as failed',
    state => {
      for (const schedule of [under({ failures: 2 }), refresh({ failures: 2 })])
        expect(ends(schedule, state)).toEqual({ changes: { lastOutcome: state ?? 'unknown', failures: 2 } });
    },
  );

  test.each(['database.backup', 'database.backupLogs'])(
    'a schedule of %s never pauses, and tells the third failure once',
    operation => {
      const backup = (change: Partial<Schedule>) => under({ operation, ...change });
      const third = ends(backup({ failures: 2 }), 'failed');
      expect(third).toMatchObject({
        changes: { lastOutcome: 'failed', failures: 3, untold: ['MYSQL_LIVE_SERVER-1'] },
        dueAt: two,
      });
      expect(third?.changes).not.toHaveProperty('state');
      expect(ends(backup({ failures: 3 }), 'failed')).toEqual({ changes: { lastOutcome: 'failed', failures: 4 } });
      expect(ends(backup({ failures: 4 }), 'succeeded')).toMatchObject({
        changes: { failures: 0 },
        closed: [{ outcome: 'It went well again.' }],
      });
    },
  );

  test('a schedule counts a run once where its job went on and ended again', () => {
    const failed = under({ failures: 1, lastOutcome: 'failed' });
    expect(ends(failed, 'failed')).toBeUndefined();
    expect(ends(failed, 'succeeded')?.changes).toEqual({ lastOutcome: 'succeeded', failures: 0 });
  });

  test('the end of an earlier run, or of a deleted schedule’s, changes nothing', () => {
    expect(ends(under(), 'failed', 'j0')).toBeUndefined();
    expect(ends(under({ state: 'deleted' }), 'failed')).toBeUndefined();
  });

  test('a scheduled report pauses at its third failure, too', () => {
    const report = ofAna({ kind: 'report', operation: 'report', failures: 2 });
    expect(countedRun(report, { id: null, state: 'failed' }, two).changes).toMatchObject({
      state: 'paused',
    });
  });
});
