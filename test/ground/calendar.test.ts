import { describe, expect, it } from 'vitest';
import { type Calendar, calendarFault, intervals, nextRun, type Rhythm } from '../../src/ground/calendar.ts';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { localMinutes, runsIn } from './localMinutes.ts';

/** Zones of both hemispheres: with a change at 1, 2, 3 and 24 o’clock, into the next day, by half an hour, by two, by none, and off the full hour. */
const zones = [
  'Europe/Berlin',
  'Europe/London',
  'America/New_York',
  'America/Santiago',
  'America/Nuuk',
  'Atlantic/Azores',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Australia/Sydney',
  'Australia/Lord_Howe',
  'Pacific/Auckland',
  'Pacific/Chatham',
  'Antarctica/Troll',
  'UTC',
];

function runs(calendar: Calendar, from: string, count: number): string[] {
  const times: string[] = [];
  let time = Date.parse(from);
  while (times.length < count) {
    time = nextRun(calendar, time) ?? Number.NaN;
    times.push(new Date(time).toISOString().slice(0, 16));
  }
  return times;
}

/** Rhythms that have the same times on each day. */
const ofEachDay = [
  ...['00:00', '00:30', '01:00', '02:30', '03:00', '23:30'].map(at => ({ every: 'day', at }) as const),
  ...intervals.filter(minutes => minutes > 15).map(minutes => ({ every: 'minutes', minutes, at: '02:20' }) as const),
  ...([120, 180, 720] as const).map(minutes => ({ every: 'minutes', minutes, at: '00:00' }) as const),
];

const daily = (at: string): Rhythm => ({ every: 'day', at });

