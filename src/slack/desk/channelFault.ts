import { within } from '../../ground/within.ts';
import { platformError } from '../connection/slackErrors.ts';
import type { Desk } from './desk.ts';
import { isChannel } from './placeKinds.ts';

/** The longest wait for Slack’s word about a channel, in milliseconds: a form has 3 s, and its storing needs most. */
const patience = 400;

/**
 * Says why Dolly cannot write in a channel; `undefined` where it can, or where Slack does not tell in time. What a channel
 * does not take later goes to a person under Messages.
 */
export async function channelFault(
  desk: Desk<'clock' | 'log' | 'slack'>,
  team: string,
  place: string,
): Promise<string | undefined> {
  if (!isChannel(place)) return undefined;
  const asking = desk.slack
    .of(team)
    .conversations.info({ channel: place })
    .then(({ channel }) => {
      if (channel?.is_archived) return 'That channel is archived: choose another one.';
      return channel?.is_private && !channel.is_member ? notIn : undefined;
    });
  return within(desk.clock, patience, asking).catch((error: unknown) => {
    if (platformError(error) === 'channel_not_found') return notIn;
    desk.log.info({ error }, 'Slack did not tell of a channel');
    return undefined;
  });
}

const notIn = 'I am not in that channel, so I cannot write there: invite me, or choose another one.';
