import type { WebClient } from '@slack/web-api';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { z } from 'zod';
import { verdictOn } from '../connection/slackErrors.ts';

/** By this, a message in Slack tells which part of which job's messages it is. */
const metadataType = 'dolly_job';

/** The metadata of a part of a job's messages, by which {@link findLostPost} knows it. */
export function marked(job: string, part: string) {
  return { event_type: metadataType, event_payload: { job, part } };
}

/** A post whose answer was lost: where it was to stand, since when, in milliseconds since the epoch, by our clock. */
type LostPost = Readonly<{ job: string; part: string; place: string; threadTs: string | undefined; since: number }>;

/**
 * A lost post is looked for so long before and after the moment at which it was begun, in milliseconds: Slack’s clock is
 * another one. Whatever else was said then is read through: as many messages as Slack gives at once, in so many answers.
 */
const around = minutesToMilliseconds(10);
const pageSize = 999;
const mostPages = 100;

/**
 * The ts of a post whose answer was lost, if it stands in Slack; `undefined` where it does not, or where Slack does not
 * let us look: without the right to (or membership) it cannot be known, and a message twice is better than none.
 * @throws what Slack answers while it is in trouble, so that the look is repeated
 */
export async function findLostPost(slack: WebClient, lost: LostPost): Promise<string | undefined> {
  const options = {
    channel: lost.place,
    oldest: String((lost.since - around) / 1_000),
    latest: String((lost.since + around) / 1_000),
    include_all_metadata: true,
    limit: pageSize,
  };
  let cursor: string | undefined;
  for (let pages = 0; pages < mostPages; pages++) {
    const answer = await read(slack, cursor === undefined ? options : { ...options, cursor }, lost.threadTs);
    if (!answer) return undefined;
    const { messages, response_metadata: next } = History.parse(answer);
    const found = messages.find(({ metadata }) => {
      const payload = metadata?.event_type === metadataType ? metadata.event_payload : undefined;
      return payload?.job === lost.job && payload.part === lost.part;
    });
    if (found) return found.ts;
    if (!next?.next_cursor) return undefined;
    cursor = next.next_cursor;
  }
  return undefined;
}

async function read(slack: WebClient, page: Parameters<WebClient['conversations']['history']>[0], threadTs?: string) {
  try {
    return threadTs === undefined
      ? await slack.conversations.history(page)
      : await slack.conversations.replies({ ...page, ts: threadTs });
  } catch (error) {
    if (verdictOn(error) === 'again') throw error;
    return undefined;
  }
}

const Metadata = z.object({
  event_type: z.string().optional(),
  event_payload: z.object({ job: z.unknown(), part: z.unknown() }).partial().optional(),
});
const History = z.object({
  messages: z.array(z.object({ ts: z.string(), metadata: Metadata.optional() })).default([]),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
});
