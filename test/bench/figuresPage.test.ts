import { expect, it } from 'vitest';
import { tablesOf } from './figuresPage.ts';
import { resultOf } from './report.ts';

it('the page of figures has a table for each group, in order, and names the parts that failed', () => {
  const results = [resultOf({ name: 'row', unit: 's', rounds: [{ dolly: 1 }] })];
  const text = tablesOf('a chip', [
    { part: 'start', group: 'Start and memory', results, foreign: 0 },
    { part: 'ack', group: 'Acknowledging requests', results, foreign: 0 },
    { part: 'memory', group: 'Start and memory', results: [], foreign: 0 },
  ]);
  expect(text.split('\n').filter(line => /^(#|Measured|Not)/.test(line))).toEqual([
    'Measured on a chip.',
    '### Acknowledging requests',
    '### Start and memory',
    'Not measured in this run: memory.',
  ]);
});
