import type { Container, Message, OpenView, PlayEvent, Snapshot, StateValues, Traffic } from '../protocol.ts';
import { blocksOf, type Element } from './blocks.ts';
import { isReply, putMessage, removeMessage } from './conversation.ts';
import type { Permalink } from './permalink.ts';
import { keepState, withValue } from './state.ts';
import { isBefore, lastTs, mentions } from './unread.ts';

/** The place that fills the middle of the window. */
export type Place = { type: 'channel'; id: string } | { type: 'home' } | { type: 'workflows' };

/** The panel on the right-hand side, if there is one. */
export type Side =
  | { type: 'thread'; channel: string; ts: string }
  | { type: 'inspector' }
  | { type: 'violations' }
  | undefined;

/** A short note at the corner of the window: a mention elsewhere, or a request that failed. */
export type Notice = { id: number; kind: 'mention' | 'error'; text: string; message?: Message };

/** Everything the page shows. */
export type State = {
  connection: 'loading' | 'live' | 'broken';
  data: Snapshot | undefined;
  traffic: Traffic[];
  place: Place;
  side: Side;
  /** The ts of the message that a link led to; it is scrolled to and marked. */
  target: string | undefined;
  drafts: Readonly<Record<string, string>>;
  /** Channel id → ts of the last message that was looked at. */
  lastRead: Readonly<Record<string, string>>;
  /** Up to which ts the channel on screen had been read when it was entered; what came since is marked as new. */
  readTo: string;
  /** Messages before this ts were there when the page was opened first, so they are no news. */
  since: string;
  /** The values that people have put into forms, by {@link formKey}. */
  forms: Readonly<Record<string, StateValues>>;
  notices: Notice[];
  /** The number of violations that were dismissed; the red bar returns with the next one. */
  violationsSeen: number;
};

/** The events of the page. */
export type Event =
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'broken' }
  | { type: 'play'; event: PlayEvent }
  | { type: 'traffic'; traffic: Traffic[] }
  | { type: 'go'; place: Place }
  | { type: 'side'; side: Side }
  | { type: 'visit'; permalink: Permalink }
  | { type: 'draft'; key: string; text: string }
  | { type: 'fill'; container: Container; blocks: unknown[]; element: Element; value: unknown }
  | { type: 'notice'; kind: 'mention' | 'error'; text: string }
  | { type: 'dismiss'; id: number }
  | { type: 'violations seen' };

const TRAFFIC_KEPT = 500;

/** The page before anything is known. */
export function emptyState(lastRead: Readonly<Record<string, string>>, since: string): State {
  return {
    connection: 'loading',
    data: undefined,
    traffic: [],
    place: { type: 'channel', id: '' },
    side: undefined,
    target: undefined,
    drafts: {},
    lastRead,
    readTo: since,
    since,
    forms: {},
    notices: [],
    violationsSeen: 0,
  };
}

/** Under which key a form's values are kept. */
export function formKey(container: Container): string {
  if (container.type === 'message') return `message ${container.channel} ${container.ts}`;
  return container.type === 'view' ? `view ${container.viewId}` : 'home';
}

/** The page after an event. Pure: nothing of `state` is changed. */
export function reduce(state: State, event: Event): State {
  switch (event.type) {
    case 'snapshot':
      return withSnapshot(state, event.snapshot);
    case 'broken':
      return { ...state, connection: state.data ? 'broken' : 'loading' };
    case 'play':
      return state.data ? withPlayEvent(state, state.data, event.event) : state;
    case 'traffic':
      return { ...state, traffic: event.traffic.slice(-TRAFFIC_KEPT) };
    case 'go':
      return entered({ ...state, place: event.place, side: sideAfter(state.side), target: undefined });
    case 'side':
      return withoutSeen({ ...state, side: event.side });
    case 'visit':
      return withVisit(state, event.permalink);
    case 'draft':
      return { ...state, drafts: { ...state.drafts, [event.key]: event.text } };
    case 'fill': {
      const key = formKey(event.container);
      const values = withValue(keepState(event.blocks, state.forms[key]), event.element, event.value);
      return { ...state, forms: { ...state.forms, [key]: values } };
    }
    case 'notice':
      return withNotice(state, { kind: event.kind, text: event.text });
    case 'dismiss':
      return { ...state, notices: state.notices.filter(notice => notice.id !== event.id) };
    case 'violations seen':
      return { ...state, violationsSeen: state.data?.violations.length ?? 0 };
  }
}

/** A thread belongs to its channel and closes with it; the inspector stays. */
function sideAfter(side: Side): Side {
  return side?.type === 'thread' ? undefined : side;
}

function withVisit(state: State, { channel, ts, threadTs }: Permalink): State {
  const side: Side = threadTs === undefined ? sideAfter(state.side) : { type: 'thread', channel, ts: threadTs };
  return entered({ ...state, place: { type: 'channel', id: channel }, side, target: ts });
}

