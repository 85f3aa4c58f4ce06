import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readList } from '../../../src/api/reading/records.ts';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import {
  absence,
  baselineIn,
  beforeOf,
  evidenceIn,
  evidenceOf,
  packed,
  snapshotsOf,
  wasThere,
} from '../../../src/jobs/evidence/evidence.ts';
import { job, recordOf } from '../rows.ts';

const records = (ids: readonly string[]): readonly RecordView[] => readList(ids, ['live', 'clone']).records;

describe('the baseline', () => {
  test('keeps which records were there, by kind, in little room', () => {
    const dense = Array.from({ length: 50_000 }, (_, number) => `MYSQL_CLONE_SERVER-${number + 1}`);
    const ids = packed(records([...dense, 'MYSQL_CLONE_SERVER-60000', 'MYSQL_LIVE_SERVER-2']));
    expect(ids).toEqual({ MYSQL_CLONE_SERVER: '1-50000,60000', MYSQL_LIVE_SERVER: '2' });
  });

  test('of numbers that no float can tell apart tells them apart', () => {
    const baseline = { ids: packed(records(['MYSQL_CLONE_SERVER-9007199254740992'])) };
    const was = (id: string) => wasThere(baseline)(recordOf(id));
    expect(was('MYSQL_CLONE_SERVER-9007199254740992')).toBe(true);
    expect(was('MYSQL_CLONE_SERVER-9007199254740993')).toBe(false);
  });

  test('knows nothing of kinds that were not there', () => {
    const other = { ids: packed(records(['MYSQL_LIVE_SERVER-1'])) };
    expect(wasThere({ ids: {} })(recordOf('MYSQL_CLONE_SERVER-1'))).toBe(false);
    expect(wasThere(other)(recordOf('MYSQL_CLONE_SERVER-1'))).toBe(false);
  });

  test('tells exactly the records that were there, after it was kept and read', () => {
    const ids = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('MYSQL_CLONE_SERVER', 'ORACLE_LIVE_DATABASE'), fc.integer({ min: 0, max: 60 }))
        .map(([kind, number]) => `${kind}-${number}`),
    );
    fc.assert(
      fc.property(ids, ids, (before, now) => {
        const kept = baselineIn(job({ baseline: JSON.stringify({ ids: packed(records(before)) }) })) ?? { ids: {} };
        expect(now.filter(id => wasThere(kept)(recordOf(id)))).toEqual(now.filter(id => before.includes(id)));
      }),
    );
  });

  test('is absent where none was taken', () => {
    expect(baselineIn(job())).toBeUndefined();
  });
});

