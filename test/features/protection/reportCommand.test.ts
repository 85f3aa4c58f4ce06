import { expect, test } from 'vitest';
import { readReport } from '../../../src/features/protection/reportCommand.ts';
import { readCommand } from '../../../src/slack/words/commandText.ts';

const read = (text: string) => readReport(readCommand(text), { zone: 'Europe/Berlin', now: 0 });

test.each([
  ['daily at=08:30', { rhythm: { every: 'day', at: '08:30' }, words: '', only: 'all', zone: 'Europe/Berlin' }],
  ['daily at=8am prod shop only=wrong', { rhythm: { every: 'day', at: '08:00' }, words: 'prod shop', only: 'wrong' }],
  ['weekly AT=08:30', { rhythm: { every: 'week', days: ['mon'], at: '08:30' } }],
  ['Weekly on=fri at=17:00 zone=utc', { rhythm: { every: 'week', days: ['fri'], at: '17:00' }, zone: 'UTC' }],
])('a command for a report is read: %s', (text, expected) => {
  expect(read(text)).toMatchObject(expected);
});

test.each([
  ['daily', 'Say at what time: at=08:30.'],
  ['daily at=25:00', '“25:00” is not a time of day.'],
  ['daily at=08:30 on=mon', 'on= names the day of a weekly report, such as on=mon.'],
  ['weekly on=someday at=08:30', 'I do not know the rhythm “someday”.'],
  ['daily at=08:30 only=good', 'Type only=wrong'],
  ['daily at=08:30 zone=Nowhere', 'I do not know the time zone “Nowhere”.'],
])('a command for a report that is faulty is told what is wrong: %s', (text, expected) => {
  expect(read(text)).toMatchObject({ fault: expect.stringContaining(expected) });
});
