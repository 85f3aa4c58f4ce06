import { describe, expect, test } from 'vitest';
import { second } from '../../../src/ground/durations.ts';
import { evidenceOf, evidenceOfAbsence } from '../../../src/jobs/evidence/evidence.ts';
import type { Judgement, LookResult, Sighting } from '../../../src/jobs/evidence/judgement.ts';
import { letStand } from '../../../src/jobs/evidence/standingEnd.ts';
import { works } from '../../../src/operations/work.ts';
import type { Evidence } from '../../../src/store/jobs/rows/data.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_LIVE_SERVER-2';
const sentAt = Date.UTC(2026, 10, 21, 9);
const deadlineAt = sentAt + 600 * second;
const before = { snapshots: [], times: {}, counters: {}, reports: {} };
const done: Judgement = { type: 'proved', by: 'There is a new snapshot.', sign: 'snapshot' };
const failed: Judgement = { type: 'failed', reason: 'The disk is full.' };
const waiting: Judgement = { type: 'waiting' };

/** A look at some seconds after the request: what the record shows, `undefined` where it is gone, and what the judge says. */
type Look = readonly [at: number, judgement: Judgement, fields?: object];

/** The judgements of some looks, one after the other; `own` says which report of the record is the job's own. */
function judgementsOf(looks: readonly Look[], own?: number): readonly Judgement['type'][] {
  let evidence: Evidence | undefined;
  return looks.map(([seconds, judgement, fields]) => {
    const now = sentAt + seconds * second;
    const record = fields && recordOf(id, fields);
    const seen = record ? evidenceOf(record, evidence, now) : evidenceOfAbsence(id, null, now);
    const report = own === undefined ? undefined : record?.reports[own];
    const look: Sighting = {
      ...{ work: works.backup, seen, record, before, meaning: 'usual', learned: 'usual', showsWanted: true },
      ...{ showsWork: true, report, inDoubt: false, login: 'ana', records: [id], isShared: false, sentAt, ahead: 0 },
    };
    const found: LookResult = { judgement, seen, arrived: true };
    const stood = letStand({ evidence, deadlineAt }, { ...found, look }, now);
    evidence = stood.seen;
    return stood.judgement.type;
  });
}

const rests = { state: 'RUNNING' };

describe('an end', () => {
  test('the end of a job counts once its sign has stood for ten seconds', () => {
    const looks: Look[] = [0, 5, 9, 10].map(at => [at, done, rests]);
    expect(judgementsOf(looks)).toEqual(['waiting', 'waiting', 'waiting', 'proved']);
  });

  test('a sign that a job has ended stands anew for ten seconds where it was gone or is another one', () => {
    const other: Judgement = { ...done, by: 'There is another new snapshot.' };
    expect(
      judgementsOf([
        [0, done, rests],
        [6, waiting, rests],
        [11, done, rests],
        [16, other, rests],
        [22, other, rests],
        [26, other, rests],
      ]),
    ).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting', 'proved']);
  });

  test('a sign that a job has ended counts at once where its state has stood for ten seconds', () => {
    const stopped: Judgement = { type: 'finished', by: 'It was STOPPING and is RUNNING.' };
    expect(
      judgementsOf([
        [0, waiting, rests],
        [12, stopped, rests],
      ]),
    ).toEqual(['waiting', 'finished']);
  });

  test('the absence of a record counts as the end of a job at the third look at the soonest', () => {
    const gone: Judgement = { type: 'proved', by: 'It is gone.' };
    expect(
      judgementsOf([
        [0, gone],
        [10, gone],
        [11, gone],
      ]),
    ).toEqual(['waiting', 'waiting', 'proved']);
    expect(
      judgementsOf([
        [0, gone],
        [5, gone],
        [8, waiting, rests],
        [12, gone],
        [17, gone],
        [22, gone],
      ]),
    ).toEqual(['waiting', 'waiting', 'waiting', 'waiting', 'waiting', 'proved']);
  });

  test('an end by the job’s own report with a number or a name counts at once, unless the record is busy', () => {
    const told: Judgement = { type: 'proved', by: 'Its own report says SUCCEEDED.' };
    const numbered = { ...rests, lastJob: { id: 7, status: 'SUCCEEDED' } };
    const named = { ...rests, lastJob: { type: 'BACKUP', status: 'SUCCEEDED' } };
    const nameless = { ...rests, lastJob: { status: 'SUCCEEDED' } };
    expect(judgementsOf([[0, told, numbered]], 0)).toEqual(['proved']);
    expect(judgementsOf([[0, told, named]], 0)).toEqual(['proved']);
    expect(judgementsOf([[0, told, nameless]], 0)).toEqual(['waiting']);
    expect(judgementsOf([[0, told, { ...numbered, state: 'BACKING_UP' }]], 0)).toEqual(['waiting']);
  });

  test('a person’s answer that the work has ended counts at once', () => {
    expect(judgementsOf([[0, { ...done, isSaid: true }, rests]])).toEqual(['proved']);
  });
});

