import { operationOf } from '../../jobs/request.ts';
import type { Place } from '../../store/jobs/data.ts';
import type { Job } from '../../store/jobs/job.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { code, plain } from '../blocks/limits.ts';
import { isLimited, pauseAfter, platformError, verdictOn } from '../connection/slackErrors.ts';
import { directPlace } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { alarm, callToApprovers } from './approvalCalls.ts';
import { jobCard, jobReply } from './jobMessage.ts';
import { findLostPost, marked } from './lostPost.ts';
import type { Pace } from './pace.ts';

/**
 * The messages of a job: its own card, the card in the channel for approvals, a call to the approvers at first and for
 * each reminder, the alarm that it runs without approval (each of these two to one person alone, where the approvers do
 * not see the card), and the reply at its end.
 */
export type MessagePart =
  | 'card'
  | 'approval'
  | 'alarm'
  | 'reply'
  | `alarm:${string}`
  | `call:${number}`
  | `call:${number}:${string}`;

/** What messages need of the desk, and what Slack takes of us: messages by channel, and changes of messages by team. */
export type Office = Pick<Desk, 'jobs' | 'slack' | 'log' | 'meter' | 'policy' | 'people' | 'clock' | 'askers'> &
  Readonly<{ posts: Pace; updates: Pace }>;

/**
 * One job's turn: where a post of it is counted already, whether its end is told directly since its channel is crowded,
 * whether its messages may be changed, and whether one stays behind for that.
 */
export type DeliveryTurn = Office & {
  counted: string | undefined;
  isCrowded: boolean;
  mayUpdate: boolean;
  staysBehind: boolean;
};

/** What a part of a job's messages says now. Who asked is named without a mention: it is no news to them. */
export async function contentOf({ policy, people }: Office, job: Job, part: MessagePart): Promise<Content> {
  const asker = code((await people.nameOf(job)) ?? job.person, 80);
  switch (part) {
    case 'card':
    case 'approval':
      return jobCard(job, part, policy.emergency.length > 0, asker);
    case 'reply':
      return jobReply(job);
    default:
      return part.startsWith('alarm') ? alarm(job) : callToApprovers(job, asker);
  }
}

/** How a message is brought: where, in which thread, and what of it. */
type Way = Readonly<{ place: string; threadTs: string | undefined; body: Content | Pick<Content, 'text'> }>;

/**
 * Posts a part of a job's messages. What is about to be posted is written first: if the answer is lost, the next try
 * looks for it in the channel before it posts again (chat.postMessage has no idempotency key). Where Slack refuses a way
 * for good, another one is taken.
 */
export async function postPart(
  turn: DeliveryTurn,
  job: Job,
  part: MessagePart,
  place: string,
  threadTs: string | undefined,
) {
  const lost = job.posting;
  if (lost?.part === part) {
    const ts = await findLostPost(turn.slack, { ...lost, job: job.id, threadTs });
    if (ts !== undefined) return { ...(await keep(turn, job, part, lost.place, ts)), found: true };
  }
  let way: Way | undefined = { place, threadTs, body: await contentOf(turn, job, part) };
  for (;;) {
    try {
      const sent = await send(turn, job, part, way);
      // Where they asked, they would wait for it in vain.
      if (part === 'card' && way.place !== place) void turn.askers.tell(job, wentElsewhere(job));
      return sent;
    } catch (error) {
      way = await otherWay(turn, job, part, way, error);
      if (!way) throw error;
      turn.log.info({ job: job.id, part, error }, 'a message goes another way');
    }
  }
}

function wentElsewhere(job: Job): Content {
  const title = `${operationOf(job).title(job.values)} of ${plain(job.targetName ?? job.target, 100)}`;
  return said(
    `I am not in this channel, so the message of *${title}* is in your direct messages with me. Invite me, and the next one stands here.`,
  );
}

