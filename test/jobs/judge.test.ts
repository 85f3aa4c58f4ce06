import { describe, expect, test } from 'vitest';
import { baselineOf, type Evidence, evidenceOf } from '../../src/jobs/evidence.ts';
import { candidates, judge } from '../../src/jobs/judge.ts';
import { appears } from '../../src/operations/proofs.ts';
import { recordOf } from './rows.ts';

const asked = { source: 'MYSQL_LIVE_SERVER-1', environment: 'HOST_ENVIRONMENT-4', port: 3310, names: ['QA'] };
const virtual = appears(['clone'], asked, 1_000);
const physical = appears(['clone', 'live'], asked, 1_000);

function fitting(fields: object, { proof = virtual, id = 'MYSQL_CLONE_SERVER-2', baseline = {} } = {}): boolean {
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
    const baseline = baselineOf([recordOf('MYSQL_CLONE_SERVER-2')]);
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
    expect(candidates(physical, 'MYSQL', {}, all).map(({ id }) => id.text)).toEqual([
      'MYSQL_CLONE_SERVER-30',
      'MYSQL_CLONE_SERVER-31',
      'MYSQL_LIVE_SERVER-9',
      'MYSQL_CLONE_SERVER-9',
      'MYSQL_CLONE_SERVER-12',
    ]);
  });
});

describe('a record that is the one', () => {
  const at = 1_000_000;
  const seen = (fields: object, since = at): Evidence => ({
    ...evidenceOf(recordOf('MYSQL_CLONE_SERVER-2', fields), undefined, at),
    since,
  });

  test.each([
    ['RUNNING', { state: 'RUNNING' }],
    ['a state beside an old error', { state: 'RUNNING', lastError: 'was slow' }],
    ['stopped', { state: 'STOPPED' }],
    ['disabled', { state: 'DISABLED' }],
    ['no state at all', { name: 'qa' }],
  ])('proves the job with %s', (_, fields) => {
    expect(judge(seen(fields), [])).toEqual({ type: 'proved' });
  });

  test.each([
    ['its error', { state: 'FAILED', error: 'disk full' }, 'disk full'],
    ['its remark', { state: 'ERROR', message: 'disk full' }, 'disk full'],
    ['its state, for want of an error', { state: 'CREATE_FAILED' }, 'Its state is CREATE_FAILED.'],
    ['an error without a state', { error: 'disk full' }, 'disk full'],
  ])('fails it with %s', (_, fields, reason) => {
    expect(judge(seen(fields), [])).toEqual({ type: 'failed', reason });
  });

  test.each([['CREATING'], ['IN_PROGRESS'], ['UNAVAILABLE']])('is waited for while it is %s, however long', state => {
    expect(judge(seen({ state }, 0), [])).toEqual({ type: 'waiting' });
  });

  test('in a state of unknown meaning is waited for until that stays for two minutes', () => {
    expect(judge(seen({ state: 'BLUE' }, at - 119_999), [])).toEqual({ type: 'waiting' });
    expect(judge(seen({ state: 'BLUE' }, at - 120_000), [])).toEqual({ type: 'proved' });
  });

  test('in a state of unknown meaning that others are in, too, proves the job', () => {
    const others = [
      recordOf('MYSQL_CLONE_SERVER-1', { state: 'BLUE' }),
      recordOf('MYSQL_CLONE_SERVER-3', { state: 'GREEN-ISH' }),
    ];
    expect(judge(seen({ state: 'BLUE' }), others)).toEqual({ type: 'proved' });
    expect(judge(seen({ state: 'BLUE' }), [recordOf('MYSQL_CLONE_SERVER-2', { state: 'BLUE' })])).toEqual({
      type: 'waiting',
    });
  });
});
