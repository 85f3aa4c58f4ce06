import { describe, expect, test } from 'vitest';
import { backupCoverage, type Coverage, logsCoverage } from '../../../src/features/protection/coverage.ts';
import { hour } from '../../../src/ground/durations.ts';
import { only } from '../../api/reading.ts';

const time = '2026-11-22T02:00:00Z';
const at = { type: 'at', at: Date.parse(time) } as const;
const earlier = '2026-11-20T02:00:00Z';
/** When the records are looked at. */
const now = Date.parse('2026-11-22T09:00:00Z');
const hoursOn = (hours: number) => new Date(now + hours * hour).toISOString();

const read = (fields: object) => only([{ id: 'MYSQL_LIVE_SERVER-1', name: 'shop', state: 'RUNNING', ...fields }]);

describe('the latest backup', () => {
  test.each<[object, Coverage]>([
    [
      {
        snapshots: [
          { id: 'MYSQL_SNAPSHOT-1', createdAt: earlier },
          { id: 'MYSQL_SNAPSHOT-2', createdAt: time },
        ],
      },
      at,
    ],
    [{ latestSnapshot: { id: 'MYSQL_SNAPSHOT-1', takenAt: time } }, at],
    // The only time of a snapshot, by whatever key.
    ...['timestamp', 'ts', 'date', 'consistent_at', 'completedOn'].map((key): [object, Coverage] => [
      { snapshots: [{ id: 'MYSQL_SNAPSHOT-1', [key]: time, size: 1_795_230_000, expiresAt: '2027-01-01T00:00:00Z' }] },
      at,
    ]),
    [{ snapshots: { 'MYSQL_SNAPSHOT-1': earlier, 'MYSQL_SNAPSHOT-2': time } }, at],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: '2026-11-22 02:00:00' }] }, { ...at, doubt: 14 * hour }],
    [{ lastBackup: time }, at],
    [{ last_backup_at: Date.parse(time) / 1_000 }, at],
    [{ backup: { lastRunAt: time, nextRunAt: '2026-11-23T02:00:00Z' } }, at],
    [{ lastJob: { type: 'BACKUP', state: 'COMPLETED', endedAt: time } }, at],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: earlier }], lastBackup: time }, at],
    // A newer snapshot that failed, or is not there yet.
    ...['FAILED', 'CREATING', { name: 'ERROR' }].map((state): [object, Coverage] => [
      {
        snapshots: [
          { id: 'MYSQL_SNAPSHOT-1', createdAt: time, state: 'AVAILABLE' },
          { id: 'MYSQL_SNAPSHOT-2', createdAt: '2026-11-22T03:00:00Z', state },
        ],
      },
      at,
    ]),
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: time, state: 'FAILED' }] }, { type: 'unseen' }],
    // A snapshot is what work left: its word may be an outcome.
    ...[
      ...[{ state: 'UNSUCCESSFUL' }, { state: 'PARTIAL' }, { state: 'Killed' }, { state: '60 %' }, { success: false }],
      ...[{ state: 'AVAILABLE', valid: false }, { partial: true }, { error: 'ORA-19502' }],
    ].map((more): [object, Coverage] => [
      { snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: time, ...more }] },
      { type: 'unseen' },
    ]),
    ...[
      { state: 'Crash consistent' },
      { state: 'CLONING' },
      { state: 'VERIFYING' },
      { error: 'none' },
      { state: 'TEAL' },
    ].map((more): [object, Coverage] => [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: time, ...more }] }, at]),
    // There was one, though nobody can tell when.
    [{ snapshots: [], backups: [{ id: 17, at: time, status: 'OK' }] }, { type: 'unseen' }],
    [{ snapshots: [], snapshotCount: 4 }, { type: 'unseen' }],
    [{ snapshots: [], lastBackupAt: '03/04/2026 02:00' }, { type: 'unseen' }],
    [{ lastManualBackupAt: 'never', lastAutoBackupAt: '03/04/2026 02:00' }, { type: 'unseen' }],
    [{ lastManualBackupAt: 'never', lastJob: { id: 7, type: 'BACKUP', status: 'COMPLETED' } }, { type: 'unseen' }],
    [{ lastBackupAt: time, lastBackupStatus: 'AVAILABLE' }, at],
    [{ lastBackupAt: time, backupMode: 'ARCHIVELOG' }, at],
    [
      { lastBackupAt: time, backup: { status: 'FAILED' } },
      { type: 'unseen', said: 'FAILED' },
    ],
    [
      { lastBackupAt: time, lastBackupErrorCount: 3 },
      { type: 'unseen', said: 'lastBackupErrorCount: 3' },
    ],
    [
      { lastBackupAt: time, isLastBackupOk: false },
      { type: 'unseen', said: 'isLastBackupOk: false' },
    ],
    [
      { lastBackupAt: time, lastBackupMessage: 'Backup failed: no space' },
      { type: 'unseen', said: 'Backup failed: no space' },
    ],
    [{ snapshots: { 'MYSQL_SNAPSHOT-1': { createdAt: time, failed: true } } }, { type: 'unseen' }],
    [{ snapshots: { 'MYSQL_SNAPSHOT-1': { createdAt: time } } }, at],
    // Newer than the snapshot, but no backup of the data, or none that came to a good end.
    [{ lastBackup: time, lastLogBackup: '2026-11-22T03:00:00Z' }, at],
    [
      { lastBackup: time, lastJob: { type: 'BACKUP', state: 'FAILED', endedAt: '2026-11-22T03:00:00Z' } },
      { ...at, said: 'FAILED', isOfLater: true },
    ],
    [{ lastBackup: time, lastJob: { type: 'RESTORE', state: 'COMPLETED', endedAt: '2026-11-22T03:00:00Z' } }, at],
    [{ lastBackup: time, lastFailedBackup: '2026-11-22T03:00:00Z' }, at],
    [{ lastBackup: { status: 'COMPLETED', time } }, at],
    // A time without its zone may be hours off.
    [{ lastBackup: '2026-11-22 02:00:00' }, { ...at, doubt: 14 * hour }],
    [{ lastJob: { type: 'BACKUP', state: 'COMPLETED', endedAt: '2026-11-22 02:00:00' } }, { ...at, doubt: 14 * hour }],
    [{ lastBackup: '2026-11-20 02:00:00', snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: time }] }, at],
    [{ lastBackup: { status: 'FAILED', time } }, { type: 'unseen', said: 'FAILED' }],
    ...['UNSUCCESSFUL', 'Interrupted', 'MISSED', 'Skipped', 'Partially successful', 'P'].map(
      (word): [object, Coverage] => [
        { lastBackupAt: time, lastBackupStatus: word },
        { type: 'unseen', said: word },
      ],
    ),
    [
      { lastBackupAt: time, lastBackupStatus: 'COMPLETED_WITH_WARNINGS' },
      { ...at, said: 'COMPLETED_WITH_WARNINGS' },
    ],
    [
      { lastBackupAt: time, lastBackupError: 'disk full' },
      { type: 'unseen', said: 'disk full' },
    ],
    [{ lastBackupAt: time, lastBackupError: 'No errors' }, at],
    [{ lastBackupAt: time, lastBackupSuccess: true, lastBackupResultCode: 0 }, at],
    [
      { lastBackupAt: time, lastBackupSuccess: false },
      { type: 'unseen', said: 'lastBackupSuccess: false' },
    ],
    [{ backup: { last: { at: time, result: 'FAILED' } } }, { type: 'unseen', said: 'FAILED' }],
    [{ backup: { at: time, type: 'LOG' } }, { type: 'unseen', said: 'LOG' }],
    [{ lastBackupTime: time, backupPolicyStatus: 'SUSPENDED', status: 'STOPPED' }, at],
    [{ info: { lastBackupAt: time, status: 'RUNNING' } }, at],
    // What is no time is no backup, whatever it looks like.
    [{ backupName: 'sales 2019', backupSizeMb: '2019', backupPolicy: 'Gold-2018' }, { type: 'unseen' }],
    [{ lastBackupSize: 1_795_230_000 }, { type: 'unseen' }],
    [{ lastBackup: [2026, 11, 22, 2, 0] }, { ...at, doubt: 14 * hour }],
    [{ lastBackup: '0001-01-01T00:00:00Z' }, { type: 'never' }],
    [{ lastBackupDate: '1970-01-01', snapshots: [{ id: 'MYSQL_SNAPSHOT-1', state: 'FAILED' }] }, { type: 'never' }],
    [{ lastBackup: 'Never', snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: time }] }, at],
    [{ nextBackup: '0001-01-01T00:00:00Z', createdAt: '1970-01-01T00:00:00Z' }, { type: 'unseen' }],
    // Done with a warning, which is said.
    [{ lastJob: { type: 'BACKUP', state: 'FINISHED', result: 'Warning', endedAt: time } }, { ...at, said: 'Warning' }],
    [
      { lastBackup: earlier, jobs: [{ id: 1, type: 'BACKUP', state: 'Partially completed', endedAt: time }] },
      { type: 'at', at: Date.parse(earlier), said: 'Partially completed', isOfLater: true },
    ],
    [
      { lastBackupTime: time, lastBackupStatus: 'FAILED' },
      { type: 'unseen', said: 'FAILED' },
    ],
    [{ lastBackupTime: time, lastBackupStatus: 'SUCCESS' }, at],
    [{ backup: { status: 'IN_PROGRESS', lastRunAt: time } }, { type: 'unseen', said: 'IN_PROGRESS' }],
    [{ snapshots: [] }, { type: 'never' }],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }] }, { type: 'undated' }],
    [{ snapshots: ['MYSQL_SNAPSHOT-1'] }, { type: 'undated' }],
    [{}, { type: 'unseen' }],
    [{ snapshots: null }, { type: 'unseen' }],
    [{ clones: [], lastBackup: null }, { type: 'unseen' }],
    [{ nextBackup: time }, { type: 'unseen' }],
    [{ refreshedAt: time }, { type: 'unseen' }],
  ])('the latest backup that the record %j shows is %o', (fields, expected) => {
    expect(backupCoverage(read(fields), now)).toEqual(expected);
  });
});

