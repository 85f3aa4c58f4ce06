import { type Calendar, intervals, type Rhythm, type Weekday, weekdays } from '../../../ground/calendar.ts';
import { type RhythmWords, readRhythm, writeRhythm } from '../../../ground/rhythmWords.ts';

/* A rhythm as the fields of a form, and back. */

/** The ways to repeat something, each with fields of its own. */
export const rhythmKinds = ['days', 'month', 'interval', 'cron'] as const;
export type RhythmKind = (typeof rhythmKinds)[number];

/** The fields of a rhythm. Each is a text as the form has it; those of other ways keep what was there before. */
export type RhythmFields = Readonly<{
  kind: RhythmKind;
  days: readonly Weekday[];
  /** The day of the month, from 1 to 30, or `last`. */
  day: string;
  /** Minutes. */
  interval: string;
  cron: string;
  /** `HH:MM`, or empty. */
  at: string;
}>;

/** A form that nobody has filled in: each day at two in the night. */
const blankRhythm: RhythmFields = { kind: 'days', days: weekdays, day: '1', interval: '360', cron: '', at: '02:00' };

/** The fields that show a rhythm. */
export function rhythmFields(rhythm: Rhythm | undefined): RhythmFields {
  switch (rhythm?.every) {
    case undefined:
      return blankRhythm;
    case 'day':
      return { ...blankRhythm, at: rhythm.at };
    case 'week':
      return { ...blankRhythm, days: rhythm.days, at: rhythm.at };
    case 'month':
      return { ...blankRhythm, kind: 'month', day: rhythm.on === 31 ? 'last' : String(rhythm.on), at: rhythm.at };
    case 'minutes':
      return { ...blankRhythm, kind: 'interval', interval: String(rhythm.minutes), at: rhythm.at };
    case 'cron':
      return { ...blankRhythm, kind: 'cron', cron: rhythm.cron };
  }
}

/** The rhythm that the fields say, or a sentence and the block where it belongs. */
export function rhythmInFields(
  fields: RhythmFields,
  { zone, now }: Pick<Calendar, 'zone'> & Readonly<{ now: number }>,
): Readonly<{ rhythm: Rhythm }> | Readonly<{ block: string; fault: string }> {
  const { kind, days, at } = fields;
  if (kind === 'days' && days.length === 0) return { block: 'days', fault: 'Choose at least one day.' };
  if (kind === 'cron' && fields.cron.trim() === '')
    return { block: 'cron', fault: 'Write five fields: minute, hour, day of the month, month, day of the week.' };
  if (kind !== 'cron' && kind !== 'interval' && at === '') return { block: 'at', fault: 'Choose a time.' };
  const read = readRhythm(wordsOf(fields), { zone, now });
  return 'fault' in read ? { block: kind === 'cron' ? 'cron' : 'at', fault: read.fault } : read;
}

function wordsOf({ kind, days, day, interval, cron, at }: RhythmFields): RhythmWords {
  const minutes = intervals.find(known => String(known) === interval) ?? 360;
  const words: Readonly<Record<RhythmKind, RhythmWords>> = {
    days: { every: days.join(','), at },
    month: { every: 'month', on: day, at },
    interval: writeRhythm({ every: 'minutes', minutes, at: at || '00:00' }),
    cron: { cron },
  };
  return words[kind];
}
