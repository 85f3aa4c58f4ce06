import { z } from 'zod';

/** What a message of a lease tells. The words are stored, so they never change. */
const told = [
  ...['begun', 'cut', 'warned', 'warned late', 'asked', 'unanswered', 'stopped', 'left', 'changed'],
  ...['granted', 'declined'],
] as const;
export type LeaseTold = (typeof told)[number];

/** What a message of a lease is made from. */
export const LeaseNotice = z.object({
  what: z.enum(told),
  record: z.string(),
  name: z.string().nullable(),
  /** The owner. */
  person: z.string(),
  endsAt: z.number().nullish(),
  graceUntil: z.number().nullish(),
  /** Why the clone is not simply stopped or deleted. */
  why: z.string().nullish(),
  /** The times by which it may be extended without asking. */
  choices: z.array(z.string()).default([]),
  end: z.enum(['ask', 'stop', 'delete']).default('ask'),
  rule: z.string().nullish(),
  /** The time between the stop and the deletion, in milliseconds. */
  grace: z.number().optional(),
  /** Whether it may be kept without an end. */
  isEndless: z.boolean().default(false),
  /** Whether its owner was not signed in when this was written, although the end needs that. */
  lacksSignIn: z.boolean().default(false),
  /** Who changed it. */
  by: z.string().optional(),
});
export type LeaseNotice = z.infer<typeof LeaseNotice>;

/** The outcome of a message that a person's act closed; any other outcome is a plain sentence. */
export const LeaseChanged = z.object({ by: z.string(), endsAt: z.number().nullable(), isTakenOver: z.boolean() });
export type LeaseChanged = z.infer<typeof LeaseChanged>;
