import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beforeOf } from '../../../src/jobs/evidence/baseline.ts';
import { type OtherWork, type RequestedWork, reportsOfJob } from '../../../src/jobs/evidence/jobReport.ts';
import { showsArrival } from '../../../src/jobs/evidence/whose.ts';
import { works } from '../../../src/operations/work.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_CLONE_SERVER-2';
const sentAt = Date.UTC(2026, 10, 21, 9);
const time = (seconds: number) => new Date(sentAt + seconds * 1_000).toISOString();
const on = { records: [id], inDoubt: false, others: [] };
const asked: RequestedWork = { ...on, work: works.restore, login: 'maria', sentAt, now: sentAt + 60_000 };
const restore = { type: 'RESTORE', status: 'RUNNING', startedAt: time(1) };
const other = (change: Partial<OtherWork>): OtherWork => ({
  ...{ work: works.restore, sentAt, inDoubt: false, hasReport: false },
  ...change,
});

/** The identities of the reports in `fields` that may be of the job, where the record was as in `before` at its sending. */
function own(fields: object, before: object | null = {}, change: Partial<RequestedWork> = {}): readonly string[] {
  const was = before ? beforeOf(recordOf(id, before)) : undefined;
  return reportsOfJob({ ...asked, ...change }, was, recordOf(id, fields).reports).map(({ word = '' }) => word);
}

