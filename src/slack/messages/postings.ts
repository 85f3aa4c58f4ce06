import { ageOf, type Moment, thisMoment } from '../../ground/clock.ts';
import { lockTime } from '../../ground/loop.ts';
import { stepJobs } from '../../jobs/plans/turn.ts';
import type { Pause } from '../../store/drivers/replicas.ts';
import { isSamePart, type Part, type Place } from '../../store/jobs/data.ts';
import { isPlan, type Job } from '../../store/jobs/job.ts';
import { Overtaken } from '../../store/overtaken.ts';
import { type Content, said } from '../blocks/blocks.ts';
import { bold } from '../blocks/limits.ts';
import { isLimited, pauseAfter, platformError, verdictOn } from '../connection/slackErrors.ts';
import { directPlace } from '../desk/answer.ts';
import type { Desk } from '../desk/desk.ts';
import { sendContent } from '../desk/sendContent.ts';
import { aloneMessage } from './aloneMessage.ts';
import { alarm, callToApprovers } from './approvalCalls.ts';
import type { AlonePart } from './audience.ts';
import { jobCard, jobReply } from './jobMessage.ts';
import { titleOf } from './jobWords.ts';
import { findLostPost, marked } from './lostPost.ts';
import type { Pace } from './pace.ts';
import { planCard, planReply } from './planMessage.ts';

/**
 * The messages of a job: its own card, the card in the channel for approvals, a call to the approvers at first and for
 * each reminder, the alarm that it runs without approval, the reply at its end, and what its person alone is told. A call
 * or an alarm goes to one person alone if the approvers do not see the card.
 */
export type MessagePart = 'card' | 'approval' | 'alarm' | 'call' | 'reply' | AlonePart;
type ToPost = Part & Readonly<{ part: MessagePart }>;

/** Whether a message without a column of its own was posted. */
export function isPosted({ posts }: Job, { part, round, person }: Part): boolean {
  return posts.some(one => isSamePart(one, { part, round, person }));
}

/**
 * The parts of the desk that messages need, and Slack's rate limits: posts by channel, updates by team. `begunAt` is the
 * time when this process began to tell people.
 */
export type Office = Pick<
  Desk,
  | 'jobs'
  | 'slack'
  | 'log'
  | 'meter'
  | 'policy'
  | 'people'
  | 'clock'
  | 'askers'
  | 'replicas'
  | 'names'
  | 'olderWorkspaces'
> &
  Readonly<{ posts: Pace; updates: Pace; begunAt: number }>;

/**
 * One job's turn. `counted` is the place where one post already used the rate; `isCrowded` sends the end by direct
 * message, since its channel is crowded; `mayUpdate` allows updates; `staysBehind` tells that an update had to wait;
 * `faults` collects the failures that must not prevent the job's other messages.
 */
export type DeliveryTurn = Office & {
  counted: string | undefined;
  isCrowded: boolean;
  mayUpdate: boolean;
  staysBehind: boolean;
  faults: unknown[];
  /** When this process took the job, or last knew that it still has it. */
  heldSince: Moment;
};

/**
 * Makes sure, right before something is said of a job, that this process still has it: after a pause, another one may be
 * telling the same. What is said within half the time of a lock arrives before anybody else can take the job.
 * @throws {Overtaken} where another process has it
 */
export async function mustHold(turn: DeliveryTurn, job: Job): Promise<void> {
  const { jobs, clock } = turn;
  while (ageOf(clock, turn.heldSince) >= lockTime / 2) {
    const since = thisMoment(clock);
    const [held] = await jobs.renew('tell', [job.id], since.now + lockTime);
    if (held === undefined) throw new Overtaken();
    turn.heldSince = since;
  }
}

/**
 * The current content of a part of a job's messages. The requester is named without a mention, to spare them a
 * notification.
 */
