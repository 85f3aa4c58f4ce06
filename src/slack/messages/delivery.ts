import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import type { Place } from '../../store/jobs/data.ts';
import { hasEnded, type Job, type JobChange } from '../../store/jobs/job.ts';
import { isOutage, pauseAfter, verdictOn } from '../connection/slackErrors.ts';
import { directPlace, isPerson } from '../desk/answer.ts';
import { pace, rates } from './pace.ts';
import { contentOf, type DeliveryTurn, isClosed, type Office, postPart, update } from './postings.ts';

const maxAtOnce = 50;
/** Max jobs in flight, however slow Slack is. */
const maxInFlight = 300;
/** Shortest pause between two looks into the store while more jobs wait than one look takes, in milliseconds. */
const shortestTurn = 100;
/** After so long without room in its channel, an end is told by direct message, in milliseconds. */
const longestWait = 10_000;
/** Max approvers who are called by direct message. */
const maxCalled = 10;
/**
 * After so many outages in a row Slack counts as away. Then one job at a time tries whether Slack is back, at most
 * every `shortestProbe` milliseconds.
 */
const maxFailures = 3;
const shortestProbe = 2_000;

/**
 * Keeps every job's messages up to date: posts the card, updates it in place, and replies in its thread when the job
 * ends. The job's row records each delivery, and a failed one is tried again until Slack takes it.
 */