describe('an end waits while work goes on that may be the job’s', () => {
  const beside = (work: object) => ({ ...rests, currentTask: { id: 9, status: 'RUNNING', ...work } });
  const looks = (fields: object, judgement: Judgement = done): Look[] => [0, 10].map(at => [at, judgement, fields]);

  test.each([
    ['of a kind that nobody knows', { type: 'REHOMING' }],
    ['of no kind', {}],
    ['of its own kind', { type: 'BACKUP' }],
    ['of whoever asked for it', { type: 'REHOMING', user: 'ana' }],
  ])('the end of a job waits for work on its record that may be its own: work %s', (_, work) => {
    expect(judgementsOf(looks(beside(work)))).toEqual(['waiting', 'waiting']);
  });

  test.each([
    ['of another kind', { type: 'RESTORE' }],
    ['that only looks', { type: 'HEALTH_CHECK' }],
    ['of somebody else', { type: 'REHOMING', user: 'ben' }],
    ['on another database', { type: 'REHOMING', database: 'MYSQL_LIVE_SERVER-9' }],
  ])('the end of a job does not wait for other work on its record: work %s', (_, work) => {
    expect(judgementsOf(looks(beside(work)))).toEqual(['waiting', 'proved']);
  });

  test('the end of a job waits for unknown work until that is over, or until the deadline', () => {
    const fields = beside({ type: 'REHOMING' });
    expect(
      judgementsOf([
        [0, done, fields],
        [15, done, fields],
        [20, done, rests],
      ]),
    ).toEqual(['waiting', 'waiting', 'proved']);
    expect(
      judgementsOf([
        [590, done, fields],
        [600, done, fields],
        [610, done, fields],
      ]),
    ).toEqual(['waiting', 'waiting', 'proved']);
  });

  test('a failure does not end the job while its own report says that it is being retried', () => {
    const tries = { state: 'FAILED', error: 'The disk is full.', lastJob: { id: 7, status: 'FAILED, retrying' } };
    const over = { ...tries, lastJob: { id: 7, status: 'FAILED' } };
    const looks: Look[] = [
      [0, failed, tries],
      [20, failed, tries],
      [30, failed, over],
    ];
    expect(judgementsOf(looks, 0)).toEqual(['waiting', 'waiting', 'failed']);
  });

  test('a failure waits while another attempt is announced, and not for a bare attempt number', () => {
    const ofFailure = (more: object) => ({ state: 'FAILED', error: 'The disk is full.', ...more });
    const left = ofFailure({ attempt: 1, maxAttempts: 2 });
    expect(judgementsOf(looks(left, failed))).toEqual(['waiting', 'waiting']);
    expect(judgementsOf(looks(ofFailure({ attempt: 1 }), failed))).toEqual(['waiting', 'failed']);
    expect(judgementsOf(looks(ofFailure({ attempt: 2, maxAttempts: 2 }), failed))).toEqual(['waiting', 'failed']);
    expect(judgementsOf(looks({ ...rests, attempt: 1, maxAttempts: 2 }))).toEqual(['waiting', 'proved']);
    const inState = (state: string) => ({ error: 'The disk is full.', info: { state } });
    expect(judgementsOf(looks(inState('ERROR, attempt 1 of 3'), failed))).toEqual(['waiting', 'waiting']);
    expect(judgementsOf(looks(inState('ERROR, attempt 3 of 3'), failed))).toEqual(['waiting', 'failed']);
  });
});