describe('evidence', () => {
  const clone = (state: string | undefined) =>
    recordOf('MYSQL_CLONE_SERVER-1', {
      name: 'orders_qa',
      state,
      port: 3310,
      sourceDatabase: { id: 'MYSQL_LIVE_SERVER-1', name: 'orders' },
      environment: 'HOST_ENVIRONMENT-4',
      environmentName: 'dev-1',
      connection: { host: 'dev-1', address: '10.0.0.4', comment: 'x'.repeat(201), blank: ' ' },
      simulated: true,
      note: 'not telling',
    });

  test('is what a person needs at once: facts, and how to connect', () => {
    expect(evidenceOf(clone('RUNNING'), undefined, 7_000)).toEqual({
      id: 'MYSQL_CLONE_SERVER-1',
      name: 'orders_qa',
      state: 'RUNNING',
      stateClass: 'ok',
      environment: 'dev-1',
      source: 'orders',
      port: 3310,
      extras: [
        { path: 'simulated', value: 'true' },
        { path: 'connection.address', value: '10.0.0.4' },
      ],
      isBusy: false,
      gone: false,
      since: 7_000,
      seenAt: 7_000,
    });
  });

  test('remembers since when the record is in its state', () => {
    const first = evidenceOf(clone('CREATING'), undefined, 1_000);
    const second = evidenceOf(clone('CREATING'), first, 2_000);
    const third = evidenceOf(clone('RUNNING'), second, 3_000);
    const other = evidenceOf(recordOf('MYSQL_CLONE_SERVER-2', { state: 'RUNNING' }), third, 4_000);
    expect([first, second, third, other].map(({ since, seenAt }) => [since, seenAt])).toEqual([
      [1_000, 1_000],
      [1_000, 2_000],
      [3_000, 3_000],
      [4_000, 4_000],
    ]);
  });

  test('remembers the busy state that the record was seen in, also when it is over', () => {
    const busy = evidenceOf(clone('RESETTING'), undefined, 1_000);
    const over = evidenceOf(clone('RUNNING'), busy, 2_000);
    const other = evidenceOf(recordOf('MYSQL_CLONE_SERVER-2', { state: 'RUNNING' }), busy, 2_000);
    expect([busy, over, other].map(({ wasBusy }) => wasBusy)).toEqual(['RESETTING', 'RESETTING', undefined]);
  });

  test('remembers another state than before the call, whatever that means, and which report is of the job', () => {
    const before = beforeOf(clone('RUNNING'));
    const first = evidenceOf(clone('BLUE'), undefined, 1_000, before);
    const back = evidenceOf(
      clone('RUNNING'),
      { ...first, report: { identity: '7', isPlace: false, word: 'OK' } },
      2_000,
      before,
    );
    expect(evidenceOf(clone('RUNNING'), undefined, 1_000, before).wasElsewhere).toBeUndefined();
    expect([first, back].map(({ wasElsewhere }) => wasElsewhere)).toEqual(['BLUE', 'BLUE']);
    expect(back.report).toEqual({ identity: '7', isPlace: false, word: 'OK' });
  });

  test('is busy only with what may be of the job, in the word of the record around it where that says so', () => {
    const other = evidenceOf(clone('SYNCING'), undefined, 1_000, undefined, false);
    expect(other).toMatchObject({ isBusy: false, stateClass: 'busy' });
    expect(other.wasBusy).toBeUndefined();
    const around = evidenceOf(clone('RUNNING'), undefined, 1_000, undefined, true, 'DELETING_SNAPSHOT');
    expect(around).toMatchObject({ isBusy: true, wasBusy: 'DELETING_SNAPSHOT' });
    const ours = evidenceOf(clone('SYNCING'), other, 2_000, undefined, true);
    expect(ours).toMatchObject({ isBusy: true, wasBusy: 'SYNCING', since: 2_000 });
  });

  test('of an absence names what is gone', () => {
    expect(absence('USER-7', 'frank', 5)).toMatchObject({ id: 'USER-7', name: 'frank', gone: true, seenAt: 5 });
    expect(absence('USER-7', null, 5)).not.toHaveProperty('name');
  });

  test('is read as it was kept', () => {
    const seen = evidenceOf(clone(undefined), undefined, 7_000);
    expect(evidenceIn(job({ evidence: JSON.stringify(seen) }))).toEqual(seen);
    expect(evidenceIn(job())).toBeUndefined();
  });
});

describe('what a record showed before the call', () => {
  test('is its state, its error, its snapshots, its times of change, its counters and its reports', () => {
    const before = beforeOf(
      recordOf('MYSQL_LIVE_SERVER-1', {
        state: 'FAILED',
        error: 'disk full',
        cloneType: 'PHYSICAL',
        refreshedAt: '2026-11-19T09:00:00.000Z',
        snapshots: [{ id: 'MYSQL_SNAPSHOT-1' }, { id: 'MYSQL_SNAPSHOT-2' }],
        restoreCount: 3,
        lastJob: { id: 7, type: 'RESTORE', status: 'FAILED', error: 'disk full' },
      }),
    );
    expect(before).toEqual({
      state: 'FAILED',
      stateClass: 'failed',
      error: 'disk full',
      isPhysical: true,
      snapshots: ['MYSQL_SNAPSHOT-1', 'MYSQL_SNAPSHOT-2'],
      times: { refreshedAt: Date.UTC(2026, 10, 19, 9) },
      counters: { restoreCount: 3 },
      reports: { '["RESTORE",7]': '["failed","FAILED","disk full",null]' },
    });
  });

  test('is little where the record shows little', () => {
    expect(beforeOf(recordOf('MYSQL_LIVE_SERVER-1'))).toEqual({ snapshots: [], times: {}, counters: {}, reports: {} });
    expect(snapshotsOf(recordOf('MYSQL_LIVE_SERVER-1', { source: 'MYSQL_LIVE_SERVER-2' }))).toEqual([]);
  });

  test('is kept with the job, and read again', () => {
    const baseline = {
      ids: {},
      holder: 'MYSQL_LIVE_SERVER-1',
      target: { snapshots: ['MYSQL_SNAPSHOT-1'], times: { at: 1 }, counters: { runs: 2 }, reports: { a: 'b' } },
    };
    expect(baselineIn(job({ baseline: JSON.stringify(baseline) }))).toEqual(baseline);
  });
});

test('of a list that was cut, only a number beyond all that it held counts as new', () => {
  const cut = { ids: { MYSQL_CLONE_SERVER: '3-5,9' }, cut: true };
  expect(['1', '4', '7', '9'].map(number => wasThere(cut)(recordOf(`MYSQL_CLONE_SERVER-${number}`)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(wasThere(cut)(recordOf('MYSQL_CLONE_SERVER-10'))).toBe(false);
  expect(wasThere(cut)(recordOf('ORACLE_CLONE_DATABASE-1'))).toBe(true);
});
