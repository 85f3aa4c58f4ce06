import { describe, expect, test } from 'vitest';
import { readMessage } from '../../../src/slack/desk/message.ts';

const team = { team_id: 'T1', authorizations: [{ enterprise_id: null, team_id: 'T1', is_enterprise_install: false }] };
const mention = { type: 'app_mention', channel: 'C1', user: 'U1', text: '<@B> list', ts: '100.000200' };
const direct = { ...mention, type: 'message', channel: 'D1', channel_type: 'im', text: 'list' };
const read = (event: unknown) => readMessage({ ...team, event });

test('a mention and a direct message are read with their person, channel, text and kind', () => {
  const where = { team: 'T1', person: 'U1', isChanged: false, thread: undefined };
  expect(read(mention)).toMatchObject({ ...where, channel: 'C1', kind: 'mention', text: '<@B> list' });
  expect(read(direct)).toMatchObject({ ...where, channel: 'D1', kind: 'direct', text: 'list' });
  expect(read({ ...mention, thread_ts: '90.000100' })?.thread).toBe('90.000100');
});

describe('is a message, too:', () => {
  test.each([
    ['a message with a file', { subtype: 'file_share' }],
    ['a message in a thread that also goes to the channel', { subtype: 'thread_broadcast' }],
    ['a message without text', { text: undefined }],
    [
      'a message of a person of another workspace, whom nobody has admitted yet',
      { user_team: 'T9', source_team: 'T9' },
    ],
  ])('%s is read as a message to Dolly', (_what, change) => {
    for (const event of [mention, direct]) expect(read({ ...event, ...change })).toBeDefined();
  });
});

describe('is no message to Dolly:', () => {
  test.each([
    ['what Dolly or another app wrote', { bot_id: 'B1' }],
    ['what an app without a user wrote', { user: undefined, subtype: 'bot_message', bot_id: 'B1' }],
    ['what Slack itself wrote', { user: 'USLACKBOT' }],
    ['news of a change', { subtype: 'message_changed', hidden: true }],
    ['news of a deletion', { subtype: 'message_deleted', hidden: true }],
    ['news of a reply', { subtype: 'message_replied' }],
    ['news of a channel', { subtype: 'channel_join' }],
    ['what is hidden', { hidden: true }],
    ['what has no time', { ts: 'soon' }],
    ['an event without a channel', { channel: undefined }],
  ])('%s is not read as a message to Dolly', (_what, change) => {
    for (const event of [mention, direct]) expect(read({ ...event, ...change })).toBeUndefined();
  });

  test('every message in a direct conversation is read as direct, however Slack names its event', () => {
    for (const change of [
      { channel_type: undefined },
      { type: 'app_mention' },
      { type: 'app_mention', channel_type: undefined },
    ])
      expect(read({ ...direct, ...change })?.kind).toBe('direct');
    expect(read({ ...mention, type: 'message' })).toBeUndefined();
  });

  test('a channel message without a mention, a reaction and an empty event are not read as messages to Dolly', () => {
    expect(read({ ...direct, channel_type: 'channel' })).toBeUndefined();
    expect(read({ ...direct, channel_type: 'mpim' })).toBeUndefined();
    expect(read({ type: 'reaction_added' })).toBeUndefined();
    expect(readMessage({ ...team })).toBeUndefined();
    expect(readMessage({ event: mention })).toBeUndefined();
  });
});

describe('the id of a message', () => {
  const idOf = (event: unknown) => read(event)?.id;

  test('the id of a message is the same however Slack tells of it', () => {
    expect(idOf({ ...mention, client_msg_id: 'another', event_ts: '200.000000' })).toBe(idOf(mention));
    expect(idOf({ ...direct, type: 'app_mention' })).toBe(idOf(direct));
    expect(idOf({ ...direct, channel_type: undefined })).toBe(idOf(direct));
  });

  test('the id of a message differs by its time, text, channel, workspace and each edit', () => {
    const ids = [
      idOf(mention),
      idOf({ ...mention, ts: '100.000201' }),
      idOf({ ...mention, text: '<@B> help' }),
      idOf({ ...mention, channel: 'C2' }),
      readMessage({ team_id: 'T2', event: mention })?.id,
      idOf({ ...mention, edited: { user: 'U1', ts: '101.000000' } }),
      idOf({ ...mention, edited: { user: 'U1', ts: '102.000000' } }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('the id of a message tells nothing of a password in its text', () => {
    const ids = ['hunter22', 'hunter23'].map(word => idOf({ ...mention, text: `clone shop password=${word}` }));
    expect(ids[0]).toBe(ids[1]);
  });

  test('an edited message is marked as changed', () => {
    expect(read({ ...mention, edited: { user: 'U1', ts: '101.500000' } })?.isChanged).toBe(true);
  });
});
