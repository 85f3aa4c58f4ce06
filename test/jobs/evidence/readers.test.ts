import { describe, expect, test } from 'vitest';
import { beforeOf, isAsBefore, isUnderWay, stoodBefore } from '../../../src/jobs/evidence/baseline.ts';
import { reportsOfJob } from '../../../src/jobs/evidence/jobReport.ts';
import { ownChange, ownKey } from '../../../src/jobs/evidence/ownSigns.ts';
import { readersNow } from '../../../src/jobs/evidence/readers.ts';
import { type Work, works } from '../../../src/operations/work.ts';
import { Before } from '../../../src/store/jobs/rows/data.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_LIVE_SERVER-1';
const time = Date.UTC(2026, 10, 21, 9);

/** A baseline as 0.2.0 wrote it: without the mark of the readers. */
const written = (before: object): Before =>
  Before.parse(JSON.parse(JSON.stringify({ snapshots: [], times: {}, counters: {}, reports: {}, ...before })));
const look = (work: Work) => ({ work, sentAt: time - 3_600_000, ahead: 0, seen: { seenAt: time + 7_200_000 } });
const change = (before: Before, fields: object, work: Work = works.restore) =>
  ownChange('work', look(work), before, recordOf(id, fields));
const moved = (before: Before, fields: object, work?: Work) => change(before, fields, work)?.movedTo;

describe('a job that another release sent', () => {
  test('a job that another release sent is not confirmed by a time that becomes readable only now', () => {
    const fields = { restoredAt: '2026-11-21T09:00:00+00:00[Europe/London]' };
    expect(moved(written({}), fields)).toBeUndefined();
    // The same release would know that nothing stood there.
    expect(moved(beforeOf(recordOf(id)), fields)).toBe(time);
  });
  test('a job that another release sent is confirmed by a later time than the one that stood there', () => {
    const before = written({ times: { restoredAt: time } });
    expect(moved(before, { restoredAt: new Date(time).toISOString() })).toBeUndefined();
    expect(moved(before, { restoredAt: new Date(time + 1_000).toISOString() })).toBe(time + 1_000);
  });
  test('a job that another release sent is not confirmed by the same time, read in another zone', () => {
    // A machine in Berlin read 10:00 as its own.
    const before = written({ times: { restoredAt: time } });
    expect(moved(before, { restoredAt: '21-NOV-2026 10:00:00' })).toBeUndefined();
    expect(moved(before, { restoredAt: '21-NOV-2026 10:04:10' })).toBe(time + 3_850_000);
  });
  test('a record in the same state word as before an update is unchanged, however Dolly now reads the word', () => {
    expect(
      isAsBefore(written({ state: 'FAILED_OVER', stateClass: 'failed' }), recordOf(id, { state: 'FAILED_OVER' })),
    ).toBe(true);
    expect(isAsBefore(written({ state: 'RUNNING', stateClass: 'ok' }), recordOf(id, { state: 'RUNNING' }))).toBe(true);
    expect(isAsBefore(written({ state: 'RUNNING', stateClass: 'ok' }), recordOf(id, { state: 'STOPPED' }))).toBe(false);
    // A flag changes the class beside the same word.
    const disabled = recordOf(id, { state: 'RUNNING', enabled: false });
    expect(isAsBefore(written({ state: 'RUNNING', stateClass: 'ok' }), disabled)).toBe(false);
  });
  test('a report from before an update is not new, whatever the new release makes of its words and times', () => {
    const stands = (standing: readonly unknown[], job: object) => {
      const record = recordOf(id, { lastJob: job });
      const [report] = record.reports;
      if (!report) throw new Error('that is no report');
      return stoodBefore(written({ reports: { [report.identity]: JSON.stringify(standing) } }), report);
    };
    const job = { type: 'BACKUP', status: 'Completed (0 errors)' };
    expect(stands(['failed', 'Completed (0 errors)', null, null], job)).toBe(true);
    expect(stands(['busy', 'Warning', null, null], { type: 'BACKUP', status: 'Warning' })).toBe(true);
    expect(stands(['done', 'COMPLETED', null, null], { type: 'BACKUP', status: 'COMPLETED', endedAt: time })).toBe(
      true,
    );
    expect(stands(['busy', 'RUNNING', null, null], job)).toBe(false);
    expect(
      stands(['failed', 'FAILED', 'disk full', null], { type: 'BACKUP', status: 'FAILED', error: 'no space' }),
    ).toBe(false);
  });
});

test('a report that the older release may not have recognised is new only by its own time or number', () => {
  const asked = {
    work: works.restore,
    records: [id],
    login: null,
    sentAt: time,
    now: time + 60_000,
    inDoubt: false,
    others: [],
  };
  const found = (before: Before, job: object | string) =>
    reportsOfJob(asked, before, recordOf(id, { lastJob: job }).reports).length;
  const bare = beforeOf(recordOf(id));
  expect([found(written({}), 'Missed'), found(bare, 'Missed')]).toEqual([0, 1]);
  const dated = { type: 'RESTORE', status: 'Missed', endedAt: '2026-11-21T09:01:00Z' };
  expect([found(written({}), dated), found(bare, dated)]).toEqual([1, 1]);
  expect(found(written({}), { ...dated, id: 7, endedAt: undefined })).toBe(1);
});

