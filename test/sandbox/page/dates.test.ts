import { describe, expect, it } from 'vitest';
import { dayHeading, formatDate } from '../../../src/sandbox/playground/page/dates.ts';

const now = new Date(2026, 1, 18, 15, 4, 5);
const day = (date: number, hour = 6) => new Date(2026, 1, date, hour, 39, 42);

describe('date tokens', () => {
  it.each([
    ['{date_num}', '2026-02-11'],
    ['{date_slash}', '02/11/2026'],
    ['{date}', 'February 11th, 2026'],
    ['{date_short}', 'Feb 11, 2026'],
    ['{date_long}', 'Wednesday, February 11th, 2026'],
    ['{time}', '6:39 AM'],
    ['{time_secs}', '6:39:42 AM'],
    ['{ago}', '7 days ago'],
    ['on {date_short_pretty} at {time}', 'on Feb 11, 2026 at 6:39 AM'],
    ['{unknown}', '{unknown}'],
  ])('the playground shows the date pattern %s in local time', (pattern, shown) => {
    expect(formatDate(day(11), pattern, now)).toBe(shown);
  });

  it('a date pattern says today, yesterday and tomorrow, with a capital where it begins the text', () => {
    expect(formatDate(day(18), '{date_short_pretty} {time}', now)).toBe('Today 6:39 AM');
    expect(formatDate(day(17), 'since {date_pretty}', now)).toBe('since yesterday');
    expect(formatDate(day(19), '{date_long_pretty}', now)).toBe('Tomorrow');
  });
});

it('the playground’s heading of a day says Today or Yesterday where it can, and the year of far days', () => {
  expect(dayHeading(day(18), now)).toBe('Today');
  expect(dayHeading(day(17, 23), now)).toBe('Yesterday');
  expect(dayHeading(day(11), now)).toBe('Wednesday, February 11th');
  expect(dayHeading(new Date(2025, 1, 11), now)).toBe('Tuesday, February 11th, 2025');
});
