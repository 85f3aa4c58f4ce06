import type { AlertBlock, SectionBlock } from '@slack/types';
import { mrkdwn, section } from './blocks.ts';
import { limits } from './limits.ts';
import { warningSigns } from './newerBlocks.ts';

/** How bad it is. */
type Level = keyof typeof warningSigns;

/**
 * A sentence of mrkdwn that nobody must overlook, in modals only. A longer one than Slack takes is a section with the
 * same sign: a warning is never cut short.
 */
export function warningBlock(level: Level, text: string, id?: string): AlertBlock | SectionBlock {
  const named = id === undefined ? {} : { block_id: id };
  if (text.length <= limits.alertText) return { type: 'alert', ...named, level, text: mrkdwn(text) };
  return { ...section(`${warningSigns[level]} ${text}`), ...named };
}
