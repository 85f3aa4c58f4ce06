import { describe, expect, test } from 'vitest';
import { backupCoverage, type Coverage, logsCoverage } from '../../../src/features/protection/coverage.ts';
import { hour } from '../../../src/ground/durations.ts';
import { only } from '../../api/reading.ts';

const time = '2026-11-22T02:00:00Z';
const at = { type: 'at', at: Date.parse(time) } as const;
const earlier = '2026-11-20T02:00:00Z';

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
    [{ snapshots: { 'MYSQL_SNAPSHOT-1': { createdAt: time, failed: true } } }, { type: 'unseen' }],
    [{ snapshots: { 'MYSQL_SNAPSHOT-1': { createdAt: time } } }, at],
    // Newer than the snapshot, but no backup of the data, or none that came to a good end.
    [{ lastBackup: time, lastLogBackup: '2026-11-22T03:00:00Z' }, at],
    [{ lastBackup: time, lastJob: { type: 'BACKUP', state: 'FAILED', endedAt: '2026-11-22T03:00:00Z' } }, at],
    [{ lastBackup: time, lastJob: { type: 'RESTORE', state: 'COMPLETED', endedAt: '2026-11-22T03:00:00Z' } }, at],
    [{ lastBackup: time, lastFailedBackup: '2026-11-22T03:00:00Z' }, at],
    [{ lastBackup: { status: 'COMPLETED', time } }, at],
    // A time without its zone may be hours off.
    [{ lastBackup: '2026-11-22 02:00:00' }, { ...at, doubt: 14 * hour }],
    [{ lastJob: { type: 'BACKUP', state: 'COMPLETED', endedAt: '2026-11-22 02:00:00' } }, { ...at, doubt: 14 * hour }],
    [{ lastBackup: '2026-11-20 02:00:00', snapshots: [{ id: 'MYSQL_SNAPSHOT-1', createdAt: time }] }, at],
    [{ lastBackup: { status: 'FAILED', time } }, { type: 'unseen' }],
    [{ lastBackupTime: time, lastBackupStatus: 'FAILED' }, { type: 'unseen' }],
    [{ lastBackupTime: time, lastBackupStatus: 'SUCCESS' }, at],
    [{ backup: { status: 'IN_PROGRESS', lastRunAt: time } }, { type: 'unseen' }],
    [{ snapshots: [] }, { type: 'never' }],
    [{ snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }] }, { type: 'undated' }],
    [{ snapshots: ['MYSQL_SNAPSHOT-1'] }, { type: 'undated' }],
    [{}, { type: 'unseen' }],
    [{ snapshots: null }, { type: 'unseen' }],
    [{ clones: [], lastBackup: null }, { type: 'unseen' }],
    [{ nextBackup: time }, { type: 'unseen' }],
    [{ refreshedAt: time }, { type: 'unseen' }],
  ])('in %j is %o', (fields, expected) => {
    expect(backupCoverage(read(fields))).toEqual(expected);
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
  ])('in %j is %o', (fields, expected) => {
    expect(logsCoverage(read(fields))).toEqual(expected);
  });
});
