import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { strongest } from '../../../src/jobs/standing.ts';
import { whomItRings } from '../../../src/slack/messages/ringing.ts';

const ana = ['U0ANA'];

describe('whom a message rings', () => {
  test('trouble that came by itself rings people where it is news, and not where it is known in any way', () => {
    expect(whomItRings('trouble', ana)).toEqual(ana);
    for (const is of ['in maintenance', 'taken', 'known', 'told'] as const)
      expect(whomItRings('trouble', ana, { is })).toEqual([]);
  });

  test('requests, questions, decisions, corrections and untaken alerts ring people whatever is known', () => {
    for (const occasion of ['asked', 'question', 'decision', 'correction', 'untaken'] as const)
      expect(whomItRings(occasion, ana, { is: 'taken' })).toEqual(ana);
  });

  test('a message that people may read when they happen to look rings nobody', () => {
    expect(whomItRings('line', ana)).toEqual([]);
  });
});

test('where trouble is known for several reasons, the strongest one counts, with the thread of any', () => {
  expect(strongest([])).toBeUndefined();
  expect(strongest([{ is: 'told', thread: '1.2' }, { is: 'in maintenance' }])).toEqual({
    is: 'in maintenance',
    thread: '1.2',
  });
});

test('only two source files make messages that ring people, and all ask the one rule whom they ring', () => {
  const source = new URL('../../../src/', import.meta.url);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' });
  const having = (words: RegExp) =>
    files
      .filter(file => /^(?!sandbox).*\.ts$/.test(file) && words.test(readFileSync(new URL(file, source), 'utf8')))
      .toSorted();
  // Notices get it from the words of their kind, and jobs' messages from postings.ts; others pass on what these made.
  const makers = ['slack/blocks/message.ts', 'slack/outbox/postings.ts'];
  const passing = ['slack/outbox/post.ts', 'slack/outbox/tellNotices.ts'];
  expect(having(/\bAddressed\b/)).toEqual([...makers, ...passing].toSorted());
  expect(having(/, rings: rings/)).toEqual(makers);
  // Whoever decides for the words of a kind whom they ring asks the rule.
  const asks = having(/(=>|return|\?) whomItRings\(/);
  expect(having(/\bwhomItRings\b/)).toEqual([...new Set([...asks, 'slack/messages/ringing.ts'])].toSorted());
});
