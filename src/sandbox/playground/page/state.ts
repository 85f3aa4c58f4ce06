import type { StateValues } from '../protocol.ts';
import { type Element, elementsOf, isJson, type Json } from './blocks.ts';

/** The state of one kind of element: its key, the `initial_*` that it starts from, and its value when empty. */
type Kept = { key: string; initial: string; empty: unknown };

/** The state of each kind of element in Slack's `state.values`. Kinds that are not here (button, overflow) have none. */
const KEPT: Readonly<Record<string, Kept>> = {
  plain_text_input: { key: 'value', initial: 'initial_value', empty: null },
  number_input: { key: 'value', initial: 'initial_value', empty: null },
  email_text_input: { key: 'value', initial: 'initial_value', empty: null },
  url_text_input: { key: 'value', initial: 'initial_value', empty: null },
  static_select: { key: 'selected_option', initial: 'initial_option', empty: null },
  external_select: { key: 'selected_option', initial: 'initial_option', empty: null },
  radio_buttons: { key: 'selected_option', initial: 'initial_option', empty: null },
  checkboxes: { key: 'selected_options', initial: 'initial_options', empty: [] },
  multi_static_select: { key: 'selected_options', initial: 'initial_options', empty: [] },
  multi_external_select: { key: 'selected_options', initial: 'initial_options', empty: [] },
  users_select: { key: 'selected_user', initial: 'initial_user', empty: null },
  multi_users_select: { key: 'selected_users', initial: 'initial_users', empty: [] },
  conversations_select: { key: 'selected_conversation', initial: 'initial_conversation', empty: null },
  multi_conversations_select: { key: 'selected_conversations', initial: 'initial_conversations', empty: [] },
  channels_select: { key: 'selected_channel', initial: 'initial_channel', empty: null },
  multi_channels_select: { key: 'selected_channels', initial: 'initial_channels', empty: [] },
  datepicker: { key: 'selected_date', initial: 'initial_date', empty: null },
  timepicker: { key: 'selected_time', initial: 'initial_time', empty: null },
  datetimepicker: { key: 'selected_date_time', initial: 'initial_date_time', empty: null },
};

/**
 * An element's state in Slack's form, e.g. `{type: 'static_select', selected_option: …}`. A text that was cleared is
 * `null`, as Slack sends it.
 */
export function elementState(type: string, value: unknown): Json {
  const kept = KEPT[type];
  return kept ? { type, [kept.key]: value === '' || value === undefined ? kept.empty : value } : { type };
}

/** The value in an element's state (a text, an option, a list of ids, …), whatever its key. */
export function heldBy(state: unknown): unknown {
  if (!isJson(state) || typeof state.type !== 'string') return undefined;
  const kept = KEPT[state.type];
  return kept ? state[kept.key] : undefined;
}

/** The state an element starts with: its `initial_*`, else empty. `undefined` for kinds that keep nothing. */
function startOf(element: Element): Json | undefined {
  const kept = KEPT[element.type];
  if (!kept) return undefined;
  const initial = element.raw[kept.initial];
  // Slack answers numbers as text, however the bot wrote the initial value.
  const value = element.type === 'number_input' && typeof initial === 'number' ? String(initial) : initial;
  return elementState(element.type, value);
}

/**
 * The state of a view's (or message's) elements, from the blocks it shows now and the state before. As in Slack, an
 * element whose block_id, action_id and type stay keeps what a person put in, whatever `initial_*` says now; a new one
 * starts from its `initial_*`; what is gone is forgotten.
 */
export function keepState(blocks: unknown[], before: StateValues = {}): StateValues {
  const state: StateValues = {};
  for (const element of elementsOf(blocks)) {
    const start = startOf(element);
    if (!start) continue;
    const old = before[element.blockId]?.[element.actionId];
    const block = state[element.blockId] ?? {};
    block[element.actionId] = isJson(old) && old.type === element.type ? old : start;
    state[element.blockId] = block;
  }
  return state;
}

/** A copy of `state` in which one element has a new value. */
export function withValue(state: StateValues, element: Element, value: unknown): StateValues {
  const block = { ...state[element.blockId], [element.actionId]: elementState(element.type, value) };
  return { ...state, [element.blockId]: block };
}
