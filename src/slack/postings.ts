import { z } from 'zod';
import type { Job } from '../store/job.ts';
import type { Desk } from './desk.ts';
import { platformError } from './slackErrors.ts';

/** By this, a message in Slack tells which part of which job's messages it is. */
export const metadataType = 'dolly_job';

/**
 * The messages of a job: its own card, the card in the channel for approvals, a call to the approvers at first and for
 * each reminder (to one of them, where they do not see the card), the alarm that it runs without approval, and the reply
 * at its end.
 */
const Part = z.union([
  z.enum(['card', 'approval', 'alarm', 'reply']),
  z.templateLiteral(['call:', z.number()]),
  z.templateLiteral(['call:', z.number(), ':', z.string()]),
]);
export type Part = z.infer<typeof Part>;

/** A post that was begun: until its answer is known, it may stand in Slack or not. */
export const Posting = z.object({ part: Part, place: z.string(), since: z.number() });
export type Posting = z.infer<typeof Posting>;

/** The ts of a post whose answer was lost, if it stands in Slack; `undefined` where it does not, or cannot be seen. */
export async function lookForLost(
  { slack, log }: Pick<Desk, 'slack' | 'log'>,
  job: Job,
  lost: Posting,
  threadTs: string | undefined,
): Promise<string | undefined> {
  const oldest = String(lost.since / 1000 - 60);
  try {
    const options = { channel: lost.place, oldest, include_all_metadata: true, limit: 200 };
    const answer =
      threadTs === undefined
        ? await slack.conversations.history(options)
        : await slack.conversations.replies({ ...options, ts: threadTs });
    return History.parse(answer).messages.find(({ metadata }) => {
      const payload = metadata?.event_type === metadataType ? metadata.event_payload : undefined;
      return payload?.job === job.id && payload.part === lost.part;
    })?.ts;
  } catch (error) {
    // Without the right to look (or membership) it cannot be known: a message twice is better than none.
    if (platformError(error) === undefined) throw error;
    log.info({ job: job.id, error }, 'could not look for a message whose answer was lost');
    return undefined;
  }
}

const History = z.object({
  messages: z
    .array(
      z.object({
        ts: z.string(),
        metadata: z
          .object({
            event_type: z.string().optional(),
            event_payload: z.object({ job: z.unknown(), part: z.unknown() }).partial().optional(),
          })
          .optional(),
      }),
    )
    .default([]),
});
