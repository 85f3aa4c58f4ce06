import type {
  ActionsBlock,
  Button,
  ContainerBlock,
  ContextBlock,
  HeaderBlock,
  InputBlock,
  KnownBlock,
  ModalView,
  PlainTextOption,
} from '@slack/types';
import { legible, withoutMarkup } from '../../records/legible.ts';
import { cut, cutMarkup, limits } from './limits.ts';

/** A row of buttons and menus; no block where there are none, since Slack takes no empty row. */
export function actionsRow(elements: ActionsBlock['elements'] | readonly Button[], id?: string): ActionsBlock[] {
  if (elements.length === 0) return [];
  return [{ type: 'actions', ...(id === undefined ? {} : { block_id: id }), elements: [...elements] }];
}

/** The title of a part of a Home. */
export function headerBlock(text: string): HeaderBlock {
  return { type: 'header', text: { type: 'plain_text', text: cut(text, limits.headerText) } };
}

/** Mrkdwn in which Slack makes links and mentions only from explicit markup. */
export function mrkdwn(text: string) {
  return { type: 'mrkdwn' as const, text, verbatim: true };
}

/** A section of mrkdwn. */
export function section(text: string) {
  return { type: 'section' as const, text: mrkdwn(cutMarkup(text, limits.sectionText)) };
}

/** Lines of mrkdwn, each cut to `longest` characters, in as few sections as Slack’s limit allows. */
export function sectionsOf(lines: readonly string[], longest: number = limits.sectionText) {
  const texts: string[] = [];
  for (const line of lines) {
    const text = cutMarkup(line, longest);
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

/** A modal without fields. */
export function bareModal(title: string, blocks: KnownBlock[]): ModalView {
  return {
    type: 'modal',
    title: { type: 'plain_text', text: cut(title, limits.modalTitle) },
    close: { type: 'plain_text', text: 'Close' },
    blocks,
  };
}

/** A view with only a sentence, in place of a form. */
export function notice(title: string, text: string): ModalView {
  return bareModal(title, [section(text)]);
}

/** An input of a form, whose block has the name of its field. */
export function input(
  name: string,
  label: string,
  element: InputBlock['element'],
  more: Pick<InputBlock, 'optional' | 'dispatch_action'> & Readonly<{ hint?: string | undefined }> = {},
): InputBlock {
  const { hint, ...rest } = more;
  return {
    type: 'input',
    block_id: name,
    label: { type: 'plain_text', text: label },
    ...rest,
    ...(hint === undefined ? {} : { hint: { type: 'plain_text', text: hint } }),
    element,
  };
}

/**
 * Lines of mrkdwn that a reader unfolds by a click on their title; messages only. No block where there are no lines. It
 * holds sections alone: of the kinds that Slack's page names, its Web API refuses some (docs.rs/slack-morphism,
 * SlackContainerBlock).
 */
export function foldBlock(title: string, lines: readonly string[]): ContainerBlock[] {
  if (lines.length === 0) return [];
  return [
    {
      type: 'container',
      title: { type: 'plain_text', text: cut(withoutMarkup(legible(title)), limits.containerTitle) },
      child_blocks: sectionsOf(lines).slice(0, limits.containerBlocks),
      is_collapsible: true,
      default_collapsed: true,
    },
  ];
}
