import { expect, test } from 'vitest';
import { message, section } from '../../../src/slack/blocks/blocks.ts';
import { withoutPasswords, withWarning } from '../../../src/slack/talk/withoutPasswords.ts';

test.each([
  ['clone shop port=3310', 'clone shop port=3310', false],
  ["clone shop databaseParams='password=hunter22' port=3310", 'clone shop port=3310', true],
  ['clone shop password=hunter22', 'clone shop', true],
  ['show mysql://ana:hunter22@db:3306', 'show mysql://ana:•••@db:3306', true],
  ['show --password hunter22', 'show --password •••', true],
  ['why clone shop reason="for QA" secret=x', 'why clone shop reason=“for QA“', true],
  ['', '', false],
])('%s', (typed, line, hadPassword) => {
  const read = withoutPasswords(typed);
  expect(read.hadPassword).toBe(hadPassword);
  expect(read.line.replace(/["”“]/g, '“')).toBe(line);
});

test('the warning stands in every form of an answer', () => {
  const warned = withWarning({ ...message([section('Done')]), plain: [section('Done')] });
  expect(warned.text).toContain('looks like a password');
  for (const blocks of [warned.blocks, warned.plain ?? []])
    expect(JSON.stringify(blocks)).toContain('looks like a password');
});
