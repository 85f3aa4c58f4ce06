import { describe, expect, it } from 'vitest';
import { chosenChoices, fitting, ownChoices } from '../../../src/sandbox/playground/page/choices.ts';
import { completions, isChoosing } from '../../../src/sandbox/playground/page/completion.ts';
import { readPermalink } from '../../../src/sandbox/playground/page/permalink.ts';
import { matchesWords } from '../../../src/sandbox/playground/page/traffic.ts';
import type { Snapshot, Traffic } from '../../../src/sandbox/playground/protocol.ts';

const ana = { id: 'U1', name: 'ana', realName: 'Ana', title: 'DBA', isBot: false };
const data: Snapshot = {
  team: { id: 'T', name: 'Team' },
  me: ana,
  people: [ana],
  channels: [
    { id: 'C1', name: 'dev', topic: '', kind: 'public', members: [] },
    { id: 'C2', name: 'secret', topic: '', kind: 'private', members: [] },
  ],
  groups: [],
  commands: [],
  messages: {},
  views: [],
  home: null,
  violations: [],
};
const option = (value: string, description?: string) => ({
  text: { type: 'plain_text', text: value },
  value,
  ...(description ? { description: { type: 'plain_text', text: description } } : {}),
});
const labels = (groups: ReturnType<typeof fitting>) => groups.map(group => group.choices.map(({ label }) => label));

describe('a select', () => {
  const groups = ownChoices(
    {
      type: 'static_select',
      raw: {
        option_groups: [
          { label: { type: 'plain_text', text: 'Linux' }, options: [option('host one', 'Oracle'), option('host two')] },
          { label: { type: 'plain_text', text: 'Other' }, options: [option('aix')] },
        ],
      },
    },
    data,
  );

  it('offers its options by group, narrowed by every word typed', () => {
    expect(labels(fitting(groups, ''))).toEqual([['host one', 'host two'], ['aix']]);
    expect(labels(fitting(groups, 'HOST ora'))).toEqual([['host one']]);
    expect(fitting(groups, 'nothing')).toEqual([]);
  });

  it('of users offers people; of channels only public ones, of conversations all', () => {
    const of = (type: string) =>
      ownChoices({ type, raw: {} }, data).flatMap(({ choices }) => choices.map(({ raw }) => raw));
    expect(of('multi_users_select')).toEqual(['U1']);
    expect(of('channels_select')).toEqual(['C1']);
    expect(of('conversations_select')).toEqual(['C1', 'C2']);
  });

  it('shows what is chosen, also where it is no longer offered, and gives it back unchanged', () => {
    const gone = option('gone');
    expect(chosenChoices(gone, groups).map(({ raw }) => raw)).toEqual([gone]);
    expect(chosenChoices(['U1', 'U2'], ownChoices({ type: 'users_select', raw: {} }, data))).toMatchObject([
      { label: 'Ana', raw: 'U1' },
      { label: 'U2', raw: 'U2' },
    ]);
    expect(chosenChoices(null, groups)).toEqual([]);
  });
});

describe('the completion of commands', () => {
  const hint = (command: string) => ({ command, description: '', usageHint: '' });
  const commands = [hint('/db'), hint('/clone'), hint('/restore')];
  const names = (text: string) => completions(text, commands).map(({ command }) => command);

  it('offers what begins so, then the usage of the one that is written', () => {
    expect(names('/')).toEqual(['/db', '/clone', '/restore']);
    expect(names('/CL')).toEqual(['/clone']);
    expect(names('/clone ord')).toEqual(['/clone']);
    expect(names('/nothing')).toEqual([]);
    expect(names('hello /db')).toEqual([]);
  });

  it('lets Enter send as soon as a command is whole', () => {
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

it('the inspector finds words anywhere in an exchange', () => {
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