function withSnapshot(state: State, snapshot: Snapshot): State {
  const first = snapshot.channels.find(channel => channel.kind !== 'dm') ?? snapshot.channels[0];
  const known = state.place.type !== 'channel' || snapshot.channels.some(channel => isPlace(state.place, channel.id));
  const place: Place = known ? state.place : { type: 'channel', id: first?.id ?? '' };
  const forms = formsOfViews(state.forms, snapshot.views);
  // A playground that was started anew has fewer violations than were seen in the old one.
  const violationsSeen = Math.min(state.violationsSeen, snapshot.violations.length);
  const next: State = { ...state, connection: 'live', data: snapshot, place, forms, violationsSeen };
  return place === state.place ? markRead(next) : entered(next);
}

function isPlace(place: Place, channel: string): boolean {
  return place.type === 'channel' && place.id === channel;
}

function withPlayEvent(state: State, data: Snapshot, event: PlayEvent): State {
  switch (event.type) {
    case 'message':
    case 'message_changed': {
      const messages = putMessage(data.messages, event.message);
      const key = formKey({ type: 'message', channel: event.message.channel, ts: event.message.ts });
      const forms = state.forms[key]
        ? { ...state.forms, [key]: keepState(event.message.blocks, state.forms[key]) }
        : state.forms;
      const next = markRead({ ...state, forms, data: { ...data, messages } });
      return event.type === 'message' ? announce(next, data.me.id, event.message) : next;
    }
    case 'message_deleted':
      return { ...state, data: { ...data, messages: removeMessage(data.messages, event.channel, event.ts) } };
    case 'channel': {
      const known = data.channels.some(channel => channel.id === event.channel.id);
      const channels = known
        ? data.channels.map(channel => (channel.id === event.channel.id ? event.channel : channel))
        : [...data.channels, event.channel];
      return { ...state, data: { ...data, channels } };
    }
    case 'views':
      return { ...state, forms: formsOfViews(state.forms, event.views), data: { ...data, views: event.views } };
    case 'home': {
      const forms = { ...state.forms, home: keepState(blocksOf(event.view), state.forms.home) };
      return { ...state, forms, data: { ...data, home: event.view } };
    }
    case 'workflow':
      return { ...state, data: { ...data, workflows: withOne(data.workflows, event.workflow, data.team.id) } };
    case 'run':
      return { ...state, data: { ...data, runs: withOne(data.runs, event.run, data.team.id) } };
    case 'violation':
      return { ...state, data: { ...data, violations: [...data.violations, event.violation] } };
    case 'traffic':
      return { ...state, traffic: [...state.traffic, event.traffic].slice(-TRAFFIC_KEPT) };
  }
}

/** A list with one thing in it that is new or has changed; those of other workspaces are none of ours. */
function withOne<T extends { id: string; team: string }>(all: T[], one: T, team: string): T[] {
  if (one.team !== team) return all;
  return all.some(({ id }) => id === one.id) ? all.map(old => (old.id === one.id ? one : old)) : [...all, one];
}

/** Open views keep what was typed (see {@link keepState}); the forms of closed ones are forgotten. */
function formsOfViews(forms: State['forms'], views: OpenView[]): State['forms'] {
  const others = Object.entries(forms).filter(([key]) => !key.startsWith('view '));
  const open = views.map(({ id, view }): [string, StateValues] => {
    const key = formKey({ type: 'view', viewId: id });
    return [key, keepState(blocksOf(view), forms[key])];
  });
  return Object.fromEntries([...others, ...open]);
}

/** A place was entered: from now on it counts as read, but what is new there can still be told apart. */
function entered(state: State): State {
  const readTo = state.place.type === 'channel' ? state.lastRead[state.place.id] : undefined;
  return withoutSeen(markRead({ ...state, readTo: readTo ?? state.since }));
}

/** Marks the messages of the channel on screen as read. */
function markRead(state: State): State {
  if (state.place.type !== 'channel') return state;
  const { id } = state.place;
  const last = lastTs(state.data?.messages[id] ?? []);
  if (!last || !isBefore(state.lastRead[id] ?? '0', last)) return state;
  return { ...state, lastRead: { ...state.lastRead, [id]: last } };
}

/** Tells of a message to me (a mention, or one in a direct message) where I don't look. */
function announce(state: State, me: string, message: Message): State {
  const direct = state.data?.channels.some(({ id, kind }) => id === message.channel && kind === 'dm') === true;
  if (message.user === me || !(direct || mentions(message, me, state.data?.groups))) return state;
  return isOnScreen(state, message) ? state : withNotice(state, { kind: 'mention', text: message.text, message });
}

function isOnScreen({ place, side }: State, message: Message): boolean {
  if (!isReply(message)) return isPlace(place, message.channel);
  return side?.type === 'thread' && side.channel === message.channel && side.ts === message.threadTs;
}

/** Drops the notices of what is on screen now. */
function withoutSeen(state: State): State {
  return { ...state, notices: state.notices.filter(({ message }) => !message || !isOnScreen(state, message)) };
}

function withNotice(state: State, notice: Omit<Notice, 'id'>): State {
  const id = Math.max(0, ...state.notices.map(other => other.id)) + 1;
  return { ...state, notices: [...state.notices, { ...notice, id }].slice(-4) };
}
