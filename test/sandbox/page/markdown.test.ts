import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMarkdown } from '../../../src/sandbox/playground/page/markdown.ts';

it('the Markdown reader reads headings, paragraphs, lists, quotes, code and rules', () => {
  const blocks = parseMarkdown('# A **b**\none\ntwo\n\n- x\n- y\n3. z\n> q\n```sql\nselect\n```\n---');
  expect(blocks).toEqual([
    {
      type: 'heading',
      level: 1,
      children: [
        { type: 'text', text: 'A ' },
        { type: 'bold', children: [{ type: 'text', text: 'b' }] },
      ],
    },
    { type: 'paragraph', children: [{ type: 'text', text: 'one\ntwo' }] },
    {
      type: 'list',
      ordered: false,
      start: 1,
      items: [[{ type: 'text', text: 'x' }], [{ type: 'text', text: 'y' }]],
    },
    { type: 'list', ordered: true, start: 3, items: [[{ type: 'text', text: 'z' }]] },
    { type: 'quote', children: [{ type: 'text', text: 'q' }] },
    { type: 'pre', text: 'select' },
    { type: 'rule' },
  ]);
});

it('the Markdown reader reads links, and emphasis with stars or underscores', () => {
  expect(parseMarkdown('[a](https://x.example) *i* _j_ ~~s~~ snake_case_name')).toEqual([
    {
      type: 'paragraph',
      children: [
        { type: 'link', url: 'https://x.example', children: [{ type: 'text', text: 'a' }] },
        { type: 'text', text: ' ' },
        { type: 'italic', children: [{ type: 'text', text: 'i' }] },
        { type: 'text', text: ' ' },
        { type: 'italic', children: [{ type: 'text', text: 'j' }] },
        { type: 'text', text: ' ' },
        { type: 'strike', children: [{ type: 'text', text: 's' }] },
        { type: 'text', text: ' snake_case_name' },
      ],
    },
  ]);
});

it('the Markdown reader ends on any text', () => {
  const piece = fc.constantFrom(
    '#',
    '# ',
    '-',
    '- ',
    '1. ',
    '>',
    '```',
    '\n',
    ' ',
    'a',
    '*',
    '_',
    '[',
    '](',
    ')',
    '\u00a0',
  );
  fc.assert(
    fc.property(fc.array(piece), pieces => {
      expect(Array.isArray(parseMarkdown(pieces.join('')))).toBe(true);
    }),
  );
});
