import { expect, onTestFinished, test } from 'vitest';
import { readSummary } from '../../../src/features/protection/readSummary.ts';
import { firstLines } from '../../../src/features/protection/statusWords.ts';
import { day } from '../../../src/ground/durations.ts';
import { board } from '../../jobs/deciding.ts';
import { folder, storeIn } from '../../store/folder.ts';

test('what was protected a week ago is told to the sign-in that read all of it on that day, and to no other', async () => {
  const here = await board(await storeIn(folder()), { protect: [{ backup: '3d' }] });
  onTestFinished(() => here.end());
  const reads = (person: string, words: readonly string[] = []) => {
    const now = here.clock.now();
    const reader = { team: 'T1', person };
    return readSummary(here.parts, { reader, notBefore: now, words, since: now - day, told: 'all' });
  };
  const first = await reads('U0ANA');
  expect(first.weekAgo).toBeUndefined();
  const { protected: good, never, late, unseen } = first.counts;
  expect(good).toBeGreaterThan(3);
  for (let days = 1; days < 7; days++) {
    await here.clock.leap(day);
    expect((await reads('U0ANA')).weekAgo).toBeUndefined();
  }
  await here.clock.leap(day);
  // All backups are too old by now.
  const later = await reads('U0ANA');
  expect(later.weekAgo).toEqual({ good, all: good + never + late + unseen });
  expect(firstLines(later)[0]).toContain(`*0 of 12 databases protected*, a week ago ${good}: `);
  expect((await reads('U0BEN')).weekAgo).toBeUndefined();
  expect((await reads('U0ANA', ['shop'])).weekAgo).toBeUndefined();
  await here.clock.leap(day);
  expect((await reads('U0ANA')).weekAgo).toMatchObject({ all: 12 });
  expect((await reads('U0BEN')).weekAgo).toBeUndefined();
});
