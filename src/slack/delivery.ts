import { z } from 'zod';
import { atLeast } from '../clock.ts';
import { termsIn } from '../jobs/decisions.ts';
import { keeper, type Loop, lease, loop } from '../jobs/watch.ts';
import { hasEnded, type Job, type JobChange } from '../store/job.ts';
import { directPlace, isPerson } from './answers.ts';
import { alarm, callToApprovers } from './approvalCard.ts';
import type { Content } from './blocks.ts';
import type { Desk } from './desk.ts';
import { jobCard, jobReply } from './messages.ts';
import { type Pace, pace, rates } from './pace.ts';
import { lookForLost, metadataType, type Part, Posting } from './postings.ts';
import { isLimited, pauseAfter, platformError } from './slackErrors.ts';

const mostAtOnce = 50;
/** So many are told at the same time at most, however slow Slack is. */
const mostInHand = 300;
/** While more is to be told than is taken at once, the store is looked through at most this often, in milliseconds. */
const shortestTurn = 100;
/** So many approvers are called by direct message. */
const mostCalled = 10;

/** Where the messages stand that have no columns of their own. */
const Posts = z.record(z.string(), z.object({ place: z.string(), ts: z.string() }));
type Place = z.infer<typeof Posts>[string];

/** What `deliver` needs of the desk. */
type Needs = Pick<Desk, 'jobs' | 'slack' | 'log' | 'meter' | 'policy' | 'people' | 'clock'>;

/** That, and what Slack takes of us: messages by channel, and changes of messages by team. */
type Office = Needs & { posts: Pace; updates: Pace };

/** One job's turn: whether its messages may be changed, and whether one stays behind for that. */
type Turn = Office & { mayUpdate: boolean; staysBehind: boolean };

/**
 * Brings every job's message to where the job is: posts it, updates it in place, and replies in its thread when the job
 * ends. What was delivered stands in the job's row, and is tried again until Slack takes it.
 */
export function deliver(desk: Needs): Loop {
  const { jobs, clock, log } = desk;
  const [posts, updates] = [pace(rates.posts), pace(rates.updates)];
  const office = { ...desk, posts, updates };
  const inHand = new Set<string>();
  const keep = keeper(clock, until => jobs.renew('tellLeaseUntil', [...inHand], until));
  const busy = (now: number) => ({ places: posts.busy(now), teams: updates.busy(now) });
  /** Uses what a job's turn needs; `undefined` where it cannot be told yet. An end is told even if its card has to wait. */
  const turnFor = (job: Job, now: number): Turn | undefined => {
    const isPost = job.messageTs === null || (hasEnded(job) && job.replyTs === null);
    const isUpdate = job.messageTs !== null && job.shown < job.revision;
    const mayUpdate = !isUpdate || updates.isFree(job.team, now);
    if (isPost ? !posts.isFree(placeOf(job), now) : !mayUpdate) return undefined;
    if (isPost) posts.use(placeOf(job), now);
    if (isUpdate && mayUpdate) updates.use(job.team, now);
    return { ...office, mayUpdate, staysBehind: false };
  };
  let notBefore = 0;
  return loop(
    clock,
    async run => {
      const now = clock.now();
      // Unless the clock was set back since.
      if (now < notBefore && notBefore <= now + shortestTurn) return notBefore;
      await keep();
      const most = Math.min(mostAtOnce, mostInHand - inHand.size);
      // One that is finished makes room, and wakes this.
      if (most <= 0) return undefined;
      const untold = await jobs.takeUntold(now, lease, most, busy(now));
      const later: string[] = [];
      for (const job of untold) {
        const turn = turnFor(job, now);
        if (turn) {
          inHand.add(job.id);
          run(tell(turn, job).finally(() => inHand.delete(job.id)));
        } else later.push(job.id);
      }
      await jobs.letGo(later);
      notBefore = untold.length === most ? now + shortestTurn : now;
      if (notBefore > now) return notBefore;
      const next = [await jobs.nextTime('tellAt', now, busy(now)), posts.nextFree(now), updates.nextFree(now)];
      const times = next.filter(time => time !== undefined);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    (error, times) => log.error({ error, times }, 'the list of untold jobs could not be read'),
  );
}

/** Where a job is told of. */
function placeOf({ place, channel }: Job): string {
  return place ?? channel;
}

async function tell(turn: Turn, job: Job): Promise<void> {
  const { jobs, clock, log, posts } = turn;
  try {
    const told = await bringUpToDate(turn, job);
    // What had to stay behind is told as soon as messages may be changed again.
    if (turn.staysBehind) return await jobs.told(job.id, { ...told, tellLeaseUntil: 0, tellTries: 0 });
    // The row may have moved on meanwhile; what is told is only what this turn has seen.
    await jobs.told(job.id, { ...told, shown: job.revision, tellLeaseUntil: 0, tellTries: 0 });
    await jobs.toldAll(job.id, job.revision);
  } catch (error) {
    const pause = pauseAfter(error, job.tellTries);
    // News of a job makes it due at once, which a channel that asked to wait must not notice.
    if (isLimited(error)) posts.rest(placeOf(job), clock.now() + atLeast(pause));
    log.warn({ job: job.id, error, pause }, 'Slack did not take a message');
    await jobs
      .told(job.id, { tellAt: clock.now() + pause, tellTries: job.tellTries + 1, tellLeaseUntil: 0 })
      .catch((fault: unknown) => {
        log.error({ job: job.id, error: fault }, 'a message could not be put off');
      });
  }
}

/** Posts what is missing of a job's messages, and updates what lags behind. What is kept on the way is kept at once. */
async function bringUpToDate(office: Turn, job: Job): Promise<JobChange> {
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
async function call(office: Turn, job: Job, card: Place): Promise<void> {
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
  office: Turn,
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
        job,
        { place: job.place, ts: job.messageTs },
        contentOf(office, { ...job, cardPlace: null }, 'card'),
      );
    return undefined;
  }
}

/** Posts one of the cards, or brings the one that stands to where the job is. */
async function bringCard(
  office: Turn,
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
    if (posted.found) await update(office, job, posted, contentOf(office, job, part));
    return posted;
  }
  // Somebody deleted the message: what comes of the job is then told by the reply alone.
  if (lags && (await update(office, job, before, contentOf(office, job, part))))
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
async function update(turn: Turn, { team }: Job, { place, ts }: Place, content: Content): Promise<boolean> {
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
      updates.rest(team, clock.now() + pause);
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
