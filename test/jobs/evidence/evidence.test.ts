import { describe, expect, test } from 'vitest';
import { evidenceOf, evidenceOfAbsence } from '../../../src/jobs/evidence/evidence.ts';
import { job, recordOf } from '../rows.ts';

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

  test('evidence holds the facts that a person needs of a record, and how to connect to it', () => {
    expect(evidenceOf(clone('RUNNING'), undefined, 7_000)).toEqual({
      id: 'MYSQL_CLONE_SERVER-1',
      name: 'orders_qa',
      state: 'RUNNING',
      stateClass: 'ok',
      environment: 'dev-1',
      environmentId: 'HOST_ENVIRONMENT-4',
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

  test('evidence remembers since when the record is in its state', () => {
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

  test('the time that evidence has stood restarts when an error comes, and once when another replaces it', () => {
    const shows = (error?: string) => recordOf('MYSQL_CLONE_SERVER-1', { state: 'RUNNING', error });
    const first = evidenceOf(shows(), undefined, 1_000);
    const second = evidenceOf(shows('disk full'), first, 2_000);
    const third = evidenceOf(shows('disk full'), second, 3_000);
    const fourth = evidenceOf(shows('no listener'), third, 4_000);
    // A text that changes at each look never stands.
    const fifth = evidenceOf(shows('no listener for 2 s'), fourth, 5_000);
    const sixth = evidenceOf(shows('disk full'), fifth, 6_000);
    const all = [first, second, third, fourth, fifth, sixth];
    expect(all.map(({ since }) => since)).toEqual([1_000, 2_000, 2_000, 4_000, 4_000, 4_000]);
  });

  test('evidence remembers the busy state in which a record was seen, even when that is over', () => {
    const busy = evidenceOf(clone('RESETTING'), undefined, 1_000);
    const over = evidenceOf(clone('RUNNING'), busy, 2_000);
    const other = evidenceOf(recordOf('MYSQL_CLONE_SERVER-2', { state: 'RUNNING' }), busy, 2_000);
    expect([busy, over, other].map(({ wasBusy }) => wasBusy)).toEqual(['RESETTING', 'RESETTING', undefined]);
  });

  test('evidence remembers which report in the record is about the job', () => {
    const first = evidenceOf(clone('BLUE'), undefined, 1_000);
    const report = { identity: '7', isPlace: false, word: 'OK' };
    expect(evidenceOf(clone('RUNNING'), { ...first, report }, 2_000).report).toEqual(report);
  });

  test('evidence is read without the keys that another release adds', () => {
    const seen = evidenceOf(clone('RUNNING'), undefined, 1_000);
    expect(job({ state: 'running', evidence: JSON.stringify({ ...seen, wasElsewhere: 'BLUE' }) }).evidence).toEqual(
      seen,
    );
  });

  test('evidence counts a record as busy only with work that may be of the job', () => {
    const other = evidenceOf(clone('SYNCING'), undefined, 1_000, { isAtJob: false });
    expect(other).toMatchObject({ isBusy: false, stateClass: 'busy' });
    expect(other.wasBusy).toBeUndefined();
    const around = evidenceOf(clone('RUNNING'), undefined, 1_000, { isAtJob: true, busyWord: 'DELETING_SNAPSHOT' });
    expect(around).toMatchObject({ isBusy: true, wasBusy: 'DELETING_SNAPSHOT' });
    const ours = evidenceOf(clone('SYNCING'), other, 2_000, { isAtJob: true });
    expect(ours).toMatchObject({ isBusy: true, wasBusy: 'SYNCING', since: 2_000 });
  });

  test('evidence of an absence names the record that is gone', () => {
    expect(evidenceOfAbsence('USER-7', 'frank', 5)).toMatchObject({
      id: 'USER-7',
      name: 'frank',
      gone: true,
      seenAt: 5,
    });
    expect(evidenceOfAbsence('USER-7', null, 5)).not.toHaveProperty('name');
  });

  test('evidence is read again as it was kept', () => {
    const seen = evidenceOf(clone(undefined), undefined, 7_000);
    expect(job({ state: 'running', evidence: JSON.stringify(seen) }).evidence).toEqual(seen);
    expect(job({ state: 'running' }).evidence).toBeUndefined();
  });
});