describe('a change of daylight saving', () => {
  it.each([
    ['Europe/Berlin', '02:30', '2027-03-26T12:00Z', ['2027-03-27T01:30', '2027-03-28T01:00', '2027-03-29T00:30']],
    ['Europe/Berlin', '02:30', '2026-10-23T12:00Z', ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']],
    ['America/New_York', '02:00', '2027-03-12T12:00Z', ['2027-03-13T07:00', '2027-03-14T07:00', '2027-03-15T06:00']],
    ['Australia/Sydney', '02:30', '2026-10-02T00:00Z', ['2026-10-02T16:30', '2026-10-03T16:00', '2026-10-04T15:30']],
    ['Australia/Sydney', '02:30', '2027-04-02T00:00Z', ['2027-04-02T15:30', '2027-04-03T15:30', '2027-04-04T16:30']],
    ['Africa/Cairo', '00:30', '2026-04-22T23:00Z', ['2026-04-23T22:00', '2026-04-24T21:30', '2026-04-25T21:30']],
  ])('a change of daylight saving in %s leaves one run at %s a day', (zone, at, from, expected) => {
    expect(runs({ rhythm: daily(at), zone }, from, 3)).toEqual(expected);
  });

  it.each(zones)('each rhythm in %s runs once at each of its times around a change of daylight saving', zone => {
    const wallClock = (time: number) => new Date(time).toLocaleString('sv', { timeZone: zone });
    const noons = Array.from({ length: 365 }, (_, index) => Date.parse('2026-01-02T12:00Z') + index * day);
    const changes = noons.filter(noon => wallClock(noon).slice(11) !== wallClock(noon - day).slice(11));
    for (const change of changes.length > 0 ? changes : noons.slice(0, 1)) {
      const minutes = localMinutes(zone, change - day / 2);
      const [from = 0, to = 0] = [minutes[0]?.[0], minutes.at(-1)?.[0]].map(moment => (moment ?? 0) * minute);
      for (const rhythm of ofEachDay) {
        const times: number[] = [];
        for (let time = nextRun({ rhythm, zone }, from - 1); time !== undefined && time <= to; ) {
          times.push(time);
          time = nextRun({ rhythm, zone }, time);
        }
        expect(times, `${JSON.stringify(rhythm)} around ${wallClock(change)}`).toEqual(runsIn(minutes, rhythm));
      }
    }
  });

  it('a cron line keeps its order of times over a change of daylight saving', () => {
    const rhythm: Rhythm = { every: 'cron', cron: '50 1,2 * * *' };
    expect(calendarFault({ rhythm, zone: 'Europe/Berlin' }, Date.parse('2027-03-20T12:00Z'))).toBeUndefined();
    expect(runs({ rhythm, zone: 'Europe/Berlin' }, '2027-03-28T00:00Z', 3)).toEqual([
      '2027-03-28T00:50',
      '2027-03-28T01:00',
      '2027-03-28T23:50',
    ]);
  });

  it('a change of daylight saving moves an interval by its own hour only', () => {
    const calendar: Calendar = { rhythm: { every: 'minutes', minutes: 360, at: '02:00' }, zone: 'Europe/Berlin' };
    expect(runs(calendar, '2026-10-24T10:00Z', 5)).toEqual([
      '2026-10-24T12:00',
      '2026-10-24T18:00',
      '2026-10-25T00:00',
      '2026-10-25T07:00',
      '2026-10-25T13:00',
    ]);
  });
});

it('an hourly rhythm runs each hour of a day of 25 hours', () => {
  const calendar: Calendar = { rhythm: { every: 'minutes', minutes: 60, at: '00:15' }, zone: 'Europe/Berlin' };
  expect(runs(calendar, '2026-10-24T23:50Z', 3)).toEqual(['2026-10-25T00:15', '2026-10-25T01:15', '2026-10-25T02:15']);
});

describe('a cron line that runs in every hour, however that is written,', () => {
  const line = (hours: string, minutes = '0', days = '* * *'): Calendar => ({
    rhythm: { every: 'cron', cron: `${minutes} ${hours} ${days}` },
    zone: 'Europe/Berlin',
  });
  const every = [
    '*/1',
    '?',
    '0-23',
    '0-23/1',
    '0-11,12-23',
    '*/2,1-23/2',
    Array.from({ length: 24 }, (_, at) => at).join(),
  ];

  it.each(every)('a cron line for every hour runs in both passes of an hour that is repeated: %s', hours => {
    for (const from of ['2026-10-24T22:30Z', '2027-03-27T22:30Z'])
      for (const [minutes, days] of [['0'], ['*/20'], ['30', '* * 0'], ['5', '25 * *']] as const)
        expect(runs(line(hours, minutes, days), from, 9)).toEqual(runs(line('*', minutes, days), from, 9));
    expect(runs(line(hours), '2026-10-24T23:30Z', 3)).toEqual([
      '2026-10-25T00:00',
      '2026-10-25T01:00',
      '2026-10-25T02:00',
    ]);
  });

  it.each(['*/2', '0-22', '1-23', '2', '*/23'])(
    'a cron line that leaves an hour out runs once in an hour that is repeated: %s',
    hours => {
      const times = runs(line(hours), '2026-10-24T21:59Z', 6);
      expect(
        new Set(times.map(time => new Date(`${time}Z`).toLocaleString('sv', { timeZone: 'Europe/Berlin' }))).size,
      ).toBe(6);
    },
  );
});

describe('a month', () => {
  it('a monthly rhythm runs on the last day of a month that is too short', () => {
    const calendar: Calendar = { rhythm: { every: 'month', on: 30, at: '23:00' }, zone: 'Asia/Kolkata' };
    expect(runs(calendar, '2027-12-31T00:00Z', 4)).toEqual([
      '2028-01-30T17:30',
      '2028-02-29T17:30',
      '2028-03-30T17:30',
      '2028-04-30T17:30',
    ]);
  });

  it('a monthly rhythm runs once in each month, on whichever day', () => {
    for (let on = 1; on <= 31; on++) {
      const times = runs({ rhythm: { every: 'month', on, at: '12:00' }, zone: 'UTC' }, '2027-01-01T00:00Z', 12);
      expect(
        times.map(time => time.slice(0, 7)),
        `on=${on}`,
      ).toEqual(Array.from({ length: 12 }, (_, index) => `2027-${String(index + 1).padStart(2, '0')}`));
    }
  });
});

it.each(intervals)('an interval of %i minutes meets its time each day, and keeps its distance', minutes => {
  const calendar: Calendar = { rhythm: { every: 'minutes', minutes, at: '01:20' }, zone: 'UTC' };
  const times = runs(calendar, '2026-11-22T00:00Z', (2 * day) / (minutes * minute));
  expect(times).toContain('2026-11-22T01:20');
  expect(times).toContain('2026-11-23T01:20');
  const gaps = times.slice(1).map((time, at) => Date.parse(`${time}Z`) - Date.parse(`${times[at]}Z`));
  expect(new Set(gaps)).toEqual(new Set([minutes * minute]));
});

it('a weekly rhythm runs on the chosen days of the week', () => {
  const rhythm: Rhythm = { every: 'week', days: ['mon', 'wed'], at: '02:00' };
  expect(runs({ rhythm, zone: 'America/New_York' }, '2026-11-22T00:00Z', 3)).toEqual([
    '2026-11-23T07:00',
    '2026-11-25T07:00',
    '2026-11-30T07:00',
  ]);
});

describe('a cron line', () => {
  const faultOf = (cron: string) => calendarFault({ rhythm: { every: 'cron', cron }, zone: 'UTC' }, 24 * hour);

  it.each([
    '0 22-23,0-4 * * *',
    '0 2 * * sat,sun-mon',
    '0 2 * * 6-7',
    '0 2 * * 1-5',
    '*/15 * * * *',
    '0 0 L * *',
    '30 6 1,15 * *',
  ])('the cron line %s is accepted', cron => {
    expect(faultOf(cron)).toBeUndefined();
  });

  it.each([
    ['0 2 30 2 *', 'never runs'],
    ['*/5 * * * *', 'at most every 15 minutes'],
    ['0,10 2 * * *', 'at most every 15 minutes'],
    ['* * * * * *', 'is not a cron line'],
    ['@daily', 'is not a cron line'],
    ['2099-01-01T00:00', 'is not a cron line'],
    ['tomorrow', 'is not a cron line'],
    ['', 'is not a cron line'],
    ['0 0 2 * * 1', 'is not a cron line'],
    ['0 22-4 * * *', '22-4 goes backwards in the field for the hour. Write 22-23,0-4.'],
    ['0 1,20-2,9 * * *', '20-2 goes backwards in the field for the hour. Write 20-23,0-2.'],
    ['0 23-1 * * *', 'Write 23,0-1.'],
    ['0 22-4/3 * * *', 'Write 22,1,4.'],
    ['50-10/20 * * * *', 'Write 50,10.'],
    ['0 2 28-3 * *', 'Write 28-31,1-3.'],
    ['0 2 * nov-feb *', 'nov-feb goes backwards in the field for the month. Write nov-dec,jan-feb.'],
    ['0 2 * * Sat-Mon', 'Sat-Mon goes backwards in the field for the day of the week. Write sat,sun-mon.'],
    ['0 24 * * *', '24 is not a valid hour. It goes from 0 to 23.'],
    ['61 2 * * *', '61 is not a valid minute. It goes from 0 to 59.'],
    ['0 2 * 13 *', '13 is not a valid month. It goes from 1 to 12.'],
    ['0 2 * * 8', '8 is not a valid day of the week. It goes from 0 to 7.'],
    ['0 2 * * 5-9', '9 is not a valid day of the week. It goes from 0 to 7.'],
    ['0 2 * * 7-9', '9 is not a valid day of the week.'],
    ['0 2 * * 7-2', '7-2 goes backwards in the field for the day of the week. Write 0-2.'],
    ['0 2 * * 5-2', 'Write 5-6,0-2.'],
    ['0 5/2 * * *', 'Write 5-23/2 for the hour.'],
    ['0 2 * * caturday', '“caturday” is not a valid day of the week.'],
    ['0 9-17/0 * * *', '“9-17/0” is not a valid hour.'],
  ])('the cron line %j is refused with the words: %s', (cron, words) => {
    expect(faultOf(cron)).toContain(words);
  });
});
