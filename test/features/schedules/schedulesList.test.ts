import { expect, test } from 'vitest';
import { jobOfRun, requestOfRun } from '../../../src/features/schedules/run/scheduleRun.ts';
import { requestOfSchedule } from '../../../src/features/schedules/scheduleApproval.ts';
import { faultToType } from '../../../src/features/schedules/scheduleLines.ts';
import { scheduleMessage } from '../../../src/features/schedules/scheduleMessages.ts';
import { schedulesList } from '../../../src/features/schedules/schedulesList.ts';
import { pagesInFull, requestInFull } from '../../../src/slack/messages/approval/shownInFull.ts';
import { jobCard } from '../../../src/slack/messages/jobMessage.ts';
import { newRow } from '../../../src/store/jobs/rows/encode.ts';
import { approval } from '../../jobs/jobIn.ts';
import { job } from '../../jobs/rows.ts';
import { textOf } from '../../person.ts';
import { aSchedule } from './aSchedule.ts';

const hostile = '<!channel> <https://evil.example|click> *bold* `code` \u202e';
const names = { db: '/db', clone: '/clone', restore: '/restore' };
const reader = { person: 'U1', isApprover: false, words: [], names, links: new Map([['j1', 'https://x.slack.com/a']]) };
const buttonsIn = (content: ReturnType<typeof schedulesList>) =>
  content.blocks.flatMap(block =>
    block.type === 'actions' ? block.elements.flatMap(one => (one.type === 'button' ? [one.text.text] : [])) : [],
  );

test('the list of schedules says each one’s work, times, next run, and last run with its message', () => {
  const last = { lastAt: Date.UTC(2026, 10, 22, 1), lastJob: 'j1', lastOutcome: 'confirmed' };
  const { text } = schedulesList([aSchedule(last)], reader);
  const shown = textOf(schedulesList([aSchedule(last)], reader).blocks);
  expect(shown).toContain('*Backup of shop* · every day at 02:00 (Europe/Berlin)');
  expect(shown).toContain('<!date^1795395600^next {date_short_pretty} {time}');
  expect(shown).toContain('<https://x.slack.com/a|confirmed>');
  expect(shown).toContain('yours');
  expect(text).not.toBe('');
});

test.each([
  ['on', 'U1', false, ['Run now', 'Pause', 'Change…', 'Delete…']],
  ['paused', 'U1', false, ['Run now', 'Resume', 'Change…', 'Delete…']],
  ['waiting', 'U1', false, ['Change…', 'Delete…']],
  ['on', 'U2', true, ['Pause', 'Take over', 'Delete…']],
  ['on', 'U2', false, []],
] as const)('the buttons of a schedule that is %s, for %s (an approver: %s)', (state, person, isApprover, buttons) => {
  const list = schedulesList([aSchedule({ state })], { ...reader, person, isApprover });
  expect(buttonsIn(list)).toEqual([...buttons, 'New schedule…']);
});

test('words find schedules by their name, work or state', () => {
  const all = [aSchedule(), aSchedule({ id: 's2', targetName: 'crm', state: 'paused', reason: 'Three runs failed.' })];
  const found = (...words: string[]) => textOf(schedulesList(all, { ...reader, words }).blocks);
  expect(found('CRM')).toContain('*1 schedule*');
  expect(found('backup')).toContain('*2 schedules*');
  expect(found('paused')).toContain('paused: Three runs failed');
  expect(found('nothing')).toContain('You can see no schedule with nothing');
});

test('a long list of schedules stays within Slack’s limits, and says how many more there are', () => {
  const many = Array.from({ length: 300 }, (_, at) => aSchedule({ id: `s${at}`, targetName: `${hostile}${at}` }));
  const list = schedulesList(many, reader);
  expect(list.blocks.length).toBeLessThanOrEqual(50);
  expect(textOf(list.blocks)).toContain('… and 280 more');
  expect(list.text).not.toMatch(/<!channel|<https:\/\/evil/);
});

const told = [
  'failing',
  'trouble',
  'paused',
  'signed out',
  'owner left',
  'skipped',
  'missed',
  'changed',
  'daily',
] as const;

test.each(told)('a schedule’s message that tells “%s” carries hostile names as text', what => {
  const data = { what, schedule: 's1', revision: 2, operation: 'database.backup', target: 'X', targetName: hostile };
  const more = { person: 'U1', rhythm: JSON.stringify({ every: 'day', at: '02:00' }), why: hostile, by: 'U2' };
  for (const outcome of [null, hostile, JSON.stringify({ by: 'U2', did: 'paused' })]) {
    const isText = (key: string, value: unknown) => (key === 'accessibility_label' ? undefined : value);
    const text = JSON.stringify(scheduleMessage({ ...data, ...more, did: 'paused' }, outcome), isText);
    expect(text).not.toMatch(/<!channel|<https|\u202e/);
    expect(text).not.toContain('undefined');
  }
});

test('the daily line counts the scheduled runs that went well, and those that did not', () => {
  const counts = { well: 11, unshown: 3, unconfirmed: 1, failed: 1, open: 0, left: 2 };
  const text = scheduleMessage({ what: 'daily', counts, until: Date.UTC(2026, 10, 23, 8) }, null)?.text;
  expect(text).toContain('11 of the scheduled runs went well');
  expect(text).toContain('1 failed · 1 unconfirmed · 3 finished, not confirmed · 2 skipped');
  expect(scheduleMessage({ what: 'of another release' }, null)).toBeUndefined();
});

