import type { Button, HomeView, KnownBlock, ModalView } from '@slack/types';
import type { z } from 'zod';
import { actionsRow, section, sectionsOf } from './blocks.ts';
import type { MessageBlock } from './chart.ts';
import { limits } from './limits.ts';
import { isNewer, type NewerBlock, olderLines } from './newerBlocks.ts';
import { labelled, spoken } from './spoken.ts';
import { roomBeside, withinLimits } from './withinLimits.ts';

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
  let room = roomBeside(blocks.filter(block => !isNewer(block)));
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

/** A plain sentence as a message. The text is mrkdwn. */
export function said(text: string, actions: readonly Button[] = []): Content {
  return message([section(text), ...actionsRow(actions)]);
}
