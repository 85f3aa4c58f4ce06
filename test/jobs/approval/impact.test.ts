import { describe, expect, test } from 'vitest';
import { hour } from '../../../src/ground/durations.ts';
import { impactOf } from '../../../src/jobs/approval/facts/impact.ts';
import { takeBackOf } from '../../../src/jobs/plans/remedy.ts';
import { latestSnapshot, ownSnapshots } from '../../../src/records/snapshots.ts';
import { job, recordOf } from '../rows.ts';

const now = Date.UTC(2026, 10, 22, 12);
const at = (hours: number) => new Date(now - hours * hour).toISOString();
const withSnapshots = (...snapshots: readonly object[]) =>
  recordOf('MYSQL_LIVE_SERVER-1', { name: 'shop', latestSnapshot: 'MYSQL_SNAPSHOT-3', snapshots });

const three = withSnapshots(
  { id: 'MYSQL_SNAPSHOT-1', name: 'first', createdAt: at(48) },
  { id: 'MYSQL_SNAPSHOT-2', createdAt: at(24) },
  { id: 'MYSQL_SNAPSHOT-3', createdAt: at(6) },
);
const undated = withSnapshots({ id: 'MYSQL_SNAPSHOT-1', createdAt: at(48) }, { id: 'MYSQL_SNAPSHOT-2' });
const bare = recordOf('MYSQL_LIVE_SERVER-1', { snapshots: ['MYSQL_SNAPSHOT-1', 'MYSQL_SNAPSHOT-2'] });
const clones = [1, 2].map(number => recordOf(`MYSQL_CLONE_SERVER-${number}`, { name: `shop-${number}` }));
const nothing = { record: three, chosen: undefined, clones: undefined, jobs: [], backup: undefined, now };

describe('the snapshots of a record', () => {
  test('the snapshots of a record are its own, each once, the newest first', () => {
    expect(ownSnapshots(three).map(({ id, label }) => [id.text, label])).toEqual([
      ['MYSQL_SNAPSHOT-3', undefined],
      ['MYSQL_SNAPSHOT-2', undefined],
      ['MYSQL_SNAPSHOT-1', 'first'],
    ]);
  });
  test('a record has a latest snapshot only where it shows when each one was taken', () => {
    expect(latestSnapshot(three, now)?.id.text).toBe('MYSQL_SNAPSHOT-3');
    expect(latestSnapshot(undated, now)).toBeUndefined();
    expect(latestSnapshot(bare, now)).toBeUndefined();
    expect(latestSnapshot(recordOf('MYSQL_LIVE_SERVER-1'), now)).toBeUndefined();
  });
});

describe('the time of a snapshot', () => {
  const taken = Math.floor((now - 6 * hour) / 1000);
  test.each([
    ['in seconds since the epoch', { createdAt: taken }, taken * 1000],
    ['in milliseconds, as a text', { takenAt: String(taken * 1000) }, taken * 1000],
    ['in another zone', { snapshotTime: '2026-11-22T08:00:00+02:00' }, Date.UTC(2026, 10, 22, 6)],
    ['without a zone: it may be hours off', { createdAt: '2026-11-22T06:00:00' }, undefined],
    ['with a blank and without a zone', { createdAt: '2026-11-22 06:00:00' }, undefined],
    ['under a key that says nothing of its making', { time: at(6) }, undefined],
  ])('The time of a snapshot is known only where it can be told for sure: here it stands %s', (_, times, takenAt) => {
    const record = withSnapshots({ id: 'MYSQL_SNAPSHOT-1', createdAt: at(48) }, { id: 'MYSQL_SNAPSHOT-3', ...times });
    expect(impactOf({ ...nothing, record }).snapshot).toMatchObject({ id: 'MYSQL_SNAPSHOT-3', takenAt });
  });
});

describe('a restore loses', () => {
  test.each([
    ['what is newer than the latest snapshot', nothing, 'MYSQL_SNAPSHOT-3', 6, undefined],
    ['what is newer than the chosen one', { ...nothing, chosen: 'MYSQL_SNAPSHOT-1' }, 'MYSQL_SNAPSHOT-1', 48, 2],
    ['what is newer than one of two', { ...nothing, chosen: 'MYSQL_SNAPSHOT-2' }, 'MYSQL_SNAPSHOT-2', 24, 1],
    [
      'nothing that is known to be newer where one has no time',
      { ...nothing, record: undated, chosen: 'MYSQL_SNAPSHOT-1' },
      'MYSQL_SNAPSHOT-1',
      48,
      undefined,
    ],
    [
      'what nobody knows, of a snapshot without a time',
      { ...nothing, record: bare, chosen: 'MYSQL_SNAPSHOT-1' },
      'MYSQL_SNAPSHOT-1',
      undefined,
      undefined,
    ],
    [
      'what nobody knows, of a latest one that no time shows',
      { ...nothing, record: undated },
      undefined,
      undefined,
      undefined,
    ],
    [
      'what nobody knows, of a snapshot that the record does not show',
      { ...nothing, chosen: 'MYSQL_SNAPSHOT-9' },
      undefined,
      undefined,
      undefined,
    ],
  ])('the impact of a restore tells what it loses: %s', (_, around, id, hours, newer) => {
    const found = impactOf(around);
    expect(found.snapshot?.id).toBe(id);
    expect(found.snapshot?.takenAt).toBe(hours === undefined ? undefined : now - hours * hour);
    expect(found.newer?.names.length).toBe(newer);
  });
});

