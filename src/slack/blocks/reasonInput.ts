import type { InputBlock } from '@slack/types';
import { inputAction } from './action.ts';
import { cut } from './limits.ts';

/** The block in which a form asks for the reason. */
export const whyBlock = 'reason';
/** Max characters of the reason. */
export const mostWhy = 500;

/** The field for the reason of a request or of a decision; `text` stands in it at first. */
export function reasonInput({
  text,
  hint,
  hasFocus = false,
}: Readonly<{ text?: string | undefined; hint?: string; hasFocus?: boolean }>): InputBlock {
  return {
    type: 'input',
    block_id: whyBlock,
    label: { type: 'plain_text', text: 'Why' },
    ...(hint === undefined ? {} : { hint: { type: 'plain_text', text: hint } }),
    element: {
      type: 'plain_text_input',
      action_id: inputAction,
      multiline: true,
      max_length: mostWhy,
      ...(text ? { initial_value: cut(text, mostWhy) } : {}),
      ...(hasFocus ? { focus_on_load: true } : {}),
    },
  };
}

/** The reason in a form that was submitted, without the blanks around it. */
export function typedReason({ values }: Submitted): string {
  return values[whyBlock]?.[inputAction]?.value?.trim() ?? '';
}
type Submitted = Readonly<{ values: Record<string, Record<string, { value?: string | null | undefined }>> }>;
