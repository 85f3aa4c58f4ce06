import { z } from 'zod';
import { termsIn } from '../jobs/decisions.ts';
import { type Loop, lease, loop } from '../jobs/watch.ts';
import { hasEnded, type Job, type JobChange } from '../store/jobs.ts';
import { directPlace, isPerson } from './answers.ts';
import { alarm, callToApprovers } from './approvalCard.ts';
import type { Content } from './blocks.ts';
import type { Desk } from './desk.ts';
import { jobCard, jobReply } from './messages.ts';
import { type QuietPlaces, quietPlaces } from './quiet.ts';
import { isLimited, pauseAfter, platformError } from './slackErrors.ts';

const mostAtOnce = 50;
/** So many are told at the same time at most, however slow Slack is. */
const mostInHand = 300;
/** So many approvers are called by direct message. */
const mostCalled = 10;
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

/** A post that was begun: until its answer is known, it may stand in Slack or not. */
const Posting = z.object({ part: Part, place: z.string(), since: z.number() });
type Posting = z.infer<typeof Posting>;

/** Where the messages stand that have no columns of their own. */
const Posts = z.record(z.string(), z.object({ place: z.string(), ts: z.string() }));
type Place = z.infer<typeof Posts>[string];

/** What `deliver` needs of the desk, and the channels in which Slack wants to be left alone. */
type Office = Pick<Desk, 'jobs' | 'slack' | 'log' | 'meter' | 'policy' | 'people' | 'clock'> & { quiet: QuietPlaces };

/**
 * Brings every job's message to where the job is: posts it, updates it in place, and replies in its thread when the job
 * ends. What was delivered stands in the job's row, and is tried again until Slack takes it.
 */
export function deliver(desk: Omit<Office, 'quiet'>): Loop {
  const { jobs, clock, log } = desk;
  const office = { ...desk, quiet: quietPlaces(clock) };
  const inHand = new Set<string>();
  return loop(
    clock,
    async run => {
      await jobs.renew('tellLeaseUntil', [...inHand], clock.now() + lease);
      const most = Math.min(mostAtOnce, mostInHand - inHand.size);
      // One that is finished makes room, and wakes this.
      if (most <= 0) return undefined;
      const untold = await jobs.takeUntold(clock.now(), lease, most);
      for (const job of untold) {
        inHand.add(job.id);
        run(tell(office, job).finally(() => inHand.delete(job.id)));
      }
      return untold.length === most ? clock.now() : jobs.nextTime('tellAt', clock.now());
    },
    (error, times) => log.error({ error, times }, 'the list of untold jobs could not be read'),
  );
}

async function tell(office: Office, job: Job): Promise<void> {
  const { jobs, clock, log, quiet } = office;
  const channel = job.place ?? job.channel;
  try {
    // News of a job makes it due at once, which a channel that asked to wait must not notice.
    const quietUntil = quiet.until(channel);
    if (quietUntil !== undefined) return await jobs.told(job.id, { tellAt: quietUntil, tellLeaseUntil: 0 });
    const told = await bringUpToDate(office, job);
    // The row may have moved on meanwhile; what is told is only what this turn has seen.
    await jobs.told(job.id, { ...told, shown: job.revision, tellLeaseUntil: 0, tellTries: 0 });
    await jobs.toldAll(job.id, job.revision);
  } catch (error) {
    const pause = pauseAfter(error, job.tellTries);
    if (isLimited(error)) quiet.keep(channel, pause);
    log.warn({ job: job.id, error, pause }, 'Slack did not take a message');
    await jobs
      .told(job.id, { tellAt: clock.now() + pause, tellTries: job.tellTries + 1, tellLeaseUntil: 0 })
      .catch((fault: unknown) => {
        log.error({ job: job.id, error: fault }, 'a message could not be put off');
      });
  }
}

/** Posts what is missing of a job's messages, and updates what lags behind. What is kept on the way is kept at once. */
async function bringUpToDate(office: Office, job: Job): Promise<JobChange> {
  const lags = job.shown < job.revision;
  const card = await bringCard(office, job, 'card', ownPlace(job), lags);
  const posts = Posts.parse(JSON.parse(job.posts));
  const known = { ...job, place: card.place, messageTs: card.ts, posts: job.posts };
  const decided = await bringApproval(office, known, posts.approval, lags);
  const here = decided ?? card;
  if (job.emergency !== null && !posts.alarm) await post(office, known, 'alarm', here.place, undefined);
  // A new card in the channel for approvals notifies by itself; the job's own was there before it had to wait.
  if (job.state === 'awaiting' && (job.reminders > 0 || !decided)) await call(office, known, here);
  const { place, ts: messageTs } = card;
  if (hasEnded(job) && job.replyTs === null) {
    await post(office, known, 'reply', place, messageTs);
    if (job.endedAt !== null) office.meter.took('followUp', {}, office.clock.now() - job.endedAt);
  }
  return { place, messageTs };
}

