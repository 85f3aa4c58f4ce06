import { atLeast } from '../clock.ts';
import { termsIn } from '../jobs/decisions.ts';
import { keeper, type Loop, lease, loop } from '../jobs/watch.ts';
import { hasEnded, type Job, type JobChange } from '../store/job.ts';
import { directPlace, isPerson } from './answers.ts';
import { pace, rates } from './pace.ts';
import { cannotPost, contentOf, type Office, type Place, Posts, post, type Turn, update } from './postings.ts';
import { isLimited, pauseAfter, platformError } from './slackErrors.ts';

const mostAtOnce = 50;
/** So many are told at the same time at most, however slow Slack is. */
const mostInHand = 300;
/** While more is to be told than is taken at once, the store is looked through at most this often, in milliseconds. */
const shortestTurn = 100;
/** So many approvers are called by direct message. */
const mostCalled = 10;

/**
 * Brings every job's message to where the job is: posts it, updates it in place, and replies in its thread when the job
 * ends. What was delivered stands in the job's row, and is tried again until Slack takes it.
 */
export function deliver(desk: Omit<Office, 'posts' | 'updates'>): Loop {
  const { jobs, clock, log } = desk;
  const [posts, updates] = [pace(rates.posts), pace(rates.updates)];
  const office = { ...desk, posts, updates };
  const inHand = new Set<string>();
  const keep = keeper(clock, until => jobs.renew('tellLeaseUntil', [...inHand], until));
  const busy = () => ({ places: posts.busy(clock.steady()), teams: updates.busy(clock.steady()) });
  /** Uses what a job's turn needs; `undefined` where it cannot be told yet. An end is told even if its card has to wait. */
  const turnFor = (job: Job): Turn | undefined => {
    const now = clock.steady();
    const isPost = job.messageTs === null || (hasEnded(job) && job.replyTs === null);
    const isUpdate = job.messageTs !== null && job.shown < job.revision;
    const mayUpdate = !isUpdate || updates.isFree(job.team, now);
    if (isPost ? !posts.isFree(placeOf(job), now) : !mayUpdate) return undefined;
    if (isPost) posts.use(placeOf(job), now);
    if (isUpdate && mayUpdate) updates.use(job.team, now);
    return { ...office, mayUpdate, staysBehind: false };
  };
  let notBefore = Number.NEGATIVE_INFINITY;
  return loop(
    clock,
    async run => {
      const now = clock.now();
      const pause = notBefore - clock.steady();
      if (pause > 0) return now + pause;
      await keep();
      const most = Math.min(mostAtOnce, mostInHand - inHand.size);
      // One that is finished makes room, and wakes this.
      if (most <= 0) return undefined;
      const untold = await jobs.takeUntold(now, lease, most, busy());
      const later: string[] = [];
      for (const job of untold) {
        const turn = turnFor(job);
        if (turn) {
          inHand.add(job.id);
          run(tell(turn, job).finally(() => inHand.delete(job.id)));
        } else later.push(job.id);
      }
      await jobs.letGo(later);
      if (untold.length === most) {
        notBefore = clock.steady() + shortestTurn;
        return now + shortestTurn;
      }
      const next = await jobs.nextTime('tellAt', now, busy());
      const free = [posts, updates].flatMap(({ nextFree }) => nextFree(clock.steady()) ?? []);
      const times = [...(next === undefined ? [] : [next]), ...free.map(at => now + at - clock.steady())];
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
    if (isLimited(error)) posts.rest(placeOf(job), clock.steady() + atLeast(pause));
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
