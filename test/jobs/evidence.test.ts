import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RecordView, readList } from '../../src/api/records.ts';
import { baselineIn, baselineOf, evidenceIn, evidenceOf, wasThere } from '../../src/jobs/evidence.ts';
import { job, recordOf } from './rows.ts';

const records = (ids: readonly string[]): readonly RecordView[] => readList(ids, ['live', 'clone']).records;

describe('the baseline', () => {
  test('keeps which records were there, by kind, in little room', () => {
    const dense = Array.from({ length: 50_000 }, (_, number) => `MYSQL_CLONE_SERVER-${number + 1}`);
    const baseline = baselineOf(records([...dense, 'MYSQL_CLONE_SERVER-60000', 'MYSQL_LIVE_SERVER-2']));
    expect(baseline).toEqual({ MYSQL_CLONE_SERVER: '1-50000,60000', MYSQL_LIVE_SERVER: '2' });
  });

  test('of numbers that no float can tell apart tells them apart', () => {
    const baseline = baselineOf(records(['MYSQL_CLONE_SERVER-9007199254740992']));
    const was = (id: string) => wasThere(baseline, recordOf(id));
    expect(was('MYSQL_CLONE_SERVER-9007199254740992')).toBe(true);
    expect(was('MYSQL_CLONE_SERVER-9007199254740993')).toBe(false);
  });

  test('knows nothing of kinds that were not there', () => {
    expect(wasThere({}, recordOf('MYSQL_CLONE_SERVER-1'))).toBe(false);
    expect(wasThere(baselineOf(records(['MYSQL_LIVE_SERVER-1'])), recordOf('MYSQL_CLONE_SERVER-1'))).toBe(false);
  });

  test('tells exactly the records that were there, after it was kept and read', () => {
    const ids = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('MYSQL_CLONE_SERVER', 'ORACLE_LIVE_DATABASE'), fc.integer({ min: 0, max: 60 }))
        .map(([kind, number]) => `${kind}-${number}`),
    );
    fc.assert(
      fc.property(ids, ids, (before, now) => {
        const kept = baselineIn(job({ baseline: JSON.stringify(baselineOf(records(before))) })) ?? {};
        expect(now.filter(id => wasThere(kept, recordOf(id)))).toEqual(now.filter(id => before.includes(id)));
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

  test('is read as it was kept', () => {
    const seen = evidenceOf(clone(undefined), undefined, 7_000);
    expect(evidenceIn(job({ evidence: JSON.stringify(seen) }))).toEqual(seen);
    expect(evidenceIn(job())).toBeUndefined();
  });
});