test.each([
  [{ well: 2, open: 1 }, ':white_check_mark: 2 of the scheduled runs went well · 1 still under way.'],
  [{ open: 2 }, ':hourglass_flowing_sand: None of the scheduled runs went well yet · 2 still under way.'],
  [
    { unshown: 2 },
    ':checkered_flag: None of the scheduled runs is known to have gone well · 2 finished, not confirmed.',
  ],
  [{ failed: 2 }, ':warning: None of the scheduled runs went well · :x: 2 failed.'],
])('the daily line has a green tick only beside runs that went well: %j', (counts, line) => {
  const all = { well: 0, failed: 0, open: 0, left: 0, ...counts };
  expect(scheduleMessage({ what: 'daily', counts: all }, null)?.text).toBe(line);
});

test('a sentence about a schedule shows words that can be typed as code', () => {
  expect(faultToType('I do not know the rhythm “foo”. Type every=day, every=month on=1, or cron="0 2 * * 1-5".')).toBe(
    'I do not know the rhythm “foo”. Type `every=day`, `every=month` `on=1`, or `cron="0 2 * * 1-5"`.',
  );
  expect(faultToType(hostile)).not.toMatch(/<!|<https/);
  const line = aSchedule({ rhythm: JSON.stringify({ every: 'cron', cron: '0 2 * * 1-5' }) });
  expect(textOf(schedulesList([line], reader).blocks)).toContain('by the cron line `0 2 * * 1-5` (Europe/Berlin)');
});

test('the first line of a scheduled job’s card names its schedule', () => {
  // Its reason is somebody's words, which say nothing of its times.
  const forged = aSchedule({ purpose: 'It runs on its schedule: never, it is switched off.' });
  const run = jobOfRun(forged, requestOfRun(forged, 0), 0);
  if ('fault' in run) throw new Error(run.fault);
  const shown = job({ ...newRow(run), state: 'new' });
  const title = /^:calendar: By schedule: \*Backup of shop\*, every day at 02:00 \(Europe\/Berlin\)/;
  expect(textOf(jobCard(shown).blocks)).toMatch(title);
  expect(textOf(jobCard(shown).blocks)).not.toContain('switched off');
  expect(textOf(jobCard({ ...shown, schedule: null }).blocks)).not.toContain('By schedule');
});

test('a request to run a schedule with the service account shows exactly what is approved', () => {
  const values = {
    record: 'MYSQL_LIVE_SERVER-1',
    schedule: 's1',
    digest: 'abc',
    work: 'back up shop',
    times: 'every day at 02:00 (Europe/Berlin)',
    details: JSON.stringify([['Port', '3310']]),
    next: '2026-11-24T01:00Z, 2026-11-25T01:00Z, 2026-11-26T01:00Z',
  };
  const asked = job({ operation: 'schedule.approve', inputs: JSON.stringify(values), channel: 'C1', person: 'U1' });
  const text = textOf(requestInFull({ ...asked, target: 'MYSQL_LIVE_SERVER-1', targetName: 'shop' }));
  for (const part of [
    'back up shop',
    '*shop* (`MYSQL_LIVE_SERVER-1`)',
    'Port: `3310`',
    'every day at 02:00 (Europe/Berlin)',
  ])
    expect(text).toContain(part);
  expect(text.match(/<!date\^/g)).toHaveLength(3);
  expect(text).toContain('<#C1>');
  expect(text).toContain('<@U1>');
  expect(text).toContain('the service account');
});

test('a schedule’s request with too many inputs for its card shows them all on pages, but no password', () => {
  const parametersOf = (secret: string) => [
    ...Array.from({ length: 60 }, (_, at) => ({ name: `p${at}`, type: 'STRING' as const, value: 'v'.repeat(90) })),
    { name: 'password', type: 'STRING' as const, value: secret },
  ];
  const shownOf = (secret: string) => {
    const values = { database: 'MYSQL_LIVE_SERVER-1', databaseParams: parametersOf(secret) };
    const made = requestOfSchedule(aSchedule({ operation: 'clone.create', values, runsAs: 'service' }), 1, 0);
    if ('fault' in made) throw new Error(made.fault);
    const inputs = JSON.stringify(made.values);
    const waiting = job<'awaiting'>({
      operation: 'schedule.approve',
      inputs,
      channel: 'C1',
      state: 'awaiting',
      ...approval,
    });
    return {
      card: textOf(requestInFull(waiting)),
      pages: pagesInFull(waiting).map(textOf).join('\n'),
    };
  };
  const { card, pages } = shownOf('hunter22');
  expect(card).toContain('62 inputs, which do not fit here. Read them all to decide.');
  for (const { name } of parametersOf('').slice(0, 60)) expect(pages).toContain(`${name}:STRING=vvv`);
  expect(pages).toContain('*Does*: ');
  expect(pages).toMatch(/password:STRING=.*is a secret, with the mark/);
  expect(card + pages).not.toContain('hunter22');
  expect(shownOf('hunter23').pages).not.toBe(pages);
});
