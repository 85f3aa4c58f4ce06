import { describe, expect, test } from 'vitest';
import type { RecordView } from '../../../src/api/reading/recordView.ts';
import { day } from '../../../src/ground/durations.ts';
import { messageFaults } from '../../../src/sandbox/playground/blockkit.ts';
import type { MessageBlock } from '../../../src/slack/blocks/chart.ts';
import type { Content } from '../../../src/slack/blocks/message.ts';
import { recordList } from '../../../src/slack/records/listMessage.ts';
import { recordOf } from '../../jobs/rows.ts';

const now = Date.UTC(2026, 10, 21, 9);
const asked = {
  ...{ words: [], page: 0, query: '', cut: false, operation: 'database.list', now },
  nouns: ['live', 'clone'],
} as const;
const rows = (count: number): RecordView[] =>
  Array.from({ length: count }, (_, at) =>
    recordOf(`MYSQL_LIVE_SERVER-${at + 1}`, { name: `db${at + 1}`, state: 'RUNNING' }),
  );

function turns(blocks: readonly MessageBlock[] = []): [string, unknown][] {
  return blocks.flatMap(block =>
    block.type === 'actions'
      ? block.elements.flatMap((one): [string, unknown][] =>
          one.type === 'button' ? [[one.text.text, JSON.parse(one.value ?? '')]] : [],
        )
      : [],
  );
}

function tableIn({ blocks }: Content): string[][] {
  const table = blocks.find(block => block.type === 'data_table');
  return table?.type === 'data_table'
    ? table.rows.map(row => row.map(cell => (cell.type === 'rich_text' ? '' : cell.text)))
    : [];
}

function choicesIn({ blocks }: Content): [string, string][] {
  return blocks.flatMap(block =>
    block.type === 'actions'
      ? block.elements.flatMap(one =>
          one.type === 'static_select'
            ? (one.options ?? []).map(({ text, value }): [string, string] => [text.text, value ?? ''])
            : [],
        )
      : [],
  );
}

describe('a list of records', () => {
  test('a list of ten records has a row with a menu for each, and needs no older form', () => {
    const { blocks, plain } = recordList(rows(10), asked);
    expect(plain).toBeUndefined();
    expect(blocks.filter(block => block.type === 'section' && block.accessory?.type === 'overflow')).toHaveLength(10);
    expect(turns(blocks)).toEqual([]);
  });

  test('a list of 25 records is a table with a menu to choose from, or ten rows a page without tables', () => {
    const list = recordList(rows(25), asked);
    expect(tableIn(list)).toHaveLength(26);
    expect(choicesIn(list).at(-1)).toEqual(['db25', 'database.show MYSQL_LIVE_SERVER-25']);
    expect(turns(list.blocks)).toEqual([]);
    expect(turns(list.plain)).toEqual([['Next', { o: 'database.list', q: '', p: 1, s: 10 }]]);
    const last = recordList(rows(25), { ...asked, page: 99, size: 10 });
    expect(turns(last.plain)).toEqual([['Previous', { o: 'database.list', q: '', p: 1, s: 10 }]]);
    expect(last.text).toContain('page 3 of 3');
    expect(last.text).toContain('db25');
    expect(last.text).not.toContain('*db20*');
  });

  test('a list of 120 records turns fifty a page, and every record stands on one of the pages', () => {
    const all = rows(120);
    const pages = [0, 1, 2].map(page => recordList(all, { ...asked, page, size: 50 }));
    expect(pages.map(({ blocks }) => turns(blocks).map(([label]) => label))).toEqual([
      ['Next'],
      ['Previous', 'Next'],
      ['Previous'],
    ]);
    const names = pages.flatMap(page => tableIn(page).slice(1)).map(([name]) => name);
    expect(names).toEqual(all.map(({ name }) => name));
  });

  test('a list of records knows the page that a button of a workspace without tables asks for', () => {
    // The seventh page of ten begins with the 61st record, which stands on the second page of fifty.
    const list = recordList(rows(120), { ...asked, page: 6, size: 10 });
    expect(tableIn(list)[1]?.[0]).toBe('db51');
    expect(list.text).toContain('page 7 of 12');
    // And the third page of fifty is the eleventh page of ten.
    expect(recordList(rows(120), { ...asked, page: 2, size: 50 }).text).toContain('page 11 of 12');
  });

  test('a table of records has only the columns that its records fill', () => {
    const clone = recordOf('MYSQL_CLONE_SERVER-1', {
      ...{ name: 'a', state: 'RUNNING', createdAt: new Date(now - 3 * day).toISOString() },
      environment: { id: 'HOST_ENVIRONMENT-4', name: 'dev' },
    });
    const list = recordList([clone, ...rows(10)], asked);
    expect(tableIn(list)[0]).toEqual(['Name', 'State', 'Environment', 'Vendor', 'Age', 'Identifier']);
    expect(tableIn(list)[1]).toEqual(['a', 'RUNNING', 'dev', 'MySQL', '3 days', 'MYSQL_CLONE_SERVER-1']);
    expect(tableIn(list)[2]?.slice(4)).toEqual(['–', 'MYSQL_LIVE_SERVER-1']);
    expect(tableIn(recordList(rows(11), asked))[0]).toEqual(['Name', 'State', 'Vendor', 'Identifier']);
  });

  test('a list that shows a record twice offers it once, since Slack takes no choice twice', () => {
    const list = recordList([...rows(11), ...rows(3)], asked);
    expect(messageFaults(list.blocks)).toEqual([]);
    expect(choicesIn(list)).toHaveLength(11);
  });

  test('the menu of a list names records of one name, and those without a name, by their identifiers', () => {
    const same = Array.from({ length: 11 }, (_, at) =>
      recordOf(`MYSQL_LIVE_SERVER-${at}`, at > 0 ? { name: 'x' } : {}),
    );
    const labels = choicesIn(recordList(same, asked)).map(([label]) => label);
    expect(labels).toEqual(same.map(({ id }) => id.text));
  });

  test('a list of records with the worst names breaks no limit, leaves out no record and mentions nobody', () => {
    const evil = '<!channel> <@U9> <http://x|y> & `*_~ \u202e\u0007 🐑 '.repeat(20);
    const worst = Array.from({ length: 130 }, (_, at) =>
      recordOf(`ORACLE_CLONE_DATABASE-${4_000_000_000 + at}`, {
        ...{ name: `${evil}${at}`, state: evil, createdAt: new Date(now - at * day - 5_000_000).toISOString() },
        environment: { id: 'HOST_ENVIRONMENT-1', name: evil },
        sourceDatabase: { id: 'ORACLE_LIVE_DATABASE-1', name: evil },
      }),
    );
    const query = '"'.repeat(900);
    const list = recordList(worst, { ...asked, words: [evil], query, page: 1, size: 50 });
    expect(messageFaults(list.blocks)).toEqual([]);
    expect(messageFaults(list.plain)).toEqual([]);
    expect(tableIn(list)).toHaveLength(51);
    for (const hidden of ['\u202e', '\u0007']) expect(tableIn(list).flat().join('')).not.toContain(hidden);
    const table = list.blocks.find(block => block.type === 'data_table');
    expect(table?.type === 'data_table' && table.caption).toBe('51 to 100 of 130, by name');
    expect(`${list.text}${JSON.stringify(list.plain)}`).not.toMatch(/<!channel>|<@U9>|<http/);
  });
});
