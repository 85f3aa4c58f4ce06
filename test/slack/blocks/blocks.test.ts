import { expect, test } from 'vitest';
import { option } from '../../../src/slack/blocks/blocks.ts';

test('an option of a menu shows as much of its label as fits, and keeps its whole value', () => {
  const long = '🐑\u202e'.repeat(100);
  const made = option('MYSQL_LIVE_SERVER-1', long, long);
  expect(made.value).toBe('MYSQL_LIVE_SERVER-1');
  expect(made.text.text.length).toBeLessThanOrEqual(75);
  expect(made.description?.text.length).toBeLessThanOrEqual(75);
  expect(option('USER-1', '').text.text).toBe('–');
});
