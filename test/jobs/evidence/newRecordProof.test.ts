import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evidenceOf } from '../../../src/jobs/evidence/evidence.ts';
import type { Judgement } from '../../../src/jobs/evidence/judgement.ts';
import { failureAtSource, newRecordRows } from '../../../src/jobs/evidence/newRecords/newRecordRows.ts';
import { judgeBy } from '../../../src/jobs/evidence/rows.ts';
import type { StateMeaning } from '../../../src/jobs/evidence/words/stateMeaning.ts';
import { type Appears, newRecord } from '../../../src/operations/proofs.ts';
import { type Work, works } from '../../../src/operations/work.ts';
import { recordOf } from '../rows.ts';

const id = 'MYSQL_CLONE_SERVER-2';
const sentAt = 1_000_000;
const seconds = (count: number) => count * 1_000;
const untold = 'The records do not say whether it worked.';
const newWord = 'a state that I have not seen at this service before';

/** A record's own report of its last job, as a service writes it. */
const lastJob = (status: string, more: object = {}) => ({ lastJob: { id: 7, type: 'JOB', status, ...more } });

/** The report of the job that stands in a record with these fields, if one does. */
function reportIn(fields: object) {
  return recordOf(id, fields).reports[0];
}

test('a clone that never came has failed by a report at its source that names the work or the requester', () => {
  const told = (more: object, work: Work = works.mount) => {
    const report = reportIn({
      lastJob: { status: 'FAILED', error: 'disk full', startedAt: 1_795_251_600_000, ...more },
    });
    return report && failureAtSource(report, work);
  };
  const failed = { type: 'failed', reason: 'disk full' };
  expect(told({ type: 'MOUNT_SNAPSHOT' })).toEqual(failed);
  expect(told({ type: 'CLONE', user: 'ana' })).toEqual(failed);
  expect(told({ type: 'CLONE' })).toBeUndefined();
  expect(told({ type: 'Create virtual clone' }, works.clone)).toEqual(failed);
});

