import { expect, test } from 'vitest';
import { hasRhythm, readScheduleWords, writeScheduleWords } from '../../../src/features/schedules/scheduleWords.ts';
import { readCommand } from '../../../src/slack/words/commandText.ts';

const read = (text: string) => readScheduleWords(readCommand(text));

test('a typed schedule is split into its command and the words of its times', () => {
  expect(read('schedule backup shop every=mon,wed AT=02:00 zone=Europe/Berlin tells=Failures as=service')).toEqual({
    command: { words: ['backup', 'shop'], inputs: {} },
    rhythm: { every: 'mon,wed', at: '02:00' },
    zone: 'Europe/Berlin',
    tells: 'failures',
    runsAs: 'service',
  });
  expect(read('schedule renew shop-3310 port=3311 every=month on=1 at=2am')).toEqual({
    command: { words: ['renew', 'shop-3310'], inputs: { port: '3311' } },
    rhythm: { every: 'month', at: '2am', on: '1' },
  });
});

test('a schedule written as a command is read back the same, also a cron line with its blanks', () => {
  for (const line of [
    'schedule backup shop every=day at=02:00 zone=Asia/Kolkata',
    'schedule backup "the shop" cron="0 2 * * 1-5" as=me',
    'schedule env refresh dev every=6h tells=all',
  ]) {
    const words = read(line);
    if ('fault' in words) throw new Error(words.fault);
    expect(hasRhythm(words)).toBe(true);
    expect(read(writeScheduleWords(words))).toEqual(words);
  }
});

test('a typed schedule without a rhythm is read as one that lacks it', () => {
  const words = read('schedule backup shop at=02:00');
  expect(!('fault' in words) && hasRhythm(words)).toBe(false);
});

test.each([
  ['schedule backup shop every day at 2am', { every: 'day', at: '2am' }],
  ['schedule backup shop every mon and wed at 02:00', { every: 'mon,wed', at: '02:00' }],
  ['schedule backup shop every month on the 1st at 02:00', { every: 'month', at: '02:00', on: '1' }],
  ['schedule backup shop daily at 02:00', { every: 'daily', at: '02:00' }],
])('the typed “%s” is not read as a name: the command that was meant is offered', (line, inputs) => {
  expect(read(line)).toMatchObject({ meant: { words: ['backup', 'shop'], inputs } });
});

test.each([
  ['schedule backup shop every=day at=02:00 tells=nobody', 'tells=all or tells=failures'],
  ['schedule backup shop every=day at=02:00 as=root', 'as=me or as=service'],
])('the typed “%s” gets one sentence that says what to type', (line, words) => {
  expect(read(line)).toMatchObject({ fault: expect.stringContaining(words) });
});
