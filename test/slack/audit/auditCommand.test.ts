import { describe, expect, test } from 'vitest';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import { formats } from '../../../src/slack/audit/auditFile.ts';
import { auditPage, entryLine } from '../../../src/slack/audit/auditPage.ts';
import { readQuery } from '../../../src/slack/audit/auditQuery.ts';
import { codePages } from '../../../src/slack/blocks/codePages.ts';
import type { Entry } from '../../../src/store/tables/audit/auditSearch.ts';

const now = Date.UTC(2026, 10, 21, 9);
const entry: Entry = {
  id: 'e1',
  at: now,
  team: 'T1',
  actor: 'U1ANA',
  person: 'U1BEN',
  login: 'ana',
  event: 'denied',
  operation: 'database.delete',
  target: 'MYSQL_LIVE_SERVER-1',
  targetName: 'orders',
  job: 'job-1',
  channel: 'C1',
  detail: 'not today',
};
const hostile = '=cmd|"x"!A1,<!channel> `code` *bold* & <@U1ANA>\r\nsecond\u202eline';

describe('a query', () => {
  test.each([
    ['', { words: [] }],
    ['orders "two words"', { words: ['orders', 'two words'] }],
    ['since=7d', { words: [], since: now - 7 * 86_400_000 }],
    ['SINCE=2026-11-01 until=2026-11-02', { words: [], since: Date.UTC(2026, 10, 1), until: Date.UTC(2026, 10, 3) }],
    ['until=2026-11-01T09:30', { words: [], until: Date.UTC(2026, 10, 1, 9, 30) }],
    ['by=me', { words: [], by: 'U9' }],
    ['by=<@U1ANA|ana>', { words: [], by: 'U1ANA' }],
    ['by=@ana', { words: [], by: 'ana' }],
  ])('a query of the audit trail is read: %j', (text, expected) => {
    expect(readQuery(text, now, { person: 'U9', isForAll: true })).toEqual(expected);
  });

  test.each([
    ['since=yesterday', 'I cannot read since=yesterday as a time. Write 7d'],
    ['since=2026-02-30', 'as a time'],
    ['since=', 'as a time'],
    ['since=2026-11-02 until=2026-11-01', 'since= must be earlier'],
    ['sinc=7d', 'but not sinc='],
    ['by=', 'Say by whom'],
    ['x'.repeat(2_000), 'too long'],
  ])('a query of the audit trail that cannot be read is refused in one sentence: %s', (text, sentence) => {
    expect(() => readQuery(text, now, { person: 'U9', isForAll: true })).toThrow(sentence);
  });
});

describe('a line of the trail', () => {
  test('a line of the audit trail says when, who, as whom, what, on what, and what came of it', () => {
    expect(entryLine(entry, 150)).toMatch(
      /^<!date\^.*> {2}<@U1ANA> as `ana` {2}· {2}\*denied\* {2}· {2}delete {2}· {2}orders `MYSQL_LIVE_SERVER-1` {2}· {2}not today$/,
    );
    expect(entryLine({ ...entry, actor: 'dolly', login: null }, 150)).toContain('Dolly for <@U1BEN>  ·');
  });

  test('a hostile name in a line of the audit trail mentions nobody and breaks no line', () => {
    const line = entryLine({ ...entry, actor: hostile, targetName: hostile, detail: hostile }, 150);
    expect(line).not.toContain('<!channel>');
    expect(line).not.toContain('<@U1ANA>');
    expect(line).not.toMatch(/[\r\n\u202e]/);
  });
});

const kept = { days: 400, zone: 'Europe/Berlin' };

test('an audit page of the worst entries is within Slack’s limits, with all its rows and buttons', () => {
  const worst = { ...entry, targetName: '&'.repeat(300), detail: '<'.repeat(600), login: '>'.repeat(80) };
  const entries = Array.from({ length: 15 }, (_, at) => ({ ...worst, id: `e${at}` }));
  const shown = { query: '', filter: { words: ['<'.repeat(200)] }, hasNewer: true, hasOlder: true, ...kept };
  const content = auditPage(entries, shown);
  for (const blocks of [content.blocks, content.plain ?? []]) {
    expect(messageFaults(blocks)).toEqual([]);
    const buttons = JSON.stringify(blocks.at(-1));
    for (const label of ['Newer', 'Older', 'Download CSV', 'Download JSON lines'])
      expect(buttons).toContain(`"${label}"`);
  }
  expect(JSON.stringify(content.plain).length).toBeLessThan(13_000);
  const [, table] = content.blocks;
  expect(table?.type === 'data_table' && table.rows).toHaveLength(16);
  expect(table?.type === 'data_table' && table.caption).not.toContain('the first');
});

