import type { InputBlock } from '@slack/types';
import { input } from './blocks.ts';
import { typeText } from './inputs.ts';
import { cut } from './limits.ts';
import { heldIn, type SentModal } from './modal.ts';

/** The block in which a form asks for the reason. */
export const whyBlock = 'reason';
/** Max characters of the reason. */
export const mostWhy = 500;

/** The look of the field for a reason; `text` stands in it at first. */
type ReasonLook = Readonly<{ text?: string | undefined; hint?: string; hasFocus?: boolean }>;

/** The field for the reason of a request or of a decision. */
export function reasonInput({ text, hint, hasFocus = false }: ReasonLook): InputBlock {
  const focus = hasFocus ? { focus_on_load: true as const } : {};
  const element = typeText(text && cut(text, mostWhy), { multiline: true, max_length: mostWhy, ...focus });
  return input(whyBlock, 'Why', element, { hint });
}

/** The reason in a form that came back, without the blanks around it. */
export function readReason(sent: SentModal): string {
  return heldIn(sent, whyBlock).value?.trim() ?? '';
}

/** Stands at a reason that says nothing. */
export const sayWhy = 'Say why, for those who read it later.';
/** The same at the reason of a request that others approve, and the hint below it. */
export const sayWhyToApprovers = 'Say why, for the approvers.';
export const approversRead = 'Approvers will read it.';
