import { context, sectionsOf } from './blocks.ts';
import type { MessageBlock } from './chart.ts';
import { withRoom } from './dataTable.ts';
import { limits } from './limits.ts';
import { charactersIn, olderLines } from './newerBlocks.ts';

/**
 * Blocks that Slack takes in one message: tables are cut to the room beside the other blocks, and charts past the most
 * that it takes become lines. What is too much all the same is left out at the end, which a line says.
 */
export function withinLimits(blocks: readonly MessageBlock[]): MessageBlock[] {
  const others = blocks.filter(({ type }) => type !== 'data_table' && type !== 'data_visualization');
  let room = Math.min(roomBeside(others), limits.tableCharacters);
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
export function roomBeside(others: readonly MessageBlock[]): number {
  return limits.messageCharacters - 200 - charactersIn(others);
}
