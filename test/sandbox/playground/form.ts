import {
  elementsOf,
  optionsOf,
  type Stateful,
  statefulElements,
  untouchedState,
} from '../../../src/sandbox/playground/elements.ts';
import { type Json, recordOf, recordsOf, stringOf } from '../../../src/sandbox/playground/json.ts';
import type { Channel, Person, StateValues } from '../../../src/sandbox/playground/protocol.ts';
import { textOf } from './blockText.ts';

/** What a person puts into a field: words of an option, a text, several of them; null empties it. */
export type Filling = string | number | readonly string[] | null;

/**
 * What stands in the fields of `blocks`. An element that was there before under the same block_id and action_id keeps
 * what was in it; a new one begins with its initial value.
 */
export function fieldsOf(blocks: unknown, before: StateValues): StateValues {
  const values: StateValues = {};
  for (const { blockId, actionId, element } of statefulElements(blocks)) {
    const kept = recordOf(before[blockId]?.[actionId]);
    const state = kept.type === element.type ? kept : untouchedState(element);
    values[blockId] = { ...values[blockId], [actionId]: state };
  }
  return values;
}

/** Finds a field by its block_id (a `:suffix` may follow), its action_id, or its label or placeholder. */
export function findField(blocks: unknown, name: string): Stateful | undefined {
  const fields = statefulElements(blocks);
  const label = ({ block, element }: Stateful) =>
    `${textOf(block.label)}\n${textOf(block.text)}\n${textOf(element.placeholder)}`.toLowerCase();
  return (
    fields.find(field => field.blockId === name) ??
    fields.find(field => field.blockId.startsWith(`${name}:`)) ??
    fields.find(field => field.actionId === name) ??
    fields.find(field => label(field).split('\n').includes(name.toLowerCase())) ??
    fields.find(field => label(field).includes(name.toLowerCase()))
  );
}

/** Whether using the element tells the bot at once. */
export const dispatches = ({ block }: Stateful) => block.type !== 'input' || block.dispatch_action === true;

/** A button or an entry of an overflow menu. */
export type Pressable = { blockId: string; element: Json; option?: Json };

/** Finds what can be pressed by the text on it. */
export function findPressable(blocks: unknown, words: string): Pressable | undefined {
  const wanted = words.toLowerCase();
  const all = recordsOf(blocks).flatMap(block =>
    elementsOf(block).flatMap(({ element }): (Pressable & { says: string })[] => {
      const blockId = stringOf(block.block_id);
      if (element.type === 'button') return [{ blockId, element, says: textOf(element.text) }];
      if (element.type !== 'overflow') return [];
      return optionsOf(element).map(option => ({ blockId, element, option, says: textOf(option.text) }));
    }),
  );
  return (
    all.find(({ says }) => says.toLowerCase() === wanted) ?? all.find(({ says }) => says.toLowerCase().includes(wanted))
  );
}

type Directory = { people: Person[]; channels: Channel[] };

const byWords = (options: Json[], words: string): Json | undefined => {
  const wanted = words.toLowerCase();
  const text = (option: Json) => textOf(option.text).toLowerCase();
  return (
    options.find(option => option.value === words) ??
    options.find(option => text(option) === wanted) ??
    options.find(option => text(option).includes(wanted))
  );
};

/**
 * The value that a filling stands for in such an element.
 * @param choices asks for the options that fit the words (of an external select: the bot)
 * @throws Error if no choice has these words
 */
export async function valueFor(
  { element, key, blockId }: Stateful,
  filling: Filling,
  { people, channels }: Directory,
  choices: (words: string) => Promise<Json[]>,
): Promise<unknown> {
  const several = /s$/.test(key);
  if (filling === null) return several ? [] : null;
  const one = async (words: string): Promise<unknown> => {
    if (key.startsWith('selected_option')) {
      const option = byWords(await choices(words), words);
      if (option === undefined) throw new Error(`no choice of ${blockId} has the words "${words}"`);
      return option;
    }
    const named = words.replace(/^[@#]/, '').toLowerCase();
    if (key.startsWith('selected_user')) return people.find(person => person.name === named)?.id ?? words;
    if (/^selected_(channel|conversation)/.test(key)) return channels.find(({ name }) => name === named)?.id ?? words;
    return key === 'selected_date_time' ? Number(words) : words;
  };
  if (several) return Promise.all((Array.isArray(filling) ? filling : [filling]).map(words => one(String(words))));
  if (element.type === 'rich_text_input') {
    const text = { type: 'text', text: String(filling) };
    return { type: 'rich_text', elements: [{ type: 'rich_text_section', elements: [text] }] };
  }
  return one(String(filling));
}
