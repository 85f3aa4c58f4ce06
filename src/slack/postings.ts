import { z } from 'zod';
import type { Job } from '../store/job.ts';
import { alarm, callToApprovers } from './approvalCard.ts';
import type { Content } from './blocks.ts';
import type { Desk } from './desk.ts';
import { jobCard, jobReply } from './messages.ts';
import type { Pace } from './pace.ts';
import { isLimited, pauseAfter, platformError } from './slackErrors.ts';

/** By this, a message in Slack tells which part of which job's messages it is. */
const metadataType = 'dolly_job';

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
type Part = z.infer<typeof Part>;

/** Where the messages stand that have no columns of their own. */
export const Posts = z.record(z.string(), z.object({ place: z.string(), ts: z.string() }));
export type Place = z.infer<typeof Posts>[string];

/** A post that was begun: until its answer is known, it may stand in Slack or not. */
const Posting = z.object({ part: Part, place: z.string(), since: z.number() });

/** What messages need of the desk, and what Slack takes of us: messages by channel, and changes of messages by team. */
export type Office = Pick<Desk, 'jobs' | 'slack' | 'log' | 'meter' | 'policy' | 'people' | 'clock'> &
  Readonly<{ posts: Pace; updates: Pace }>;

/** One job's turn: whether its messages may be changed, and whether one stays behind for that. */
export type Turn = Office & { mayUpdate: boolean; staysBehind: boolean };

/** What a part of a job's messages says now. */
export function contentOf({ policy }: Office, job: Job, part: Part): Content {
  switch (part) {
    case 'card':
    case 'approval':
      return jobCard(job, part, policy.emergency.length > 0);
    case 'reply':
      return jobReply(job);
    case 'alarm':
      return alarm(job);
    default:
      return callToApprovers(job);
  }
}

/**
 * Posts a part of a job's messages. What is about to be posted is written first: if the answer is lost, the next try
 * looks for it in the channel before it posts again (chat.postMessage has no idempotency key).
 */
export async function post(office: Office, job: Job, part: Part, place: string, threadTs: string | undefined) {
  const { jobs, slack, clock } = office;
  const lost = job.posting === null ? undefined : Posting.parse(JSON.parse(job.posting));
  if (lost?.part === part) {
    const ts = await lookForLost(office, job, lost, threadTs);
    if (ts !== undefined) return { ...(await keep(office, job, part, lost.place, ts)), found: true };
  }
  const content = contentOf(office, job, part);
  const metadata = { event_type: metadataType, event_payload: { job: job.id, part } };
  const send = async (to: string, thread: string | undefined, body: Content | Pick<Content, 'text'> = content) => {
    const posting = JSON.stringify({ part, place: to, since: clock.now() });
    await jobs.told(job.id, { posting }, part === 'reply' ? job.revision : undefined);
    const message = { channel: to, ...body, metadata, unfurl_links: false, unfurl_media: false };
    const posted = await slack.chat.postMessage(thread === undefined ? message : { ...message, thread_ts: thread });
    if (posted.ts === undefined) throw new Error('chat.postMessage gave no ts');
    return { ...(await keep(office, job, part, posted.channel ?? to, posted.ts)), found: false };
  };
  try {
    return await send(place, threadTs);
  } catch (error) {
    const refusal = platformError(error) ?? '';
    // A message that Slack finds ill-formed is a defect of ours; its text still says what matters.
    if (illFormed.has(refusal)) return send(place, threadTs, { text: content.text });
    // The message that the reply belongs to was deleted.
    if (threadTs !== undefined && threadGone.has(refusal)) return send(place, undefined);
    if (!cannotPost.has(refusal) || part === 'approval') throw error;
    // Where the bot may not speak, the person hears of it in a direct message.
    const opened = await slack.conversations.open({ users: job.person });
    if (opened.channel?.id === undefined || opened.channel.id === place) throw error;
    return send(opened.channel.id, undefined);
  }
}

async function keep({ jobs }: Office, job: Job, part: Part, place: string, ts: string): Promise<Place> {
  if (part === 'card') await jobs.told(job.id, { posting: null, place, messageTs: ts });
  // Of a job that a person let go on meanwhile, this was not the last word.
  else if (part === 'reply') await jobs.told(job.id, { posting: null, replyTs: ts }, job.revision);
  else await jobs.posted(job.id, part, { place, ts });
  return { place, ts };
}

/** Updates the message; `true` where it does not exist any more or can no longer be changed. */
export async function update(turn: Turn, { team }: Job, { place, ts }: Place, content: Content): Promise<boolean> {
  const { slack, clock, log, updates } = turn;
  turn.staysBehind ||= !turn.mayUpdate;
  if (!turn.mayUpdate) return false;
  try {
    await slack.chat.update({ channel: place, ts, ...content });
    return false;
  } catch (error) {
    if (isLimited(error)) {
      const pause = pauseAfter(error, 0);
      log.warn({ team, error, pause }, 'Slack changes no more messages for now');
      updates.rest(team, clock.steady() + pause);
      Object.assign(turn, { mayUpdate: false, staysBehind: true });
      return false;
    }
    if (illFormed.has(platformError(error) ?? '')) {
      await slack.chat.update({ channel: place, ts, text: content.text, blocks: [] });
      return false;
    }
    if (unchangeable.has(platformError(error) ?? '')) return true;
    throw error;
  }
}

/** What Slack says where the bot may not speak. */
export const cannotPost: ReadonlySet<string> = new Set([
  'not_in_channel',
  'channel_not_found',
  'is_archived',
  'restricted_action',
  'restricted_action_read_only_channel',
  'team_access_not_granted',
]);
const threadGone = new Set(['thread_not_found', 'message_not_found', 'invalid_thread_ts', 'cannot_reply_to_message']);
const illFormed = new Set(['invalid_blocks', 'invalid_blocks_format', 'msg_blocks_too_long', 'msg_too_long']);
const unchangeable = new Set([
  'message_not_found',
  'cant_update_message',
  'edit_window_closed',
  'channel_not_found',
  'is_archived',
]);

/** The ts of a post whose answer was lost, if it stands in Slack; `undefined` where it does not, or cannot be seen. */
async function lookForLost(
  { slack, log }: Pick<Desk, 'slack' | 'log'>,
  job: Job,
  lost: z.infer<typeof Posting>,
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
