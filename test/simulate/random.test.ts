import { expect, test } from 'vitest';
import { fingerprint, randomOf } from './random.ts';

const drawn = (seed: string, purpose: string, count = 20) => {
  const random = randomOf(seed, purpose);
  return Array.from({ length: count }, () => random.next());
};

test('the same seed and purpose give the same random numbers', () => {
  expect(drawn('1', 'plan')).toEqual(drawn('1', 'plan'));
});

test('another seed or another purpose gives other random numbers', () => {
  expect(drawn('1', 'plan')).not.toEqual(drawn('2', 'plan'));
  expect(drawn('1', 'plan')).not.toEqual(drawn('1', 'disk'));
});

test('a stream of random numbers does not depend on how much is drawn from others', () => {
  const [one, other] = [randomOf('1', 'one'), randomOf('1', 'other')];
  const mixed = Array.from({ length: 20 }, () => {
    other.next();
    return one.next();
  });
  expect(mixed).toEqual(drawn('1', 'one'));
});

test('random numbers are spread evenly, and a probability comes true as often as it says', () => {
  const random = randomOf('1', 'spread');
  const counts = new Map<number, number>();
  for (let draw = 0; draw < 10_000; draw++) {
    const number = random.whole(1, 10);
    counts.set(number, (counts.get(number) ?? 0) + 1);
  }
  expect([...counts.keys()].sort((one, other) => one - other)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  for (const count of counts.values()) expect(Math.abs(count - 1_000)).toBeLessThan(150);
  const hits = Array.from({ length: 10_000 }, () => random.chance(0.2)).filter(Boolean).length;
  expect(Math.abs(hits - 2_000)).toBeLessThan(200);
});

test('a choice without weight is never drawn', () => {
  const random = randomOf('1', 'weights');
  const words = Array.from({ length: 1_000 }, () => random.weighted({ often: 3, never: 0, seldom: 1 }));
  expect(new Set(words)).toEqual(new Set(['often', 'seldom']));
});

test('a draw from an empty list fails', () => {
  expect(() => randomOf('1', 'empty').one([])).toThrow('there is nothing to choose from');
});

test('a fingerprint tells texts apart that differ in a letter, or in their order', () => {
  const of = (...texts: string[]) => {
    const print = fingerprint();
    for (const text of texts) print.add(text);
    return print.text();
  };
  const all = [of('ab', 'c'), of('ac', 'b'), of('c', 'ab'), of('b', 'ac'), of('ab', 'd'), of()];
  expect(new Set(all).size).toBe(all.length);
});