export async function contentOf(
  { jobs, policy, people, names }: Office,
  job: Job,
  part: MessagePart,
): Promise<Content> {
  const asker = bold((await people.nameOf(job)) ?? job.person, 80);
  const ofPlan = isPlan(job) ? { plan: job, jobs: (await stepJobs({ jobs }, job.id)) ?? [] } : undefined;
  switch (part) {
    case 'card':
    case 'approval':
      if (ofPlan) return planCard(ofPlan, { part, hasGlass: policy.emergency.length > 0, asker, names });
      return jobCard(job, part, { hasGlass: policy.emergency.length > 0, asker, names });
    case 'reply':
      return ofPlan ? planReply(ofPlan, names) : jobReply(job);
    case 'alone:slow':
    case 'alone:busy':
    case 'alone:sign-in':
    case 'alone:end':
      return aloneMessage(job, names);
    default:
      return part === 'alarm' ? alarm(job) : callToApprovers(job, asker);
  }
}

/** A way to send a message: the place, the thread, and the content. */
type Way = Readonly<{ place: string; threadTs: string | undefined; content: Content }>;
/** A way that Slack refused, with its error. */
type Refused = Readonly<{ way: Way; error: unknown }>;

/**
 * Posts a part of a job's messages. The intent is stored first: if the answer is lost, the next try looks for the post
 * in the channel before it posts again (chat.postMessage has no idempotency key). If Slack refuses one way for good,
 * another one is tried.
 */
export async function postPart(
  turn: DeliveryTurn,
  job: Job,
  message: ToPost,
  { place, threadTs }: Pick<Way, 'place' | 'threadTs'>,
) {
  const { part } = message;
  const lost = job.posting;
  if (lost && isSamePart(lost, message)) {
    const ts = await findLostPost(turn.slack.of(job.team), { ...lost, job: job.id, threadTs });
    if (ts !== undefined) return { ...(await keep(turn, job, message, { place: lost.place, ts })), found: true };
  }
  let way: Way | undefined = { place, threadTs, content: await contentOf(turn, job, part) };
  for (;;) {
    try {
      const sent = await send(turn, job, message, way);
      // The requester would wait in vain in the channel where they asked.
      if (part === 'card' && way.place !== place) void turn.askers.tell(job, wentElsewhere(job));
      return sent;
    } catch (error) {
      way = await otherWay(turn, job, part, { way, error });
      if (!way) throw error;
      turn.log.info({ job: job.id, part, error }, 'a message goes another way');
    }
  }
}

function wentElsewhere(job: Job): Content {
  return said(
    `I am not in this channel, so the message of *${titleOf(job)}* is in your direct messages with me. Invite me, and the next one stands here.`,
  );
}

async function send(turn: DeliveryTurn, job: Job, message: ToPost, { place, threadTs, content }: Way) {
  const { jobs, slack, clock, posts } = turn;
  const posting = { ...message, place, since: clock.now() };
  const isNoted = await jobs.noteMessage(job.id, { posting }, message.part === 'reply' ? job.revision : undefined);
  if (!isNoted) throw new Overtaken();
  if (turn.counted === place) turn.counted = undefined;
  else posts.use(place, clock.steady());
  const metadata = marked(job.id, message);
  const thread = threadTs === undefined ? {} : { thread_ts: threadTs };
  const quiet = { unfurl_links: false, unfurl_media: false };
  try {
    const posted = await sendContent(turn, job.team, content, async body => {
      await mustHold(turn, job);
      return slack.of(job.team).chat.postMessage({ channel: place, ...body, ...thread, metadata, ...quiet });
    });
    if (posted.ts === undefined) throw new Error('chat.postMessage gave no ts');
    return { ...(await keep(turn, job, message, { place: posted.channel ?? place, ts: posted.ts })), found: false };
  } catch (error) {
    // Any change makes a job due at once; the limiter still has to honour Slack's pause for the channel.
    if (isLimited(error)) keepPause(turn, { limit: 'posts', key: place, milliseconds: pauseAfter(error, 0) });
    throw error;
  }
}

