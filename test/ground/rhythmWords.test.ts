import { describe, expect, it } from 'vitest';
import type { Rhythm } from '../../src/ground/calendar.ts';
import { readRhythm, sayRhythm, writeRhythm } from '../../src/ground/rhythmWords.ts';

const where = { zone: 'Europe/Berlin', now: Date.parse('2026-11-22T12:00Z') };

describe('a rhythm', () => {
  it.each<[Parameters<typeof readRhythm>[0], Rhythm, string]>([
    [{ every: 'day', at: '02:00' }, { every: 'day', at: '02:00' }, 'every day at 02:00'],
    [{ every: 'Daily', at: '2am' }, { every: 'day', at: '02:00' }, 'every day at 02:00'],
    [{ every: 'day', at: '12am' }, { every: 'day', at: '00:00' }, 'every day at 00:00'],
    [{ every: 'day', at: '2:30 PM' }, { every: 'day', at: '14:30' }, 'every day at 14:30'],
    [
      { every: 'mon,wed', at: '2:00' },
      { every: 'week', days: ['mon', 'wed'], at: '02:00' },
      'every Monday and Wednesday at 02:00',
    ],
    [{ every: 'Mondays', at: '02:00' }, { every: 'week', days: ['mon'], at: '02:00' }, 'every Monday at 02:00'],
    [
      { every: 'weekdays', at: '02:00' },
      { every: 'week', days: ['mon', 'tue', 'wed', 'thu', 'fri'], at: '02:00' },
      'every weekday at 02:00',
    ],
    [{ every: 'weekdays,weekend', at: '02:00' }, { every: 'day', at: '02:00' }, 'every day at 02:00'],
    [{ every: '6h' }, { every: 'minutes', minutes: 360, at: '00:00' }, 'every 6 hours'],
    [{ every: '6 hours', at: '02:00' }, { every: 'minutes', minutes: 360, at: '02:00' }, 'every 6 hours, from 02:00'],
    [{ every: '6h', at: '18:30' }, { every: 'minutes', minutes: 360, at: '18:30' }, 'every 6 hours, from 00:30'],
    [{ every: '8h', at: '16:00' }, { every: 'minutes', minutes: 480, at: '16:00' }, 'every 8 hours'],
    [{ every: '30m' }, { every: 'minutes', minutes: 30, at: '00:00' }, 'every 30 minutes'],
    [{ every: 'hour' }, { every: 'minutes', minutes: 60, at: '00:00' }, 'every hour'],
    [
      { every: 'month', on: '1', at: '02:00' },
      { every: 'month', on: 1, at: '02:00' },
      'on the 1st of every month at 02:00',
    ],
    [
      { every: 'month', on: '22', at: '02:00' },
      { every: 'month', on: 22, at: '02:00' },
      'on the 22nd of every month at 02:00',
    ],
    [
      { every: 'month', on: 'last', at: '02:00' },
      { every: 'month', on: 31, at: '02:00' },
      'on the last day of every month at 02:00',
    ],
    [{ cron: ' 0 2  * * 1-5' }, { every: 'cron', cron: '0 2 * * 1-5' }, 'by the cron line 0 2 * * 1-5'],
  ])('the rhythm %o is read, said, and written so that it is read again', (words, rhythm, sentence) => {
    expect(readRhythm(words, where)).toEqual({ rhythm });
    expect(sayRhythm(rhythm)).toBe(sentence);
    expect(readRhythm(writeRhythm(rhythm), where)).toEqual({ rhythm });
  });

  it.each([
    [{}, 'Type every=day'],
    [{ every: 'day' }, 'Say at what time'],
    [{ every: 'day', at: '25:00' }, '“25:00” is not a time'],
    [{ every: 'day', at: '13pm' }, '“13pm” is not a time'],
    [{ every: 'day', at: '0am' }, '“0am” is not a time'],
    [{ every: 'day', at: '2' }, '“2” is not a time'],
    [{ every: 'day', at: '02:60' }, '“02:60” is not a time'],
    [{ every: 'mon,xyz', at: '02:00' }, 'I do not know the rhythm “mon,xyz”'],
    [{ every: 'mo', at: '02:00' }, 'I do not know the rhythm “mo”'],
    [{ every: 'month', at: '02:00' }, 'Say on which day'],
    [{ every: 'month', on: '32', at: '02:00' }, 'Say on which day'],
    [{ every: 'mon', on: '1', at: '02:00' }, 'use it only with every=month'],
    [{ every: '5h' }, 'divides a day'],
    [{ every: '1m' }, 'divides a day'],
    [{ every: '36h' }, 'divides a day'],
    [{ every: 'day', cron: '0 2 * * *' }, 'leave out every='],
    [{ cron: '0 2 30 2 *' }, 'never runs'],
  ])('the faulty rhythm %o gets the sentence: %s', (words, sentence) => {
    expect(readRhythm(words, where)).toEqual({ fault: expect.stringContaining(sentence) });
  });
});