/** Calls the approvers: in the thread of the card, or each by a direct message where only the requester sees the card. */
async function call(office: Office, job: Job, card: Place): Promise<void> {
  const approvers = termsIn(job)?.approvers ?? [];
  const posts = Posts.parse(JSON.parse(job.posts));
  if (approvers.length === 0) return;
  const part = `call:${job.reminders}` as const;
  if (!card.place.startsWith('D')) {
    if (!posts[part]) await post(office, job, part, card.place, card.ts);
    return;
  }
  for (const person of (await office.people.membersOf(approvers)).slice(0, mostCalled)) {
    if (person === job.person || posts[`${part}:${person}`]) continue;
    const { channel } = await office.slack.conversations.open({ users: person });
    if (channel?.id !== undefined) await post(office, job, `${part}:${person}`, channel.id, undefined);
  }
}

/** The card in the channel for approvals; `undefined` where the job's own message is that card. */
async function bringApproval(
  office: Office,
  job: Job,
  before: Place | undefined,
  lags: boolean,
): Promise<Place | undefined> {
  if (job.cardPlace === null) return undefined;
  try {
    return await bringCard(office, job, 'approval', before, lags);
  } catch (error) {
    if (!cannotPost.has(platformError(error) ?? '')) throw error;
    // Nobody could decide there, so the job's own message gets the buttons.
    office.log.error({ job: job.id, channel: job.cardPlace, error }, 'I cannot post in the channel for approvals');
    await office.jobs.told(job.id, { cardPlace: null });
    if (job.place !== null && job.messageTs !== null)
      await update(
        office,
        { place: job.place, ts: job.messageTs },
        contentOf(office, { ...job, cardPlace: null }, 'card'),
      );
    return undefined;
  }
}

/** Posts one of the cards, or brings the one that stands to where the job is. */
async function bringCard(
  office: Office,
  job: Job,
  part: 'card' | 'approval',
  before: Place | undefined,
  lags: boolean,
): Promise<Place> {
  if (!before) {
    const wanted = part === 'card' ? job.channel : (job.cardPlace ?? job.channel);
    // What was asked for in Home is told in the person's direct messages.
    const place = isPerson(wanted) ? await directPlace(office, wanted) : wanted;
    const posted = await post(office, job, part, place, undefined);
    // What is found again says how the job was when it was posted.
    if (posted.found) await update(office, posted, contentOf(office, job, part));
    return posted;
  }
  // Somebody deleted the message: what comes of the job is then told by the reply alone.
  if (lags && (await update(office, before, contentOf(office, job, part))))
    office.log.info({ job: job.id, part }, 'the message of a job is gone');
  return before;
}

function ownPlace({ place, messageTs }: Job): Place | undefined {
  return place === null || messageTs === null ? undefined : { place, ts: messageTs };
}

function contentOf({ policy }: Office, job: Job, part: Part): Content {
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
async function post(office: Office, job: Job, part: Part, place: string, threadTs: string | undefined) {
  const { jobs, slack, clock } = office;
  const lost = job.posting === null ? undefined : Posting.parse(JSON.parse(job.posting));
  if (lost?.part === part) {
    const ts = await lookFor(office, job, lost, threadTs);
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

/** The ts of a post whose answer was lost, if it stands in Slack; `undefined` where it does not, or cannot be seen. */
async function lookFor(
  { slack, log }: Office,
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

/** Updates the message; `true` where it does not exist any more or can no longer be changed. */
async function update({ slack }: Office, { place, ts }: Place, content: Content): Promise<boolean> {
  try {
    await slack.chat.update({ channel: place, ts, ...content });
    return false;
  } catch (error) {
    if (illFormed.has(platformError(error) ?? '')) {
      await slack.chat.update({ channel: place, ts, text: content.text, blocks: [] });
      return false;
    }
    if (unchangeable.has(platformError(error) ?? '')) return true;
    throw error;
  }
}

const cannotPost = new Set([
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
