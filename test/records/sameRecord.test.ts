import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { compareRecords, type Marks } from '../../src/records/sameRecord.ts';

type Case = readonly [what: string, before: Marks, now: Marks, is: 'same' | 'another' | 'untold'];

const cases: readonly Case[] = [
  ['both agree', { name: 'qa', madeAt: 5 }, { name: 'qa', madeAt: 5 }, 'same'],
  ['the name agrees, no time is shown', { name: 'qa' }, { name: 'qa', madeAt: 5 }, 'same'],
  ['the time agrees, no name is shown', { madeAt: 5 }, { name: 'qa', madeAt: 5 }, 'same'],
  ['both differ', { name: 'qa', madeAt: 5 }, { name: 'new', madeAt: 6 }, 'another'],
  ['it was renamed', { name: 'qa', madeAt: 5 }, { name: 'new', madeAt: 5 }, 'untold'],
  ['its time moved', { name: 'qa', madeAt: 5 }, { name: 'qa', madeAt: 6 }, 'untold'],
  ['only another name is shown', { name: 'qa' }, { name: 'new' }, 'untold'],
  ['only another time is shown', { madeAt: 5 }, { madeAt: 6 }, 'untold'],
  ['nothing was shown before', {}, { name: 'qa', madeAt: 5 }, 'untold'],
  ['nothing is shown now', { name: 'qa', madeAt: 5 }, { name: null, madeAt: null }, 'untold'],
  ['it was made after it was there', { name: 'qa', thereAt: 5 }, { name: 'new', madeAt: 6 }, 'another'],
  ['it may have been made before it was there', { name: 'qa', thereAt: 5 }, { name: 'new', madeAt: 5 }, 'untold'],
];

describe('a record under an identifier that was seen before', () => {
  test.each(cases)('two sightings under one identifier are rightly compared where %s', (_, before, now, is) => {
    expect(compareRecords(before, now).is).toBe(is);
  });
});

/** Whoever asks whether a record is the same, and the file whose tests show it with that door's own sentences. */
const doors: Readonly<Record<string, string>> = {
  'features/alerts/lookAround.ts': 'features/alerts/workOnAlerts.test.ts',
  'features/batches/batchTargets.ts': 'journeys/manyClones.test.ts',
  'features/leases/run/afterJob.ts': 'journeys/leases.test.ts',
  'features/leases/run/seeClone.ts': 'features/leases/workOnLeases.test.ts',
  'features/schedules/run/scheduleTarget.ts': 'features/schedules/nextOfSchedule.test.ts',
  'jobs/approval/people/holder.ts': 'journeys/ownClones.test.ts',
  'jobs/memory/past.ts': 'jobs/memory/past.test.ts',
  'jobs/approval/people/maker.ts': 'jobs/approval/maker.test.ts',
  'jobs/approval/policy/ownClone.ts': 'journeys/ownClones.test.ts',
  'jobs/approval/sameAsShown.ts': 'journeys/replacedRecords.test.ts',
  'jobs/evidence/freeClaims.ts': 'jobs/evidence/freeClaims.test.ts',
  'jobs/evidence/lookForProof.ts': 'variants/attribution/records.test.ts',
  'jobs/evidence/newRecords/likeness.ts': 'jobs/evidence/likeness.test.ts',
  'jobs/evidence/takenBack.ts': 'features/secondLooks/secondLooks.test.ts',
};

describe('each door', () => {
  const source = new URL('../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const textOf = (file: string) => readFileSync(new URL(file, source), 'utf8');

  test('each file of src that compares records has a row in this test', () => {
    const asks = /^import \{[^}]*\}.*\/sameRecord\.ts'/m;
    expect(files.filter(file => asks.test(textOf(file))).toSorted()).toEqual(Object.keys(doors).toSorted());
  });
  test('only sameRecord.ts in src compares creation times of records', () => {
    const own = /\b(madeAt|createdAt|made)\s*!==\s*\w*\.?(madeAt|createdAt|made)\b/;
    expect(files.filter(file => own.test(textOf(file)))).toEqual([]);
  });
  test.each(Object.entries(doors))('the test file that shows the record comparison of %s exists: %s', (_, file) => {
    expect(readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')).not.toBe('');
  });
});
