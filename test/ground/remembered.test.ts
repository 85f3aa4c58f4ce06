import { expect, test } from 'vitest';
import { remembered } from '../../src/ground/remembered.ts';
import { testClock } from '../clock.ts';

/** A memory of what is read by key: each reading counts, and `hold` makes the next ones wait. */
function reading(most = 100) {
  const clock = testClock(1_000_000);
  const asked: string[] = [];
  let held: Promise<unknown> = Promise.resolve();
  const read = async (key: string) => {
    asked.push(key);
    const value = asked.length;
    await held;
    return value;
  };
  const memory = { fresh: 10_000, kept: 100_000, patience: 5_000, pause: 1_000, most };
  const hold = (wait: Promise<unknown>) => {
    held = wait;
  };
  return { clock, asked, known: remembered(clock, memory, read, () => undefined), hold };
}

test('a remembered value that is half as old as it may be is read anew while its reader gets the old one', async () => {
  const { clock, asked, known, hold } = reading();
  expect(await known('ana')).toBe(1);
  await clock.advance(4_900);
  expect(await known('ana')).toBe(1);
  expect(asked).toHaveLength(1);
  await clock.advance(200);
  const answer = Promise.withResolvers<void>();
  hold(answer.promise);
  for (let nth = 0; nth < 3; nth++) expect(await known('ana')).toBe(1);
  expect(asked).toHaveLength(2);
  answer.resolve();
  await expect.poll(() => known('ana')).toBe(2);
});

test('a remembered value that is as old as it may be is read anew before it is given', async () => {
  const { clock, known } = reading();
  await known('ana');
  await clock.advance(10_000);
  expect(await known('ana')).toBe(2);
});

test('at most sixty remembered values a minute are read anew ahead of time', async () => {
  const { clock, asked, known } = reading();
  const keys = Array.from({ length: 100 }, (_, at) => `U${at}`);
  for (const key of keys) await known(key);
  await clock.advance(6_000);
  for (const key of keys) await known(key);
  expect(asked).toHaveLength(160);
});

test('a memory keeps only so many values, and forgets first the one asked for longest ago', async () => {
  const { asked, known } = reading(3);
  for (const key of ['ana', 'ben', 'cy', 'dan', 'dan', 'ana']) await known(key);
  expect(asked).toEqual(['ana', 'ben', 'cy', 'dan', 'ana']);
});
