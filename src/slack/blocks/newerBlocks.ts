import type { DataTableBlock } from '@slack/types';
import { isTree } from '../../api/reading/jsonTree.ts';
import { chartLines, type DataVisualizationBlock, type MessageBlock } from './chart.ts';
import { tableLines } from './dataTable.ts';

/** A block that Slack brings to its workspaces and clients by and by. */
export type NewerBlock = DataTableBlock | DataVisualizationBlock;

/** Whether a workspace may refuse a block because it does not have that kind yet. */
export function isNewer(block: MessageBlock): block is NewerBlock {
  return block.type === 'data_table' || block.type === 'data_visualization';
}

/** The content of a newer block as lines of mrkdwn. */
export function olderLines(block: NewerBlock): string[] {
  return block.type === 'data_table' ? tableLines(block) : chartLines(block);
}

/** The number of characters of all texts in blocks, as Slack counts them for a message. */
export function charactersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + charactersIn(part), 0);
  if (!isTree(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, part]) => sum + (key === 'text' && typeof part === 'string' ? part.length : charactersIn(part)),
    0,
  );
}
