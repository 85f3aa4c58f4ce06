import { expect, test } from 'vitest';
import { example, searchOne, typeText } from '../../../src/slack/blocks/inputs.ts';

test('the example in an empty input is cut to the 150 characters that Slack takes', () => {
  const long = 'x'.repeat(200);
  for (const { placeholder } of [example(long), searchOne(long, undefined), typeText('', { example: long })])
    expect(placeholder?.text).toHaveLength(150);
  expect(example(undefined)).toEqual({});
});
