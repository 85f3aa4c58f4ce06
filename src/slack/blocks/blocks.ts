import type {
  ActionsBlock,
  Button,
  ContainerBlock,
  ContextBlock,
  HeaderBlock,
  HomeView,
  InputBlock,
  KnownBlock,
  ModalView,
  PlainTextOption,
} from '@slack/types';
import type { z } from 'zod';
import { legible, withoutMarkup } from '../../records/legible.ts';
import type { MessageBlock } from './chart.ts';
import { withRoom } from './dataTable.ts';
import { cut, cutMarkup, limits } from './limits.ts';
import { charactersIn, isNewer, type NewerBlock, olderLines } from './newerBlocks.ts';
import { labelled, spoken } from './spoken.ts';

/**
 * A message: blocks to look at, text for notifications and screen readers. `plain` is the same without Slack's newer
 * blocks, for workspaces that do not take them yet (desk/sendContent.ts); it is there only where `blocks` has some.
 */
export type Content = { text: string; blocks: MessageBlock[]; plain?: MessageBlock[] };
/** A message that is posted for good, with the people and groups whom it rings. Others of whom it speaks are named in it. */
export type Addressed = Content & Readonly<{ rings: readonly string[] }>;

/**
 * A message of these blocks, as far as Slack takes them; its text comes from them. `all` gives each button a label that
 * says what it is about. `older` is the form for workspaces without the newer blocks, where another one reads better
 * than the lines that are made of them.
 */
export function message(
  blocks: readonly MessageBlock[],
  all: 'all' | 'equal' = 'equal',
  older: readonly KnownBlock[] | undefined = olderForm(blocks),
): Content {
  const drawn = labelled(withinLimits(blocks), all);
  if (!older) return { text: spoken(drawn), blocks: drawn };
  const plain = labelled(withinLimits(older), all);
  return { text: spoken(plain), blocks: drawn, plain };
}

/** The same blocks without newer ones, whose content becomes lines; `undefined` where there is nothing to replace. */
function olderForm(blocks: readonly MessageBlock[]): KnownBlock[] | undefined {
  if (!blocks.some(isNewer)) return undefined;
  let room = roomIn(blocks.filter(block => !isNewer(block)));
  return blocks.flatMap((block): KnownBlock[] => {
    if (!isNewer(block)) return [block];
    const lines = olderLines(block);
    const end = lines.findIndex(line => {
      room -= line.length + 1;
      return room < 0;
    });
    if (end < 0) return olderBlocks(block, lines);
    const left = lines.length - Math.max(1, end);
    return olderBlocks(block, [...lines.slice(0, Math.max(1, end)), `… and ${left} more`]);
  });
}

/** A newer block in its older form: its lines, and below them what it contains or its buttons. */
function olderBlocks(block: NewerBlock, lines: readonly string[] = olderLines(block)): KnownBlock[] {
  const [first, ...rest] = sectionsOf(lines);
  const named = first && block.block_id !== undefined ? { ...first, block_id: block.block_id } : first;
  const texts = named ? [named, ...rest] : [];
  if (block.type === 'container') return [...texts, ...block.child_blocks];
  if (block.type !== 'card') return texts;
  return [...texts, ...actionsRow(block.actions ?? [], block.block_id && `${block.block_id}:buttons`)];
}

/**
 * The words of a message that is to be told: a pure function of its data, its outcome and its id; `undefined` for one that
 * it cannot read, which is of another release.
 */
export type Words = (data: unknown, outcome: string | null, id: string) => Addressed | undefined;

/** Makes words for data of this shape. Without `rings`, which says whom a message rings (messages/ringing.ts), it rings nobody. */
export function wordsFor<Told>(
  shape: z.ZodType<Told>,
  draw: (told: Told, outcome: string | null, id: string) => Content,
  rings: (told: Told) => readonly string[] = () => [],
) {
  return (data: unknown, outcome: string | null, id = ''): Addressed | undefined => {
    const { data: told } = shape.safeParse(data);
    return told && { ...draw(told, outcome, id), rings: rings(told) };
  };
}

/** A modal or a Home. */
export type View = ModalView | HomeView;

/** A view without newer blocks, for workspaces that do not take them. */
export function olderView<V extends View>(view: V): V {
  if (!view.blocks.some(isNewer)) return view;
  const blocks = view.blocks.flatMap(block => (isNewer(block) ? olderBlocks(block) : [block]));
  return { ...view, blocks: blocks.slice(0, view.type === 'modal' ? limits.modalBlocks : limits.homeBlocks) };
}

/**
 * Blocks that Slack takes in one message: tables are cut to the room beside the other blocks, and charts past the most
 * that it takes become lines. What is too much all the same is left out at the end, which a line says.
 */
function withinLimits(blocks: readonly MessageBlock[]): MessageBlock[] {
  const others = blocks.filter(({ type }) => type !== 'data_table' && type !== 'data_visualization');
  let room = Math.min(roomIn(others), limits.tableCharacters);
  let charts = 0;
  const fitted = blocks.flatMap((block): MessageBlock[] => {
    if (block.type === 'data_visualization') return ++charts > limits.charts ? sectionsOf(olderLines(block)) : [block];
    if (block.type !== 'data_table') return [block];
    const table = withRoom(block, room);
    room -= charactersIn(table);
    return [table];
  });
  const isTooMuch = (some: readonly MessageBlock[]) =>
    some.length > limits.messageBlocks || charactersIn(some) > limits.messageCharacters;
  if (!isTooMuch(fitted)) return fitted;
  const rest = context('The rest does not fit into one message.');
  let many = fitted.length - 1;
  while (many > 0 && isTooMuch([...fitted.slice(0, many), rest])) many--;
  return [...fitted.slice(0, many), rest];
}

/** The characters that a message may have beside these blocks, with a margin for the lines that are added. */
function roomIn(others: readonly MessageBlock[]): number {
  return limits.messageCharacters - 200 - charactersIn(others);
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
