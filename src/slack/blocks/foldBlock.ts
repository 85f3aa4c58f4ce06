import type { ContainerBlock } from '@slack/types';
import { legible, withoutMarkup } from '../../records/legible.ts';
import { sectionsOf } from './blocks.ts';
import { cut, limits } from './limits.ts';

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