test('an audit page is a table of what happened, who did it and when, to the second in its reader’s time zone', () => {
  const shown = { query: '', filter: { words: [] }, hasNewer: false, hasOlder: false, ...kept };
  const [, table] = auditPage(
    [
      { ...entry, login: null },
      { ...entry, id: 'e2', login: null, actor: 'dolly' },
    ],
    shown,
  ).blocks;
  if (table?.type !== 'data_table') throw new Error('there is no table');
  const said = table.rows.map(row => row.map(cell => (cell.type === 'rich_text' ? JSON.stringify(cell) : cell.text)));
  expect(said[0]).toEqual(['What happened', 'Who', 'Time (Europe/Berlin)', 'Detail', 'Identifier']);
  expect(said[1]?.[1]).toContain('"user_id":"U1ANA"');
  expect(said[2]?.[1]).toMatch(/"text":"Dolly for ".*"user_id":"U1BEN"/);
  const others = ['delete orders: denied', '2026-11-21 10:00:00', 'not today', 'MYSQL_LIVE_SERVER-1'];
  expect(said[1]?.toSpliced(1, 1)).toEqual(others);
});

test('an audit search that stopped at its limit says how far back it looked, and its button looks on from there', () => {
  const shown = { query: 'zebra', filter: { words: ['zebra'] }, hasNewer: false, hasOlder: false, ...kept };
  const text = JSON.stringify(auditPage([], { ...shown, rest: { before: 'e9', at: now } }).blocks);
  expect(text).toContain('nothing so far.');
  expect(text).toMatch(/I have looked back to <!date[^>]+> so far/);
  expect(text).toMatch(/before.{1,6}e9/);
  expect(JSON.stringify(auditPage([], shown))).not.toContain('so far');
});

describe('a file of the trail', () => {
  test('the audit trail as CSV has a header, quotes what needs it, and starts no formula', () => {
    expect(formats.csv.header).toBe(
      'time,actor,login,event,operation,target,targetName,detail,person,job,channel,team,id\r\n',
    );
    expect(formats.csv.line(entry)).toBe(
      '2026-11-21T09:00:00.000Z,U1ANA,ana,denied,database.delete,MYSQL_LIVE_SERVER-1,orders,not today,U1BEN,job-1,C1,T1,e1\r\n',
    );
    expect(formats.csv.line({ ...entry, detail: hostile })).toContain(
      `,"'=cmd|""x""!A1,<!channel> \`code\` *bold* & <@U1ANA>\r\nsecond\u202eline",`,
    );
    for (const first of ['=1', '+1', '-1', '@x', '\tx']) {
      const line = formats.csv.line({ ...entry, targetName: first });
      expect(line).toContain(`,'${first},`);
    }
    expect(formats.csv.line({ ...entry, job: null })).toContain(',U1BEN,,C1,');
  });

  test('the audit trail as JSON lines gives each entry back as it was, in one line', () => {
    const line = formats.jsonl.line({ ...entry, detail: hostile });
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ time: '2026-11-21T09:00:00.000Z', actor: 'U1ANA', detail: hostile });
  });

  test('an audit file told in messages shows the first lines that fit, whole, in code blocks that no text breaks', () => {
    const lines = Array.from({ length: 50 }, (_, at) => `${at},${hostile}${'x'.repeat(60)}\r\n`);
    const { texts, many } = codePages(lines, 3, 500);
    expect(texts).toHaveLength(3);
    for (const text of texts) {
      expect(text.length).toBeLessThanOrEqual(510);
      expect(text.slice(3, -3)).not.toContain('`');
      expect(text).not.toContain('<!');
    }
    const told = texts.join('\n').match(/^\d+,/gm) ?? [];
    expect(told).toHaveLength(many);
    expect(codePages(lines, 1_000, 500).many).toBe(50);
  });
});