async function send(turn: DeliveryTurn, job: Job, part: MessagePart, { place, threadTs, body }: Way) {
  const { jobs, slack, clock, posts } = turn;
  const posting = { part, place, since: clock.now() };
  await jobs.noteMessage(job.id, { posting }, part === 'reply' ? job.revision : undefined);
  if (turn.counted === place) turn.counted = undefined;
  else posts.use(place, clock.steady());
  const metadata = marked(job.id, part);
  const message = { channel: place, ...body, metadata, unfurl_links: false, unfurl_media: false };
  try {
    const posted = await slack.chat.postMessage(threadTs === undefined ? message : { ...message, thread_ts: threadTs });
    if (posted.ts === undefined) throw new Error('chat.postMessage gave no ts');
    return { ...(await keep(turn, job, part, posted.channel ?? place, posted.ts)), found: false };
  } catch (error) {
    // News of a job makes it due at once, which a channel that asked to wait must not notice.
    if (isLimited(error)) posts.rest(place, clock.steady() + pauseAfter(error, 0));
    throw error;
  }
}

/** Another way for a message that Slack refused; `undefined` where there is none, or this one is to be tried again. */
async function otherWay(
  turn: DeliveryTurn,
  job: Job,
  part: MessagePart,
  way: Way,
  error: unknown,
): Promise<Way | undefined> {
  const verdict = verdictOn(error);
  // A message that Slack finds ill-formed is a defect of ours; its text still says what matters.
  if (verdict === 'plainer' && 'blocks' in way.body) return { ...way, body: { text: way.body.text } };
  // The message that it belongs to was deleted, or takes no replies.
  if (verdict === 'never' && way.threadTs !== undefined) return { ...way, threadTs: undefined };
  if (!(part === 'card' || part === 'reply') || !isClosed(error, job)) return undefined;
  // Where the bot may not speak, the person hears of it in a direct message.
  const place = await directPlace(turn, job.person);
  return place === way.place ? undefined : { ...way, place, threadTs: undefined };
}

/** So often a place is tried that refuses in words that promise no end; then it counts as closed. */
const mostTries = 5;

/** Whether a place takes no messages of a job any more: by its word, or after it refused again and again. */
export function isClosed(error: unknown, { tellTries }: Job): boolean {
  return verdictOn(error) === 'elsewhere' || (platformError(error) !== undefined && tellTries >= mostTries);
}

async function keep({ jobs }: Office, job: Job, part: MessagePart, place: string, ts: string): Promise<Place> {
  if (part === 'card') await jobs.noteMessage(job.id, { posting: null, place, messageTs: ts });
  // Of a job that a person let go on meanwhile, this was not the last word.
  else if (part === 'reply') await jobs.noteMessage(job.id, { posting: null, replyTs: ts }, job.revision);
  else await jobs.notePost(job.id, part, { place, ts });
  return { place, ts };
}

/** What came of a change: it stands (or waits), the message is gone or can be changed no more, or all of its channel. */
type Changed = 'changed' | 'message gone' | 'place gone';

/** Updates the message. */
export async function update(turn: DeliveryTurn, job: Job, { place, ts }: Place, content: Content): Promise<Changed> {
  const { slack, clock, log, updates } = turn;
  turn.staysBehind ||= !turn.mayUpdate;
  if (!turn.mayUpdate) return 'changed';
  try {
    await slack.chat.update({ channel: place, ts, ...content }).catch((error: unknown) => {
      if (verdictOn(error) !== 'plainer') throw error;
      return slack.chat.update({ channel: place, ts, text: content.text, blocks: [] });
    });
    return 'changed';
  } catch (error) {
    if (isLimited(error)) {
      const pause = pauseAfter(error, 0);
      log.warn({ team: job.team, error, pause }, 'Slack changes no more messages for now');
      updates.rest(job.team, clock.steady() + pause);
      Object.assign(turn, { mayUpdate: false, staysBehind: true });
      return 'changed';
    }
    if (isClosed(error, job)) return 'place gone';
    if (verdictOn(error) === 'never') return 'message gone';
    throw error;
  }
}
