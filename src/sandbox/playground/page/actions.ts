import type { Element, Json } from './blocks.ts';
import { elementState } from './state.ts';

/** Slack's action object, without the time of the action (the server puts it in). */
export type Action = { type: string; block_id: string; action_id: string } & Json;

/** The fields of an element that Slack repeats in its action, besides the choice. */
const REPEATED = [
  'initial_option',
  'initial_options',
  'initial_user',
  'initial_users',
  'initial_conversation',
  'initial_conversations',
  'initial_channel',
  'initial_channels',
  'initial_date',
  'initial_time',
  'initial_date_time',
  'placeholder',
  'confirm',
] as const;

function base(element: Element): Action {
  return { type: element.type, block_id: element.blockId, action_id: element.actionId };
}

function pick(raw: Json, keys: readonly string[]): Json {
  return Object.fromEntries(keys.filter(key => raw[key] !== undefined).map(key => [key, raw[key]]));
}

/** The action of a button: its text, and its value, style and url where it has them. */
export function buttonAction(element: Element): Action {
  return { ...base(element), ...pick(element.raw, ['text', 'value', 'style', 'url', 'confirm']) };
}

/** The action of an entry of an overflow menu. */
export function overflowAction(element: Element, option: Json): Action {
  return { ...base(element), ...pick(element.raw, ['confirm']), selected_option: option };
}

/** The action of an element that keeps a value (select, checkboxes, date, dispatching input, …) and now has `value`. */
export function valueAction(element: Element, value: unknown): Action {
  return { ...base(element), ...elementState(element.type, value), ...pick(element.raw, REPEATED) };
}
