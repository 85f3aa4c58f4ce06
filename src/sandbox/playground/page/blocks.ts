/**
 * The one place where the page looks into Block Kit's JSON. Blocks arrive as `unknown`: the bot may have sent anything,
 * and what can't be read is shown in red instead of being guessed at.
 */

/** Any JSON object. */
export type Json = Record<string, unknown>;

/** Slack's text object. */
export type TextObject = { type: 'mrkdwn' | 'plain_text'; text: string; emoji: boolean };

/** Slack's option object; `raw` is what goes back to the bot, unchanged. */
export type Option = { text: TextObject; value: string; description?: TextObject; url?: string; raw: Json };

/** Options under one heading; the heading is empty where the bot gave plain options. */
export type OptionGroup = { label: string; options: Option[] };

/** An interactive element with the ids under which Slack keeps its state. */
export type Element = { type: string; blockId: string; actionId: string; raw: Json };

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object at `key`, or an empty one. */
export function child(value: unknown, key: string): Json {
  const found = isJson(value) ? value[key] : undefined;
  return isJson(found) ? found : {};
}

/** The list at `key`, or an empty one. */
export function list(value: unknown, key: string): unknown[] {
  const found = isJson(value) ? value[key] : undefined;
  return Array.isArray(found) ? found : [];
}

/** The text at `key`, or an empty one. */
export function string(value: unknown, key: string): string {
  const found = isJson(value) ? value[key] : undefined;
  return typeof found === 'string' ? found : '';
}

/** The number at `key`, if there is one (Slack takes numbers as text in some places). */
export function number(value: unknown, key: string): number | undefined {
  const found = isJson(value) ? value[key] : undefined;
  const parsed = typeof found === 'string' && found !== '' ? Number(found) : found;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

/** Whether `key` is `true`. */
export function flag(value: unknown, key: string): boolean {
  return isJson(value) && value[key] === true;
}

/** Reads a text object; `undefined` if it is none. */
export function readText(value: unknown): TextObject | undefined {
  if (!isJson(value) || typeof value.text !== 'string') return undefined;
  if (value.type !== 'mrkdwn' && value.type !== 'plain_text') return undefined;
  return { type: value.type, text: value.text, emoji: value.emoji !== false };
}

/** The characters of a text object, or an empty text. */
export function plainOf(value: unknown): string {
  return readText(value)?.text ?? '';
}

/** Reads an option object; `undefined` if it is none. */
export function readOption(value: unknown): Option | undefined {
  const text = readText(child(value, 'text'));
  if (!isJson(value) || !text) return undefined;
  const description = readText(value.description);
  const url = string(value, 'url');
  return {
    text,
    value: string(value, 'value'),
    ...(description ? { description } : {}),
    ...(url ? { url } : {}),
    raw: value,
  };
}

/** Reads a list of option objects, leaving out what is none. */
export function readOptions(values: unknown[]): Option[] {
  return values.map(readOption).filter(option => option !== undefined);
}

/** The options of a select: `option_groups`, or `options` as one group without a heading. */
export function readOptionGroups(options: unknown[], groups: unknown[]): OptionGroup[] {
  if (groups.length > 0) {
    return groups.map(group => ({
      label: plainOf(child(group, 'label')),
      options: readOptions(list(group, 'options')),
    }));
  }
  return [{ label: '', options: readOptions(options) }];
}

/** The blocks of a view. */
export function blocksOf(view: unknown): unknown[] {
  return list(view, 'blocks');
}

function readElement(block: unknown, value: unknown): Element | undefined {
  const type = string(value, 'type');
  if (!isJson(value) || !type) return undefined;
  return { type, blockId: string(block, 'block_id'), actionId: string(value, 'action_id'), raw: value };
}

/** Every interactive element of some blocks, in order: of inputs, sections, actions, cards and containers. */
export function elementsOf(blocks: unknown[]): Element[] {
  return blocks
    .flatMap(block => {
      const type = string(block, 'type');
      if (type === 'input') return [readElement(block, child(block, 'element'))];
      if (type === 'section') return [readElement(block, child(block, 'accessory'))];
      if (type === 'actions') return list(block, 'elements').map(element => readElement(block, element));
      if (type === 'card') return list(block, 'actions').map(element => readElement(block, element));
      if (type === 'container') return elementsOf(list(block, 'child_blocks'));
      return [];
    })
    .filter(element => element !== undefined);
}

/** Reads one element of a block, as {@link elementsOf} does. */
export function elementAt(block: unknown, value: unknown): Element {
  return readElement(block, value) ?? { type: '', blockId: string(block, 'block_id'), actionId: '', raw: {} };
}
