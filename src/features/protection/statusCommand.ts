import { day } from '../../ground/durations.ts';
import type { Judge } from '../../jobs/parts.ts';
import { type Content, said } from '../../slack/blocks/blocks.ts';
import { code } from '../../slack/blocks/limits.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Interaction } from '../../slack/desk/interaction.ts';
import { type Command, takeInput } from '../../slack/words/commandWords.ts';
import { readSummary } from './readSummary.ts';
import { statusMessage } from './statusMessage.ts';

/**
 * Answers `status`: how well everything is protected that this person sees, read now.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export async function status(
  desk: Judge & Desk<'jobs' | 'things' | 'records' | 'clock' | 'names' | 'workspace'>,
  interaction: Interaction,
  { words: [, ...words], inputs }: Command,
): Promise<Content> {
  const { text: show, others } = takeInput(inputs, 'show');
  const [stray] = Object.keys(others);
  const shows = show?.trim().toLowerCase() === 'clones' ? 'clones' : undefined;
  if (stray !== undefined || (show !== undefined && shows === undefined))
    return said(
      `${code('status')} has no field ${code(stray ?? `show=${show}`, 60)}. It takes words, and ${code('show=clones')}: ${code(`${desk.names.db} status prod`)}.`,
    );
  const now = desk.clock.now();
  const { team, person, channel } = interaction;
  const summary = await readSummary(desk, {
    ...{ reader: { team, person }, notBefore: now, words, since: now - day },
    isTold: job => job.person === person || job.place === channel,
  });
  return statusMessage(summary, {
    reader: 'reader',
    workspace: await desk.workspace(team),
    command: desk.names.db,
    shows,
  });
}
