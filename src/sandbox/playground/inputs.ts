import { statefulElements } from './elements.ts';
import { type Json, recordOf } from './json.ts';
import type { StateValues } from './protocol.ts';

const isEmpty = (value: unknown) =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The complaint of Slack's own check about a filled input, by kind of element; none where the input is right. */
const checks: Record<string, (text: string, element: Json) => string | undefined> = {
  plain_text_input(text, { min_length, max_length }) {
    if (typeof min_length === 'number' && text.length < min_length) {
      return `Please enter at least ${min_length} characters.`;
    }
    if (typeof max_length === 'number' && text.length > max_length) {
      return `Please enter at most ${max_length} characters.`;
    }
    return undefined;
  },
  number_input(text, { is_decimal_allowed, min_value, max_value }) {
    const number = Number(text);
    if (text.trim() === '' || !Number.isFinite(number)) return 'Please enter a number.';
    if (is_decimal_allowed !== true && !Number.isInteger(number)) return 'Please enter a whole number.';
    if (typeof min_value === 'string' && number < Number(min_value)) return `Please enter ${min_value} or more.`;
    if (typeof max_value === 'string' && number > Number(max_value)) return `Please enter ${max_value} or less.`;
    return undefined;
  },
  email_text_input: text => (/^\S+@\S+\.\S+$/.test(text) ? undefined : 'Please enter an email address.'),
  url_text_input: text => (URL.canParse(text) ? undefined : 'Please enter a URL.'),
};

/**
 * Finds the faults that stop a submission before the bot hears of it.
 * @returns a sentence for each input (by block_id) that is required and empty, or that breaks its own bounds
 */
export function inputErrors(blocks: unknown, state: StateValues): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { block, blockId, actionId, element, key } of statefulElements(blocks)) {
    if (block.type !== 'input') continue;
    const value = recordOf(state[blockId]?.[actionId])[key];
    if (isEmpty(value)) {
      if (block.optional !== true) errors[blockId] = 'Please complete this required field.';
      continue;
    }
    const wrong = typeof value === 'string' ? checks[String(element.type)]?.(value, element) : undefined;
    if (wrong !== undefined) errors[blockId] = wrong;
  }
  return errors;
}