describe('a report is of this very job', () => {
  test.each<readonly [string, object, object | null]>([
    ['that began after the sending', { lastJob: restore }, {}],
    ['that is new and tells no times', { lastJob: { id: 7, type: 'RESTORE', status: 'RUNNING' } }, {}],
    ['that tells neither a kind nor a number', { lastJobStatus: 'RUNNING' }, {}],
    ['of a kind that names no work', { lastJob: { ...restore, type: 'ASYNC_DB_OPERATION' } }, {}],
    ['of which nobody knows the kind', { lastJob: { ...restore, type: 'TASK_7' } }, {}],
    ['that says only that work goes on', { busyWith: 'Operation under way' }, {}],
    ['that says so in another language', { currentOperation: 'en cours' }, {}],
    ['a second before the sending: services cut times down', { lastJob: { ...restore, startedAt: time(-1) } }, {}],
    ['in a time that names no zone', { lastJob: { ...restore, startedAt: '2026-11-21 06:00:00' } }, {}],
    [
      'where another one stood in its place before',
      { lastJob: restore },
      { lastJob: { type: 'BACKUP', status: 'SUCCEEDED', startedAt: time(-500) } },
    ],
    [
      'that took the place of a report of the same kind without number and times',
      { lastJob: { type: 'RESTORE', status: 'RUNNING' } },
      { lastJob: { type: 'RESTORE', status: 'SUCCEEDED' } },
    ],
    ['that tells a time, where no look was taken before', { lastJob: restore }, null],
    ['by the login', { lastJob: { ...restore, user: 'MARIA' } }, {}],
    ['by a display name', { lastJob: { ...restore, user: 'Maria Sanchez' } }, {}],
    ['about its record', { lastJob: { ...restore, target: id } }, {}],
  ])('A job takes as its own a report %s', (_, fields, before) => {
    expect(own(fields, before)).toEqual(['RUNNING']);
  });

  test.each<readonly [string, object, object | null]>([
    ['that stood there before', { lastJob: restore }, { lastJob: restore }],
    [
      'that stood there before, however it went on',
      { lastJob: { ...restore, status: 'FAILED' } },
      { lastJob: restore },
    ],
    ['that began before the sending', { lastJob: { ...restore, startedAt: time(-60) } }, {}],
    ['that ended before the sending', { lastJob: { type: 'RESTORE', status: 'OK', endedAt: time(-60) } }, {}],
    ['of other work', { lastJob: { ...restore, type: 'BACKUP' } }, {}],
    ['of other work that names restores', { lastJob: { ...restore, type: 'DELETE_SNAPSHOT' } }, {}],
    ['of work that no operation does', { lastJob: { ...restore, type: 'SOURCE_HEALTH_CHECK' } }, {}],
    ['by a colleague', { lastJob: { ...restore, user: 'felix' } }, {}],
    ['about another record', { lastJob: { ...restore, database: 'MYSQL_CLONE_SERVER-9' } }, {}],
    [
      'that went on in a place where work was under way',
      { lastJob: { type: 'RESTORE', status: 'FAILED' } },
      { lastJob: { type: 'RESTORE', status: 'RUNNING' } },
    ],
    ['that tells no time, where no look was taken before', { lastJob: { type: 'RESTORE', status: 'FAILED' } }, null],
  ])('A job does not take as its own a report %s', (_, fields, before) => {
    expect(own(fields, before)).toEqual([]);
  });

  test('of two jobs on a record, the first has the report that began before the second one was sent', () => {
    const tasks = [
      { id: 2, type: 'RESTORE', status: 'FAILED', startedAt: time(31) },
      { id: 1, type: 'RESTORE', status: 'SUCCEEDED', startedAt: time(1) },
    ];
    const [first, second] = [other({ sentAt }), other({ sentAt: sentAt + 30_000 })];
    expect(own({ recentTasks: tasks }, {}, { others: [second] })).toEqual(['SUCCEEDED']);
    expect(own({ recentTasks: tasks }, {}, { sentAt: sentAt + 30_000, others: [first] })).toEqual(['FAILED']);
  });

  test('a report does not count for a job where another open job explains it better', () => {
    const sync = { recentTasks: [{ ...restore, type: 'DB_SYNC', startedAt: time(5) }] };
    const refresh = { work: works.refresh };
    const backup = other({ work: works.backup, sentAt: sentAt - 9_000 });
    expect(own(sync, {}, refresh)).toEqual(['RUNNING']);
    expect(own(sync, {}, { ...refresh, inDoubt: true, others: [backup] })).toEqual([]);
    expect(own(sync, {}, { ...refresh, inDoubt: true, others: [{ ...backup, inDoubt: true }] })).toEqual(['RUNNING']);
    expect(own(sync, {}, { ...refresh, inDoubt: true, others: [{ ...backup, hasReport: true }] })).toEqual(['RUNNING']);
    expect(own(sync, {}, { ...refresh, others: [{ ...backup, sentAt: sentAt + 4_000 }] })).toEqual([]);
    const early = { recentTasks: [{ ...restore, type: 'DB_SYNC', startedAt: time(-1) }] };
    expect(own(early, {}, { ...refresh, inDoubt: true })).toEqual(['RUNNING']);
    expect(own(early, {}, { ...refresh, inDoubt: true, others: [backup] })).toEqual([]);
    const plain = { recentTasks: [{ ...restore, type: 'BACKUP' }] };
    expect(own(plain, {}, { work: works.logs })).toEqual(['RUNNING']);
    expect(own(plain, {}, { work: works.logs, others: [backup] })).toEqual([]);
    expect(own(plain, {}, { work: works.logs, others: [{ ...backup, work: works.restore }] })).toEqual(['RUNNING']);
  });

  test('a report without a time does not count for a job where another open job may explain it as well', () => {
    const task = { recentTasks: [{ id: 7, status: 'RUNNING' }] };
    const backup = other({ work: works.backup });
    expect(own(task, {}, { others: [backup] })).toEqual([]);
    expect(own(task, {}, { others: [{ ...backup, hasReport: true }] })).toEqual(['RUNNING']);
    expect(own(task, {}, { others: [{ ...backup, inDoubt: true }] })).toEqual(['RUNNING']);
    const typed = { recentTasks: [{ id: 7, type: 'RESTORE', status: 'RUNNING' }] };
    expect(own(typed, {}, { others: [backup] })).toEqual(['RUNNING']);
  });

  test('a report that names the work ranks before a word or report that other work may have left', () => {
    const beside = { jobStatus: 'MOUNTED', recentTasks: [restore] };
    expect(own(beside)).toEqual(['RUNNING', 'MOUNTED']);
    const clone = { ...restore, type: 'CLONE', status: 'FAILED', startedAt: time(0) };
    const mount = { ...restore, type: 'MOUNT' };
    expect(own({ recentTasks: [clone, mount] }, {}, { work: works.mount })).toEqual(['RUNNING', 'FAILED']);
  });

  test('a report that names any person may count for a job whose login Dolly does not know', () => {
    expect(own({ lastJob: { ...restore, user: 'felix' } }, {}, { login: null })).toEqual(['RUNNING']);
  });

  test('a report from before the sending is never taken as the job’s own, in whatever order reports are listed', () => {
    const kind = fc.constantFrom('RESTORE', 'BACKUP', 'TASK', undefined);
    const word = fc.constantFrom('FAILED', 'SUCCEEDED', 'RUNNING');
    const old = fc.record({ type: kind, status: word, at: fc.integer({ min: -9_000, max: -3 }) });
    fc.assert(
      fc.property(
        fc.array(old, { maxLength: 6 }),
        fc.boolean(),
        fc.infiniteStream(fc.nat()),
        (tasks, isThere, order) => {
          const shown = tasks.map(({ at, ...task }, number) => ({ ...task, id: number, startedAt: time(at) }));
          const mine = { id: 99, type: 'RESTORE', status: 'MINE', startedAt: time(2) };
          const mixed = [...shown, ...(isThere ? [mine] : [])]
            .map(task => ({ task, rank: order.next().value ?? 0 }))
            .toSorted((a, b) => a.rank - b.rank)
            .map(({ task }) => task);
          expect(own({ recentTasks: mixed })).toEqual(isThere ? ['MINE'] : []);
          expect(own({ recentTasks: mixed }, { recentTasks: shown })).toEqual(isThere ? ['MINE'] : []);
        },
      ),
    );
  });

  test.each<readonly [keyof typeof works, string, boolean]>([
    ['logs', 'BACKUP', true],
    ['backup', 'BACKUP_LOGS', false],
    ['mount', 'CREATE_CLONE', true],
    ['stop', 'DISABLE', false],
    ['disable', 'STOP', true],
  ])('For a job with the work “%s”, a report of the kind %s may be its own: %s', (work, type, expected) => {
    expect(own({ lastJob: { ...restore, type } }, {}, { work: works[work] }).length).toBe(expected ? 1 : 0);
  });
});

test('a report of vague or other work does not show that a request without an answer arrived', () => {
  const arrived = (type: string, work: RequestedWork['work']) => {
    const [report] = recordOf(id, { lastJob: { id: 7, type, status: 'RUNNING' } }).reports;
    return report && showsArrival({ work, login: 'maria', sentAt }, report);
  };
  expect([arrived('DB_REFRESH', works.refresh), arrived('DB_SYNC', works.refresh)]).toEqual([true, false]);
  expect([arrived('BACKUP_LOGS', works.logs), arrived('INCREMENTAL_BACKUP', works.logs)]).toEqual([true, false]);
  expect([arrived('INCREMENTAL_BACKUP', works.backup), arrived('DB_SYNC', works.backup)]).toEqual([true, false]);
});
