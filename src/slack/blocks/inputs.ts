import type { PlainTextOption } from '@slack/types';
import { inputAction } from './action.ts';
import { cut } from './limits.ts';

/* What people fill in: the elements of inputs, with what stands in them at first. */

/** Options of which one is chosen: at first that of `value`. */
export function chooseOne<Type extends 'static_select' | 'radio_buttons'>(
  type: Type,
  options: readonly PlainTextOption[],
  value?: string,
) {
  const initial = options.find(one => one.value === value);
  return { type, action_id: inputAction, options: [...options], ...(initial ? { initial_option: initial } : {}) };
}

/** Options of which several are chosen: at first those of `values`. */
export function chooseSome<Type extends 'checkboxes' | 'multi_static_select'>(
  type: Type,
  options: readonly PlainTextOption[],
  values: readonly string[],
) {
  const initial = options.filter(({ value = '' }) => values.includes(value));
  const chosen = initial.length > 0 ? { initial_options: initial } : {};
  return { type, action_id: inputAction, options: [...options], ...chosen };
}

/** A choice that is searched for while people type; `hint` stands there until one is chosen. */
export function searchOne(hint: string, initial: PlainTextOption | undefined) {
  const chosen = initial === undefined ? {} : { initial_option: initial };
  return { type: 'external_select' as const, action_id: inputAction, min_query_length: 0, ...example(hint), ...chosen };
}

type TextLook = Readonly<{ example?: string | undefined; max_length?: number; multiline?: true; focus_on_load?: true }>;

/** A text that people type; `text` stands there at first, and `example` where nothing is typed. */
export function typeText(text: string | undefined, { example: shown, ...more }: TextLook = {}) {
  const initial = text ? { initial_value: text } : {};
  return { type: 'plain_text_input' as const, action_id: inputAction, ...more, ...example(shown), ...initial };
}

/** What stands in an empty input: at most 150 characters (docs.slack.dev/reference/block-kit). */
export function example(text: string | undefined) {
  return text ? { placeholder: { type: 'plain_text' as const, text: cut(text, 150) } } : {};
}
