import { expect, test } from 'vitest';
import { scheduleDraft } from '../../../src/features/schedules/form/openSchedule.ts';
import { rhythmFields, rhythmInFields } from '../../../src/features/schedules/form/rhythmFields.ts';
import { readScheduleForm, redrawnDraft } from '../../../src/features/schedules/form/scheduleDraft.ts';
import { scheduleForm } from '../../../src/features/schedules/form/scheduleForm.ts';
import type { Rhythm } from '../../../src/ground/calendar.ts';
import { statefulElements, stateValues, untouchedState } from '../../../src/sandbox/playground/elements.ts';
import { inputErrors } from '../../../src/sandbox/playground/inputs.ts';

const now = Date.UTC(2026, 10, 23);
const zone = 'Europe/Berlin';
const work = { o: 'database.backup', i: { database: 'MYSQL_LIVE_SERVER-1' }, l: { 'MYSQL_LIVE_SERVER-1': 'shop' } };
const account = { username: 'dolly' };
const draftOf = (rhythm?: Rhythm) => scheduleDraft({ account }, 'C1', { work, zone, rhythm });

/** The form as Slack sends it back when nobody touched it. */
function untouched(draft: ReturnType<typeof draftOf>) {
  const view = scheduleForm(draft, now);
  const reported: Record<string, Record<string, unknown>> = {};
  for (const { blockId, actionId, element } of statefulElements(view.blocks))
    reported[blockId] = { ...reported[blockId], [actionId]: untouchedState(element) };
  const values = stateValues(view.blocks, reported);
  expect(inputErrors(view.blocks, values)).toEqual({});
  return { private_metadata: view.private_metadata, state: { values } };
}

const rhythms: readonly Rhythm[] = [
  { every: 'day', at: '02:00' },
  { every: 'week', days: ['mon', 'thu'], at: '23:30' },
  { every: 'month', on: 31, at: '00:00' },
  { every: 'month', on: 5, at: '12:00' },
  { every: 'minutes', minutes: 15, at: '00:00' },
  { every: 'minutes', minutes: 360, at: '02:00' },
  { every: 'cron', cron: '0 2 * * 1-5' },
];

test.each(rhythms)('a schedule’s form with the rhythm %j brings the same rhythm back', rhythm => {
  const draft = draftOf(rhythm);
  const read = readScheduleForm(untouched(draft));
  expect(read).toMatchObject({ work, zone, place: 'C1', channel: 'C1', tells: 'all', runsAs: 'owner' });
  expect(read && rhythmInFields(read.rhythm, { zone, now })).toEqual({ rhythm });
});

test('a schedule’s form asks for the fields of another way to repeat, which are filled in', () => {
  const read = readScheduleForm(untouched(draftOf({ every: 'cron', cron: '0 2 * * *' })));
  for (const kind of ['days', 'month', 'interval'] as const) {
    const redrawn = read && redrawnDraft({ ...read, rhythm: { ...read.rhythm, kind } });
    const again = redrawn && readScheduleForm(untouched(redrawn));
    expect(again && rhythmInFields(again.rhythm, { zone, now })).toHaveProperty('rhythm');
  }
});

test.each([
  [{ days: [] }, 'days', 'Choose at least one day.'],
  [{ at: '' }, 'at', 'Choose a time.'],
  [{ kind: 'cron', cron: '' }, 'cron', 'Write five fields'],
  [{ kind: 'cron', cron: '* * * * *' }, 'cron', 'at most every 15 minutes'],
  [{ kind: 'cron', cron: '0 0 30 2 *' }, 'cron', 'never runs'],
] as const)('a schedule’s form with %j gets one sentence at its field', (change, block, words) => {
  const fields = { ...rhythmFields(undefined), ...change };
  expect(rhythmInFields(fields, { zone, now })).toMatchObject({ block, fault: expect.stringContaining(words) });
});

test('a schedule’s form offers a choice of sign-in only where there is a service account', () => {
  const blocks = (configured: typeof account | undefined) =>
    JSON.stringify(scheduleForm(scheduleDraft({ account: configured }, 'C1', { work, zone }), now).blocks);
  expect(blocks(account)).toContain('The service account');
  expect(blocks(undefined)).not.toContain('The service account');
});

test.each([
  [{ username: 'ana', until: now + 8 * 3_600_000 }, account, /your sign-in as `ana`, which lasts <!date\^\d+\^until /],
  [
    { username: 'ana', until: undefined },
    account,
    /your sign-in as `ana`\. When that ends, it waits until you sign in again/,
  ],
  [undefined, account, /your sign-in, once you are signed in\..*With the service account it goes on without you/],
  [{ username: 'ana', until: undefined }, undefined, /My operator can set up a service account/],
])(
  'a schedule’s form says whose sign-in runs it, and until when as far as that is told: %j',
  (signIn, configured, words) => {
    const draft = scheduleDraft({ account: configured }, 'C1', { work, zone, signIn });
    expect(JSON.stringify(scheduleForm(draft, now).blocks)).toMatch(words);
    // What the form carries brings it back, also where it is drawn anew.
    const read = readScheduleForm(untouched(draft));
    expect(read?.signIn).toEqual(signIn && { ...signIn });
  },
);

test('a schedule’s form says the time zone, and the work in words', () => {
  const text = JSON.stringify(scheduleForm(draftOf(), now).blocks);
  expect(text).toContain('When should I back up *shop*?');
  expect(text).toContain('*Europe/Berlin, UTC+1*');
});

test('a schedule’s form whose values are too long for Slack is a note that says so', () => {
  const long = { ...work, i: { ...work.i, note: 'x'.repeat(3_000) } };
  const view = scheduleForm(scheduleDraft({ account }, 'C1', { work: long, zone }), now);
  expect(JSON.stringify(view.blocks)).toContain('too long for this form');
  expect(view.submit).toBeUndefined();
});

test('a schedule’s form of another release is not read', () => {
  expect(readScheduleForm({ private_metadata: '{}', state: { values: {} } })).toBeUndefined();
});
