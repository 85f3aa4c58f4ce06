import { type Content, said } from '../../slack/blocks/blocks.ts';
import { plain } from '../../slack/blocks/limits.ts';
import { ReportNotice } from './runReport.ts';
import { statusMessage } from './statusMessage.ts';

/** The message of a report that a channel subscribed; `undefined` for one of another release. */
export function reportMessage(data: unknown): Content | undefined {
  const told = ReportNotice.safeParse(data).data;
  if (!told) return undefined;
  if ('summary' in told) return statusMessage(told.summary, { eyes: told.eyes });
  return said(
    `:warning: The protection report of <@${told.person}> could not be made: ${plain(told.fault, 500)} So nothing is known of what is protected now.`,
  );
}
