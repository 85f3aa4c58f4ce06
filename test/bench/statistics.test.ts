import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median, percentile, ratios } from './statistics.ts';

describe('median', () => {
  it('the median is the value in the middle, whatever the order', () => expect(median([9, 1, 5])).toBe(5));
  it('the median of an even number of values lies between the middle two', () =>
    expect(median([4, 1, 3, 100])).toBe(3.5));
  it('the median of one value is that value', () => expect(median([7])).toBe(7));
  it('the median of no values is refused', () => expect(() => median([])).toThrow(RangeError));
  it('the median leaves the values as they were', () => {
    const values = [3, 1, 2];
    median(values);
    expect(values).toEqual([3, 1, 2]);
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  it('a percentile is the smallest value that so many values do not exceed', () => {
    expect(percentile(hundred, 50)).toBe(50);
    expect(percentile(hundred, 99)).toBe(99);
    expect(percentile([1, 2, 3], 99)).toBe(3);
  });
  it('the percentile of 0 is the smallest value, and that of 100 the largest', () => {
    expect(percentile(hundred, 0)).toBe(1);
    expect(percentile(hundred, 100)).toBe(100);
  });
  it('a percentile is always a measured value, with enough values at or below it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { minLength: 1 }),
        fc.integer({ min: 0, max: 100 }),
        (values, percent) => {
          const found = percentile(values, percent);
          expect(values).toContain(found);
          const below = values.filter(value => value <= found).length;
          expect(below).toBeGreaterThanOrEqual((percent / 100) * values.length - 1e-9);
        },
      ),
    );
  });
  it('a percentile is refused for what is not a percentage, and for no values', () => {
    expect(() => percentile([1], 101)).toThrow(RangeError);
    expect(() => percentile([1], Number.NaN)).toThrow(RangeError);
    expect(() => percentile([], 50)).toThrow(RangeError);
  });
});

describe('ratios', () => {
  it('the ratios of two apps divide within each pair', () => {
    expect(
      ratios([
        { dolly: 3, bare: 2 },
        { dolly: 10, bare: 20 },
      ]),
    ).toEqual([1.5, 0.5]);
  });
});