/** Keeps a pause that Slack asked for, and lets the other processes keep it. */
export function keepPause(
  { clock, replicas, posts, updates }: Pick<Office, 'clock' | 'replicas' | 'posts' | 'updates'>,
  pause: Pause & { limit: 'posts' | 'updates' },
): void {
  ({ posts, updates })[pause.limit].rest(pause.key, clock.steady() + pause.milliseconds);
  replicas.passOn(pause);
}

/**
 * Another way for a message that Slack refused; `undefined` if there is none, or if the same way is to be tried again.
 */
async function otherWay(
  turn: DeliveryTurn,
  job: Job,
  part: MessagePart,
  { way, error }: Refused,
): Promise<Way | undefined> {
  const verdict = verdictOn(error);
  // The thread's first message was deleted, or takes no replies.
  if (verdict === 'never' && way.threadTs !== undefined) {
    const hasCard = way.threadTs === job.thread && job.messageTs !== null;
    return { ...way, threadTs: hasCard ? job.messageTs : undefined };
  }
  if (!(part === 'card' || part === 'reply') || !isClosed(error, job)) return undefined;
  // The person gets a direct message if Dolly may not write in the channel.
  const place = await directPlace(turn, job);
  return place === way.place ? undefined : { ...way, place, threadTs: undefined };
}

/** The thread of what is said about a job: the one in which it was asked for, else that of its own message. */
export function threadOfJob({
  thread,
  channel,
  place,
  messageTs,
}: Pick<Job, 'thread' | 'channel' | 'place' | 'messageTs'>): string | undefined {
  return (place === channel ? thread : null) ?? messageTs ?? undefined;
}

/** Max tries of a place that refuses with words that do not promise an end; then it counts as closed. */
const maxTries = 5;

/**
 * Whether a place takes no more messages of a job: by Slack's word, or after repeated refusals. Slack's own trouble passes,
 * and its operator mends what refuses the app as a whole.
 */
export function isClosed(error: unknown, { tellTries }: Job): boolean {
  const verdict = verdictOn(error);
  if (verdict === 'elsewhere') return true;
  const mayPass = verdict === 'again' || verdict === 'operator';
  return platformError(error) !== undefined && !mayPass && tellTries >= maxTries;
}

async function keep({ jobs }: Office, job: Job, message: ToPost, { place, ts }: Place): Promise<Place> {
  const { part } = message;
  if (part === 'card') await jobs.noteMessage(job.id, { posting: null, place, messageTs: ts });
  else if (part === 'approval') await jobs.noteMessage(job.id, { posting: null, cardPlace: place, cardTs: ts });
  // A person may have made the job go on meanwhile: then this reply was not the last one.
  else if (part === 'reply') await jobs.noteMessage(job.id, { posting: null, replyTs: ts }, job.revision);
  else await jobs.notePost(job.id, message, { place, ts });
  return { place, ts };
}

/**
 * The outcome of an update: done (or put off), the message is gone or cannot be changed any more, or its whole channel
 * is gone.
 */
type Changed = 'changed' | 'message gone' | 'place gone';

/** Updates the message. */
export async function update(turn: DeliveryTurn, job: Job, { place, ts }: Place, content: Content): Promise<Changed> {
  const { slack, log } = turn;
  turn.staysBehind ||= !turn.mayUpdate;
  if (!turn.mayUpdate) return 'changed';
  try {
    await sendContent(turn, job.team, content, async body => {
      await mustHold(turn, job);
      return slack.of(job.team).chat.update({ channel: place, ts, blocks: [], ...body });
    });
    return 'changed';
  } catch (error) {
    if (isLimited(error)) {
      const pause = pauseAfter(error, 0);
      log.warn({ team: job.team, error, pause }, 'Slack changes no more messages for now');
      keepPause(turn, { limit: 'updates', key: job.team, milliseconds: pause });
      Object.assign(turn, { mayUpdate: false, staysBehind: true });
      return 'changed';
    }
    if (isClosed(error, job)) return 'place gone';
    if (verdictOn(error) === 'never') return 'message gone';
    throw error;
  }
}
