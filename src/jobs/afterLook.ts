import { passwordsIn } from '../api/secrets/passwords.ts';
import { quotesAny } from '../api/secrets/secrets.ts';
import { minute } from '../ground/durations.ts';
import { type Failure, sentence } from '../ground/failure.ts';
import type { Evidence } from '../store/jobs/rows/data.ts';
import type { RunningJob } from '../store/jobs/rows/job.ts';
import { eventAtDeadline, lastSeen } from './endWithoutProof.ts';
import { isSameEvidence } from './evidence/evidence.ts';
import { hasStood } from './evidence/goingOn.ts';
import type { Judgement, LookResult } from './evidence/judgement.ts';
import { settles } from './evidence/settles.ts';
import { lastTries } from './machine/effects.ts';
import type { JobEvent } from './machine/transitions.ts';
import { type LookTime, nextTime } from './nextLook.ts';

/** Age of a job, in milliseconds, from which on it is said that the records show nothing of it. */
const showsBy = settles.unknown;

/** Delay of a look, in milliseconds, that only an outage of the bot explains. */
const outage = 5 * minute;

/**
 * Gives a job that was due long ago some more time: its record must stand for a while to count. `undefined` where the
 * job was looked at in time, or has time enough.
 */
export function extension(
  { dueAt, deadlineAt }: Pick<RunningJob, 'dueAt' | 'deadlineAt'>,
  at: number,
): JobEvent<'deadlineExtended'> | undefined {
  if (dueAt === null || at - dueAt < outage || deadlineAt >= at + lastTries) return undefined;
  return { type: 'deadlineExtended', deadlineAt: at + lastTries };
}

/** Turns the result of a look into an event: the end of the job, something new, or nothing new. */
export function eventOfLook(job: RunningJob, { judgement: given, ...look }: LookResult, moment: LookTime): JobEvent {
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
function withoutPasswords(judgement: Judgement, { values }: Pick<RunningJob, 'values'>): Judgement {
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
  { sentAt, claimed }: RunningJob,
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
export function eventOfFailedLook(job: RunningJob, error: Failure, moment: LookTime): JobEvent {
  const why = sentence(error);
  if (moment.at < job.deadlineAt + lastTries)
    return nextLook(job, { reason: `I cannot look at the moment: ${why}` }, moment, error.retryAfter);
  const known = job.noAnswer ?? lastSeen(job.evidence);
  const reason = `${known ?? ''} When the time was up, I could no longer look: ${why}`.trim();
  return { type: 'unconfirmed', reason };
}

/** The event for a job whose person is signed out: it waits for the sign-in, at the latest until its time is over. */
export function eventWithoutSignIn({ deadlineAt, runsAs }: RunningJob, now: number): JobEvent {
  const whose = runsAs === 'service' ? 'the service account’s' : 'your';
  return now >= deadlineAt
    ? { type: 'unconfirmed', reason: `I could not look at the records without ${whose} sign-in.` }
    : { type: 'signedOut', until: deadlineAt };
}

type Sighted = Omit<JobEvent<'seen'>, 'type' | 'nextAt'>;

function nextLook(job: RunningJob, sight: Sighted, moment: LookTime, retryAfter = 0): JobEvent<'seen' | 'noChange'> {
  const nextAt = nextTime({ ...job, evidence: sight.evidence }, moment, retryAfter);
  return isNew(job, sight) ? { type: 'seen', ...sight, nextAt } : { type: 'noChange', nextAt };
}

function isNew(job: RunningJob, { reason, evidence, claimed, claims = [], arrived }: Sighted): boolean {
  return (
    reason !== job.reason ||
    (evidence !== undefined && !isSameEvidence(evidence, job.evidence)) ||
    (claimed !== undefined && claimed !== job.claimed) ||
    claims.length > 0 ||
    (arrived === true && job.noAnswer !== null)
  );
}
