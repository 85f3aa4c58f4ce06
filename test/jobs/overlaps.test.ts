import { expect, test } from 'vitest';
import { claimsOnce, overlapsAmong } from '../../src/jobs/overlaps.ts';
import type { HeldClaim, Overlap, Targeted } from '../../src/store/jobs/recordClaims.ts';

const batch: readonly Targeted[] = Array.from({ length: 8 }, (_, at) => ({
  id: `job-${at}`,
  sentAt: 1,
  target: 'DB-1',
}));

/** A store that notes of which jobs each statement reads; each job has one other that is called by the statement. */
function reading() {
  const statements: string[][] = [];
  const overlap = { sentAt: 1, endedAt: null, inDoubt: false, claimed: null, isProved: false, isLate: false };
  const overlappingAll = async (jobs: readonly Targeted[]): Promise<ReadonlyMap<string, readonly Overlap[]>> => {
    statements.push(jobs.map(({ id }) => id));
    return new Map(jobs.map(({ id }) => [id, [{ ...overlap, id: `${statements.length}`, operation: 'clone.create' }]]));
  };
  return { statements, overlappingAll };
}

const sizes = (statements: readonly string[][]) => statements.map(({ length }) => length);

test('one statement reads the other jobs of a whole follow-up, while nothing new is seen', async () => {
  const { statements, overlappingAll } = reading();
  const overlapping = overlapsAmong({ overlappingAll }, batch, () => 1);
  for (const job of batch) for (const _ of [1, 2]) expect((await overlapping(job))[0]?.id).toBe('1');
  expect(sizes(statements)).toEqual([8]);
});

test('the other jobs of a follow-up are read again once something new is seen, first for one job, then for more', async () => {
  const { statements, overlappingAll } = reading();
  let news = 1;
  const overlapping = overlapsAmong({ overlappingAll }, batch, () => news);
  const [first, ...others] = batch;
  if (first) await overlapping(first);
  news += 1;
  for (const job of others) expect(Number((await overlapping(job))[0]?.id)).toBeGreaterThan(1);
  expect(sizes(statements)).toEqual([8, 1, 2, 4]);
  expect(statements.slice(1).flat()).toEqual(others.map(({ id }) => id));
});

test('the other jobs of a follow-up are read for each job alone where each look sees something new', async () => {
  const { statements, overlappingAll } = reading();
  let news = 0;
  const overlapping = overlapsAmong({ overlappingAll }, batch, () => news);
  for (const job of batch) {
    await overlapping(job);
    news += 1;
  }
  expect(sizes(statements)).toEqual([8, 1, 1, 1, 1, 1, 1, 1]);
});

test('the other jobs on a record are read also for a job that is not in the follow-up', async () => {
  const { overlappingAll } = reading();
  const overlapping = overlapsAmong({ overlappingAll }, [], () => 1);
  expect(await overlapping({ id: 'other', sentAt: 1, target: 'DB-1' })).toHaveLength(1);
});

test('the claims on a record are read once, and again after something new is seen', async () => {
  const asked: (readonly string[])[] = [];
  let news = 1;
  const claimsOn = claimsOnce(
    {
      async claimsOn(records): Promise<readonly HeldClaim[]> {
        if (records.length > 0) asked.push(records);
        return records.map(record => ({
          record,
          sign: '',
          job: 'job',
          name: null,
          madeAt: asked.length,
          endedAt: null,
        }));
      },
    },
    () => news,
  );
  const times = async (...records: string[]) => (await claimsOn(records)).map(({ record, madeAt }) => [record, madeAt]);
  expect(await times('A')).toEqual([['A', 1]]);
  expect(await times('A', 'B')).toEqual([
    ['A', 1],
    ['B', 2],
  ]);
  expect(await times('B', 'A')).toEqual([
    ['B', 2],
    ['A', 1],
  ]);
  news += 1;
  expect(await times('A')).toEqual([['A', 3]]);
  expect(asked).toEqual([['A'], ['B'], ['A']]);
});