describe('a baseline for the release before', () => {
  const shown = {
    lastRestoreSnapshot: 'MYSQL_SNAPSHOT-2019',
    backupPolicy: 'Gold-2018',
    restoredAt: '2026-11-21T09:00:00Z',
  };
  const before = beforeOf(recordOf(id, shown));
  test('a baseline keeps the previous release from taking a snapshot’s number for a new time', () => {
    expect(before).toMatchObject({ readers: readersNow, times: { restoredAt: time } });
    // It compares: a number that is later is a new time.
    const later = Date.parse('MYSQL_SNAPSHOT-2031');
    expect(later).toBeGreaterThan(Date.UTC(2031, 0, 1) - 86_400_000);
    expect(later > (before.times.lastRestoreSnapshot ?? 0)).toBe(false);
    expect(before.times.backupPolicy).toBeGreaterThan(later);
  });
  test('a baseline lets the previous release take an old report for work under way, but not this release', () => {
    const { reports } = beforeOf(recordOf(id, { lastJob: { type: 'BACKUP', status: 'Completed (0 errors)' } }));
    const [standing = ''] = Object.values(reports);
    expect(standing.split('\n').some(line => line.startsWith('["busy"'))).toBe(true);
    expect(isUnderWay(standing)).toBe(false);
  });
  test('the previous release reads a baseline of this one, and leaves out what it does not know', () => {
    const { readers: _, ...known } = before;
    expect(Before.omit({ readers: true }).parse(JSON.parse(JSON.stringify(before)))).toEqual(known);
  });
  test('what a baseline holds for the previous release hides no sign from this one', () => {
    expect(moved(before, { ...shown, lastRestoreSnapshot: 'MYSQL_SNAPSHOT-2031' })).toBeUndefined();
    expect(moved(before, { ...shown, restoredAt: '2026-11-21T09:00:01Z' })).toBe(time + 1_000);
    const record = recordOf(id, { restored: 'MYSQL_SNAPSHOT-2019' });
    expect(ownKey(works.restore, beforeOf(record), record)).toBeUndefined();
  });
});

describe('a time of the work', () => {
  const before = beforeOf(recordOf(id, { lastRestoreAt: '2026-11-20T09:00:00Z' }));
  const shows = (beside: object) => moved(before, { lastRestoreAt: '2026-11-21T09:00:00Z', ...beside });
  test.each([
    {},
    { lastRestoreOutcome: 'COMPLETED' },
    { lastRestoreOutcome: 'Completed with warnings' },
    { lastRestoreError: 'none' },
    { lastRestoreResultCode: 3 },
    { lastRestoreType: 'SNAPSHOT' },
    { lastBackupStatus: 'FAILED' },
    { restorePolicyStatus: 'PAUSED' },
  ])('a new time of a restore shows that the restore was done, beside %j', beside => {
    expect(shows(beside)).toBe(time);
  });
  test.each([
    { lastRestoreOutcome: 'FAILED' },
    { lastRestoreOutcome: 'Rolled back' },
    { lastRestoreOutcome: 'P' },
    { lastRestoreResult: 'In progress' },
    { lastRestoreError: 'disk full' },
    { lastRestoreType: 'BACKUP_DELETE' },
    { restoreSuccess: false },
    { restoreFailed: true },
  ])('a new time of a restore does not show that the restore was done, beside %j', beside => {
    expect(shows(beside)).toBeUndefined();
  });
  test('a new time of a restore is judged with the other keys of the same object', () => {
    const was = beforeOf(recordOf(id, { restore: { at: '2026-11-20T09:00:00Z' } }));
    const now = { at: '2026-11-21T09:00:00Z' };
    expect(moved(was, { restore: now, state: 'STOPPED' })).toBeUndefined();
    const dated = beforeOf(recordOf(id, { restore: { restoredAt: '2026-11-20T09:00:00Z' } }));
    const restored = { restoredAt: '2026-11-21T09:00:00Z' };
    expect(moved(dated, { restore: restored, state: 'STOPPED' })).toBe(time);
    expect(moved(dated, { restore: { ...restored, status: 'FAILED' } })).toBeUndefined();
  });
  test('a job that is confirmed by a new time quotes the warning that stands beside that time', () => {
    const fields = { lastRestoreAt: '2026-11-21T09:00:00Z', lastRestoreOutcome: 'Completed with warnings' };
    expect(change(before, fields)?.by).toContain('The word next to it is Completed with warnings.');
  });
  test('a number under the key of a size is not taken for the time of a restore', () => {
    const sized = beforeOf(recordOf(id, { lastRestoreSize: 1_795_230_000 }));
    expect(moved(sized, { lastRestoreSize: 1_795_240_000 })).toBeUndefined();
  });
});
