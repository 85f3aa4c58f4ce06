import { expect, test } from 'vitest';
import { freeClaims } from '../../../src/jobs/evidence/freeClaims.ts';
import { emptyReading, keyOfQuestion } from '../../../src/jobs/evidence/reading.ts';
import type { HeldClaim } from '../../../src/store/jobs/recordClaims.ts';

/* Whether what one job has claimed stands against another one, which looked and was sent in the seventieth second. */

const own = { id: 'own', sentAt: 70_000 };
const record = 'MYSQL_CLONE_SERVER-7';
const wanted = { record, sign: '', name: 'qa', madeAt: 60_000 };
const held = { record, sign: '', job: 'other', name: 'qa', madeAt: 60_000, endedAt: null };
const report = { sign: 'report lastJob' };

test.each<readonly [string, Partial<HeldClaim>, { sign?: string }, boolean]>([
  ['a job that is under way keeps its record', {}, {}, false],
  ['a job has what it has claimed itself', { job: 'own' }, {}, true],
  ['another record under the same identifier is free', { name: 'old', madeAt: 1 }, {}, true],
  ['a record that may be another one is not, while its job is under way', { name: null, madeAt: null }, {}, false],
  ['it is, once that had ended long before', { name: null, madeAt: null, endedAt: 9_999 }, {}, true],
  ['it is not, where that ended as this one looked', { name: null, madeAt: null, endedAt: 10_000 }, {}, false],
  ['a record that was made at the same time stays for good', { endedAt: 1 }, {}, false],
  ['a record of the same name may be a new one', { madeAt: null, endedAt: 1 }, {}, true],
  ['a report of a job that had ended is free in its place', { ...report, endedAt: 69_999 }, report, true],
  ['a report of a job that ended since is not', { ...report, endedAt: 70_000 }, report, false],
  ['a report is another thing than its record', {}, report, true],
])('A claim that one job holds decides whether another job may claim the same: %s', (_, holder, change, isFree) => {
  const reading = emptyReading(80_000, { isDue: () => false, meaningOf: () => 'unseen', hasSeen: () => false });
  const told = { about: [record], answer: { told: [{ ...held, ...holder }] } };
  reading.answered.claims.set(keyOfQuestion(true, [record]), told);
  const here = { reading, isWhole: true, job: own };
  expect(freeClaims(here, [{ ...wanted, ...change }])).toHaveLength(isFree ? 1 : 0);
});