describe('a new record that is the one', () => {
  const asked = { source: 'MYSQL_LIVE_SERVER-1' };
  const virtual = newRecord(['clone'], asked, 'instant');
  const mounted = newRecord(['clone'], asked, 'medium');
  const physical = newRecord(['clone', 'live'], asked, 'long');
  type Seen = Readonly<{
    meaning?: StateMeaning;
    stood?: number;
    wasBusy?: string;
    proof?: Appears;
    sentBefore?: number;
    showsWork?: boolean;
    hasReport?: boolean;
  }>;

  function judged(
    fields: object,
    {
      meaning = 'unseen',
      stood = 0,
      wasBusy,
      proof = virtual,
      sentBefore = 0,
      showsWork = true,
      hasReport = true,
    }: Seen = {},
  ): Judgement {
    const record = recordOf(id, fields);
    const at = sentAt + stood;
    const seen = { ...evidenceOf(record, undefined, at), since: sentAt, ...(wasBusy ? { wasBusy } : {}) };
    const report = hasReport ? reportIn(fields) : undefined;
    return judgeBy(newRecordRows, proof, {
      ...{
        work: works.clone,
        seen,
        record,
        before: undefined,
        showsWanted: true,
        showsWork,
        meaning,
        learned: meaning,
        report,
        inDoubt: false,
        isShared: false,
        sentAt: sentAt - sentBefore,
        ahead: 0,
      },
    }).judgement;
  }
  const there = (state: string) => `${id} is there; its state is ${state}.`;
  const dayOld = seconds(86_400);

  test('a new record proves nothing while an unknown word stands beside its state', () => {
    const fields = { state: 'RUNNING', jobStatus: 'P' };
    expect(judged(fields, { meaning: 'usual', stood: seconds(9_000) })).toEqual({ type: 'waiting' });
    expect(judged({ ...fields, jobStatus: null }, { meaning: 'usual', stood: seconds(10) }).type).toBe('proved');
  });

  test('a new record whose own report says partially successful finishes the job in part', () => {
    const fields = { state: 'RUNNING', ...lastJob('Partially successful') };
    expect(judged(fields, { meaning: 'usual', stood: seconds(20) })).toEqual({
      type: 'finished',
      by: "The record's own report of JOB says Partially successful.",
      isInPart: true,
    });
  });

  describe('in a word in which others rest', () => {
    test.each(['usual', 'resting'] as const)(
      'a new record in a state that is %s at this service proves the job, though it was never seen at work',
      m => {
        const proved = { type: 'proved', by: there('RUNNING') };
        expect(judged({ state: 'RUNNING' }, { meaning: m, stood: 10_000 })).toEqual(proved);
        expect(judged({ state: 'RUNNING' }, { meaning: m, wasBusy: 'CREATING' })).toEqual(proved);
      },
    );
    test('a new record in an unknown state proves the job where most other records rest in that state', () => {
      expect(judged({ state: 'BLUE' }, { meaning: 'usual', stood: 10_000 })).toEqual({
        type: 'proved',
        by: there('BLUE'),
      });
    });
    test('a new record in an unknown state that only some records rest in finishes the job after five minutes', () => {
      const told = { type: 'waiting', atLast: `${there('BLUE')} ${untold}` };
      const finished = { type: 'finished', by: `${there('BLUE')} ${untold}` };
      const at = (stood: number) => judged({ state: 'BLUE' }, { meaning: 'resting', stood: seconds(stood) });
      expect([at(299), at(300)]).toEqual([told, finished]);
    });
    test('a physical clone in a usual state proves the job after twenty seconds, or at once after it was busy', () => {
      const seen = { meaning: 'usual', proof: physical } as const;
      expect(judged({ state: 'RUNNING' }, { ...seen, stood: seconds(19) })).toEqual({ type: 'waiting' });
      expect(judged({ state: 'RUNNING' }, { ...seen, stood: seconds(20) }).type).toBe('proved');
      expect(judged({ state: 'RUNNING' }, { ...seen, wasBusy: 'COPYING' }).type).toBe('proved');
    });
    test.each([
      ['physical', physical],
      ['mounted', mounted],
    ])('a %s clone that was never seen at work proves nothing where records never show any work', (_, proof) => {
      const seen = { meaning: 'usual', proof, showsWork: false, stood: dayOld } as const;
      expect(judged({ state: 'RUNNING' }, seen)).toEqual({ type: 'waiting', atLast: `${there('RUNNING')} ${untold}` });
      expect(judged({ state: 'RUNNING' }, { ...seen, wasBusy: 'COPYING' }).type).toBe('proved');
      expect(judged({ state: 'RUNNING' }, { ...seen, proof: virtual }).type).toBe('proved');
    });
    test('a physical clone that came late finishes the job after as long again, and after five minutes at least', () => {
      const seen = { meaning: 'usual', proof: physical, showsWork: false } as const;
      const told = (sentBefore: number, stood: number) =>
        judged({ state: 'RUNNING' }, { ...seen, sentBefore: seconds(sentBefore), stood: seconds(stood) }).type;
      expect([told(900, 899), told(900, 900)]).toEqual(['waiting', 'finished']);
      expect([told(12, 299), told(12, 300), told(9, 3_600)]).toEqual(['waiting', 'finished', 'waiting']);
    });
  });

  test.each(['STOPPED', 'DISABLED'])(
    'a new record that is %s finishes the job after twenty seconds, and does not prove it',
    state => {
      const told = `${there(state)} ${untold}`;
      for (const meaning of ['usual', 'resting'] as const) {
        expect(judged({ state }, { meaning, stood: seconds(19) })).toEqual({ type: 'waiting', atLast: told });
        expect(judged({ state }, { meaning, stood: seconds(20) })).toEqual({ type: 'finished', by: told });
      }
    },
  );

  describe('in a state that was not seen before', () => {
    test('a virtual clone in a good state that is new here proves the job, and the reason says that it is new', () => {
      expect(judged({ state: 'RUNNING' }, { stood: seconds(10) })).toEqual({
        type: 'proved',
        by: `${id} is there; its state is RUNNING, ${newWord}.`,
      });
    });
    test('a physical clone in a state that is new here proves the job only after it was busy', () => {
      expect(judged({ state: 'RUNNING' }, { proof: physical, stood: dayOld })).toEqual({ type: 'waiting' });
      const seen = { proof: physical, wasBusy: 'COPYING' };
      expect(judged({ state: 'RUNNING' }, { ...seen, stood: seconds(19) })).toEqual({ type: 'waiting' });
      expect(judged({ state: 'RUNNING' }, { ...seen, stood: seconds(20) }).type).toBe('proved');
    });
    test('a virtual clone in a state that nobody knows finishes the job after five minutes, a physical one never', () => {
      expect(judged({ state: 'BLUE' }, { stood: seconds(299) })).toMatchObject({ type: 'waiting' });
      expect(judged({ state: 'BLUE' }, { stood: seconds(300) })).toEqual({
        type: 'finished',
        by: `${id} is there; its state is BLUE, ${newWord}. ${untold}`,
      });
      expect(judged({ state: 'BLUE' }, { proof: physical, stood: dayOld })).toEqual({ type: 'waiting' });
    });
  });

  test('a new record without a state is waited for until its report says that the work ended', () => {
    for (const proof of [virtual, physical])
      expect(judged({ name: 'qa' }, { proof, stood: dayOld })).toEqual({ type: 'waiting' });
    expect(judged({ name: 'qa', lastJob: { id: 7, type: 'CLONE', status: 'SUCCEEDED' } }).type).toBe('proved');
  });

  test.each([
    ['CREATING', 'unseen'],
    ['IN_PROGRESS', 'unseen'],
    ['UNAVAILABLE', 'passing'],
    ['RUNNING', 'passing'],
    ['RUNNING', 'doubtful'],
    ['BLUE', 'passing'],
    ['BLUE', 'doubtful'],
    ['1', 'passing'],
  ] as const)(
    'a new record is waited for, however long, while it is %s, a word that is %s at this service',
    (state, meaning) => {
      for (const proof of [virtual, physical])
        expect(judged({ state }, { meaning, proof, stood: dayOld })).toEqual({ type: 'waiting' });
    },
  );

  test.each([
    ['its error', { state: 'FAILED', error: 'disk full' }, 'disk full'],
    ['its remark', { state: 'ERROR', message: 'disk full' }, 'disk full'],
    ['its state, for want of an error', { state: 'CREATE_FAILED' }, 'Its state is CREATE_FAILED.'],
    ['an error without a state', { error: 'disk full' }, 'disk full'],
    ['an error, where it does not run', { running: false, problem: 'disk full' }, 'disk full'],
    ['an error beside a good state', { state: 'RUNNING', lastError: 'disk full' }, 'disk full'],
  ])('a new record fails the job, and the reason is %s', (_, fields, reason) => {
    expect(judged(fields, { meaning: 'unseen' })).toEqual({ type: 'failed', reason });
    expect(judged(fields, { meaning: 'resting', stood: dayOld })).toEqual({ type: 'failed', reason });
  });

  test('a new record with an error in a state that nobody knows fails the job after twenty seconds', () => {
    const fields = { state: 'BLUE', error: 'disk full' };
    expect(judged(fields, { stood: seconds(19) })).toEqual({ type: 'waiting', contradiction: 'disk full' });
    expect(judged(fields, { stood: seconds(20) })).toEqual({ type: 'failed', reason: 'disk full' });
  });

  describe('with a report of its own', () => {
    test('a new record’s own report decides the job, whatever its state is called', () => {
      for (const state of ['RUNNING', 'BLUE', 'STOPPED'])
        for (const meaning of ['usual', 'resting', 'doubtful', 'unseen'] as const) {
          expect(judged({ state, ...lastJob('SUCCEEDED') }, { meaning })).toEqual({
            type: 'proved',
            by: `${id} is there. The record's own report of JOB says SUCCEEDED.`,
          });
          expect(judged({ state, ...lastJob('RUNNING') }, { meaning, stood: dayOld })).toEqual({ type: 'waiting' });
          expect(judged({ state, ...lastJob('FAILED', { error: 'disk full' }) }, { meaning })).toEqual({
            type: 'failed',
            reason: 'disk full',
          });
        }
    });
    test('a failed report without a reason fails the job in the report’s own word', () => {
      expect(judged({ state: 'RUNNING', ...lastJob('ABORTED') })).toEqual({
        type: 'failed',
        reason: "The record's own report of it says ABORTED.",
      });
    });
    test('a new record that is busy or has failed is not proved by its own report of success', () => {
      expect(judged({ state: 'CREATING', ...lastJob('SUCCEEDED') }, { stood: dayOld })).toEqual({ type: 'waiting' });
      expect(judged({ state: 'FAILED', ...lastJob('SUCCEEDED') })).toMatchObject({ type: 'failed' });
    });
  });

  test('a new record never proves a job while its state or its report says that work goes on', () => {
    const fields = fc.oneof(
      fc.constantFrom('CREATING', 'IN_PROGRESS', 'RESTORING').map(state => ({ state })),
      fc
        .tuple(fc.constantFrom('RUNNING', 'BLUE', 'STOPPED'), fc.constantFrom('RUNNING', 'QUEUED', 'IN_PROGRESS'))
        .map(([state, status]) => ({ state, ...lastJob(status) })),
    );
    const meaning = fc.constantFrom<StateMeaning>('passing', 'doubtful', 'unseen');
    fc.assert(
      fc.property(fields, meaning, fc.nat(dayOld), fc.boolean(), (shown, means, stood, copies) => {
        const proof = copies ? physical : virtual;
        expect(judged(shown, { meaning: means, stood, proof })).toEqual({ type: 'waiting' });
      }),
    );
  });
});
