import { passwordsIn } from '../api/secrets/passwords.ts';
import { quotesAny } from '../api/secrets/secrets.ts';
import { atLeast } from '../ground/clock.ts';
import { hour, minute, second } from '../ground/durations.ts';
import { type Failure, sentence } from '../ground/failure.ts';
import type { Evidence } from '../store/jobs/rows/data.ts';
import type { JobIn } from '../store/jobs/rows/job.ts';
import { atWork, isSameEvidence } from './evidence/evidence.ts';
import { hasStood } from './evidence/goingOn.ts';
import type { Judgement, LookResult } from './evidence/judgement.ts';
import { settles } from './evidence/settles.ts';
import { lastTries } from './machine/effects.ts';
import type { JobEvent } from './machine/transitions.ts';

type Running = JobIn<'running'>;

/** The time of a look, and `spread`: a factor around 1 by which this person's pauses differ from those of others. */
export type LookTime = Readonly<{ at: number; spread: number }>;

/**
 * Max pauses between two looks, by the age that jobs have at most (`upTo`), both in milliseconds. They grow with the
 * age: an end is told late only by a small part of the time that the work took. There are few of them, so that a
 * person's jobs fall due together.
 */
const pauses = [
  { upTo: 5 * minute, pause: 10 * second },
  { upTo: 20 * minute, pause: 30 * second },
  { upTo: hour, pause: minute },
  { upTo: Number.POSITIVE_INFINITY, pause: 2 * minute },
] as const;

/** Age of a job, in milliseconds, from which on it is said that the records show nothing of it. */
const showsBy = settles.unknown;

/** Delay of a look, in milliseconds, that only an outage of the bot explains. */
const outage = 5 * minute;

/** Later times of looks are rounded up to this, in milliseconds, so that one step takes the jobs of several people. */
const grain = 500;

/**
 * Gives a job that was due long ago some more time: its record must stand for a while to count. `undefined` where the
 * job was looked at in time, or has time enough.
 */
export function extension(
  { dueAt, deadlineAt }: Pick<Running, 'dueAt' | 'deadlineAt'>,
  at: number,
): JobEvent<'deadlineExtended'> | undefined {
  if (dueAt === null || at - dueAt < outage || deadlineAt >= at + lastTries) return undefined;
  return { type: 'deadlineExtended', deadlineAt: at + lastTries };
}

/** Turns the result of a look into an event: the end of the job, something new, or nothing new. */
export function eventOfLook(job: Running, { judgement: given, ...look }: LookResult, moment: LookTime): JobEvent {
  const judgement = withoutPasswords(given, job);
  const { claimed, arrived } = look;
  const claims = look.claims?.filter(({ over }) => over !== job.id);
  const sight = { evidence: look.seen, claimed, claims, arrived };
  const basis = judgement.type !== 'waiting' && judgement.isSaid ? basisOfWord(look.basis) : look.basis;
  const ended = { ...sight, evidence: look.seen && { ...look.seen, basis } };
  switch (judgement.type) {
    case 'proved':
    case 'finished':
      return { type: judgement.type, reason: judgement.by, ...ended };
    case 'failed':
      return { type: 'failed', reason: judgement.reason, ...ended };
    case 'waiting': {
      const noAnswer = arrived ? null : job.noAnswer;
      // An end that is seen there first gets the time to stand.
      if (moment.at >= job.deadlineAt && look.seen?.pending === undefined)
        return { ...eventAtDeadline(noAnswer, judgement, look), ...ended };
      return nextLook(job, { reason: noAnswer ?? silence(job, judgement, look, moment), ...sight }, moment);
    }
  }
}

/** The basis of an end that somebody's word told: what the records showed by themselves does not count beside it. */
function basisOfWord(shown: Evidence['basis']): Evidence['basis'] {
  const others = shown ? [shown.row, ...shown.others] : [];
  return { row: 'somebody’s word', others, since: shown?.since };
}

/** Leaves out words of a record that quote a password of the request: a channel and the trail have them. */
function withoutPasswords(judgement: Judgement, { values }: Pick<Running, 'values'>): Judgement {
  const passwords = passwordsIn(values);
  if (passwords.length === 0) return judgement;
  const quotes = quotesAny(passwords);
  const spoken = (text: string) =>
    quotes(text) ? 'I left out the words of its record, because they quote a password of the request.' : text;
  if (judgement.type === 'failed') return { ...judgement, reason: spoken(judgement.reason) };
  if (judgement.type !== 'waiting') return { ...judgement, by: spoken(judgement.by) };
  return judgement.atLast === undefined ? judgement : { ...judgement, atLast: spoken(judgement.atLast) };
}

/**
 * Says what is in the way of a judgement, or that the records show nothing of a job, once they had time to: whoever waits
 * should not take that for progress. A doubt about its word is asked instead.
 */
function silence(
  { sentAt, claimed }: Running,
  { contradiction, atLast }: Extract<LookResult['judgement'], { type: 'waiting' }>,
  { seen, arrived, ...look }: Omit<LookResult, 'judgement'>,
  { at }: LookTime,
): string | null {
  if (seen?.doubt !== undefined) return null;
  if (atLast !== undefined && seen && hasStood(seen, settles.long)) return atLast;
  const isShown = arrived || (look.claimed ?? claimed ?? null) !== null;
  if (at - sentAt < showsBy || isShown) return null;
  return contradiction ?? (seen ? 'Its record shows nothing of it so far.' : 'No record shows anything of it so far.');
}

