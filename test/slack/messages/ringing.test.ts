import { describe, expect, test } from 'vitest';
import { strongest } from '../../../src/jobs/standing.ts';
import { whomItRings } from '../../../src/slack/messages/ringing.ts';

const ana = ['U0ANA'];

describe('whom a message rings', () => {
  test('what went wrong by itself rings where it is news, and not where it is known in any way', () => {
    expect(whomItRings('trouble', ana)).toEqual(ana);
    for (const is of ['in maintenance', 'taken', 'known', 'told'] as const)
      expect(whomItRings('trouble', ana, { is })).toEqual([]);
  });

  test('what people asked for, warnings, questions, decisions, corrections and losses ring whatever is known', () => {
    for (const occasion of ['asked', 'warning', 'question', 'decision', 'correction', 'untaken', 'loss'] as const)
      expect(whomItRings(occasion, ana, { is: 'taken' })).toEqual(ana);
  });

  test('a line rings nobody', () => {
    expect(whomItRings('line', ana)).toEqual([]);
  });
});

test('of all that is known the strongest counts, with the thread of any', () => {
  expect(strongest([])).toBeUndefined();
  expect(strongest([{ is: 'told', thread: '1.2' }, { is: 'in maintenance' }])).toEqual({
    is: 'in maintenance',
    thread: '1.2',
  });
});
