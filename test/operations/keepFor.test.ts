import { describe, expect, test } from 'vitest';
import { day, hour } from '../../src/ground/durations.ts';
import {
  endOfKeeping,
  inOwnZone,
  readKeepFor,
  usualTimes,
  writeDuration,
  writeMoment,
} from '../../src/operations/requests/keepFor.ts';

const now = Date.UTC(2026, 10, 22, 18);

describe('a time for which a clone is kept', () => {
  test.each([
    ['12h', now + 12 * hour],
    ['3 days', now + 3 * day],
    ['1 Week', now + 7 * day],
    ['2w', now + 14 * day],
    ['2026-12-24', Date.UTC(2026, 11, 24, 23, 59)],
    ['2026-12-24 18:30 UTC', Date.UTC(2026, 11, 24, 18, 30)],
    ['none', null],
    ['No end', null],
  ])('the time for which a clone is kept is read from “%s”', (text, end) => {
    const keep = readKeepFor(text);
    expect(keep && endOfKeeping(keep, now)).toBe(end);
  });

  test.each(['', '0d', '-3d', '3', '3x', '2026-02-30', '2026-13-01', '24.12.2026', 'soon', '99999d', '-'])(
    'the time for which a clone is kept is not read from “%s”',
    text => {
      expect(readKeepFor(text)).toBeUndefined();
    },
  );

  test.each([
    ['2026-12-24', 'Europe/Berlin', '2026-12-24 22:59 UTC'],
    ['2026-12-24', 'America/New_York', '2026-12-25 04:59 UTC'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-25 22:59 UTC'],
    // A time that a change of daylight saving repeats, or leaves out, is never over before the clocks showed it.
    ['2026-10-25 02:30', 'Europe/Berlin', '2026-10-25 01:30 UTC'],
    ['2026-11-01 01:30', 'America/New_York', '2026-11-01 06:30 UTC'],
    ['2027-04-03', 'America/Santiago', '2027-04-04 03:59 UTC'],
    ['2027-03-14 02:30', 'America/New_York', '2027-03-14 07:00 UTC'],
    ['2027-03-28 02:30', 'Europe/Berlin', '2027-03-28 01:00 UTC'],
    ['2026-12-24 18:30', 'Asia/Kolkata', '2026-12-24 13:00 UTC'],
    ['2026-12-24', undefined, '2026-12-24 23:59 UTC'],
    ['2026-12-24', 'Mars/Base', '2026-12-24 23:59 UTC'],
    ['2026-12-24 18:30 UTC', 'Europe/Berlin', '2026-12-24 18:30 UTC'],
    ['3d', 'Europe/Berlin', '3d'],
    ['soon', 'Europe/Berlin', 'soon'],
  ])('a clone’s end %s, typed in %s, is %s', (text, zone, moment) => {
    expect(inOwnZone(text, zone)).toBe(moment);
  });

  test('each time that is offered for keeping a clone can be read, and is written as it was', () => {
    for (const { text } of usualTimes) {
      const keep = readKeepFor(text);
      expect(keep?.type === 'for' ? writeDuration(keep.milliseconds) : 'none').toBe(text);
    }
    expect(readKeepFor(writeMoment(now))).toEqual({ type: 'until', at: now });
    expect(readKeepFor(writeMoment(null))).toEqual({ type: 'none' });
  });
});
