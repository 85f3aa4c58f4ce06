import { type Moment, thisMoment } from '../../ground/clock.ts';
import { hour } from '../../ground/durations.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import { type BadNews, badNewsIn, type KnownNews } from '../../jobs/standing.ts';
import type { Pause } from '../../store/drivers/replicas.ts';
import { hasEnded, type Job } from '../../store/jobs/rows/job.ts';
import { holdOn, Overtaken } from '../../store/overtaken.ts';
import { pauseAfter } from '../connection/retryAfter.ts';
import { isOutage, meaningOfError } from '../connection/slackErrors.ts';
import { bringUpToDate } from './bringUpToDate.ts';
import type { DeliveryTurn, Office } from './deliveryTurn.ts';
import { giveUp } from './giveUp.ts';
import { type NewsReader, readNews } from './jobNews.ts';
import { isInVain } from './post.ts';
import { type Paces, pace, rates } from './slackRates.ts';

const maxAtOnce = 50;
/** Max jobs in flight, however slow Slack is. */
const maxInFlight = 300;
/** While so many jobs are in flight, the loop pauses between turns: each of them wakes it when it is told. */
const many = 10;
/** That pause, and the one while more jobs wait than one turn takes, in milliseconds. */
const shortestTurn = 100;
/** After so long without room in its channel, an end is told by direct message, in milliseconds. */
const longestWait = 10_000;
/**
 * After so many outages in a row Slack counts as away. Then one job at a time tries whether Slack is back, at most
 * every `shortestProbe` milliseconds.
 */
const maxFailures = 3;
const shortestProbe = 2_000;

/** The time between two tries for a team where the app is not installed: a new installation makes them at once. */
export const restTime = hour;

/** The loop that tells people of their jobs. */
export type Delivery = Loop & {
  /** The rate limits, which all that is posted shares. */
  paces: Paces;
  /** Keeps a pause that Slack asked of another process. */
  keepPause(pause: Pause): void;
};

/**
 * Keeps every job's messages up to date: posts the card once the job is accepted or waits for others, updates it in place,
 * and replies in its thread when the job ends. Until then, the person alone is told what they must know. The job's row
 * records each delivery, and a failed one is tried again until Slack takes it.
 */
export function deliver(
  desk: Omit<Office, 'paces' | 'begunAt' | 'news'> & NewsReader,
  standingOf: (news: BadNews) => Promise<KnownNews | undefined>,
): Delivery {
  const { jobs, clock, log, replicas } = desk;
  const [posts, updates] = [pace(rates.posts, replicas.count), pace(rates.updates, replicas.count)];
  const office = { ...desk, paces: { posts, updates }, begunAt: clock.now(), news: readNews(desk) };
  const inHand = new Set<string>();
  const keep = lockRenewal(clock, until => jobs.renewUntold([...inHand], until));
  const busy = () => {
    const now = clock.steady();
    const endedBefore = clock.now() - longestWait;
    const [places, resting, teams] = [posts.busy(now), posts.resting(now), updates.busy(now)];
    // What is in hand is not taken again, though a pause of this process was longer than its lock: another one may have
    // told it meanwhile, and a new lock would let the turn that goes on tell it once more.
    return { places, resting, endedBefore, teams, calmTeams: updates.busy(now, true), jobs: [...inHand] };
  };
  /**
   * Takes the slots that a job's turn needs from the rate limits; `undefined` while there are none. A job's end is told
   * even if its card has to wait.
   */
  const turnFor = (job: Job, since: Moment): DeliveryTurn | undefined => {
    const now = clock.steady();
    const isPost = job.messageTs === null || (hasEnded(job) && job.replyTs === null);
    const isUpdate = job.messageTs !== null && job.shown < job.revision;
    const mayUpdate = !isUpdate || updates.isFree(job.team, now, job.state === 'running');
    const isResting = posts.isResting(placeOf(job), now);
    const isCrowded = isOverdue(job, clock.now()) && !posts.isFree(placeOf(job), now) && !isResting;
    const place = isCrowded ? job.person : placeOf(job);
    if (isPost ? !posts.isFree(place, now) : !mayUpdate && !lacksApprovalCard(job)) return undefined;
    if (isPost) posts.useSlot(place, now);
    if (isUpdate && mayUpdate) updates.useSlot(job.team, now);
    const counted = isPost && !isCrowded ? place : undefined;
    const keep = async (until: number) => (await jobs.renewUntold([job.id], until)).length > 0;
    const { mustHold } = holdOn<never>(clock, keep, since);
    return { ...office, counted, isCrowded, mayUpdate, staysBehind: false, faults: [], standing: undefined, mustHold };
  };
  let failures = 0;
  let notBefore = Number.NEGATIVE_INFINITY;
  const tellAndNote = async (turn: DeliveryTurn, job: Job) => {
    const error = await tell(turn, job, standingOf);
    if (error === undefined) failures = 0;
    else if (isOutage(error)) failures += 1;
    inHand.delete(job.id);
  };
  /** Begins to tell the jobs for which there is room in the rate limits, and lets go of the others. */
  const begin = async (untold: readonly Job[], since: Moment, run: (task: Promise<unknown>) => void) => {
    const later: string[] = [];
    const crowded: string[] = [];
    for (const job of untold) {
      const turn = turnFor(job, since);
      if (turn) {
        inHand.add(job.id);
        run(tellAndNote(turn, job));
      } else (isOverdue(job, since.now) ? crowded : later).push(job.id);
    }
    await Promise.all([jobs.letGo(later), jobs.letGo(crowded, since.now + rates.posts.every)]);
  };
  /** The time of the next job `after` a time, or of the next room in a rate limit. */
  const nextTurn = async (now: number, after?: number) => {
    const next = await jobs.nextTime('tell', after);
    const steady = clock.steady();
    const free = [posts.nextFree(steady), updates.nextFree(steady), updates.nextFree(steady, true)];
    const times = [next ?? [], ...free.map(at => (at === undefined ? [] : now + at - steady))].flat();
    return times.length > 0 ? Math.min(...times) : undefined;
  };
  const loop = startLoop(clock, {
    async turn(run, isPoll) {
      const now = clock.now();
      const pause = notBefore - clock.steady();
      if (pause > 0) return now + pause;
      const isAway = failures >= maxFailures;
      await keep();
      const max = Math.min(isAway ? 1 : maxAtOnce, maxInFlight - inHand.size);
      // A job that is finished makes room, and wakes this loop.
      if (max <= 0) return undefined;
      if (isPoll) {
        const next = await nextTurn(now);
        if (next === undefined || next > now) return next;
      }
      const since = thisMoment(clock);
      const untold = await jobs.takeUntold(since.now, lockTime, max, busy());
      await begin(untold, since, run);
      const rest = isAway ? shortestProbe : shortestTurn;
      if (untold.length === max || inHand.size >= many) notBefore = clock.steady() + rest;
      if (untold.length === max) return now + rest;
      return nextTurn(now, since.now);
    },
    failed: (error, times) => log.error({ error, times }, 'the list of untold jobs could not be read'),
  });
  jobs.listen('tell', loop.wake);
  return {
    ...loop,
    paces: office.paces,
    keepPause({ limit, key, milliseconds }) {
      const paused = limit === 'posts' ? posts : limit === 'updates' ? updates : undefined;
      if (milliseconds > 0) paused?.rest(key, clock.steady() + milliseconds);
    },
  };
}

