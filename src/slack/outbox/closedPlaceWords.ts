import { type Closing, closingOf } from '../connection/slackErrors.ts';

/** What is so in a channel that takes no messages of Dolly's, and what people can do about it. */
type ClosedPlace = Readonly<{ is: string; mend: string }>;

const invite = 'Invite me, and the next one comes here.';

const closed = {
  outside: { is: 'I am not in this channel', mend: invite },
  unseen: { is: 'I am not in this channel, and do not see it', mend: invite },
  archived: { is: 'This channel is archived', mend: 'Once it is not any more, the next one comes here.' },
  restricted: {
    is: 'I may not post in this channel',
    mend: 'Once the settings of the channel or of the workspace let me, the next one comes here.',
  },
  other: { is: 'Slack takes no message of mine in this channel', mend: '`doctor` says more about me here.' },
} as const satisfies Record<Closing, ClosedPlace>;

/** Says what is so in the channel that refused a message, by Slack's word for it. */
export function closedPlace(error: unknown): ClosedPlace {
  return closed[closingOf(error)];
}
