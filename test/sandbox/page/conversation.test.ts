import { describe, expect, it } from 'vitest';
import { firstDrawn, lines, mainMessages, repliesTo } from '../../../src/sandbox/playground/page/conversation.ts';
import { sizeText } from '../../../src/sandbox/playground/page/sizes.ts';
import { mentions, unreadOf } from '../../../src/sandbox/playground/page/unread.ts';
import type { Message } from '../../../src/sandbox/playground/protocol.ts';

const message = (ts: string, more: Partial<Message> = {}): Message => ({
  channel: 'C1',
  ts,
  user: 'U9',
  text: '',
  blocks: [],
  attachments: [],
  replyCount: 0,
  edited: false,
  ...more,
});
const noon = Math.floor(new Date(2026, 0, 2, 12).getTime() / 1000);
const at = (minutes: number) => `${noon + minutes * 60}.000000`;

describe('a row of messages', () => {
  it('a message in the playground has no heading where it follows one of the same person within five minutes', () => {
    const row = lines([
      message(at(0)),
      message(at(1)),
      message(at(7)),
      message(at(8), { user: 'U1' }),
      message(at(9), { user: 'U1', onlyFor: 'U1' }),
    ]);
    expect(row.map(({ follows }) => follows)).toEqual([false, true, false, false, false]);
  });

  it('the messages of a channel in the playground have a heading for each day', () => {
    const row = lines([message(at(0)), message(at(1)), message(at(24 * 60))]);
    expect(row.map(({ newDay }) => newDay)).toEqual([true, false, true]);
  });

  it('the playground keeps replies apart from the main messages of a channel', () => {
    const all = [message('1.0'), message('2.0', { threadTs: '1.0' }), message('3.0', { threadTs: '3.0' })];
    expect(mainMessages(all).map(({ ts }) => ts)).toEqual(['1.0', '3.0']);
    expect(repliesTo(all, '1.0').map(({ ts }) => ts)).toEqual(['2.0']);
  });
});

describe('a long list', () => {
  const all = Array.from({ length: 200 }, (_, at) => message(`${at}.0`));

  it('a long list of messages in the playground begins near its end, and earlier each time that is asked for', () => {
    expect(firstDrawn(all, 0, undefined)).toBe(120);
    expect(firstDrawn(all, 1, undefined)).toBe(40);
    expect(firstDrawn(all, 2, undefined)).toBe(0);
    expect(firstDrawn(all.slice(0, 3), 0, undefined)).toBe(0);
  });

  it('a long list of messages in the playground always holds the one that a link led to', () => {
    expect(firstDrawn(all, 0, '7.0')).toBe(7);
    expect(firstDrawn(all, 0, '150.0')).toBe(120);
    expect(firstDrawn(all, 0, 'gone')).toBe(120);
  });
});

describe('unread', () => {
  it('the playground counts messages after the last look as unread, and replies only if they mention the person', () => {
    const all = [
      message('1.0'),
      message('2.0'),
      message('3.0', { user: 'U1' }),
      message('4.0', { threadTs: '1.0' }),
      message('5.0', { threadTs: '1.0', text: '<@U1>' }),
    ];
    expect(unreadOf(all, 'U1', '1.0', '0')).toEqual({ count: 1, mentions: 1 });
    expect(unreadOf(all, 'U1', '5.0', '0')).toEqual({ count: 0, mentions: 0 });
  });

  it('messages from before the playground’s page was opened do not count as unread', () => {
    expect(unreadOf([message('1.0'), message('9.0')], 'U1', undefined, '5.0')).toEqual({ count: 1, mentions: 0 });
  });

  it('the playground finds a mention in the text, blocks and rich text of a message', () => {
    expect(mentions(message('1.0', { text: 'a <@U1|ana>' }), 'U1')).toBe(true);
    expect(mentions(message('1.0', { blocks: [{ type: 'section', text: { text: '<@U1>' } }] }), 'U1')).toBe(true);
    expect(mentions(message('1.0', { blocks: [{ elements: [{ type: 'user', user_id: 'U1' }] }] }), 'U1')).toBe(true);
    expect(mentions(message('1.0', { text: '<@U12>' }), 'U1')).toBe(false);
  });

  it('a mention of a user group in the playground counts for the people in it, and for no others', () => {
    const groups = [{ id: 'S1', handle: 'dbas', name: 'DBAs', users: ['U1'] }];
    const inText = message('1.0', { text: 'look <!subteam^S1|@dbas>' });
    const inRichText = message('1.0', { blocks: [{ elements: [{ type: 'usergroup', usergroup_id: 'S1' }] }] });
    expect([inText, inRichText].map(one => mentions(one, 'U1', groups))).toEqual([true, true]);
    expect([inText, inRichText].map(one => mentions(one, 'U2', groups))).toEqual([false, false]);
    expect(unreadOf([inText], 'U1', '0', '0', groups)).toEqual({ count: 1, mentions: 1 });
  });
});

it.each<[number, string]>([
  [0, '0 bytes'],
  [1, '1 byte'],
  [1023, '1023 bytes'],
  [1024, '1 KB'],
  [1400, '1.4 KB'],
  [1024 * 1024 - 1, '1 MB'],
  [20 * 1024 * 1024, '20 MB'],
])('the playground says of a file of %i bytes that it has %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
