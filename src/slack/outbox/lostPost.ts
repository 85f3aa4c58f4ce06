import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { minute } from '../../ground/durations.ts';
import { isSamePart, type Part } from '../../store/jobs/rows/data.ts';
import { meaningOfError } from '../connection/slackErrors.ts';

/** The type of the metadata that tells which part of which job a Slack message is. */
const metadataType = 'dolly_job';

/** The metadata of a part of a job's messages. {@link findLostPost} recognizes the part by it. */
export function marked(job: string, { part, round, person, end }: Part) {
  const to = { ...(round === undefined ? {} : { round }), ...(person === undefined ? {} : { person }) };
  return { event_type: metadataType, event_payload: { job, part, ...to, ...(end === undefined ? {} : { end }) } };
}

/** A post whose answer was lost: its place, and when it began, in milliseconds since the epoch by our clock. */
type LostPost = Part & Readonly<{ job: string; place: string; threadTs?: string | undefined; since: number }>;

/**
 * The search for a lost post begins with the newest messages, since a clock that was set tells nothing of Slack's time.
 * Beyond those it goes back to this time before its begin, in milliseconds, and reads at most `maxPages` answers of
 * `pageSize` messages each.
 */
const around = 10 * minute;
const pageSize = 999;
const maxPages = 100;

/**
 * The ts of a post whose answer was lost; `undefined` if Slack does not have it, or does not let Dolly look. Without
 * the right to read, or membership, nobody can know, and a message twice is better than none.
 * @throws Slack's error while Slack is in trouble, so that the search is repeated
 */
export async function findLostPost(slack: WebClient, lost: LostPost): Promise<string | undefined> {
  return (await findPosts(slack, lost, 1))[0];
}

/** The ts of the posts that carry the same marks, up to `most`: of two, one is a double. @throws as {@link findLostPost} */
export async function findPosts(slack: WebClient, lost: LostPost, most: number): Promise<readonly string[]> {
  const found: string[] = [];
  const options = { channel: lost.place, include_all_metadata: true, limit: pageSize };
  let { threadTs } = lost;
  let cursor: string | undefined;
  for (let pages = 0; pages < maxPages; pages++) {
    const answer = await read(slack, cursor === undefined ? options : { ...options, cursor }, threadTs);
    if (!answer && threadTs === undefined) return found;
    if (!answer) {
      // The thread is gone: then the post went to the channel, if anywhere.
      [threadTs, cursor] = [undefined, undefined];
      continue;
    }
    const { messages, response_metadata: next } = History.parse(answer);
    const same = messages.filter(({ metadata }) => {
      const payload = metadata?.event_type === metadataType ? metadata.event_payload : undefined;
      return payload?.job === lost.job && isSamePart(payload, lost);
    });
    found.push(...same.map(({ ts }) => ts));
    // The history comes from the newest message on, a thread from the oldest one.
    const isPast = threadTs === undefined && messages.some(({ ts }) => Number(ts) * 1_000 < lost.since - around);
    if (!next?.next_cursor || isPast || found.length >= most) return found.slice(0, most);
    cursor = next.next_cursor;
  }
  return found;
}

async function read(slack: WebClient, page: Parameters<WebClient['conversations']['history']>[0], threadTs?: string) {
  try {
    return threadTs === undefined
      ? await slack.conversations.history(page)
      : await slack.conversations.replies({ ...page, ts: threadTs });
  } catch (error) {
    if (meaningOfError(error) === 'again') throw error;
    return undefined;
  }
}

const Marked = z.object({
  job: z.string(),
  part: z.string(),
  round: z.number().optional(),
  person: z.string().optional(),
  end: z.number().optional(),
});
const Metadata = z.object({
  event_type: z.string().optional(),
  event_payload: Marked.optional().catch(undefined),
});
const History = z.object({
  messages: z.array(z.object({ ts: z.string(), metadata: Metadata.optional() })).default([]),
  response_metadata: z.object({ next_cursor: z.string().nullish() }).nullish(),
});