describe('a snapshot of no use counts for nothing in a restore', () => {
  const good = { id: 'MYSQL_SNAPSHOT-3', createdAt: at(6), state: 'AVAILABLE' };
  const bad = { id: 'MYSQL_SNAPSHOT-4', name: 'bad', createdAt: at(1) };
  test.each<[string, object, string]>([
    ['one that failed', { state: 'FAILED' }, 'failed'],
    ['one that is made', { state: 'CREATING' }, 'is being made'],
    ['one that is deleted just now', { status: 'PURGING' }, 'is being deleted'],
    ['one that has expired', { state: 'AVAILABLE', retainedUntil: at(0.1) }, 'has expired'],
    ['one that is still to come', { createdAt: at(-2) }, 'has a time in the future'],
    ['one that is still to come in every zone', { createdAt: '2026-11-23 03:30:00' }, 'has a time in the future'],
    ['one that is made, without its time', { state: 'CREATING', createdAt: null }, 'is being made'],
  ])('An unfit snapshot counts for nothing in a restore, and the reason is told: %s', (_, fields, why) => {
    const record = withSnapshots({ ...bad, ...fields }, good);
    expect(latestSnapshot(record, now)?.id.text).toBe('MYSQL_SNAPSHOT-3');
    expect(impactOf({ ...nothing, record })).toEqual({
      ...{ at: now, jobs: [], unfit: { name: 'bad', why, isChosen: false } },
      snapshot: { id: 'MYSQL_SNAPSHOT-3', takenAt: now - 6 * hour, isLatest: true },
    });
    const chosen = impactOf({ ...nothing, record, chosen: 'MYSQL_SNAPSHOT-4' });
    expect(chosen).toEqual({ at: now, jobs: [], unfit: { name: 'bad', why, isChosen: true } });
    // Neither is it newer than the good one, to which somebody goes back.
    expect(impactOf({ ...nothing, record, chosen: 'MYSQL_SNAPSHOT-3' })).toEqual({
      ...{ at: now, jobs: [] },
      snapshot: { id: 'MYSQL_SNAPSHOT-3', takenAt: now - 6 * hour, isLatest: false },
    });
  });

  test.each<[string, object]>([
    ['one that is older', { state: 'FAILED', createdAt: at(9) }],
    ['one that is deleted', { state: 'DELETED' }],
  ])('An unfit snapshot that nobody takes for the latest is not mentioned: %s', (_, fields) => {
    expect(impactOf({ ...nothing, record: withSnapshots({ ...bad, ...fields }, good) })).not.toHaveProperty('unfit');
  });

  test('where the only snapshot is unfit, Dolly knows nothing of the loss by a restore', () => {
    const found = impactOf({ ...nothing, record: withSnapshots({ ...bad, state: 'FAILED' }) });
    expect(found).toEqual({ at: now, jobs: [], unfit: { name: 'bad', why: 'failed', isChosen: false } });
  });
});

test('the impact of a restore names the clones and jobs that it meets, and counts the rest', () => {
  const jobs = Array.from({ length: 9 }, (_, number) => ({ title: 'Backup', by: `U${number}` }));
  const many = Array.from({ length: 8 }, (_, number) => recordOf(`MYSQL_CLONE_SERVER-${number + 1}`));
  expect(impactOf({ ...nothing, clones })).toMatchObject({
    clones: { names: ['shop-1', 'shop-2'], more: 0 },
    jobs: [],
  });
  expect(impactOf({ ...nothing, clones: many, jobs })).toMatchObject({ clones: { more: 3 }, jobs: { length: 5 } });
  expect(impactOf({ ...nothing, clones: [] })).not.toHaveProperty('clones');
});

describe('a restore that followed a backup', () => {
  const target = 'MYSQL_LIVE_SERVER-1';
  const part = { database: target, objectType: 'MYSQL_TABLE_RECOVERY_PARAMS', databaseName: 'a', tableName: 'b' };
  const stepOf = (operation: string, step: number, change: object) =>
    job<'succeeded'>({
      ...{ state: 'succeeded', operation, step, plan: 'plan', target, reason: '' },
      ...{ inputs: JSON.stringify({ database: target }), ...change },
    });
  const backup = stepOf('database.backup', 0, { claimed: 'MYSQL_SNAPSHOT-9' });
  const restore = stepOf('database.restore', 1, { inputs: JSON.stringify({ ...part, snapshot: 'MYSQL_SNAPSHOT-1' }) });

  test('a restore is taken back by restoring the same part from the snapshot that was made before it', () => {
    const found = takeBackOf([backup, restore]);
    expect(found?.operation.name).toBe('database.restore');
    expect(found?.values).toEqual({ ...part, snapshot: 'MYSQL_SNAPSHOT-9' });
  });

  test.each([
    ['no backup came before', [restore]],
    ['the backup came after it', [restore, backup]],
    ['the backup is not confirmed', [{ ...backup, state: 'finished' as const }, restore]],
    ['the restore is not confirmed', [backup, { ...restore, state: 'finished' as const }]],
    ['the backup showed no snapshot', [{ ...backup, claimed: null }, restore]],
    ['the backup is of another database', [{ ...backup, target: 'MYSQL_LIVE_SERVER-2' }, restore]],
    ['nothing was restored', [backup]],
  ])('a restore cannot be taken back where %s', (_, jobs) => {
    expect(takeBackOf(jobs)).toBeUndefined();
  });
});
