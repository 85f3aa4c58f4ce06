import { describe, expect, test } from 'vitest';
import { planTeardown } from '../../../../src/operations/plans/teardown.ts';
import type { Lineage } from '../../../../src/operations/plans/tree.ts';
import { treeLines } from '../../../../src/slack/forms/plans/treeLines.ts';

const shop = 'MYSQL_LIVE_SERVER-1';
const id = (number: number) => `MYSQL_CLONE_SERVER-${number}`;
const record = (number: number, source: string, name = `clone-${number}`): Lineage => ({
  ...{ id: id(number), noun: 'clone', name, sources: [source] },
  ...{ snapshots: [], clones: [], mentions: [] },
});
const target = { id: shop, noun: 'live', name: 'shop' } as const;
const drawn = (records: readonly Lineage[], leftOut: readonly string[] = [], notes = new Map()) =>
  treeLines(planTeardown(target, records, leftOut), notes);
/** The lines as they look, with plain blanks. */
const looks = (lines: readonly string[]) => lines.map(line => line.replaceAll(/[\u2002\u2003]/g, ' '));

describe('a drawn tree', () => {
  test('a drawn tree has a branch for each record, with its place and its owner', () => {
    const records = [record(1, shop), record(2, id(1)), record(3, id(1)), record(4, shop)];
    const notes = new Map([[id(2), { place: 'dev', owner: 'of <@U1>' }]]);
    expect(looks(drawn(records, [], notes))).toEqual([
      `*shop* (\`${shop}\`)`,
      `├─ *clone-1* (\`${id(1)}\`)`,
      `│ ├─ *clone-2* (\`${id(2)}\`) on dev, of <@U1>`,
      `│ └─ *clone-3* (\`${id(3)}\`)`,
      `└─ *clone-4* (\`${id(4)}\`)`,
    ]);
  });

  test('a drawn tree says which records stay', () => {
    expect(looks(drawn([record(1, shop), record(2, id(1)), record(3, shop)], [id(2)]))).toEqual([
      `*shop* (\`${shop}\`)  ·  _stays_`,
      `├─ *clone-1* (\`${id(1)}\`)  ·  _stays_`,
      `│ └─ *clone-2* (\`${id(2)}\`)  ·  _stays_`,
      `└─ *clone-3* (\`${id(3)}\`)`,
    ]);
  });

  test('a drawn tree names each of two hundred clones in a few lines', () => {
    const many = Array.from({ length: 200 }, (_, at) => record(at + 1, shop, `shop-${3_000 + at}`));
    const lines = drawn(many, [id(7)]);
    expect(lines.length).toBeLessThan(16);
    expect(lines.every(line => line.length <= 1_000)).toBe(true);
    for (const { name } of many) expect(lines.join('\n')).toContain(name);
    expect(lines.join('\n')).toContain('*199 clones*');
  });

  test('a drawn tree tells records apart whose long names differ at their ends alone', () => {
    const long = (end: string) => `customer-orders-${'of-the-region-'.repeat(10)}${end}`;
    const lines = drawn([record(1, shop, long('east')), record(2, shop, long('west'))]);
    expect(lines[1]).toMatch(/customer-orders-.*east\*.*CLONE_SERVER-1/);
    expect(lines[2]).toMatch(/customer-orders-.*west\*.*CLONE_SERVER-2/);
  });

  test('a drawn tree makes no mention and no line of its own out of a hostile name', () => {
    const [, line] = drawn([record(1, shop, '<!channel> *bold* <@U1>\n└─ nothing')]);
    expect(line).not.toContain('<!channel>');
    expect(line).not.toContain('<@U1>');
    expect(line).not.toContain('\n');
  });

  test('a drawn tree of a chain of 300 clones keeps each line short', () => {
    const chain = Array.from({ length: 300 }, (_, at) => record(at + 1, at === 0 ? shop : id(at)));
    const lines = drawn(chain);
    expect(lines).toHaveLength(301);
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(120);
  });
});
