import type { Button, ContextBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { legible } from '../../records/legible.ts';
import { cut, limits } from './limits.ts';
import { labelled, spoken } from './spoken.ts';

/** A message: blocks for the eye, text for notifications and screen readers. */
export type Content = { text: string; blocks: KnownBlock[] };

/** A message of these blocks, whose text says what they say. With `all`, each of its buttons says what it is about. */
export function message(blocks: readonly KnownBlock[], all: 'all' | 'equal' = 'equal'): Content {
  return { text: spoken(blocks), blocks: labelled(blocks, all) };
}

/** A plain sentence as a message. The text is mrkdwn. */
export function said(text: string, actions: readonly Button[] = []): Content {
  return message([
    section(text),
    ...(actions.length > 0 ? [{ type: 'actions' as const, elements: [...actions] }] : []),
  ]);
}

/** A button; `value` comes back with the click. */
export function button(action: string, label: string, value: string, style?: 'primary' | 'danger'): Button {
  return {
    type: 'button',
    action_id: action,
    text: { type: 'plain_text', text: cut(label, limits.buttonText) },
    value: cut(value, 2000),
    ...(style ? { style } : {}),
  };
}

/** Mrkdwn in which nothing becomes a link or a mention but what is written as one. */
export function mrkdwn(text: string) {
  return { type: 'mrkdwn' as const, text, verbatim: true };
}

/** A section of mrkdwn. */
export function section(text: string) {
  return { type: 'section' as const, text: mrkdwn(cut(text, limits.sectionText)) };
}

/** A line of small mrkdwn. */
export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(text)] };
}

/** An option of a picker, within Slack's limits. */
export function option(value: string, label: string, description?: string): PlainTextOption {
  return {
    text: { type: 'plain_text', text: cut(legible(label), limits.optionText) },
    value: cut(value, limits.optionValue),
    ...(description ? { description: { type: 'plain_text', text: cut(legible(description), limits.optionText) } } : {}),
  };
}

/** A view that only says something, in place of a form. */
export function notice(title: string, text: string): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: cut(title, limits.modalTitle) },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: mrkdwn(cut(text, limits.sectionText)) }],
  };
}
