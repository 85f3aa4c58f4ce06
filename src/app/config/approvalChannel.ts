import { z } from 'zod';

/** The texts between commas, without the blanks around each. */
export function entriesIn(text: string): readonly string[] {
  return text.split(',').flatMap(entry => entry.trim() || []);
}

/** Texts with commas between them. */
export const commaList = z.string().default('').transform(entriesIn);

/** A channel for approvals; without a team, it is that of every team. */
type ApprovalChannel = Readonly<{ team?: string; channel: string }>;

/** Reads `C0123`, or one channel for each workspace or organisation: `T0123:C0123,T0456:C0456`. */
export const ApprovalChannels = commaList
  .refine(
    entries => entries.every(entry => /^([TE][A-Z0-9]{2,30}:)?[CG][A-Z0-9]{2,30}$/.test(entry)),
    'must be the id of a channel (C…)',
  )
  .refine(
    entries => entries.length < 2 || entries.every(entry => entry.includes(':')),
    'must be one channel, or one for each workspace, such as T0123:C0123,T0456:C0456',
  )
  .transform(entries =>
    entries.map((entry): ApprovalChannel => {
      const [channel = '', team] = entry.split(':').reverse();
      return team === undefined ? { channel } : { team, channel };
    }),
  );

/** The channel for approvals of a team; `undefined` where it has none. */
export function approvalChannelOf(channels: readonly ApprovalChannel[]): (team: string) => string | undefined {
  return team => channels.find(one => one.team === undefined || one.team === team)?.channel;
}
