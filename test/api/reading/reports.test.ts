import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readRecord } from '../../../src/api/reading/recordList.ts';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import type { Report } from '../../../src/api/reading/reports.ts';
import { stateClass } from '../../../src/api/reading/stateWords.ts';
import { id } from '../reading.ts';

function record(fields: object): RecordView {
  const read = readRecord({ id: 'MYSQL_CLONE_SERVER-1', ...fields }, id('MYSQL_CLONE_SERVER-1'));
  if (!read) throw new Error('that is no record');
  return read;
}
const reports = (fields: object): readonly Report[] => record(fields).reports;
const report = (fields: object): Report | undefined => reports(fields)[0];
const at = '2026-11-21T09:00:00Z';
const time = Date.parse(at);

test('a record’s reports are read once, however often they are asked for', () => {
  const read = record({ lastJob: { type: 'RESTORE', status: 'FAILED' } });
  expect(read.reports).toBe(read.reports);
});

describe('a report of work', () => {
  const job = { type: 'RESTORE', status: 'FAILED', error: 'disk group DATA is full', startedAt: at };
  test.each([
    ['lastJob', { lastJob: job }],
    ['last_job', { last_job: job }],
    ['LastOperation', { LastOperation: job }],
    ['currentJob', { currentJob: job }],
    ['latestTask', { latestTask: job }],
    ['recentTasks', { recentTasks: [job] }],
    ['jobs', { jobs: [job] }],
    ['jobHistory', { jobHistory: { entries: [job] } }],
    ['activities', { activities: { list: [job], count: 1 } }],
    ['a job below others', { runtime: { details: { lastJob: job } } }],
    ['a job in a job', { lastOperation: { job } }],
    ['a status with a word inside', { lastJob: { ...job, status: { name: 'FAILED', code: 9 } } }],
    ['an error with a text inside', { lastJob: { ...job, error: { message: job.error, code: 9 } } }],
    [
      'other names',
      { last_task: { operation: 'RESTORE', state: 'FAILED', failure_reason: job.error, start_time: at } },
    ],
    ['short keys', { jobs: { last: { op: 'RESTORE', status: 'FAILED', msg: job.error, begun: at } } }],
    ['a result', { lastAction: { action: 'RESTORE', result: 'FAILED', message: job.error, began: time } }],
    ['flat keys', { lastJobType: 'RESTORE', lastJobStatus: 'FAILED', lastJobError: job.error, lastJobStartedAt: at }],
    [
      'flat keys with dashes',
      { last_job_type: 'RESTORE', last_job_status: 'FAILED', last_job_error: job.error, last_job_started_at: at },
    ],
  ])('a report of work is read from %s', (_, fields) => {
    expect(reports(fields)).toHaveLength(1);
    expect(report(fields)).toMatchObject({
      kind: 'RESTORE',
      word: 'FAILED',
      outcome: 'failed',
      error: 'disk group DATA is full',
      beganAt: time,
    });
    expect(record(fields)).toMatchObject({ state: undefined, error: undefined });
  });

  test.each<[string, object, object]>([
    [
      'its kind',
      { type: 'BACKUP_COMPLETED', at },
      { kind: 'BACKUP_COMPLETED', word: 'BACKUP_COMPLETED', outcome: 'done' },
    ],
    ['a key of its own', { event: 'clone.failed', time: at }, { kind: 'clone.failed', outcome: 'failed' }],
    ['a text', { time: at, text: 'RESTORE finished successfully' }, { outcome: 'done', error: undefined }],
    ['a text beside its kind', { when: at, type: 'STOP', message: 'Completed' }, { outcome: 'done' }],
    [
      'a text with a cause',
      { timestamp: time, message: 'Backup failed: disk full: /u01' },
      { kind: 'Backup failed', outcome: 'failed', error: 'disk full: /u01' },
    ],
    ['a text without a cause', { date: at, text: 'backup of hr failed' }, { error: 'backup of hr failed' }],
  ])('a log’s entry reports the end of work, told by %s', (_, entry, told) => {
    for (const fields of [{ events: [entry] }, { recentEvents: { list: [entry] } }, { jobs: [entry] }])
      expect(reports(fields)).toEqual([expect.objectContaining({ ...told, beganAt: undefined, endedAt: time })]);
  });

  test('a log’s entry about the beginning of work, or about other things, is not a report', () => {
    const texts = ['BACKUP started', 'backup: running', 'retention is 7 days', 'No errors found', ''];
    const kinds = ['BACKUP_STARTED', 'CLONE_IN_PROGRESS'];
    const events = [...texts.map(text => ({ time: at, text })), ...kinds.map(type => ({ time: at, type }))];
    expect(reports({ events })).toEqual([]);
    expect(reports({ events: [{ text: 'BACKUP failed: disk full' }, 'BACKUP failed'] })).toEqual([]);
  });

  test('a report of work may be no more than a word', () => {
    expect(report({ lastJob: 'FAILED' })).toMatchObject({ kind: undefined, word: 'FAILED', outcome: 'failed' });
    expect(report({ lastOperation: 'RESTORE_IN_PROGRESS' })).toMatchObject({ outcome: 'busy' });
    expect(report({ lastTaskStatus: 'SUCCEEDED' })).toMatchObject({ outcome: 'done' });
  });

  test.each([
    ['0 %', 'busy'],
    ['45%', 'busy'],
    ['100 %', 'done'],
    ['FAILED AT 45 %', 'failed'],
  ])('a report of work that says %s tells that its work is %s', (status, outcome) => {
    expect(report({ lastJob: { type: 'CLONE', status } })).toMatchObject({ outcome });
  });

  test('a report of work is read with its details and times from flat keys', () => {
    const flat = { last_job_kind: 'RESTORE', last_job_state: 'FAILED', last_job_details: 'disk full' };
    expect(report({ ...flat, last_job_created: at, last_job_completed_on: at })).toMatchObject({
      ...{ error: 'disk full', beganAt: time, endedAt: time },
    });
  });

  test.each(['Operation under way', 'BACKUP', 'wird gesichert'])(
    'the text on current work is a report of it: %s',
    text => {
      for (const key of ['activity', 'currentOperation', 'running_task'])
        expect(report({ [key]: text })).toMatchObject({ kind: text, outcome: 'busy' });
      expect(report({ lastOperation: text })).toBeUndefined();
    },
  );
  test('an object on current work that names it is a report, though it has no state and no time', () => {
    expect(report({ activity: { current: 'SYNC', progress: 40 } })).toMatchObject({ kind: 'SYNC', outcome: 'busy' });
    expect(reports({ activity: { current: 'none', progress: 0 } })).toEqual([]);
    expect(reports({ lastTask: { name: 'SYNC' } })).toEqual([]);
  });
  test('a key that says by yes or by a name that work goes on is a report of it', () => {
    expect(report({ jobInProgress: true })).toMatchObject({ outcome: 'busy' });
    expect(reports({ jobInProgress: false })).toEqual([]);
    expect(report({ transition: 'STOPPING' })).toMatchObject({ kind: 'STOPPING', outcome: 'busy' });
    expect(report({ operation_in_progress: 'BACKUP' })).toMatchObject({ kind: 'BACKUP', outcome: 'busy' });
    expect(report({ pending: 'BACKUP' })).toMatchObject({ kind: 'BACKUP', outcome: 'busy' });
    expect(report({ 'in-progress': 'BACKUP' })).toMatchObject({ kind: 'BACKUP', outcome: 'busy' });
    expect(reports({ pending: null, executing: false, ongoing: 'none', inProgress: false, inProcess: 'yes' })).toEqual(
      [],
    );
    expect(report({ pendingOperation: 'BACKUP' })).toMatchObject({ kind: 'BACKUP', outcome: 'busy' });
  });
  test('a number that stands for current work is a report with an unknown outcome', () => {
    for (const number of [200, '200']) expect(report({ activity: number })).toMatchObject({ outcome: 'unknown' });
    expect(report({ busyWith: 1 })).toMatchObject({ outcome: 'unknown', isPlace: true });
    expect(reports({ activity: 0, busyWith: 0 })).toEqual([]);
  });
  test.each(['', 'none', 'idle', 'low', '3 %'])('a text that says that nothing is done is not a report: “%s”', text => {
    expect(reports({ activity: text, currentOperation: text })).toEqual([]);
  });

  test.each(['OPEN', 'STARTED', 'ONLINE'])('the word %s on current work is a report with an unknown outcome', text => {
    expect(report({ activity: text })).toMatchObject({ word: text, outcome: 'unknown', kind: undefined });
  });

  test('each report of work in a list is told by its number or time', () => {
    const tasks = [
      { id: 7, type: 'RESTORE', status: 'SUCCESS' },
      { id: 8, type: 'RESTORE', status: 'RUNNING' },
      { type: 'BACKUP', status: 'FAILED', startedAt: at },
    ];
    const found = reports({ recentTasks: tasks });
    expect(found.map(({ outcome }) => outcome)).toEqual(['done', 'busy', 'failed']);
    expect(new Set(found.map(({ identity }) => identity)).size).toBe(3);
    expect(found.map(({ isPlace }) => isPlace)).toEqual([false, false, false]);
    expect(report({ lastJob: { type: 'RESTORE', status: 'OK' } })?.isPlace).toBe(true);
  });

  test.each(['first', 'last'])('a report is found in a history of thousands whose newest stands %s', place => {
    const old = Array.from({ length: 5_000 }, (_, number) => ({ id: number, type: 'BACKUP', status: 'DONE' }));
    const newest = { id: 'newest', ...job };
    const jobs = place === 'first' ? [newest, ...old] : [...old, newest];
    expect(reports({ jobs }).filter(({ error }) => error === job.error)).toHaveLength(1);
  });

  test('a report tells who asked for the work, its records, and whether its times name their zone', () => {
    const told = report({
      lastJob: { ...job, startedBy: 'maria', source: { id: 'MYSQL_SNAPSHOT-3' }, endedAt: '2026-11-21T09:05:00+01:00' },
    });
    expect(told).toMatchObject({ by: 'maria', isZoned: true, endedAt: Date.parse('2026-11-21T09:05:00+01:00') });
    expect(told?.about.map(({ text }) => text)).toEqual(['MYSQL_SNAPSHOT-3']);
    expect(report({ lastJob: { ...job, startedAt: '2026-11-21 09:00:00' } })?.isZoned).toBe(false);
    expect(report({ lastJob: { ...job, startedAt: time } })).toMatchObject({ isZoned: true, beganAt: time });
  });

  test.each([
    ['in another record', { clones: [{ id: 'MYSQL_CLONE_SERVER-9', lastJob: job }] }],
    ['of its source', { source: { id: 'MYSQL_LIVE_SERVER-9', lastJob: job } }],
    ['without how it goes and when it was', { lastJob: { type: 'RESTORE', user: 'maria' } }],
    ['that is empty', { lastJob: {}, recentTasks: [], currentJob: null, lastJobStatus: '' }],
    [
      'of a key that only looks like one',
      { jobTitle: 'DBA', owner: { status: 'ACTIVE' }, taskforce: { status: 'OK' } },
    ],
  ])('nothing else is read as a record’s report of work: one %s', (_, fields) => {
    expect(reports(fields)).toEqual([]);
  });

  const outcomes: readonly (readonly [Report['outcome'], readonly unknown[]])[] = [
    [
      'busy',
      [
        'RUNNING',
        'running',
        'IN_PROGRESS',
        'InProgress',
        'QUEUED',
        'PENDING',
        'STARTED',
        'ACTIVE',
        'RESTORING',
        'SCHEDULED',
        'SUBMITTED',
        'läuft',
        'wartet',
        'en cours',
      ],
    ],
    [
      'done',
      ['SUCCESS', 'SUCCEEDED', 'Successful', 'COMPLETED', 'complete', 'DONE', 'FINISHED', 'OK', 'erledigt', 'terminé'],
    ],
    [
      'failed',
      [
        'FAILED',
        'FAILURE',
        'Error',
        'ABORTED',
        'CANCELLED',
        'TIMED_OUT',
        'COMPLETED_WITH_ERRORS',
        'FINISHED_WITH_ERROR',
        'REJECTED',
        'NOT SUCCESSFUL',
      ],
    ],
    ['partial', ['PARTIALLY_COMPLETED', 'INCOMPLETE']],
    ['unknown', ['PURPLE', '3', 'X', 'NOT_COMPLETED', 'notDone', 'ENDED', 'CLOSED', 'nicht abgeschlossen']],
  ];
  test.each(outcomes.flatMap(([outcome, words]) => words.map(word => [word, outcome] as const)))(
    'a report of work that says %s is read as %s',
    (status, outcome) => {
      expect(report({ lastJob: { type: 'RESTORE', status } })?.outcome).toBe(outcome);
    },
  );
  test.each([
    [{ success: true }, 'done'],
    [{ success: false }, 'failed'],
    [{ failed: true }, 'failed'],
    [{ status: 'FINISHED', success: false }, 'failed'],
    [{ state: 'FINISHED', result: 'FAILED' }, 'failed'],
    [{ status: 'COMPLETED', resultCode: 'FAILED' }, 'failed'],
    [{ status: 'completed', conclusion: 'failure' }, 'failed'],
    [{ status: 'COMPLETED', resultCode: 0 }, 'done'],
    [{ state: 'RUNNING', result: 'PENDING' }, 'busy'],
    [{ status: 'PURPLE', endedAt: at, error: 'disk full' }, 'failed'],
    [{ status: 'SUCCEEDED', error: 'none' }, 'done'],
    // A share of work that is over was done; before its end it may be progress, and of steps it is no share of the work.
    [{ status: '3 of 4 done', endedAt: at }, 'partial'],
    [{ status: 'done: 3/4', endedAt: at }, 'partial'],
    [{ status: 'ENDED', outcome: '3 of 4 done', endedAt: at }, 'partial'],
    [{ status: '3 of 4 done' }, 'unknown'],
    [{ status: 'step 3 of 4 done', endedAt: at }, 'unknown'],
    [{ status: '4 of 4 done', endedAt: at }, 'done'],
  ])('a report of work that says %j is read as %s', (fields, outcome) => {
    expect(report({ lastJob: { type: 'RESTORE', ...fields } })?.outcome).toBe(outcome);
  });
});

