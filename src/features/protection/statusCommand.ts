import { day } from '../../ground/durations.ts';
import type { Judge } from '../../jobs/parts.ts';
import { said } from '../../slack/blocks/message.ts';
import { code } from '../../slack/blocks/mrkdwn.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { CommandAnswer } from '../../slack/house.ts';
import { takeInput } from '../../slack/words/commandText.ts';
import { readSummary } from './readSummary.ts';
import { statusMessage } from './statusMessage.ts';

type StatusReader = Judge & Desk<'jobs' | 'keepersOf' | 'things' | 'records' | 'clock' | 'names' | 'workspace'>;

/**
 * Answers `status`: how well everything is protected that this person sees, read now.
 * @throws {Failure} `signed-out`, or where the databases cannot be read
 */
export const status: CommandAnswer<StatusReader> = async (desk, interaction, { words: [, ...words], inputs }) => {
  const { text: show } = takeInput(inputs, 'show');
  const shows = show?.trim().toLowerCase() === 'clones' ? 'clones' : undefined;
  if (show !== undefined && shows === undefined)
    return said(`${code(`show=${show}`, 60)} shows nothing. Use ${code(`${desk.names.db} status show=clones`)}.`);
  const now = desk.clock.now();
  const { team, person, channel } = interaction;
  const summary = await readSummary(desk, {
    ...{ reader: { team, person }, notBefore: now, words, since: now - day },
    told: { person, place: channel },
  });
  const workspace = await desk.workspace(team);
  return statusMessage(summary, { reader: 'reader', workspace, command: desk.names.db, shows });
};