/** The event for a look that failed: the next one, or the end where the last look was tried for long enough. */
export function eventOfFailedLook(job: Running, error: Failure, moment: LookTime): JobEvent {
  const why = sentence(error);
  if (moment.at < job.deadlineAt + lastTries)
    return nextLook(job, { reason: `I cannot look at the moment: ${why}` }, moment, error.retryAfter);
  const known = job.noAnswer ?? lastSeen(job.evidence);
  const reason = `${known ?? ''} When the time was up, I could no longer look: ${why}`.trim();
  return { type: 'unconfirmed', reason };
}

/** The event for a job whose person is signed out: it waits for the sign-in, at the latest until its time is over. */
export function eventWithoutSignIn({ deadlineAt, runsAs }: Running, now: number): JobEvent {
  const whose = runsAs === 'service' ? 'the service account’s' : 'your';
  return now >= deadlineAt
    ? { type: 'unconfirmed', reason: `I could not look at the records without ${whose} sign-in.` }
    : { type: 'signedOut', until: deadlineAt };
}

/** What is said at the end of a job that the service may not have got, and that no record shows. */
const notFound = 'I found nothing in the records that shows it. It may never have begun.';

/** The end of a job whose time is over, by the result of the last look. */
function eventAtDeadline(
  noAnswer: string | null,
  { contradiction, atLast, goesOn }: Extract<LookResult['judgement'], { type: 'waiting' }>,
  { seen }: Pick<LookResult, 'seen'>,
): JobEvent<'unconfirmed' | 'failed' | 'finished'> {
  if (noAnswer !== null) return { type: 'unconfirmed', reason: `${noAnswer} ${atLast ?? notFound}` };
  // A record that was busy, is so no longer, and shows the contrary says more than a record that shows nothing. A report
  // of work may have given its place to another one, while the work goes on.
  const wasBusy = seen?.wasBusy?.startsWith(atWork) ? undefined : seen?.wasBusy;
  const isBack = wasBusy !== undefined && wasBusy !== seen?.state && !seen?.isBusy;
  if (contradiction !== undefined && isBack) return { type: 'failed', reason: contradiction };
  if (atLast !== undefined) return { type: goesOn ? 'unconfirmed' : 'finished', reason: atLast };
  return { type: 'unconfirmed', reason: contradiction ?? lastSeen(seen) };
}

type Sighted = Omit<JobEvent<'seen'>, 'type' | 'nextAt'>;

/** The job of which a look is to come next, and what the last look showed. */
type Looked = Pick<Running, 'sentAt' | 'looks'> &
  Readonly<{ evidence?: Pick<Evidence, 'since' | 'isBusy' | 'pending'> | undefined }>;

/**
 * The time of the next look, which comes later the older the job is. Where a record rests it comes when what the last look
 * showed has stood long enough to count.
 */
export function nextTime({ sentAt, looks, evidence }: Looked, { at, spread }: LookTime, retryAfter = 0): number {
  const age = at - sentAt;
  const longest = pauses.find(({ upTo }) => age < upTo)?.pause ?? 0;
  const counts = evidence ? countsAt(evidence, at) : [];
  const pause = Math.min(1_000 * 1.5 ** looks * spread, longest * spread, ...counts.map(time => time - at));
  const wanted = at + Math.round(Math.max(pause, atLeast(retryAfter)));
  return pause < 10 * grain ? wanted : Math.ceil(wanted / grain) * grain;
}

/** The times after a look at which what it showed has stood long enough to count, and half-way to the end that it showed. */
export function countsAt(
  { since, isBusy = false, pending }: Pick<Evidence, 'since' | 'pending'> & Partial<Pick<Evidence, 'isBusy'>>,
  at: number,
): readonly number[] {
  const shown = isBusy ? [] : Object.values(settles).map(span => since + span);
  const ends = pending ? [settles.soon / 2, settles.soon].map(span => pending.since + span) : [];
  return [...shown, ...ends].filter(time => time > at);
}

function nextLook(job: Running, sight: Sighted, moment: LookTime, retryAfter = 0): JobEvent<'seen' | 'noChange'> {
  const nextAt = nextTime({ ...job, evidence: sight.evidence }, moment, retryAfter);
  return isNew(job, sight) ? { type: 'seen', ...sight, nextAt } : { type: 'noChange', nextAt };
}

function isNew(job: Running, { reason, evidence, claimed, claims = [], arrived }: Sighted): boolean {
  return (
    reason !== job.reason ||
    (evidence !== undefined && !isSameEvidence(evidence, job.evidence)) ||
    (claimed !== undefined && claimed !== job.claimed) ||
    claims.length > 0 ||
    (arrived === true && job.noAnswer !== null)
  );
}

/** Says what a record that proves nothing showed at the end; `null` where there is none. */
function lastSeen(seen: Evidence | undefined): string | null {
  if (!seen || seen.gone) return null;
  if (seen.state === undefined) return `The record of ${seen.name ?? seen.id} is there, but shows no state.`;
  return seen.stateClass === 'busy' ? `Its state is still ${seen.state}.` : `Its state is ${seen.state}.`;
}
