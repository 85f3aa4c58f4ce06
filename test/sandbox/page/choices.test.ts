import { describe, expect, it } from 'vitest';
import { chosenChoice, fitting, ownChoices } from '../../../src/sandbox/playground/page/choices.ts';
import { completions, isChoosing } from '../../../src/sandbox/playground/page/completion.ts';
import { readPermalink } from '../../../src/sandbox/playground/page/permalink.ts';
import { matchesWords } from '../../../src/sandbox/playground/page/traffic.ts';
import type { Traffic } from '../../../src/sandbox/playground/protocol.ts';

const option = (value: string, description?: string) => ({
  text: { type: 'plain_text', text: value },
  value,
  ...(description ? { description: { type: 'plain_text', text: description } } : {}),
});
const labels = (groups: ReturnType<typeof fitting>) => groups.map(group => group.choices.map(({ label }) => label));

describe('a select', () => {
  const groups = ownChoices({
    raw: {
      option_groups: [
        { label: { type: 'plain_text', text: 'Linux' }, options: [option('host one', 'Oracle'), option('host two')] },
        { label: { type: 'plain_text', text: 'Other' }, options: [option('aix')] },
      ],
    },
  });

  it('a select in the playground offers its options by group, narrowed by every word typed', () => {
    expect(labels(fitting(groups, ''))).toEqual([['host one', 'host two'], ['aix']]);
    expect(labels(fitting(groups, 'HOST ora'))).toEqual([['host one']]);
    expect(fitting(groups, 'nothing')).toEqual([]);
  });

  it('a select in the playground shows the chosen option even if it is no longer offered, and gives it back unchanged', () => {
    const gone = option('gone');
    expect(chosenChoice(gone)).toMatchObject({ label: 'gone', raw: gone });
    expect(chosenChoice(null)).toBeUndefined();
  });
});

describe('the completion of commands', () => {
  const hint = (command: string) => ({ command, description: '', usageHint: '' });
  const commands = [hint('/db'), hint('/clone'), hint('/restore')];
  const names = (text: string) => completions(text, commands).map(({ command }) => command);

  it('the playground suggests the commands that begin as typed, and still the written one once words follow it', () => {
    expect(names('/')).toEqual(['/db', '/clone', '/restore']);
    expect(names('/CL')).toEqual(['/clone']);
    expect(names('/clone ord')).toEqual(['/clone']);
    expect(names('/nothing')).toEqual([]);
    expect(names('hello /db')).toEqual([]);
  });

  it('Enter in the playground sends a typed command as soon as it is whole, and completes it before that', () => {
    expect(isChoosing('/cl', commands)).toBe(true);
    expect(isChoosing('/clone', commands)).toBe(false);
    expect(isChoosing('/clone ', commands)).toBe(false);
  });
});

it('a permalink is read only if it leads to this playground', () => {
  const origin = 'http://127.0.0.1:4000';
  expect(readPermalink(`${origin}/archives/C1/p1712345678000100?thread_ts=1712345600.000200`, origin)).toEqual({
    channel: 'C1',
    ts: '1712345678.000100',
    threadTs: '1712345600.000200',
  });
  expect(readPermalink(`${origin}/archives/C1/p1712345678000100`, origin)?.threadTs).toBeUndefined();
  expect(readPermalink('https://x.example/archives/C1/p1712345678000100', origin)).toBeUndefined();
  expect(readPermalink(`${origin}/`, origin)).toBeUndefined();
});

it('the playground’s inspector finds words anywhere in an exchange with the bot', () => {
  const traffic: Traffic = {
    at: 1,
    direction: 'from bot',
    what: 'chat.postMessage',
    milliseconds: 2,
    status: 200,
    request: { channel: 'C1' },
    response: { ok: false, error: 'invalid_blocks' },
  };
  expect(matchesWords(traffic, '')).toBe(true);
  expect(matchesWords(traffic, 'postmessage invalid c1')).toBe(true);
  expect(matchesWords(traffic, 'postmessage views')).toBe(false);
});