describe('a report whose words differ', () => {
  test.each([
    [{ state: 'FINISHED', result: 'MARINATED' }, 'unknown'],
    [{ state: 'FINISHED', result: 'none' }, 'done'],
    [{ result: 'CLOSED', outcome: 'OK' }, 'done'],
    [{ result: 'CLOSED', resultCode: 'SUCCEEDED' }, 'done'],
    [{ state: 'COMPLETED', exitCode: 1 }, 'unknown'],
    [{ state: 'COMPLETED', resultCode: 0, errorCount: 0 }, 'done'],
    [{ state: 'COMPLETED', success: 'false' }, 'failed'],
    [{ state: 'COMPLETED', isSuccess: false }, 'failed'],
    [{ state: 'COMPLETED', finalStatus: 'FAILED' }, 'failed'],
    [{ state: 'COMPLETED', message: 'Backup failed: disk full' }, 'unknown'],
    [{ state: 'COMPLETED', summary: 'Partially successful' }, 'unknown'],
    [{ state: 'COMPLETED', message: 'All 3 files copied' }, 'done'],
    [{ state: 'COMPLETED', error: 'The operation completed successfully.' }, 'done'],
  ])('a report whose words differ, %j, is read as %s', (fields, outcome) => {
    expect(report({ lastJob: { type: 'BACKUP', ...fields } })?.outcome).toBe(outcome);
  });
  test.each([
    ['STOP', 'STOPPED', 'done'],
    ['DB_RESTORE', 'RESTORED', 'done'],
    ['refresh', 'Refreshed', 'done'],
    ['BACKUP', 'STOPPED', 'failed'],
    ['STOP', 'STOP_FAILED', 'failed'],
  ])('a report of work in its past form is done: a %s that is %s is %s', (type, status, outcome) => {
    expect(report({ lastJob: { type, status } })?.outcome).toBe(outcome);
  });
  test('a bare “stopped” on an operation tells of no end, and on a backup of a failure', () => {
    expect(report({ lastOperationStatus: 'STOPPED' })?.outcome).toBe('unknown');
    expect(report({ lastBackupStatus: 'Stopped' })?.outcome).toBe('failed');
  });
  test.each([
    ['Backup finished: FAILED', 'failed'],
    ['Backup completed: 3 of 4 databases failed', 'failed'],
    ['Backup completed: all is well', 'done'],
  ])('a log’s report is read beyond its colon: “%s” is %s', (text, outcome) => {
    expect(report({ events: [{ time: at, text }] })?.outcome).toBe(outcome);
  });
});