export function deliver(desk: Omit<Office, 'posts' | 'updates'>): Loop {
  const { jobs, clock, log } = desk;
  const [posts, updates] = [pace(rates.posts), pace(rates.updates)];
  const office = { ...desk, posts, updates };
  const inHand = new Set<string>();
  const keep = lockRenewal(clock, until => jobs.renew('tell', [...inHand], until));
  const busy = () => {
    const now = clock.steady();
    const endedBefore = clock.now() - longestWait;
    return { places: posts.busy(now), resting: posts.resting(now), endedBefore, teams: updates.busy(now) };
  };
  /**
   * Takes the slots that a job's turn needs from the rate limits; `undefined` while there are none. A job's end is told
   * even if its card has to wait.
   */
  const turnFor = (job: Job): DeliveryTurn | undefined => {
    const now = clock.steady();
    const isPost = job.messageTs === null || (hasEnded(job) && job.replyTs === null);
    const isUpdate = job.messageTs !== null && job.shown < job.revision;
    const mayUpdate = !isUpdate || updates.isFree(job.team, now);
    const isResting = posts.resting(now).includes(placeOf(job));
    const isCrowded = isOverdue(job, clock.now()) && !posts.isFree(placeOf(job), now) && !isResting;
    const place = isCrowded ? job.person : placeOf(job);
    if (isPost ? !posts.isFree(place, now) : !mayUpdate && !lacksApprovalCard(job)) return undefined;
    if (isPost) posts.use(place, now);
    if (isUpdate && mayUpdate) updates.use(job.team, now);
    return {
      ...office,
      counted: isPost && !isCrowded ? place : undefined,
      isCrowded,
      mayUpdate,
      staysBehind: false,
      faults: [],
    };
  };
  let failures = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  const tellAndNote = async (turn: DeliveryTurn, job: Job) => {
    const error = await tell(turn, job);
    if (error === undefined) failures = 0;
    else if (isOutage(error)) failures += 1;
    inHand.delete(job.id);
  };
  return startLoop(clock, {
    async turn(run) {
      const now = clock.now();
      const pause = notBefore - clock.steady();
      if (pause > 0) return now + pause;
      const isAway = failures >= maxFailures;
      await keep();
      const max = Math.min(isAway ? 1 : maxAtOnce, maxInFlight - inHand.size);
      // A job that is finished makes room, and wakes this loop.
      if (max <= 0) return undefined;
      const untold = await jobs.takeUntold(now, lockTime, max, busy());
      const later: string[] = [];
      const crowded: string[] = [];
      for (const job of untold) {
        const turn = turnFor(job);
        if (turn) {
          inHand.add(job.id);
          run(tellAndNote(turn, job));
        } else (isOverdue(job, now) ? crowded : later).push(job.id);
      }
      await Promise.all([jobs.letGo(later), jobs.letGo(crowded, now + rates.posts.every)]);
      if (untold.length === max) {
        const rest = isAway ? shortestProbe : shortestTurn;
        notBefore = clock.steady() + rest;
        return now + rest;
      }
      const next = await jobs.nextTime('tell', now, busy());
      const free = [posts, updates].flatMap(({ nextFree }) => nextFree(clock.steady()) ?? []);
      const times = [...(next === undefined ? [] : [next]), ...free.map(at => now + at - clock.steady())];
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    failed: (error, times) => log.error({ error, times }, 'the list of untold jobs could not be read'),
  });
}

/** Whether a job's end has waited so long for its reply that it may go to another place. */
function isOverdue({ endedAt, messageTs, replyTs }: Job, now: number): boolean {
  return messageTs !== null && replyTs === null && endedAt !== null && endedAt <= now - longestWait;
}

/** Whether nobody can decide on a job yet, since its card is not posted. */
function lacksApprovalCard(job: Job): boolean {
  return job.state === 'awaiting' && job.approval.cardPlace !== null && !job.posts.approval;
}

/** The place of a job's card, or the channel where it will be posted. */
function placeOf({ place, channel }: Job): string {
  return place ?? channel;
}

/** Brings a job's messages up to date. @returns the failure that prevented it, if any */
async function tell(turn: DeliveryTurn, job: Job): Promise<unknown> {
  const { jobs, clock, log } = turn;
  try {
    const message = await bringUpToDate(turn, job);
    // An update that had to stay behind follows as soon as messages may be changed again.
    if (turn.staysBehind)
      return void (await jobs.noteMessage(job.id, { ...message, tellLockedUntil: 0, tellTries: 0 }));
    // The row may have changed meanwhile. Only the revision that this turn has read counts as shown.
    await jobs.noteTold(job.id, job.revision, { ...message, shown: job.revision, tellTries: 0 });
    return undefined;
  } catch (error) {
    const pause = pauseAfter(error, job.tellTries);
    const isInVain = verdictOn(error) === 'elsewhere' || verdictOn(error) === 'never';
    if (isInVain) log.error({ job: job.id, error }, 'nobody can be told of a job: even its person takes no message');
    else log.warn({ job: job.id, error, pause }, 'Slack did not take a message');
    const next = { tellAt: clock.now() + pause, tellTries: job.tellTries + 1, tellLockedUntil: 0 };
    try {
      await (isInVain ? jobs.noteTold(job.id, job.revision) : jobs.noteMessage(job.id, next));
    } catch (fault) {
      log.error({ job: job.id, error: fault }, 'a message could not be put off');
    }
    return error;
  }
}

/** Posts a job's missing messages, and updates outdated ones. Each result is stored at once. */
async function bringUpToDate(turn: DeliveryTurn, job: Job): Promise<JobChange> {
  const own = ownPlace(job);
  const stands = own && lags(job) ? await changeCard(turn, job, 'card', own) : own;
  const card = stands ?? (await postCard(turn, job, 'card', own ? job.person : job.channel));
  const known = { ...job, place: card.place, messageTs: card.ts };
  const decided = await bringApproval(turn, known);
  const here = decided ?? card;
  if (job.approval?.emergency) await announce(turn, known, 'alarm', here);
  // A new card in the channel for approvals notifies by itself. The job's own card was posted before the wait began.
  if (job.state === 'awaiting' && (job.approval.reminders > 0 || !decided))
    await announce(turn, known, `call:${job.approval.reminders}`, here);
  const { place, ts: messageTs } = card;
  if (hasEnded(job) && job.replyTs === null) {
    if (turn.isCrowded && !isDirect(place)) await postPart(turn, known, 'reply', await inDirect(turn, job.person));
    else await postPart(turn, known, 'reply', { place, threadTs: messageTs });
    if (job.endedAt !== null) turn.meter.took('followUp', {}, turn.clock.now() - job.endedAt);
  }
  // A message that cannot be changed does not prevent the post of the next one.
  if (turn.faults.length > 0) throw turn.faults[0];
  return { place, messageTs };
}
/** A message to approvers beside the card: the job waits, or it runs without them. */
type Announcement = 'alarm' | `call:${number}`;

/**
 * Tells the approvers: in the channel of the card, or each by a direct message if only the requester sees the card or
 * the channel takes no more messages.
 */
async function announce(turn: DeliveryTurn, job: Job, part: Announcement, card: Place): Promise<void> {
  const approvers = job.approval?.terms.approvers ?? [];
  if (job.posts[part] || (approvers.length === 0 && part !== 'alarm')) return;
  if (!isDirect(card.place) || approvers.length === 0) {
    try {
      await postPart(turn, job, part, { place: card.place, threadTs: part === 'alarm' ? undefined : card.ts });
      return;
    } catch (error) {
      if (!isClosed(error, job)) throw error;
      turn.log.warn({ job: job.id, channel: card.place, error }, 'a channel takes nothing: I write to each approver');
    }
  }
  await announceToEach(turn, job, part);
}

/**
 * Tells each approver but the requester by a direct message. One who takes none does not stop the messages to the
 * others.
 */
async function announceToEach(turn: DeliveryTurn, job: Job, part: Announcement): Promise<void> {
  const ids = job.approval?.terms.approvers ?? [];
  const approvers = await turn.people.membersOf(ids);
  if (ids.length > 0 && approvers.length === 0)
    turn.faults.push(new Error('Slack does not tell who is in the groups of approvers'));
  for (const person of approvers.filter(id => id !== job.person).slice(0, maxCalled)) {
    if (job.posts[`${part}:${person}`]) continue;
    try {
      await postPart(turn, job, `${part}:${person}`, await inDirect(turn, person));
    } catch (error) {
      if (!isClosed(error, job) && verdictOn(error) !== 'never') throw error;
      turn.log.warn({ job: job.id, person, error }, 'an approver takes no direct message');
    }
  }
}

/**
 * The card in the channel for approvals; `undefined` if the job's own message is that card. If that channel takes no
 * more messages, nobody could decide there. Then the job's own message gets the buttons, and each approver is told.
 */
async function bringApproval(turn: DeliveryTurn, job: Job): Promise<Place | undefined> {
  const { approval } = job;
  const before = job.posts.approval;
  if (!approval || approval.cardPlace === null) return undefined;
  if (before && !lags(job)) return before;
  try {
    const bring = before
      ? changeCard(turn, job, 'approval', before)
      : postCard(turn, job, 'approval', approval.cardPlace);
    const card = await bring;
    if (card) return card;
  } catch (error) {
    if (!isClosed(error, job)) throw error;
    turn.log.error({ job: job.id, channel: approval.cardPlace, error }, 'I cannot post in the channel for approvals');
  }
  if (job.state === 'awaiting') await announceToEach(turn, job, `call:${job.approval.reminders}`);
  await turn.jobs.noteMessage(job.id, { cardPlace: null });
  const own = ownPlace(job);
  if (own) await changeCard(turn, withoutCard(job), 'card', own);
  return undefined;
}

/** The job for display once its approval has no card of its own any more. */
function withoutCard(job: Job): Job {
  return job.state === 'new' || !job.approval ? job : { ...job, approval: { ...job.approval, cardPlace: null } };
}

/** Updates a posted card; `undefined` if its channel takes no more messages and people still need a card. */
async function changeCard(
  turn: DeliveryTurn,
  job: Job,
  part: 'card' | 'approval',
  card: Place,
): Promise<Place | undefined> {
  const changed = await update(turn, job, card, await contentOf(turn, job, part)).catch((error: unknown) => {
    turn.faults.push(error);
  });
  if (changed === 'place gone' && !hasEnded(job)) return undefined;
  // Somebody deleted the message, or archived its channel. Then only the reply tells the outcome.
  if (changed !== 'changed') turn.log.info({ job: job.id, part, changed }, 'the message of a job cannot be changed');
  return card;
}

async function postCard(turn: DeliveryTurn, job: Job, part: 'card' | 'approval', wanted: string): Promise<Place> {
  // The person's direct messages get a job that was asked for in Home.
  const place = isPerson(wanted) ? await directPlace(turn, wanted) : wanted;
  const posted = await postPart(turn, job, part, { place, threadTs: undefined });
  // A recovered post still shows the job as it was at the time of the post.
  if (posted.found) await update(turn, job, posted, await contentOf(turn, job, part));
  return posted;
}

/** The person's direct messages, outside any thread. */
async function inDirect(turn: DeliveryTurn, person: string) {
  return { place: await directPlace(turn, person), threadTs: undefined };
}

/** Whether the posted cards show an older revision of the job. */
function lags({ shown, revision }: Job): boolean {
  return shown < revision;
}

function ownPlace({ place, messageTs }: Job): Place | undefined {
  return place === null || messageTs === null ? undefined : { place, ts: messageTs };
}

function isDirect(place: string): boolean {
  return place.startsWith('D');
}
