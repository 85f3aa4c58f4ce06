import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { mentioned, mentionOf } from '../../../src/slack/blocks/mentionPeople.ts';

const src = new URL('../../../src/', import.meta.url).pathname;

test('ids of people, user groups and channels become mentions', () => {
  expect(['U0ANA00001', 'W0ANA', 'S0DBAS0001', 'C0DEV', 'G0OLD', 'D0ANA'].map(mentionOf)).toEqual([
    ...['<@U0ANA00001>', '<@W0ANA>', '<!subteam^S0DBAS0001>', '<#C0DEV>', '<#G0OLD>', '<#D0ANA>'],
  ]);
});

test.each([
  ...['!channel', '!here', '!everyone', '!subteam^S0DBAS0001', 'S0> <!channel', 'U0ANA> <!here', 'U0ANA|boss'],
  ...['@U0ANA', '#C0DEV', 'https://evil.example|click', 'u0ana', 'U0ANA\n<!here>', '', 'U'],
])('a mention made of “%s” in the place of an id rings nobody', id => {
  for (const text of [mentionOf(id), mentioned([id])]) expect(text).not.toMatch(/<[@!#h]/);
});

/* Those that show who asked for a job, which no form says. */
const others = ['approvals', 'forms', 'messages/approval', 'messages/planSteps.ts'].map(place => `slack/${place}`);

test('mentions are written by one source file and a few named exceptions alone', () => {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  const homes = ['slack/blocks/mentionPeople.ts', 'sandbox/', ...others];
  const writing = files.filter(
    file =>
      !homes.some(home => file.startsWith(home)) &&
      /<(?:[@#]|!subteam\^)\$\{/.test(readFileSync(join(src, file), 'utf8')),
  );
  expect(files.length).toBeGreaterThan(500);
  expect(writing).toEqual([]);
});
