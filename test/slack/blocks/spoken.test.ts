import type { KnownBlock } from '@slack/types';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asText, defineAction } from '../../../src/slack/blocks/action.ts';
import { context, section } from '../../../src/slack/blocks/blocks.ts';
import type { MessageBlock } from '../../../src/slack/blocks/chart.ts';
import { message } from '../../../src/slack/blocks/message.ts';
import { spoken } from '../../../src/slack/blocks/spoken.ts';

const rows = (...names: readonly string[]): KnownBlock[] =>
  names.flatMap((name, at) => [
    section(`:hourglass: *Stop of ${name}* · Running`),
    { type: 'actions', block_id: `${at}`, elements: [defineAction('job.look', asText).button('Check now', `${at}`)] },
  ]);

const labelsOf = (blocks: readonly MessageBlock[]) =>
  blocks.flatMap(block =>
    block.type === 'actions'
      ? block.elements.flatMap(element => (element.type === 'button' ? [element.accessibility_label] : []))
      : [],
  );

describe('the text of a message', () => {
  test('the text of a message says what each of its blocks says, with its buttons', () => {
    const fields = [{ type: 'mrkdwn' as const, text: '*State*\nRUNNING' }];
    const blocks: KnownBlock[] = [
      { type: 'header', text: { type: 'plain_text', text: 'Clones <2>' } },
      { type: 'section', fields },
      context('Newest first'),
      {
        type: 'actions',
        elements: [defineAction('a', asText).button('Approve', ''), defineAction('b', asText).button('Deny', '')],
      },
    ];
    expect(spoken(blocks)).toBe('Clones &lt;2&gt;\n*State*: RUNNING\nNewest first\n[Approve] [Deny]');
  });

  test('the text of a message is never longer than Slack takes, and never ends within a mention or a date', () => {
    const piece = fc.constantFrom('<!date^1795251600^{date_short_pretty}|2026>', 'orders ', '<@U1>', 'x'.repeat(900));
    const line = fc.array(piece, { minLength: 1, maxLength: 60 }).map(pieces => pieces.join(''));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 20 }), lines => {
        const text = spoken(lines.map(one => context(one)));
        expect(text.length).toBeLessThanOrEqual(4_000);
        expect(text).not.toMatch(/<[^>]*$/);
      }),
    );
  });
});

describe('buttons that look alike', () => {
  test('buttons that look alike each say what they are about, in at most 75 characters, and no two the same', () => {
    const long = 'a very long name of a database '.repeat(5);
    const { blocks } = message(rows('orders', 'orders', 'shop', long, `${long}2`));
    const labels = labelsOf(blocks);
    expect(labels.slice(0, 3)).toEqual([
      'Check now: Stop of orders · Running',
      'Check now: Stop of orders · Running (2)',
      'Check now: Stop of shop · Running',
    ]);
    expect(new Set(labels).size).toBe(labels.length);
    for (const label of labels) expect(label?.length).toBeLessThanOrEqual(75);
  });

  test('a button that stands alone needs no spoken label, unless other messages have the same one', () => {
    expect(labelsOf(message(rows('orders')).blocks)).toEqual([undefined]);
    expect(labelsOf(message(rows('orders'), 'all').blocks)).toEqual(['Check now: Stop of orders · Running']);
  });
});
