import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { catalogue } from '../../src/operations/catalogue.ts';
import { isSignOf, speaksOf, stateSpeaksOf, type Work, works } from '../../src/operations/work.ts';

type WorkName = keyof typeof works;

const all: readonly WorkName[] = [
  ...(['backup', 'clone', 'convert', 'delete', 'disable', 'enable', 'logs', 'mount'] as const),
  ...(['refresh', 'reset', 'restore', 'share', 'start', 'stop'] as const),
];

describe('a service’s words speak of', () => {
  const words: readonly (readonly [string, readonly WorkName[]])[] = [
    ['BACKUP', ['backup', 'logs']],
    ['CREATE_SNAPSHOT', ['backup', 'logs']],
    ['snapshotCreate', ['backup', 'logs']],
    ['INCREMENTAL_BACKUP', ['backup', 'logs']],
    ['SYNC', ['backup', 'logs', 'refresh']],
    ['BACKUP_LOGS', ['logs']],
    ['ARCHIVING', ['logs']],
    ['RESTORE', ['restore', 'reset']],
    ['RESTORE_LOG', ['restore', 'reset']],
    ['POINT_IN_TIME_RECOVERY', ['restore', 'reset']],
    ['ROLLING_BACK', ['restore', 'reset']],
    ['RESET_CLONE', ['reset']],
    ['REFRESH', ['refresh']],
    ['Rediscovery', ['refresh']],
    ['CLONE_FROM_SNAPSHOT', ['backup', 'clone', 'convert', 'logs', 'mount', 'share']],
    ['PROVISION_FROM_BACKUP', ['backup', 'clone', 'convert', 'logs', 'mount', 'share']],
    ['CREATE_CLONE', ['clone', 'convert', 'mount', 'share']],
    ['Provisioning', ['clone', 'convert', 'mount', 'share']],
    ['DUPLICATING', ['clone', 'convert', 'mount', 'share']],
    ['REPLICATING', ['clone', 'convert', 'mount', 'share']],
    ['MOUNT_SNAPSHOT', ['mount']],
    ['ConvertToPhysical', ['convert']],
    ['DELETE_SNAPSHOT', ['delete']],
    ['snapshotDelete', ['delete']],
    ['DROPPING', ['delete']],
    ['START_CLONE', ['clone', 'convert', 'enable', 'mount', 'share', 'start']],
    ['START_BACKUP', ['backup', 'enable', 'logs', 'start']],
    ['STOPPING', ['stop', 'disable']],
    ['SHUTTING_DOWN', ['stop', 'disable']],
    ['ENABLE', ['enable']],
    ['DISABLING', ['disable']],
    ['SHARE_CLONE', ['share']],
  ];
  test.each(words)('the service’s word %s speaks of the work %j', (text, spoken) => {
    expect(all.filter(work => speaksOf(text, works[work]) === 'yes').toSorted()).toEqual([...spoken].toSorted());
    expect(all.filter(work => speaksOf(text, works[work]) === 'open')).toEqual([]);
  });

  test('a service’s words speak of the same work, however they are written', () => {
    const written = fc.constantFrom<(parts: readonly string[]) => string>(
      parts => parts.join('_').toUpperCase(),
      parts => parts.join('-').toLowerCase(),
      parts => parts.join(' '),
      parts => parts.map((part, at) => (at === 0 ? part : part[0]?.toUpperCase() + part.slice(1))).join(''),
      parts => parts.join('.'),
    );
    const parts = fc.constantFrom(
      ['restore', 'database'],
      ['create', 'snapshot'],
      ['delete', 'clone'],
      ['stop', 'job'],
    );
    fc.assert(
      fc.property(parts, written, fc.constantFrom(...all), (text, write, work) => {
        expect(speaksOf(write(text), works[work])).toBe(speaksOf(text.join(' '), works[work]));
      }),
    );
  });

  test.each(['BUSY', 'TASK_7', 'RUNNING', 'IN_PROGRESS', 'JOB', 'ACTIVE', '', '3', '走る', 'WORKING'])(
    'a service’s word “%s” speaks of no work that Dolly knows',
    text => {
      for (const work of all) expect(speaksOf(text, works[work])).toBe('open');
    },
  );

  test('the name of every work that Dolly sends speaks of that work', () => {
    const sent = new Set(catalogue.flatMap(operation => (operation.type === 'write' ? [operation.work] : [])));
    for (const work of sent) expect(speaksOf(work.name, work)).toBe('yes');
  });

  test('a work that one operation defines is spoken of by its own words', () => {
    const verify: Work = { name: 'verify', verb: /^verif/ };
    expect(['VERIFYING', 'verifyDatabase', 'RESTORE', 'BUSY'].map(text => speaksOf(text, verify))).toEqual([
      ...['yes', 'yes', 'no', 'open'],
    ]);
    expect(speaksOf('VERIFY_BACKUP', works.backup)).toBe('yes');
    expect(stateSpeaksOf('VERIFIED', verify)).toBe('open');
  });
});

