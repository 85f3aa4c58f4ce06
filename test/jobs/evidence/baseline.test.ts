import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readList } from '../../../src/api/reading/recordList.ts';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import {
  beforeOf,
  newestOf,
  packIdentifiers,
  stoodBefore,
  wasThereBefore,
} from '../../../src/jobs/evidence/baseline.ts';
import { readersNow } from '../../../src/jobs/evidence/readers.ts';
import { snapshotsOf, snapshotsSince } from '../../../src/records/snapshots.ts';
import { job, recordOf } from '../rows.ts';

const records = (ids: readonly string[]): readonly RecordView[] => readList(ids, ['live', 'clone']).records;

describe('the baseline', () => {
  test('a baseline keeps in little room which records of each kind were there', () => {
    const dense = Array.from({ length: 50_000 }, (_, number) => `MYSQL_CLONE_SERVER-${number + 1}`);
    const ids = packIdentifiers(records([...dense, 'MYSQL_CLONE_SERVER-60000', 'MYSQL_LIVE_SERVER-2']));
    expect(ids).toEqual({ MYSQL_CLONE_SERVER: '1-50000,60000', MYSQL_LIVE_SERVER: '2' });
  });

  test('a baseline tells apart two record numbers that are the same as floats', () => {
    const baseline = { ids: packIdentifiers(records(['MYSQL_CLONE_SERVER-9007199254740992'])) };
    const was = (id: string) => wasThereBefore(baseline)(recordOf(id));
    expect(was('MYSQL_CLONE_SERVER-9007199254740992')).toBe(true);
    expect(was('MYSQL_CLONE_SERVER-9007199254740993')).toBe(false);
  });

  test('a baseline recognises a reused record number by the time at which its record was made', () => {
    const listed = [recordOf('MYSQL_CLONE_SERVER-1', { createdAt: '2026-11-20T10:00:00Z' })];
    const baseline = { ids: packIdentifiers(listed), newest: newestOf(listed) };
    const was = (fields: object) => wasThereBefore(baseline)(recordOf('MYSQL_CLONE_SERVER-1', fields));
    expect(was({ createdAt: '2026-11-20T10:00:01Z' })).toBe(false);
    expect(was({ createdAt: '2026-11-20T10:00:00Z' })).toBe(true);
    expect(was({ snapshotTime: '2026-11-20T10:00:01Z' })).toBe(true);
    expect(newestOf([...listed, recordOf('MYSQL_CLONE_SERVER-2')])).toBeUndefined();
  });

  test('a baseline counts no record of a kind that it lacks as one that was there', () => {
    const other = { ids: packIdentifiers(records(['MYSQL_LIVE_SERVER-1'])) };
    expect(wasThereBefore({ ids: {} })(recordOf('MYSQL_CLONE_SERVER-1'))).toBe(false);
    expect(wasThereBefore(other)(recordOf('MYSQL_CLONE_SERVER-1'))).toBe(false);
  });

  test('a baseline keeps the standing of each report in a list without numbers and times', () => {
    const [done, failed] = [{ status: 'COMPLETED' }, { status: 'FAILED' }];
    const reportsIn = (...jobs: object[]) => recordOf('MYSQL_LIVE_SERVER-1', { jobs });
    const before = beforeOf(reportsIn(failed, done));
    const isNew = (record: RecordView) => record.reports.filter(report => !stoodBefore(before, report)).length;
    expect(isNew(reportsIn(failed, done))).toBe(0);
    expect(isNew(reportsIn({ status: 'RUNNING' }, failed, done))).toBe(1);
  });

  test('new snapshots are sorted by their age, in whatever order the record lists them', () => {
    const snapshots = ['MYSQL_SNAPSHOT-12', 'MYSQL_SNAPSHOT-10', 'MYSQL_SNAPSHOT-9', 'MYSQL_SNAPSHOT-11'];
    const record = recordOf('MYSQL_LIVE_SERVER-1', { snapshots });
    const since = snapshotsSince({ snapshots: ['MYSQL_SNAPSHOT-9'] }, record);
    expect(since).toEqual(['MYSQL_SNAPSHOT-10', 'MYSQL_SNAPSHOT-11', 'MYSQL_SNAPSHOT-12']);
  });

  test('a baseline that was kept and read tells exactly which records were there', () => {
    const ids = fc.uniqueArray(
      fc
        .tuple(fc.constantFrom('MYSQL_CLONE_SERVER', 'ORACLE_LIVE_DATABASE'), fc.integer({ min: 0, max: 60 }))
        .map(([kind, number]) => `${kind}-${number}`),
    );
    fc.assert(
      fc.property(ids, ids, (before, now) => {
        const kept = job({ state: 'running', baseline: JSON.stringify({ ids: packIdentifiers(records(before)) }) })
          .baseline ?? {
          ids: {},
        };
        expect(now.filter(id => wasThereBefore(kept)(recordOf(id)))).toEqual(now.filter(id => before.includes(id)));
      }),
    );
  });

  test('a job for which no baseline was taken has none', () => {
    expect(job({ state: 'running' }).baseline).toBeUndefined();
  });
});

describe('what a record showed before the call', () => {
  test('a baseline keeps a record’s state, error, type, snapshots, times, counters and reports', () => {
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
      readers: readersNow,
    });
  });

  test('a record that shows little leaves little in the baseline', () => {
    expect(beforeOf(recordOf('MYSQL_LIVE_SERVER-1'))).toEqual({
      ...{ snapshots: [], times: {}, counters: {}, reports: {} },
      readers: readersNow,
    });
    expect(snapshotsOf(recordOf('MYSQL_LIVE_SERVER-1', { source: 'MYSQL_LIVE_SERVER-2' }))).toEqual([]);
  });

  test('a baseline is read again as it was stored with its job', () => {
    const baseline = {
      ids: {},
      holder: 'MYSQL_LIVE_SERVER-1',
      target: { snapshots: ['MYSQL_SNAPSHOT-1'], times: { at: 1 }, counters: { runs: 2 }, reports: { a: 'b' } },
    };
    expect(job({ state: 'running', baseline: JSON.stringify(baseline) }).baseline).toEqual(baseline);
  });
});

test('after a list that was cut, only a number beyond all that it held counts as a new record', () => {
  const cut = { ids: { MYSQL_CLONE_SERVER: '3-5,9' }, cut: true };
  expect(['1', '4', '7', '9'].map(number => wasThereBefore(cut)(recordOf(`MYSQL_CLONE_SERVER-${number}`)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(wasThereBefore(cut)(recordOf('MYSQL_CLONE_SERVER-10'))).toBe(false);
  expect(wasThereBefore(cut)(recordOf('ORACLE_CLONE_DATABASE-1'))).toBe(true);
});
