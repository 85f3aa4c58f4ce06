import { describe, expect, it } from 'vitest';
import { type Event, emptyState, reduce, type State } from '../../../src/sandbox/playground/page/store.ts';
import type { Channel, Message, OpenView, PlayEvent, Snapshot } from '../../../src/sandbox/playground/protocol.ts';

const ana = { id: 'U1', name: 'ana', realName: 'Ana', title: '', isBot: false };
const dolly = { id: 'U9', name: 'dolly', realName: 'Dolly', title: '', isBot: true };
const channel = (id: string, kind: Channel['kind'] = 'public'): Channel => ({
  id,
  name: id.toLowerCase(),
  topic: '',
  kind,
  members: ['U1', 'U9'],
});
const message = (ts: string, more: Partial<Message> = {}): Message => ({
  channel: 'C1',
  ts,
  user: 'U9',
  text: 'hi',
  blocks: [],
  attachments: [],
  replyCount: 0,
  edited: false,
  ...more,
});
const snapshot = (more: Partial<Snapshot> = {}): Snapshot => ({
  team: { id: 'T', name: 'Team' },
  me: ana,
  people: [ana, dolly],
  channels: [channel('C1'), channel('C2'), channel('D1', 'dm')],
  groups: [],
  commands: [],
  shortcuts: [],
  functions: {},
  workflows: [],
  runs: [],
  messages: { C1: [message('10.000001')] },
  views: [],
  home: null,
  violations: [],
  ...more,
});
const having = (events: Event[], state: State = emptyState({}, '5.000000')): State => events.reduce(reduce, state);
const play = (event: PlayEvent): Event => ({ type: 'play', event });
const view = (initial: string, blockId = 'name', hash = '1'): OpenView => ({
  id: 'V1',
  hash,
  rootId: 'V1',
  stack: 0,
  view: {
    blocks: [
      {
        type: 'input',
        block_id: blockId,
        element: { type: 'plain_text_input', action_id: 'value', initial_value: initial },
      },
    ],
  },
});
const ready = having([{ type: 'snapshot', snapshot: snapshot() }]);
const texts = (state: State) => state.data?.messages.C1?.map(({ text }) => text);

describe('the connection', () => {
  it('the page of the playground starts in the first channel', () => {
    expect(ready.place).toEqual({ type: 'channel', id: 'C1' });
    expect(ready.connection).toBe('live');
  });

  it('the playground’s page shows a lost connection, and keeps place and drafts over it', () => {
    const broken = having(
      [
        { type: 'go', place: { type: 'channel', id: 'C2' } },
        { type: 'draft', key: 'C2', text: '/cl' },
        { type: 'broken' },
      ],
      ready,
    );
    expect(broken.connection).toBe('broken');
    const back = having([{ type: 'snapshot', snapshot: snapshot() }], broken);
    expect(back.connection).toBe('live');
    expect(back.place).toEqual({ type: 'channel', id: 'C2' });
    expect(back.drafts.C2).toBe('/cl');
  });

  it('the playground’s page takes no message before the first snapshot of its state', () => {
    expect(having([play({ type: 'message', message: message('11.000000') })]).data).toBeUndefined();
  });
});

describe('messages', () => {
  it('the messages of a channel stand by time on the playground’s page, once each', () => {
    const state = having(
      [
        play({ type: 'message', message: message('12.000000', { text: 'c' }) }),
        play({ type: 'message', message: message('11.000000', { text: 'b' }) }),
        play({ type: 'message', message: message('12.000000', { text: 'c again' }) }),
      ],
      ready,
    );
    expect(texts(state)).toEqual(['hi', 'b', 'c again']);
  });

  it('a message that is changed or deleted changes or goes on the playground’s page', () => {
    const changed = having([play({ type: 'message_changed', message: message('10.000001', { text: 'new' }) })], ready);
    expect(texts(changed)).toEqual(['new']);
    expect(texts(having([play({ type: 'message_deleted', channel: 'C1', ts: '10.000001' })], changed))).toEqual([]);
  });

  it('a new message counts as read only in the channel that the playground has on screen', () => {
    const state = having(
      [
        play({ type: 'message', message: message('12.000000') }),
        play({ type: 'message', message: message('13.000000', { channel: 'C2' }) }),
      ],
      ready,
    );
    expect(state.lastRead).toEqual({ C1: '12.000000' });
  });
});

