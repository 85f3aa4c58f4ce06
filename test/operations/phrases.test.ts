import { expect, test } from 'vitest';
import { fillPhrase } from '../../src/operations/phrases.ts';

test('a phrase takes its values, and leaves out the parts whose values are unknown', () => {
  const phrase = '{result} is ready[ on {place}][, from the snapshot {snapshot}][ ({age} old)]';
  const all = { result: 'shop-3310', place: 'dev', snapshot: 'of today', age: '4 hours' };
  expect(fillPhrase(phrase, all)).toBe('shop-3310 is ready on dev, from the snapshot of today (4 hours old)');
  expect(fillPhrase(phrase, { result: 'shop-3310', snapshot: 'of today' })).toBe(
    'shop-3310 is ready, from the snapshot of today',
  );
});

test('a value that looks like a part of a phrase is only a value', () => {
  expect(fillPhrase('{name}[ on {place}]', { name: '[x] {place}', place: '$& {name}' })).toBe(
    '[x] {place} on $& {name}',
  );
});
