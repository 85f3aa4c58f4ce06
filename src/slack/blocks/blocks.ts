import type { ActionsBlock, Button, ContextBlock, KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { legible } from '../../records/legible.ts';
import { cut, limits } from './limits.ts';
import { labelled, spoken } from './spoken.ts';

/** A message: blocks to look at, text for notifications and screen readers. */
export type Content = { text: string; blocks: KnownBlock[] };

/** A message of these blocks; its text comes from them. `all` gives each button a label that says what it is about. */
export function message(blocks: readonly KnownBlock[], all: 'all' | 'equal' = 'equal'): Content {
  return { text: spoken(blocks), blocks: labelled(blocks, all) };
}

/** A plain sentence as a message. The text is mrkdwn. */
export function said(text: string, actions: readonly Button[] = []): Content {
  return message([section(text), ...actionsRow(actions)]);
}

/** A row of buttons and menus; no block where there are none, since Slack takes no empty row. */
export function actionsRow(elements: ActionsBlock['elements'] | readonly Button[], id?: string): ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', ...(id === undefined ? {} : { block_id: id }), elements: [...elements] }];
}

/** Mrkdwn in which Slack makes links and mentions only from explicit markup. */
export function mrkdwn(text: string) {
  return { type: 'mrkdwn' as const, text, verbatim: true };
}

/** A section of mrkdwn. */
export function section(text: string) {
  return { type: 'section' as const, text: mrkdwn(cut(text, limits.sectionText)) };
}

/** Lines of mrkdwn, each cut to `longest` characters, in as few sections as Slack’s limit allows. */
export function sectionsOf(lines: readonly string[], longest: number = limits.sectionText) {
  const texts: string[] = [];
  for (const line of lines) {
    const text = cut(line, longest);
    const last = texts.at(-1);
    if (last !== undefined && last.length + 1 + text.length <= limits.sectionText)
      texts[texts.length - 1] = `${last}\n${text}`;
    else texts.push(text);
  }
  return texts.map(section);
}

/** A line of small mrkdwn. */
export function context(text: string): ContextBlock {
  return { type: 'context', elements: [mrkdwn(text)] };
}

/**
 * An option of a picker. Its label is cut to Slack’s limits.
 * @throws {RangeError} for a value that Slack cannot carry whole
 */
export function option(value: string, label: string, description?: string): PlainTextOption {
  if (value.length > limits.optionValue) throw new RangeError(`an option cannot carry ${value.length} characters`);
  return {
    text: { type: 'plain_text', text: cut(legible(label), limits.optionText) },
    value,
    ...(description ? { description: { type: 'plain_text', text: cut(legible(description), limits.optionText) } } : {}),
  };
}

/** A view with only a sentence, in place of a form. */
export function notice(title: string, text: string): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: cut(title, limits.modalTitle) },
    close: { type: 'plain_text', text: 'Close' },
    blocks: [{ type: 'section', text: mrkdwn(cut(text, limits.sectionText)) }],
  };
}