describe('a report that warns', () => {
  test.each([
    { type: 'BACKUP', status: 'Warning' },
    { id: 7, status: 'Warning' },
    { status: 'Warning', endedAt: at },
    { status: 'Completed with warnings' },
    { state: 'FINISHED', result: 'Warning' },
  ])('a report that warns tells that its work is done: %j', job => {
    expect(report({ lastJob: job })?.outcome).toBe('done');
  });
  test('a bare warning beside a record’s state tells of no end of work', () => {
    expect(report({ jobStatus: 'WARNING' })).toMatchObject({ outcome: 'unknown', word: 'WARNING' });
  });
  test('a report says which of its words decides, where that is not the first', () => {
    expect(report({ lastJob: { type: 'BACKUP', state: 'FINISHED', result: 'Warning' } })).toMatchObject({
      ...{ word: 'FINISHED', told: 'Warning', outcome: 'done' },
    });
    expect(report({ lastJob: { type: 'BACKUP', state: 'FINISHED', success: true } })?.told).toBeUndefined();
  });
});

describe('the status of a job', () => {
  const spelled = fc.constantFrom<(words: readonly string[]) => string>(
    words => words.map((word, place) => (place === 0 ? word : word[0]?.toUpperCase() + word.slice(1))).join(''),
    words => words.join('_'),
    words => words.join('-'),
    words => words.join('_').toUpperCase(),
  );
  const place = fc.constantFrom(
    ['last', 'job'],
    ['last', 'task'],
    ['current', 'operation'],
    ['recent', 'tasks'],
    ['job'],
    ['jobs'],
  );
  const status = fc.constantFrom('FAILED', 'SUCCEEDED', 'RUNNING', 'STOPPED', 'DISABLED', 'QUEUED');
  const own = fc.constantFrom(
    { state: 'ACTIVE' },
    { currentState: 'ACTIVE' },
    { info: { status: 'ACTIVE' } },
    { running: true },
    {},
  );

  test('a job’s status is never read as its record’s state or error, however it is written', () => {
    fc.assert(
      fc.property(
        spelled,
        place,
        status,
        own,
        fc.nat(3),
        fc.boolean(),
        fc.boolean(),
        (spell, words, word, state, depth, isList, first) => {
          const job = {
            [spell(['job', 'type'])]: 'STOP',
            status: word,
            error: 'disk full',
            [spell(['start', 'time'])]: at,
          };
          const shown = { [spell(words)]: isList ? [job] : job };
          const nested = Array.from({ length: depth }).reduce<object>(inner => ({ runtime: inner }), shown);
          const fields = first ? { ...nested, ...state } : { ...state, ...nested };
          const [alone, seen] = [record(state), record(fields)];
          expect(seen.state).toEqual(alone.state);
          expect(seen.error).toBe(alone.error);
          expect(seen.reports.length).toBe(1);
          expect(seen.reports[0]?.word).toBe(word);
        },
      ),
    );
  });

  test('a job’s status in flat keys is never read as its record’s state', () => {
    const flat = fc.constantFrom(
      ['last', 'job'],
      ['last', 'task'],
      ['current', 'operation'],
      ['job'],
      ['last', 'action'],
    );
    const key = fc.constantFrom('status', 'state', 'result', 'outcome');
    fc.assert(
      fc.property(spelled, flat, key, status, own, (spell, words, fact, word, state) => {
        const fields = { [spell([...words, fact])]: word, [spell([...words, 'error'])]: 'disk full', ...state };
        expect(record(fields).state).toEqual(record(state).state);
        expect(record(fields).error).toBeUndefined();
        expect(report(fields)).toMatchObject({ word, error: 'disk full' });
      }),
    );
  });

  test('a record’s state is read from a flag beside a job’s status', () => {
    expect(record({ running: true, lastJob: { type: 'STOP', status: 'FAILED' } }).state?.class).toBe('ok');
    expect(record({ running: false, lastJobStatus: 'SUCCEEDED' }).state?.class).toBe('stopped');
    expect(record({ running: false, status: 'SUCCEEDED' }).state?.class).toBe('stopped');
    expect(record({ enabled: false, currentTask: { status: 'RUNNING' } }).state?.class).toBe('disabled');
  });
});

