import { describe, expect, test } from 'vitest';
import { absence, beforeOf, type Evidence, evidenceOf, packed } from '../../src/jobs/evidence.ts';
import { candidates, judgeNew, judgeTarget, type Verdict } from '../../src/jobs/judge.ts';
import { type Appears, appears, changes, converts, gone, type Proof, reaches } from '../../src/operations/proofs.ts';
import { recordOf } from './rows.ts';

const asked = { source: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-4', port: 3310, names: ['QA'] };
const virtual = waitsFor(appears(['clone'], asked, 'medium'));
const physical = waitsFor(appears(['clone', 'live'], asked, 'long'));
const nothing = { ids: {} };

function waitsFor(proof: Proof): Appears {
  if (proof.type !== 'appears') throw new Error(`it waits for ${proof.type}`);
  return proof;
}

function fitting(fields: object, { proof = virtual, id = 'MYSQL_CLONE_SERVER-2', baseline = nothing } = {}): boolean {
  return candidates(proof, 'MYSQL', baseline, [recordOf(id, fields)]).length === 1;
}

describe('a record may be the one that is waited for', () => {
  test.each([
    ['it shows nothing but its identifier', {}],
    [
      'all that it shows agrees',
      { name: 'qa', port: 3310, source: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-4' },
    ],
    ['its name is another one of the names that were asked for', { name: 'Clone of orders', instance: 'QA' }],
    ['it was made from another clone', { source: 'MYSQL_CLONE_SERVER-1' }],
  ])('where %s', (_, fields) => {
    expect(fitting(fields)).toBe(true);
  });

  test.each([
    ['source', { source: 'MYSQL_LIVE_SERVER-2' }],
    ['environment', { environment: 'HOST_ENVIRONMENT-5' }],
    ['port', { port: 3311 }],
    ['name', { name: 'other' }],
  ])('but not where another %s contradicts', (_, fields) => {
    expect(fitting(fields)).toBe(false);
  });

  test('but not where it was there before', () => {
    const baseline = { ids: packed([recordOf('MYSQL_CLONE_SERVER-2')]) };
    expect(fitting({}, { baseline })).toBe(false);
    expect(fitting({}, { baseline, id: 'MYSQL_CLONE_SERVER-3' })).toBe(true);
  });

  test.each(['ORACLE_CLONE_DATABASE-2', 'MYSQL_LIVE_SERVER-2', 'MYSQL_SNAPSHOT-2', 'WHATEVER-2'])(
    'but not where it is %s',
    id => {
      expect(fitting({}, { id })).toBe(false);
    },
  );

  test('as a live database, of a physical clone, only where something shows it', () => {
    const id = 'MYSQL_LIVE_SERVER-2';
    expect(fitting({}, { proof: physical, id })).toBe(false);
    expect(fitting({ port: 3310 }, { proof: physical, id })).toBe(true);
    expect(fitting({ port: 3310, environment: 'HOST_ENVIRONMENT-5' }, { proof: physical, id })).toBe(false);
    expect(fitting({}, { proof: physical })).toBe(true);
  });

  test('and the likeliest comes first, then the kind that was asked for, then the older number', () => {
    const all = [
      recordOf('MYSQL_LIVE_SERVER-9', { port: 3310 }),
      recordOf('MYSQL_CLONE_SERVER-12'),
      recordOf('MYSQL_CLONE_SERVER-9'),
      recordOf('MYSQL_CLONE_SERVER-30', { port: 3310, environment: 'HOST_ENVIRONMENT-4' }),
      recordOf('MYSQL_CLONE_SERVER-31', { port: 3310 }),
    ];
    expect(candidates(physical, 'MYSQL', nothing, all).map(({ id }) => id.text)).toEqual([
      'MYSQL_CLONE_SERVER-30',
      'MYSQL_CLONE_SERVER-31',
      'MYSQL_LIVE_SERVER-9',
      'MYSQL_CLONE_SERVER-9',
      'MYSQL_CLONE_SERVER-12',
    ]);
  });
});

describe('a new record that is the one', () => {
  const at = 1_000_000;
  const seen = (fields: object, since = at): Evidence => ({
    ...evidenceOf(recordOf('MYSQL_CLONE_SERVER-2', fields), undefined, at),
    since,
  });

  test.each([
    ['RUNNING', { state: 'RUNNING' }, 'MYSQL_CLONE_SERVER-2 is there; its state is RUNNING.'],
    [
      'a state beside an old error',
      { state: 'RUNNING', lastError: 'was slow' },
      'MYSQL_CLONE_SERVER-2 is there; its state is RUNNING.',
    ],
    ['stopped', { state: 'STOPPED' }, 'MYSQL_CLONE_SERVER-2 is there; its state is STOPPED.'],
    ['disabled', { state: 'DISABLED' }, 'MYSQL_CLONE_SERVER-2 is there; its state is DISABLED.'],
  ])('proves the job with %s, and says by what', (_, fields, by) => {
    expect(judgeNew(virtual, seen(fields), [])).toEqual({ type: 'proved', by });
  });

  test.each([
    ['its error', { state: 'FAILED', error: 'disk full' }, 'disk full'],
    ['its remark', { state: 'ERROR', message: 'disk full' }, 'disk full'],
    ['its state, for want of an error', { state: 'CREATE_FAILED' }, 'Its state is CREATE_FAILED.'],
    ['an error without a state', { error: 'disk full' }, 'disk full'],
    ['an error, where it does not run', { running: false, problem: 'disk full' }, 'disk full'],
  ])('fails it with %s', (_, fields, reason) => {
    expect(judgeNew(virtual, seen(fields), [])).toEqual({ type: 'failed', reason });
  });

  test.each([['CREATING'], ['IN_PROGRESS'], ['UNAVAILABLE']])('is waited for while it is %s, however long', state => {
    expect(judgeNew(virtual, seen({ state }, 0), [])).toEqual({ type: 'waiting' });
  });

  const young = at - 119_999;
  const old = at - 120_000;

  test.each([
    ['an unknown state', { state: 'BLUE' }],
    ['no state', { name: 'qa' }],
  ])('in %s is waited for until that stays for two minutes, whatever others show', (_, fields) => {
    const others = [recordOf('MYSQL_CLONE_SERVER-1', fields)];
    expect(judgeNew(virtual, seen(fields, young), others)).toEqual({ type: 'waiting' });
    expect(judgeNew(virtual, seen(fields, old), others)).toMatchObject({ type: 'proved' });
    expect(judgeNew(virtual, seen(fields, old), [])).toMatchObject({ type: 'proved' });
  });

  test('that shows an error in a state of unknown meaning to the end has failed', () => {
    const fields = { state: 'BLUE', error: 'disk full' };
    expect(judgeNew(virtual, seen(fields, young), [])).toEqual({ type: 'waiting' });
    expect(judgeNew(virtual, seen(fields, old), [])).toEqual({ type: 'failed', reason: 'disk full' });
  });

  test('that is copied is whole only in a good state, or in an unknown one that others are in, too', () => {
    expect(judgeNew(physical, seen({ name: 'qa' }, 0), [])).toEqual({ type: 'waiting' });
    expect(judgeNew(physical, seen({ state: 'BLUE' }, 0), [])).toEqual({ type: 'waiting' });
    expect(judgeNew(physical, seen({ state: 'RUNNING' }), [])).toMatchObject({ type: 'proved' });
    const others = [recordOf('MYSQL_CLONE_SERVER-1', { state: 'BLUE' })];
    expect(judgeNew(physical, seen({ state: 'BLUE' }, young), others)).toEqual({ type: 'waiting' });
    expect(judgeNew(physical, seen({ state: 'BLUE' }, old), others)).toMatchObject({ type: 'proved' });
    const itself = [recordOf('MYSQL_CLONE_SERVER-2', { state: 'BLUE' })];
    expect(judgeNew(physical, seen({ state: 'BLUE' }, old), itself)).toEqual({ type: 'waiting' });
  });
});

describe('a target', () => {
  const id = 'MYSQL_CLONE_SERVER-2';
  const sentAt = 1_000_000;
  type Look = Readonly<{ fields: object; at?: number }>;

  /** What the looks at a target say in the end; `undefined` for fields stands for a record that is gone. */
  function judged(proof: Proof, before: object | undefined, looks: readonly (Look | undefined)[]): Verdict {
    if (proof.type === 'appears') throw new Error('a new record is judged apart');
    let seen: Evidence | undefined;
    let verdict: Verdict = { type: 'waiting' };
    for (const look of looks) {
      const record = look && recordOf(id, look.fields);
      const at = sentAt + (look?.at ?? 1_000);
      seen = record ? evidenceOf(record, seen, at) : absence(id, 'qa', at);
      verdict = judgeTarget(proof, before && beforeOf(recordOf(id, before)), seen, record, sentAt);
    }
    return verdict;
  }
  const shows = (fields: object, at?: number): Look => (at === undefined ? { fields } : { fields, at });
  const running = { name: 'qa', state: 'RUNNING' };
  const stopped = { name: 'qa', state: 'STOPPED' };
  const failed = { name: 'qa', state: 'FAILED', error: 'disk full' };

  describe('that must be gone', () => {
    const proof = gone();
    test('proves it by its absence', () => {
      expect(judged(proof, running, [undefined])).toEqual({
        type: 'proved',
        by: "qa is gone from the service's records.",
      });
    });
    test.each([
      ['its error', failed, 'disk full'],
      ['its state', { state: 'DELETE_FAILED' }, 'Its state is DELETE_FAILED.'],
    ])('fails it with %s', (_, fields, reason) => {
      expect(judged(proof, running, [shows(fields)])).toEqual({ type: 'failed', reason });
    });
    test.each([running, { name: 'qa', state: 'DELETING' }, { name: 'qa' }])(
      'contradicts it while it stands there: %j',
      fields => {
        expect(judged(proof, running, [shows(fields)])).toEqual({
          type: 'waiting',
          contradiction: "qa still stands in the service's records.",
        });
      },
    );
    test('in an old failure is waited for: what failed before is often what is deleted', () => {
      expect(judged(proof, failed, [shows(failed)]).type).toBe('waiting');
      expect(judged(proof, failed, [shows({ ...failed, state: 'DELETING' }), shows(failed)]).type).toBe('failed');
    });
    test('fails it with a new error, also beside a good state', () => {
      expect(judged(proof, running, [shows({ ...running, error: 'in use' })])).toEqual({
        type: 'failed',
        reason: 'in use',
      });
      expect(judged(proof, { ...running, error: 'old' }, [shows({ ...running, error: 'old' })]).type).toBe('waiting');
    });
    test('proves nothing by its absence where it was not seen before', () => {
      expect(judged(proof, undefined, [undefined])).toEqual({ type: 'waiting' });
      expect(judged(reaches(['ok']), undefined, [undefined])).toEqual({ type: 'waiting' });
    });
  });

  describe('that must reach a state', () => {
    const proof = reaches(['stopped', 'disabled']);
    test.each([
      ['another state than before', running, [shows(stopped)], 'Its state is STOPPED; it was RUNNING.'],
      ['a state that nobody knew before', undefined, [shows(stopped, 10_000)], 'Its state is STOPPED.'],
      [
        'the same state, once it was busy',
        stopped,
        [shows({ state: 'STOPPING' }), shows(stopped)],
        'Its state is STOPPED.',
      ],
      ['the same state, after ten seconds', stopped, [shows(stopped, 10_000)], 'Its state is STOPPED.'],
      [
        'a state of another meaning of the two',
        running,
        [shows({ state: 'DISABLED' })],
        'Its state is DISABLED; it was RUNNING.',
      ],
      [
        'an unknown state that stays',
        running,
        [shows({ state: 'BLUE' }), shows({ state: 'BLUE' }, 121_000)],
        'Its state is BLUE; it was RUNNING.',
      ],
    ])('proves it by %s', (_, before, looks, by) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'proved', by });
    });
    test('does not prove it by an unknown state at once', () => {
      expect(judged(proof, running, [shows({ state: 'BLUE' })]).type).toBe('waiting');
    });
    test.each([
      ['a failed state', running, [shows(failed)], 'disk full'],
      ['a failed state without a text', running, [shows({ state: 'FAILED' })], 'Its state is FAILED.'],
      ['the old failure, once it was busy', failed, [shows({ state: 'STOPPING' }), shows(failed)], 'disk full'],
      ['another error than the old one', { ...failed, error: 'old' }, [shows(failed)], 'disk full'],
      [
        'a new error beside a good state, once it was busy',
        running,
        [shows({ state: 'STOPPING' }), shows({ ...running, error: 'no' })],
        'no',
      ],
      ['an error where there is no state', { name: 'qa' }, [shows({ name: 'qa', error: 'no' })], 'no'],
      ['its absence', running, [undefined], 'The record of qa is gone.'],
    ])('fails it by %s', (_, before, looks, reason) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'failed', reason });
    });
    test.each([
      ['in its old state', running, [shows(running)], 'Its state still is RUNNING.'],
      [
        'in an unknown state that is as old',
        { state: 'BLUE' },
        [shows({ state: 'BLUE' }), shows({ state: 'BLUE' }, 500_000)],
        'Its state still is BLUE.',
      ],
      ['in an old failure', failed, [shows(failed)], 'Its state still is FAILED.'],
    ])('contradicts it %s', (_, before, looks, contradiction) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'waiting', contradiction });
    });
    test.each([
      ['while it is busy, however long', running, [shows({ state: 'STOPPING' }, 9_000_000)]],
      ['where no state is shown', { name: 'qa' }, [shows({ name: 'qa' }, 9_000_000)]],
      ['in the wanted state that it was in just before', stopped, [shows(stopped, 9_000)]],
    ])('is waited for %s', (_, before, looks) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'waiting' });
    });
  });

  describe('that must change', () => {
    const proof = changes(['busy', 'values'], 'short');
    const at = (time: string) => ({ ...running, refreshedAt: time });
    test.each([
      [
        'having been busy',
        running,
        [shows({ state: 'REFRESHING' }), shows(running)],
        'It was REFRESHING and is RUNNING again.',
      ],
      [
        'a later time',
        at('2026-11-21T09:00:00Z'),
        [shows(at('2026-11-21T09:00:05Z'))],
        'Its record shows a new time, refreshedAt: 2026-11-21T09:00:05.000Z.',
      ],
      [
        'the time that says most',
        running,
        [shows({ ...at('2026-11-21T09:00:05Z'), updatedAt: '2026-11-21T09:00:06Z' })],
        'Its record shows a new time, refreshedAt: 2026-11-21T09:00:05.000Z.',
      ],
      [
        'a time where there was none',
        running,
        [shows(at('2026-11-21T09:00:05Z'))],
        'Its record shows a new time, refreshedAt: 2026-11-21T09:00:05.000Z.',
      ],
    ])('proves it by %s', (_, before, looks, by) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'proved', by });
    });
    test.each([
      ['a failed state', running, [shows(failed)], 'disk full'],
      ['a new failure of what had failed', failed, [shows({ state: 'REFRESHING' }), shows(failed)], 'disk full'],
      ['its absence', running, [undefined], 'The record of qa is gone.'],
    ])('fails it by %s', (_, before, looks, reason) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'failed', reason });
    });
    test.each([
      ['unchanged', running, [shows(running, 9_000_000)]],
      ['as good as nothing was known before', undefined, [shows(at('2026-11-21T09:00:05Z'))]],
      ['busy', running, [shows({ state: 'REFRESHING' }, 9_000_000)]],
      ['with an earlier time', at('2026-11-21T09:00:00Z'), [shows(at('2026-11-20T09:00:00Z'))]],
      ['with a mere sign of life', running, [shows({ ...running, lastSeen: '2026-11-21T09:00:05Z' })]],
    ])('is waited for while it is %s', (_, before, looks) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'waiting' });
    });
  });

  describe('that must show a new snapshot', () => {
    const proof = changes(['snapshot', 'busy'], 'long');
    const snapshots = [{ id: 'MYSQL_SNAPSHOT-1' }];
    const kept = { ...running, snapshots };
    test('contradicts it where it was busy and shows no new one', () => {
      expect(judged(proof, kept, [shows({ ...kept, state: 'BACKING_UP' }), shows(kept)])).toEqual({
        type: 'waiting',
        contradiction: 'It was BACKING_UP, but shows no new snapshot.',
      });
      expect(judged(proof, kept, [shows(kept)])).toEqual({ type: 'waiting' });
    });
    test('proves it by having been busy where its record shows no snapshots at all', () => {
      expect(judged(proof, running, [shows({ state: 'BACKING_UP' }), shows(running)]).type).toBe('proved');
      expect(judged(proof, running, [shows(running)])).toEqual({ type: 'waiting' });
    });
    test('fails it by a failed state', () => {
      expect(judged(proof, kept, [shows({ ...kept, ...failed })])).toEqual({ type: 'failed', reason: 'disk full' });
    });
  });

  describe('that must be physical', () => {
    const proof = converts();
    const virtually = { ...running, cloneType: 'VIRTUALCLONE' };
    const physically = { ...running, cloneType: 'PHYSICAL' };
    test.each([
      ['its record', virtually, [shows(physically)], 'Its record says that it is physical.'],
      [
        'having been busy where its record shows no type',
        running,
        [shows({ state: 'CONVERTING' }), shows(running)],
        'It was CONVERTING and is RUNNING again. Its record does not say whether it is physical.',
      ],
      [
        'its absence from the clones',
        virtually,
        [shows({ ...virtually, state: 'CONVERTING' }), undefined],
        'qa no longer stands among the clones under this identifier.',
      ],
    ])('proves it by %s', (_, before, looks, by) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'proved', by });
    });
    test.each([['a failed state', virtually, [shows({ ...virtually, ...failed })], 'disk full']])(
      'fails it by %s',
      (_, before, looks, reason) => {
        expect(judged(proof, before, looks)).toEqual({ type: 'failed', reason });
      },
    );
    test('contradicts it while its record says that it is virtual', () => {
      const contradiction = 'Its record still says that it is virtual.';
      expect(judged(proof, virtually, [shows(virtually)])).toEqual({ type: 'waiting', contradiction });
    });
    test.each([
      ['busy', virtually, [shows({ ...virtually, state: 'CONVERTING' }, 9_000_000)]],
      ['as it was, without a type', running, [shows(running)]],
      ['as physical as before', physically, [shows(physically)]],
    ])('is waited for while it is %s', (_, before, looks) => {
      expect(judged(proof, before, looks)).toEqual({ type: 'waiting' });
    });
  });
});
