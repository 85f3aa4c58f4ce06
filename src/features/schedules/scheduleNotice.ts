import { z } from 'zod';

/** What a message of a schedule tells. The words are stored, so they never change. */
const told = [
  /** Paused since its runs failed several times in a row: its owner is asked. */
  'failing',
  /** Paused for another reason, which `why` says: its owner is asked. */
  'paused',
  /** Its owner is not signed in, or no service account is set: it waits. */
  'signed out',
  /** Its owner left the workspace: it is paused, and those who approve are asked to take it over. */
  'owner left',
  /** The run before was still under way, so one was left out. */
  'skipped',
  /** Dolly was not there, or could not look, until it was too late. */
  'missed',
  /** Somebody else than its owner changed it: `by` did, and `did` says what. */
  'changed',
  /** The line of a day about the runs of a channel of which only failures are told. */
  'daily',
] as const;
export type ScheduleTold = (typeof told)[number];

/** What a person did to a schedule. */
export const ScheduleDeed = z.enum(['paused', 'resumed', 'changed', 'deleted', 'taken over', 'run']);
export type ScheduleDeed = z.infer<typeof ScheduleDeed>;

/** What a message of a schedule is made from. Times are milliseconds. */
export const ScheduleNotice = z.object({
  what: z.enum(told),
  /** The schedule, and its revision for the buttons; empty in the line of a day. */
  schedule: z.string().default(''),
  revision: z.number().default(0),
  kind: z.enum(['job', 'report']).default('job'),
  operation: z.string().default(''),
  target: z.string().default(''),
  targetName: z.string().nullish(),
  /** Its owner. */
  person: z.string().default(''),
  /** The rhythm as its row has it, and its zone. */
  rhythm: z.string().default(''),
  zone: z.string().default('UTC'),
  /** One sentence on why it is as it is. */
  why: z.string().nullish(),
  /** The time by its calendar that was left out, the first of them where there are several, and the next one. */
  plannedAt: z.number().nullish(),
  since: z.number().nullish(),
  nextAt: z.number().nullish(),
  /** The last job. */
  job: z.string().nullish(),
  /** Who changed it, and what they did. */
  by: z.string().optional(),
  did: ScheduleDeed.optional(),
  /** The runs of a day by how they went. `until` is the end of that day. */
  counts: z.object({ well: z.number(), failed: z.number(), open: z.number(), left: z.number() }).optional(),
  until: z.number().optional(),
});
export type ScheduleNotice = z.infer<typeof ScheduleNotice>;

/** The outcome of a message that a person’s act closed; any other outcome is a plain sentence. */
export const ScheduleActed = z.object({ by: z.string(), did: ScheduleDeed });
export type ScheduleActed = z.infer<typeof ScheduleActed>;