describe('the latest backup of the logs', () => {
  test.each<[object, Coverage]>([
    [{ lastLogBackup: time }, at],
    [{ logs: { lastBackupAt: time } }, at],
    [{ lastJob: { type: 'BACKUP_LOGS', state: 'COMPLETED', endedAt: time } }, at],
    [{ lastBackup: time }, { type: 'unseen' }],
    [{ snapshots: [] }, { type: 'unseen' }],
    [{ lastLogin: time }, { type: 'unseen' }],
  ])('the latest backup of the logs that the record %j shows is %o', (fields, expected) => {
    expect(logsCoverage(read(fields), now)).toEqual(expected);
  });
});

describe('what cannot be used is no backup:', () => {
  const good = { id: 'MYSQL_SNAPSHOT-1', createdAt: time, state: 'AVAILABLE' };
  const newer = { id: 'MYSQL_SNAPSHOT-2', createdAt: '2026-11-22T08:00:00Z' };

  test.each<[string, object, number | string]>([
    ['one that failed', { ...newer, state: 'FAILED' }, at.at],
    ['one that is being made', { ...newer, status: 'IN_PROGRESS' }, at.at],
    ['one that is being deleted', { ...newer, state: 'DELETING' }, at.at],
    ['one that was deleted', { ...newer, deleted: true }, at.at],
    ['one that has expired', { ...newer, expiresAt: hoursOn(-0.5) }, at.at],
    ['one whose state word says that it expired', { ...newer, state: 'EXPIRED' }, at.at],
    ['one that was kept until half an hour ago', { ...newer, retention: { until: hoursOn(-0.5) } }, at.at],
    ['one that was valid until half an hour ago', { ...newer, valid_until: hoursOn(-0.5) }, at.at],
    ['one to be deleted after half an hour ago', { ...newer, deleteAfter: Date.parse(hoursOn(-0.5)) / 1_000 }, at.at],
    ['one of 2099', { ...newer, createdAt: '2099-01-01T00:00:00Z' }, at.at],
    ['one of 2099 without its zone', { ...newer, createdAt: '2099-01-01 00:00:00' }, at.at],
    ['one that is kept still', { ...newer, expiresAt: hoursOn(0.5) }, newer.createdAt],
    ['one whose expiry may be to come in some zone', { ...newer, expiresAt: '2026-11-22 08:30:00' }, newer.createdAt],
    ['one whose expiry is a day that is not over', { ...newer, expiryDate: '2026-11-22' }, newer.createdAt],
    ['one that never expires, in a zero', { ...newer, expiresAt: '0001-01-01T00:00:00Z' }, newer.createdAt],
    ['one whose link expires', { ...newer, download: { expiresAt: hoursOn(-0.5) } }, newer.createdAt],
    ['one that is kept for a while', { ...newer, expiresInMs: 604_800_000 }, newer.createdAt],
    ['one that was updated lately', { ...newer, updatedAt: hoursOn(-0.5) }, newer.createdAt],
    ['one by a clock that is somewhat ahead', { ...newer, createdAt: hoursOn(0.9) }, hoursOn(0.9)],
    ['one with a state word that nobody knows', { ...newer, state: 'MARINATED' }, newer.createdAt],
  ])('a newer snapshot counts as the latest backup only where it can be used: %s', (_, snapshot, expected) => {
    const wanted = typeof expected === 'number' ? expected : Date.parse(expected);
    expect(backupCoverage(read({ snapshots: [good, snapshot] }), now)).toEqual({ type: 'at', at: wanted });
    // The latest one often stands beside the list by its identifier alone.
    const beside = { latestSnapshot: 'MYSQL_SNAPSHOT-2', snapshots: [good, snapshot] };
    expect(backupCoverage(read(beside), now)).toEqual({ type: 'at', at: wanted });
  });

  test.each<[string, object, Coverage]>([
    ['a key', { lastBackup: '2099-01-01T00:00:00Z' }, at],
    ['a key without its zone', { lastBackup: '2026-11-23 10:00:00' }, at],
    ['a report', { lastJob: { type: 'BACKUP', state: 'COMPLETED', endedAt: '2099-01-01T00:00:00Z' } }, at],
  ])('a backup time that is still to come counts as no backup: in %s', (_, fields, expected) => {
    expect(backupCoverage(read({ snapshots: [good], ...fields }), now)).toEqual(expected);
    expect(backupCoverage(read({ snapshots: [], ...fields }), now)).toEqual({ type: 'unseen' });
    expect(backupCoverage(read({ snapshots: ['MYSQL_SNAPSHOT-1'], ...fields }), now)).toEqual({ type: 'undated' });
  });

  test('a backup time without its zone counts where it is past in some zone', () => {
    expect(backupCoverage(read({ lastBackup: '2026-11-22 23:30:00' }), now)).toMatchObject({ type: 'at' });
    expect(logsCoverage(read({ lastLogBackup: '2026-11-23 00:30:00' }), now)).toEqual({ type: 'unseen' });
    const logs = {
      lastLogBackup: '2099-01-01T00:00:00Z',
      lastJob: { type: 'BACKUP_LOGS', state: 'DONE', endedAt: time },
    };
    expect(logsCoverage(read(logs), now)).toEqual(at);
  });

  test('the same record shows at each look the backup that is usable then', () => {
    const record = read({ snapshots: [good, { ...newer, createdAt: hoursOn(3), expiresAt: hoursOn(24) }] });
    const seen = (hours: number) => backupCoverage(record, now + hours * hour);
    expect([0, 3, 30, 3, 0].map(seen)).toEqual(
      [at.at, now + 3 * hour, at.at, now + 3 * hour, at.at].map(one => ({ type: 'at', at: one })),
    );
  });

  test('a database with a failed snapshot beside an empty list is not said to have never been backed up', () => {
    const failed = { latestSnapshot: { id: 'MYSQL_SNAPSHOT-1', state: 'FAILED', createdAt: time }, backups: [] };
    expect(backupCoverage(read(failed), now)).toEqual({ type: 'unseen' });
    expect(backupCoverage(read({ ...failed, latestSnapshot: null }), now)).toEqual({ type: 'never' });
  });
});
