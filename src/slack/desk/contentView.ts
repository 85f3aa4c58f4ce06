import type { KnownBlock, ModalView } from '@slack/types';
import { bareModal } from '../blocks/blocks.ts';
import { limits } from '../blocks/limits.ts';
import type { Content } from '../blocks/message.ts';
import { isNewer } from '../blocks/newerBlocks.ts';
import type { Speaker } from './interaction.ts';

/** Where a modal was asked for, as it carries that for the buttons in it (placeOf, threadOf). */
export function writePlace({ channel, thread }: Pick<Speaker, 'channel' | 'thread'>): string {
  return JSON.stringify({ channel, thread });
}

/** The title of a modal, and the data that it carries. */
type ModalFrame = Readonly<{ title: string; metadata: string }>;

/** The blocks of a message that a modal can show: tables and charts are for messages alone, and become lines. */
export function modalBlocks({ blocks, plain = blocks }: Content): KnownBlock[] {
  return plain.filter(block => !isNewer(block)).slice(0, limits.modalBlocks);
}

/** Content that was made for a message, as a modal without fields. */
export function contentView({ title, metadata }: ModalFrame, content: Content): ModalView {
  return { ...bareModal(title, modalBlocks(content)), private_metadata: metadata };
}