describe('the word of a state speaks', () => {
  test.each<readonly [string, WorkName, 'yes' | 'no' | 'open']>([
    ['RESTORING', 'restore', 'yes'],
    ['RESTORING', 'backup', 'no'],
    ['SYNCING', 'restore', 'no'],
    ['SYNCING', 'backup', 'yes'],
    ['BACKING_UP', 'backup', 'yes'],
    ['BACKING_UP_LOGS', 'logs', 'yes'],
    ['DELETING', 'stop', 'no'],
    ['CREATING', 'clone', 'yes'],
    ['UPDATING', 'restore', 'open'],
    // What is over is nothing that is being done.
    ['MOUNTED', 'mount', 'open'],
    ['RESTORED', 'restore', 'open'],
    ['RESTORED', 'backup', 'open'],
    ['STOPPED', 'stop', 'open'],
    ['RESTORE_FAILED', 'restore', 'yes'],
  ])('the state word %s speaks of the work %s: %s', (word, work, expected) => {
    expect(stateSpeaksOf(word, works[work])).toBe(expected);
  });
});

describe('a time or a counter is a sign of the end of', () => {
  test.each<readonly [string, WorkName, boolean]>([
    ['restoredAt', 'restore', true],
    ['lastRestoredAt', 'restore', true],
    ['last_restore_time', 'restore', true],
    ['restoreCount', 'restore', true],
    ['stats.restoreCount', 'restore', true],
    ['resetCount', 'reset', true],
    ['refreshedAt', 'refresh', true],
    ['lastBackupAt', 'backup', true],
    ['snapshotCount', 'backup', true],
    ['lastLogBackup', 'logs', true],
    ['lastSync', 'backup', true],
    // A reset may be called a restore or a refresh, and these not a reset.
    ['restoredAt', 'reset', true],
    ['resetCount', 'restore', false],
    // Of any change, and of other work.
    ['updatedAt', 'restore', false],
    ['modified', 'backup', false],
    ['backedUpAt', 'restore', false],
    ['restoredAt', 'backup', false],
    // Not of its end.
    ['restoreStartedAt', 'restore', false],
    ['nextBackupAt', 'backup', false],
    ['scheduledRestoreTime', 'restore', false],
    ['backupRetentionUntil', 'backup', false],
    ['failedRestoreCount', 'restore', false],
    ['restoreErrorCount', 'restore', false],
    ['restoredFromSnapshotAt', 'restore', false],
    ['restoredTo', 'restore', false],
    // How far back a restore could go moves with every backup of logs.
    ['latestRestorableTime', 'restore', false],
    ['earliestRestoreTime', 'restore', false],
    ['recoveryPoint', 'restore', false],
    ['restorePointInTime', 'restore', false],
    ['loginCount', 'logs', false],
    ['logicalReads', 'logs', false],
    ['logBackupCount', 'logs', true],
    ['archivedAt', 'logs', true],
    ['recoveryPoints', 'backup', true],
    ['restore_points', 'restore', false],
    ['latestRecoveryPoint', 'backup', false],
    // Of something else about the work, in a word that nobody lists, too.
    ...[
      ...[
        'pendingRestores',
        'activeRestores',
        'restoreRetries',
        'restoreWarnings',
        'unsuccessfulRestores',
        'restoringSince',
      ],
      ...['lastRestoreSubmittedAt', 'lastRestoreCancelledAt', 'restorePolicyUpdatedAt', 'lastRestoreSnapshotTime'],
      ...['recoveryModeChangedAt', 'lastRestoreTestAt', 'restoreEstimatedEnd', 'lastRestoreMarinatedAt'],
    ].map(key => [key, 'restore', false] as const),
    ...['auditLogCount', 'logLevelChangedAt', 'lastLogRotatedAt'].map(key => [key, 'logs', false] as const),
    ...[
      'backupPolicy.lastModified',
      'backup.agent.lastSeen',
      'policy.backup.at',
      'lastMissedBackupAt',
      'noBackupSince',
    ].map(key => [key, 'backup', false] as const),
    ...['backup.last.at', 'info.lastFullBackupAt', 'lastRmanBackup', 'backupCount', 'lastSuccessfulBackupTime'].map(
      key => [key, 'backup', true] as const,
    ),
    ['runtime.details.restoredAt', 'restore', true],
    ['lastDatabaseRestoreFinishedAt', 'restore', true],
  ])('the key %s is a sign of the end of the work %s: %s', (key, work, expected) => {
    expect(isSignOf(key, works[work])).toBe(expected);
  });
});
