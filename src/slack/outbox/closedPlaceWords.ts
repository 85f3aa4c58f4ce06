import { type Closing, closingOf } from '../connection/slackErrors.ts';

/** What is so in a channel that takes no messages of Dolly's, and what people can do about it. */
type ClosedPlace = Readonly<{ is: string; mend: string }>;

const invite = 'Invite me, and I’ll post the next one here.';

const closed = {
  outside: { is: 'I am not in this channel', mend: invite },
  unseen: { is: 'I am not in this channel and cannot see it', mend: invite },
  archived: { is: 'This channel is archived', mend: 'Once it is unarchived, I’ll post the next one here.' },
  restricted: {
    is: 'I may not post in this channel',
    mend: 'Once the settings of the channel or workspace let me, I’ll post the next one here.',
  },
  other: { is: 'Slack does not let me post in this channel', mend: 'Run `doctor` here to find out more.' },
} as const satisfies Record<Closing, ClosedPlace>;

/** Says what is so in the channel that refused a message, by Slack's word for it. */
export function closedPlace(error: unknown): ClosedPlace {
  return closed[closingOf(error)];
}
