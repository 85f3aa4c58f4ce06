import { isRecord, type Json, recordOf, recordsOf, stringOf } from './json.ts';
import type { StateValues } from './protocol.ts';

/** An element in its block: `path` leads to it from the block. */
export type Placed = { element: Json; path: (string | number)[] };

/**
 * The elements of one block: a section's accessory, an input's element, the elements of actions and context, the buttons
 * of a card, and those of the blocks in a container.
 */
export function elementsOf(block: Json): Placed[] {
  if (block.type === 'container')
    return recordsOf(block.child_blocks).flatMap((child, index) =>
      elementsOf(child).map(({ element, path }) => ({ element, path: ['child_blocks', index, ...path] })),
    );
  if (block.type === 'card')
    return recordsOf(block.actions).map((element, index) => ({ element, path: ['actions', index] }));
  if (isRecord(block.accessory)) return [{ element: block.accessory, path: ['accessory'] }];
  if (isRecord(block.element)) return [{ element: block.element, path: ['element'] }];
  if (block.type !== 'actions' && block.type !== 'context') return [];
  return recordsOf(block.elements).map((element, index) => ({ element, path: ['elements', index] }));
}

/** All options of an element, those of its groups too. */
export function optionsOf(element: Json): Json[] {
  const groups = recordsOf(element.option_groups).flatMap(group => recordsOf(group.options));
  return [...recordsOf(element.options), ...groups];
}

type Kind = { initial: string; state: string; empty: unknown };
const one = (initial: string, state: string): Kind => ({ initial, state, empty: null });
const many = (initial: string, state: string): Kind => ({ initial, state, empty: [] });

/**
 * The state of each kind of element in Slack's `state.values`: its key, its initial property, and what
 * stands there when nothing was chosen. An element that is not here has no state (buttons, overflow, images).
 */
const kinds: Record<string, Kind> = {
  plain_text_input: one('initial_value', 'value'),
  number_input: one('initial_value', 'value'),
  email_text_input: one('initial_value', 'value'),
  url_text_input: one('initial_value', 'value'),
  rich_text_input: one('initial_value', 'rich_text_value'),
  static_select: one('initial_option', 'selected_option'),
  external_select: one('initial_option', 'selected_option'),
  radio_buttons: one('initial_option', 'selected_option'),
  users_select: one('initial_user', 'selected_user'),
  conversations_select: one('initial_conversation', 'selected_conversation'),
  channels_select: one('initial_channel', 'selected_channel'),
  datepicker: one('initial_date', 'selected_date'),
  timepicker: one('initial_time', 'selected_time'),
  datetimepicker: one('initial_date_time', 'selected_date_time'),
  checkboxes: many('initial_options', 'selected_options'),
  multi_static_select: many('initial_options', 'selected_options'),
  multi_external_select: many('initial_options', 'selected_options'),
  multi_users_select: many('initial_users', 'selected_users'),
  multi_conversations_select: many('initial_conversations', 'selected_conversations'),
  multi_channels_select: many('initial_channels', 'selected_channels'),
};

/** The key under which the state of such an element stands (`value`, `selected_option`, …), if it has a state. */
export const stateKey = (type: unknown): string | undefined => kinds[stringOf(type)]?.state;

/** An element that has a state, and the block in which it stands. */
export type Stateful = { block: Json; blockId: string; actionId: string; element: Json; key: string };

/** Every element with a state among `blocks`. */
export function statefulElements(blocks: unknown): Stateful[] {
  return recordsOf(blocks).flatMap(block =>
    elementsOf(block).flatMap(({ element }) => {
      const key = stateKey(element.type);
      if (key === undefined) return [];
      return [{ block, blockId: stringOf(block.block_id), actionId: stringOf(element.action_id), element, key }];
    }),
  );
}

/** The state of an element that nobody has touched: its initial value, else Slack's null (or empty list). */
export function untouchedState(element: Json): Json {
  const kind = kinds[stringOf(element.type)];
  if (kind === undefined) return {};
  return { type: element.type, [kind.state]: element[kind.initial] ?? kind.empty };
}

/**
 * `state.values` as Slack sends it: every stateful element of `blocks` is present. What the page reported is passed on;
 * what it did not report counts as not filled.
 */
export function stateValues(blocks: unknown, reported: StateValues): StateValues {
  const values: StateValues = {};
  for (const { blockId, actionId, element, key } of statefulElements(blocks)) {
    const told = recordOf(reported[blockId]?.[actionId]);
    const empty = kinds[stringOf(element.type)]?.empty ?? null;
    // A text that was cleared is no text, not an empty one.
    const value = told[key] === '' ? null : told[key];
    const state = { type: element.type, [key]: value ?? empty };
    values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/** Finds the element of a block and action id among `blocks`. */
export function findElement(blocks: unknown, blockId: string, actionId: string): Json | undefined {
  const all = recordsOf(blocks).flatMap(block => [block, ...recordsOf(block.child_blocks)]);
  const block = all.find(candidate => candidate.block_id === blockId);
  if (block === undefined) return undefined;
  return elementsOf(block).find(({ element }) => element.action_id === actionId)?.element;
}

/** Slack names every block and every interactive element that the bot left without an id; so does this. */
export function withIds(blocks: unknown, random: () => string): Json[] {
  return recordsOf(blocks).map(block => {
    const named = { ...block, block_id: block.block_id ?? random() };
    const name = (element: Json): Json =>
      element.type === 'image' || element.type === 'mrkdwn' || element.type === 'plain_text'
        ? element
        : { ...element, action_id: element.action_id ?? random() };
    if (isRecord(block.accessory)) return { ...named, accessory: name(block.accessory) };
    if (isRecord(block.element)) return { ...named, element: name(block.element) };
    if (block.type === 'actions') return { ...named, elements: recordsOf(block.elements).map(name) };
    if (block.type === 'card' && Array.isArray(block.actions))
      return { ...named, actions: recordsOf(block.actions).map(name) };
    if (block.type === 'container') return { ...named, child_blocks: withIds(block.child_blocks, random) };
    return named;
  });
}
