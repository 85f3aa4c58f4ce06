import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepSmallest } from '../../src/records/smallest.ts';

test('the smallest entries are those that a whole sort would put first, equals in the order in which they came', () => {
  const entries = fc.array(fc.record({ size: fc.nat(9), name: fc.string() }));
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 12 }), (all, max) => {
      const smallest = keepSmallest<(typeof all)[number]>(max, (a, b) => a.size - b.size);
      for (const entry of all) smallest.add(entry);
      expect(smallest.entries()).toStrictEqual(all.toSorted((a, b) => a.size - b.size).slice(0, max));
      expect(smallest.count()).toBe(all.length);
    }),
  );
});
