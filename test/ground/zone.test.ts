import { expect, test } from 'vitest';
import { readZone, sayZone, zoneOrUtc } from '../../src/ground/zone.ts';

test.each([
  ['europe/berlin', 'Europe/Berlin'],
  ['utc', 'UTC'],
  ['Asia/Calcutta', expect.stringMatching(/^Asia\/(Calcutta|Kolkata)$/)],
  ['Etc/GMT-2', 'Etc/GMT-2'],
  ['Etc/GMT+11', 'Etc/GMT+11'],
  ['etc/gmt-14', 'etc/gmt-14'],
  ['US/Eastern', 'US/Eastern'],
])('the typed %s is read as a time zone', (typed, zone) => {
  expect(readZone(typed)).toEqual({ zone });
});

test.each([
  ['Berlin', 'Did you mean zone=Europe/Berlin?'],
  ['New York', 'Did you mean zone=America/New_York?'],
  ['Europe/Berln', 'Did you mean zone=Europe/Berlin?'],
  ['+02:00', 'Type one such as'],
  ['<!channel>', 'Type one such as'],
])('the typed %s is no time zone, and the sentence says what to type', (typed, hint) => {
  expect(readZone(typed)).toMatchObject({ fault: expect.stringContaining(hint) });
});

test.each([
  'EST',
  'ist',
  'MST',
  'MSK',
  'CST',
  'BST',
  'CEST',
  'AEST',
  'PT',
  'india',
  'Europe',
  'Pacific',
  'Etc/GMT-15',
  'GMT+2',
  'Eastern',
  'Europe/Munich',
  'America/Boston',
  'Asia/Mumbai',
  'Asia/Delhi',
  'America/Virginia',
  'Pacific/Time',
  'Granada',
  'Europe/Frankfurt',
  'America/San_Francisco',
  'Asia/Bangalore',
  'America/Texas',
  'Europe/Geneva',
  'Western',
  'Central',
  'Mountain',
  'Cancer',
  'Melborn',
])('the typed %s is not read as a time zone', typed => {
  const read = readZone(typed);
  expect(read).toMatchObject({ fault: expect.stringContaining('I do not know the time zone') });
});

test('a misspelt time zone gets a sentence that names the right one', () => {
  for (const [typed, zone] of [
    ['Berln', 'Europe/Berlin'],
    ['new yrk', 'America/New_York'],
    ['Asia/Tokio', 'Asia/Tokyo'],
    ['Rome', 'Europe/Rome'],
    ['Europe/Brelin', 'Europe/Berlin'],
    ['Eurpoe/Berlin', 'Europe/Berlin'],
    ['US/Chicago', 'America/Chicago'],
    ['America/Sao Paolo', 'America/Sao_Paulo'],
    ['Lodnon', 'Europe/London'],
  ] as const)
    expect(readZone(typed)).toMatchObject({ fault: expect.stringContaining(`Did you mean zone=${zone}?`) });
});

test('a time zone is said with its distance from UTC, and an unknown one is UTC', () => {
  expect(sayZone('Europe/Berlin', Date.UTC(2026, 6, 1))).toBe('Europe/Berlin, UTC+2');
  expect(sayZone('Asia/Kolkata', 0)).toMatch(/UTC\+5:30$/);
  expect(sayZone('Etc/GMT-2', 0)).toBe('Etc/GMT-2, UTC+2');
  expect(zoneOrUtc('Mars/Base')).toBe('UTC');
  expect(zoneOrUtc(undefined)).toBe('UTC');
});