describe('notices', () => {
  const mention = { text: 'look <@U1>' };

  it('the playground notifies a person of a mention in another channel, and of one in a thread that is not open', () => {
    const elsewhere = play({ type: 'message', message: message('12.000000', { ...mention, channel: 'C2' }) });
    const reply = play({ type: 'message', message: message('13.000000', { ...mention, threadTs: '10.000001' }) });
    expect(having([elsewhere, reply], ready).notices.map(({ message: about }) => about?.ts)).toEqual([
      '12.000000',
      '13.000000',
    ]);
  });

  it('the playground notifies a person of a direct message', () => {
    const direct = play({ type: 'message', message: message('12.000000', { channel: 'D1' }) });
    expect(having([direct], ready).notices).toHaveLength(1);
  });

  it('the playground notifies a person neither of what is on screen nor of what they said themselves', () => {
    const thread: Event = { type: 'side', side: { type: 'thread', channel: 'C1', ts: '10.000001' } };
    const here = play({ type: 'message', message: message('12.000000', mention) });
    const reply = play({ type: 'message', message: message('13.000000', { ...mention, threadTs: '10.000001' }) });
    const own = play({ type: 'message', message: message('14.000000', { ...mention, channel: 'C2', user: 'U1' }) });
    expect(having([thread, here, reply, own], ready).notices).toEqual([]);
  });

  it('a notification in the playground goes when its message comes on screen', () => {
    const reply = play({ type: 'message', message: message('13.000000', { ...mention, threadTs: '10.000001' }) });
    const thread: Event = { type: 'side', side: { type: 'thread', channel: 'C1', ts: '10.000001' } };
    expect(having([reply, thread], ready).notices).toEqual([]);
  });
});

describe('modals', () => {
  const container = { type: 'view', viewId: 'V1' } as const;
  const open = (opened: OpenView) => play({ type: 'views', views: [opened] });
  const fill = (value: string): Event => ({
    type: 'fill',
    container,
    blocks: [
      {
        type: 'input',
        block_id: 'name',
        element: { type: 'plain_text_input', action_id: 'value' },
      },
    ],
    element: { type: 'plain_text_input', blockId: 'name', actionId: 'value', raw: {} },
    value,
  });
  const values = (state: State) => state.forms['view V1'];

  it('a modal in the playground keeps what was typed over an update, and starts new inputs as they ask for', () => {
    const state = having([open(view('a')), fill('typed'), open(view('b', 'name', '2'))], ready);
    expect(values(state)).toEqual({ name: { value: { type: 'plain_text_input', value: 'typed' } } });
    expect(values(having([open(view('c', 'name:2', '3'))], state))).toEqual({
      'name:2': { value: { type: 'plain_text_input', value: 'c' } },
    });
  });

  it('a modal in the playground keeps what was typed over a lost connection', () => {
    const state = having(
      [
        open(view('a')),
        fill('typed'),
        { type: 'broken' },
        { type: 'snapshot', snapshot: snapshot({ views: [view('a')] }) },
      ],
      ready,
    );
    expect(values(state)).toEqual({ name: { value: { type: 'plain_text_input', value: 'typed' } } });
  });

  it('the playground forgets what was typed into a modal when it is closed', () => {
    const state = having([open(view('a')), fill('typed'), play({ type: 'views', views: [] })], ready);
    expect(state.forms).toEqual({});
  });
});

it('a permalink in the playground leads to the channel, the thread and the message', () => {
  const state = having(
    [{ type: 'visit', permalink: { channel: 'C2', ts: '20.000000', threadTs: '19.000000' } }],
    ready,
  );
  expect(state.place).toEqual({ type: 'channel', id: 'C2' });
  expect(state.side).toEqual({ type: 'thread', channel: 'C2', ts: '19.000000' });
  expect(state.target).toBe('20.000000');
});

it('the playground closes a thread when its channel is left, and leaves the inspector open', () => {
  const go: Event = { type: 'go', place: { type: 'channel', id: 'C2' } };
  expect(having([{ type: 'side', side: { type: 'thread', channel: 'C1', ts: '1' } }, go], ready).side).toBeUndefined();
  expect(having([{ type: 'side', side: { type: 'inspector' } }, go], ready).side).toEqual({ type: 'inspector' });
});

it('the playground’s red bar of violations can be waved away, and comes back with the next violation', () => {
  const broke = (what: string) => play({ type: 'violation', violation: { at: 1, what, detail: '' } });
  const seen = having([broke('one'), { type: 'violations seen' }], ready);
  expect(seen.violationsSeen).toBe(seen.data?.violations.length);
  const again = having([broke('two')], seen);
  expect(again.violationsSeen).toBeLessThan(again.data?.violations.length ?? 0);
});

it('new messages of a channel in the playground can still be told from old ones after it was entered', () => {
  const state = having(
    [
      play({ type: 'message', message: message('12.000000', { channel: 'C2' }) }),
      { type: 'go', place: { type: 'channel', id: 'C2' } },
      play({ type: 'message', message: message('13.000000', { channel: 'C2' }) }),
    ],
    ready,
  );
  expect(state.readTo).toBe('5.000000');
  expect(state.lastRead.C2).toBe('13.000000');
});

it('a channel that changes stays in its place in the playground, and a new one comes last', () => {
  const named = (id: string, topic: string) => play({ type: 'channel', channel: { ...channel(id), topic } });
  const state = having([named('C1', 'new topic'), named('C9', '')], ready);
  expect(state.data?.channels.map(({ id }) => id)).toEqual(['C1', 'C2', 'D1', 'C9']);
  expect(state.data?.channels[0]?.topic).toBe('new topic');
});

it('a violation in a playground started anew shows, however many were seen in the old one', () => {
  const violation = { at: 1, what: 'one', detail: '' };
  const seen = having([play({ type: 'violation', violation }), { type: 'violations seen' }], ready);
  const anew = having([{ type: 'snapshot', snapshot: snapshot() }, play({ type: 'violation', violation })], seen);
  expect(anew.violationsSeen).toBe(0);
});