/** Whether a job's end has waited so long for its reply that it may go to another place. */
function isOverdue({ endedAt, messageTs, replyTs }: Job, now: number): boolean {
  return messageTs !== null && replyTs === null && endedAt !== null && endedAt <= now - longestWait;
}

/** Whether nobody can decide on a job yet, since its card is not posted. */
function lacksApprovalCard(job: Job): boolean {
  return job.state === 'awaiting' && job.approval.cardPlace !== null && job.approval.cardTs === null;
}

/** The place of a job's card, or the channel where it will be posted. */
function placeOf({ place, channel }: Job): string {
  return place ?? channel;
}

/** Brings a job's messages up to date. @returns the failure that prevented it, if any */
async function tell(turn: DeliveryTurn, job: Job, standingOf: Parameters<typeof deliver>[1]): Promise<unknown> {
  const { jobs, clock, log } = turn;
  try {
    const news = job.replyTs === null ? badNewsIn(job) : undefined;
    turn.standing = news && (await standingOf(news));
    const message = await bringUpToDate(turn, job);
    // An update that had to stay behind follows as soon as messages may be changed again.
    if (turn.staysBehind)
      return void (await jobs.noteMessage(job.id, { ...message, tellLockedUntil: 0, tellTries: 0 }));
    // The row may have changed meanwhile. Only the revision that this turn has read counts as shown.
    await jobs.noteTold(job.id, job.revision, { ...message, shown: job.revision, tellTries: 0 });
    return undefined;
  } catch (error) {
    if (error instanceof Overtaken) {
      log.info({ job: job.id }, 'a job went on, or was taken over, while it was told');
      await jobs.letGo([job.id]).catch(() => undefined);
      return undefined;
    }
    const isGone = meaningOfError(error) === 'uninstalled';
    const pause = isGone ? restTime : pauseAfter(error, job.tellTries);
    const since = job.endedAt ?? job.createdAt;
    const isOver = isInVain(error, { since, tries: job.tellTries, now: clock.now() });
    if (!isOver) log[isGone ? 'info' : 'warn']({ job: job.id, error, pause }, 'Slack did not take a message');
    const next = { tellAt: clock.now() + pause, tellTries: isGone ? 0 : job.tellTries + 1, tellLockedUntil: 0 };
    try {
      const { id, team, person, channel } = job;
      if (isOver) await giveUp(turn, { kind: 'job', job: id, team, person, channel }, error);
      await (isOver ? jobs.noteTold(job.id, job.revision) : jobs.noteMessage(job.id, next));
    } catch (fault) {
      log.error({ job: job.id, error: fault }, 'a message could not be put off');
    }
    return error;
  }
}
