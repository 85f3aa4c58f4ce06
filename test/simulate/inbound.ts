import { z } from 'zod';
import { goesTo } from './faults.ts';
import type { Exchange } from './network.ts';
import { parsed } from './requests.ts';

/* What people and Slack send to a bot, read from its wire. */

/** One thing that reached a bot, or was sent to one. What its kind does not have is empty. */
export type Inbound = Readonly<{
  exchange: Exchange;
  kind: 'command' | 'click' | 'form' | 'choices' | 'shortcut' | 'mention' | 'direct' | 'changed' | 'step' | 'sign-in';
  person: string;
  /** What was typed. */
  text: string;
  /** The `action_id` of a button, the `callback_id` of a form, a shortcut or a step. */
  name: string;
  /** What a button carries, or what a form does beside its fields. */
  value: string;
  trigger: string;
  /** The address of the answer. */
  address: string;
  channel: string;
  /** The thread of a message, or the message itself. */
  thread: string;
}>;

const Payload = z.looseObject({
  type: z.string(),
  user: z.object({ id: z.string() }),
  trigger_id: z.string().default(''),
  response_url: z.string().default(''),
  actions: z.array(z.looseObject({ action_id: z.string(), value: z.string().default('') })).default([]),
  view: z.looseObject({ callback_id: z.string().default(''), private_metadata: z.string().default('') }).optional(),
  callback_id: z.string().default(''),
});
const Event = z.object({
  event: z.looseObject({
    type: z.string(),
    user: z.string().default(''),
    text: z.string().default(''),
    channel: z.string().default(''),
    channel_type: z.string().default(''),
    subtype: z.string().optional(),
    bot_id: z.string().optional(),
    ts: z.string().default(''),
    thread_ts: z.string().optional(),
    edited: z.unknown().optional(),
    message: z.looseObject({ user: z.string().default(''), text: z.string().default('') }).optional(),
    function: z.looseObject({ callback_id: z.string() }).optional(),
  }),
});

const nothing = { person: '', text: '', name: '', value: '', trigger: '', address: '', channel: '', thread: '' };
const kinds = {
  block_actions: 'click',
  view_submission: 'form',
  block_suggestion: 'choices',
  shortcut: 'shortcut',
  message_action: 'shortcut',
} as const;
const isKind = (type: string): type is keyof typeof kinds => type in kinds;

const known = new WeakMap<Exchange, Readonly<{ inbound: Inbound | undefined }>>();

/** Reads a request to a bot, once; `undefined`: it is none, or none of a person's. */
export function inboundOf(exchange: Exchange): Inbound | undefined {
  const { inbound } = known.get(exchange) ?? { inbound: read(exchange) };
  known.set(exchange, { inbound });
  return inbound;
}

/** Whether an identifier of a form is that of an operation. */
export const isOperation = (form: string) => /^\w+\.\w+$/.test(form);

function read(exchange: Exchange): Inbound | undefined {
  const { method, url, body } = exchange;
  if (method !== 'POST' || goesTo(exchange) !== 'bot') return undefined;
  if (url.pathname.startsWith('/login/')) return { ...nothing, exchange, kind: 'sign-in' };
  if (body.startsWith('{')) return eventOf(exchange);
  const fields = new URLSearchParams(body);
  const field = (name: string) => fields.get(name) ?? '';
  if (fields.has('command')) {
    const typed = { person: field('user_id'), text: field('text'), channel: field('channel_id') };
    return {
      ...nothing,
      exchange,
      kind: 'command',
      ...typed,
      trigger: field('trigger_id'),
      address: field('response_url'),
    };
  }
  const payload = Payload.safeParse(parsed(field('payload'))).data;
  if (!payload || !isKind(payload.type)) return undefined;
  const [action] = payload.actions;
  const { view, user, trigger_id: trigger, response_url: address } = payload;
  const name = action?.action_id ?? (view?.callback_id || payload.callback_id);
  const value = action?.value ?? view?.private_metadata ?? '';
  return { ...nothing, exchange, kind: kinds[payload.type], person: user.id, name, value, trigger, address };
}

function eventOf(exchange: Exchange): Inbound | undefined {
  const { event } = Event.safeParse(parsed(exchange.body)).data ?? {};
  if (!event || event.bot_id !== undefined) return undefined;
  const { type, subtype, message } = event;
  const said = { person: event.user, text: event.text, channel: event.channel, thread: event.thread_ts ?? event.ts };
  if (event.function) return { ...nothing, exchange, kind: 'step', name: event.function.callback_id };
  if (type === 'message' && subtype === 'message_changed' && message)
    return { ...nothing, exchange, kind: 'changed', ...said, person: message.user, text: message.text };
  if (subtype !== undefined) return undefined;
  if (type === 'app_mention')
    return { ...nothing, exchange, kind: event.edited === undefined ? 'mention' : 'changed', ...said };
  if (type === 'message' && event.channel_type === 'im') return { ...nothing, exchange, kind: 'direct', ...said };
  return undefined;
}