describe('states', () => {
  test.each([
    'current_state',
    'currentState',
    'currentStatus',
    'runtimeState',
    'runtime_status',
    'actualState',
    'instanceStatus',
    'openMode',
    'power_state',
  ])('a record’s state is read under the key %s', key => {
    expect(record({ [key]: 'ACTIVE', lastJob: { status: 'FAILED' } }).state?.word).toBe('ACTIVE');
  });
  test.each([
    ...['BACKING_UP_LOGS', 'LOG_BACKUP', 'ARCHIVING', 'ROLLING_BACK', 'DUPLICATING', 'REPLICATING', 'VALIDATING'],
    ...[
      'MIGRATING',
      'SNAPSHOTTING',
      'DISCOVERING',
      'BackingUpLogs',
      'backing up logs',
      'Frobnicating',
      'SYNCING',
      'COPY',
    ],
  ])('a record’s state that says %s is busy', word => {
    expect(stateClass(word)).toBe('busy');
    expect(record({ state: word }).state).toEqual({ word, class: 'busy' });
  });
  test.each([
    ['RUNNING', 'ok'],
    ['LISTENING', 'ok'],
    ['NOT_RUNNING', 'stopped'],
    ['RESTORED', 'ok'],
    ['UP', 'ok'],
    ['BACKUP_FAILED', 'failed'],
    ['KING', 'unknown'],
  ])('a record’s state that says %s is %s, whatever it ends in', (word, expected) => {
    expect(stateClass(word)).toBe(expected);
  });
});
