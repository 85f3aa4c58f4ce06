import { z } from 'zod';

/** What a consent covers, as people are asked about it. The words are stored. */
export const ConsentAbout = z.object({
  /** The title of the step: “Clone a database”. */
  title: z.string(),
  /** What it does: “clone shop to dev”. */
  asks: z.string(),
  /** The identifier of its target, as far as it was found, and its name. */
  target: z.string().nullable(),
  targetName: z.string().nullable(),
  /** The label and the text of each of its inputs. */
  lines: z.array(z.tuple([z.string(), z.string()])),
  /** The harm that it does, in a sentence. */
  warning: z.string().optional(),
});
export type ConsentAbout = z.infer<typeof ConsentAbout>;

/** What a message about a workflow's step is made from. */
export const ConsentNotice = z.discriminatedUnion('what', [
  /** Its person is asked for their leave. */
  z.object({
    what: z.literal('asks'),
    consent: z.string(),
    revision: z.number(),
    workflow: z.string(),
    channel: z.string(),
    runsAs: z.enum(['service']).nullable(),
    about: ConsentAbout,
  }),
  /** It waits for the sign-in of its person. */
  z.object({ what: z.literal('signed out'), workflow: z.string(), title: z.string() }),
]);
export type ConsentNotice = z.infer<typeof ConsentNotice>;

/** The kind of such messages in the outbox. */
export const consentNoticeKind = 'consent';
