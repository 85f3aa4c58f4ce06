import type { MayLeave } from '../api/connection/transport.ts';
import { atLeast, thisMoment } from '../ground/clock.ts';
import { day, minute, second } from '../ground/durations.ts';
import { Failure, isSignedOut, kindOf, nothingBut, StoreTrouble, sentence } from '../ground/failure.ts';
import type { RecordReader } from '../records/recordReader.ts';
import type { Session } from '../records/records.ts';
import { asUnread } from '../records/shown.ts';
import { type JobIn, runnerOf } from '../store/jobs/rows/job.ts';
import { holdOn, Overtaken, unlessOvertaken } from '../store/overtaken.ts';
import { advance } from './advance.ts';
import { eventBeforeSending } from './approval/beforeSending.ts';
import { withDependents } from './approval/facts/facts.ts';
import { type Inquiry, openInquiry } from './approval/inquiry.ts';
import { withHolder } from './approval/people/holder.ts';
import { differenceSinceAsked, doesHarm, marksInBaseline, notTheSame } from './approval/sameAsShown.ts';
import { takeBaseline } from './evidence/gather.ts';
import { learnFromAcceptance, learnFromRefusal } from './lessons.ts';
import type { JobEvent } from './machine/transitions.ts';
import type { FactReader, Mover, Parts } from './parts.ts';
import { pauseBefore } from './pauseAfterFailure.ts';
import { eventBeforeStep } from './plans/beforeStep.ts';
import { type CallingRequest, type JobRequest, requestOf } from './request.ts';
import type { SendingPace } from './sendingPace.ts';

/** Time for which a job is kept that could not be sent, in milliseconds. A plan that could not begin is kept as long. */
const keptFor = day;
/** The shortest and the longest time between two looks whether there is room for a job that waits its turn. Milliseconds. */
const turns = { shortest: 5 * second, longest: 30 * second } as const;

/** A job that may be sent. */
export type Sendable = JobIn<'new' | 'approved'>;

/** A job on its way to the service, the sign-in with which it goes, and the pace of what goes by itself. */
type Sending = Readonly<{
  job: Sendable;
  request: CallingRequest;
  session: Session;
  pace: SendingPace | undefined;
}>;

/** Takes jobs to the service. */
export type Starter = Mover &
  FactReader &
  Parts<'heldBy' | 'keepersOf' | 'coveredByRule' | 'approvalChannel' | 'vocabulary' | 'requiredFields'>;

/**
 * Sends a job: asks the policy, takes the baseline, writes `sending`, calls the service once, and writes the outcome. A
 * call that was certainly not accepted takes the job back to wait, or ends it. A call that may have been accepted
 * leaves the job `running`, in doubt, and is never made again.
 */
export async function send(parts: Starter, job: Sendable, pace?: SendingPace): Promise<void> {
  const session = await parts.records.session(runnerOf(job));
  const sending = session && { job, request: requestOf(job), session, pace };
  const [since, prepared] = await prepare(parts, job, sending)
    .then(async event => [thisMoment(parts.clock), await advance(parts, job, event)] as const)
    // A store that fails keeps no place at the service.
    .finally(() => pace?.entered(job.id));
  // Where the store does not take the outcome, the job stays `sending`, until its lock ends and it is settled.
  if (!sending || prepared?.state !== 'sending') return;
  const keep = async (until: number) => (await parts.jobs.renewDue([job], until)).length > 0;
  const outcome = await unlessOvertaken(() => call(parts, sending, holdOn<never>(parts.clock, keep, since).mustHold));
  // Another process settles the job: nothing was sent, and nothing will be.
  if (!outcome) return parts.log.warn({ job: job.id }, 'this process stood still, so it sent nothing');
  await advance(parts, prepared, outcome);
  if (outcome.type === 'accepted') await learnFromAcceptance(parts, sending.request);
}

/** The sentence about a job that could not be sent in time. */
export const tooLate = {
  new: 'Nothing was sent: it had waited for a day.',
  approved: 'Nothing was sent: by the time I could send it, the approval was too old.',
} as const satisfies Record<Sendable['state'], string>;

/** Gives the event that sends a job, or the one that keeps it from being sent. */
async function prepare(parts: Starter, job: Sendable, sending: Sending | undefined): Promise<JobEvent> {
  const until = expiryOf(job);
  if (parts.clock.now() >= until) return { type: 'expired', reason: tooLate[job.state] };
  if (!sending) return { type: 'signedOut', until };
  const { request, session, pace } = sending;
  const held = await heldBack(parts, job);
  if (held) return held;
  try {
    const full = isByItself(job) ? await pace?.enter(job.id, request.target, session.records) : undefined;
    if (full !== undefined) return waitsItsTurn(job, full, parts.clock.now());
    // One inquiry for all checks: what it reads once, they share.
    const { id, team, person, purpose: reason, plan } = job;
    const { credential, records } = session;
    const question = { ...request, owner: { team, person }, credential, reason, records, job: plan ?? id };
    const inquiry = openInquiry(parts, question, 'now');
    const stop = await (plan === null ? eventBeforeSending(inquiry, job) : eventBeforeStep(inquiry, job));
    const event = stop ?? (await sendingEvent(parts, sending, inquiry));
    // The reads take a while, in which somebody may have been told that nothing is sent any more.
    return event.type === 'sent' ? ((await heldBack(parts, job)) ?? event) : event;
  } catch (error) {
    return eventOfUnsent(parts, job, asUnread(error));
  }
}

/** Puts off what runs by itself while something holds that back. */
async function heldBack({ heldBy, clock }: Parts<'heldBy' | 'clock'>, job: Sendable): Promise<JobEvent | undefined> {
  const reason = isByItself(job) ? await heldBy(job.team) : undefined;
  return reason === undefined ? undefined : { type: 'putOff', reason, until: clock.now() + minute, isOurs: true };
}

/** Who has waited for long looks less often: hundreds may wait, and none waits longer than it must by more than an eighth. */
function waitsItsTurn({ createdAt }: Sendable, reason: string, now: number): JobEvent {
  const pause = atLeast(Math.min(Math.max((now - createdAt) / 10, turns.shortest), turns.longest));
  return { type: 'putOff', reason, until: now + pause, isOurs: true };
}

/** Whether nobody asks for a job at this moment: it is a run, a step, or the end of a lease. */
function isByItself({ schedule, execution, plan, approval }: Sendable): boolean {
  return schedule !== null || execution !== null || plan !== null || approval?.terms.lease !== undefined;
}

/** Takes the baseline, and looks whether what is harmed still is what was shown to whoever asked. @throws {Failure} where the service does not show the records now */
async function sendingEvent(parts: Starter, sending: Sending, inquiry: Pick<Inquiry, 'impact'>): Promise<JobEvent> {
  const { job, request, session } = sending;
  const { baseline: taken, name } = await takeBaseline(parts, job.team, session, request);
  const asShown = doesHarm(request.operation) ? job.asShown : undefined;
  const different = differenceSinceAsked(asShown, marksInBaseline(request.target, taken));
  if (different !== undefined) return notTheSame(job, different, session.credential.username);
  // It is words for people: what approvers were shown of it stays, and nothing waits for it.
  const impact = await inquiry.impact().catch(nothingBut('signed-out'));
  const baseline = await withHolder(parts, job, taken);
  const targetName = name ?? job.targetName;
  const { username: login, since: signedInAt } = session.credential;
  return { type: 'sent', login, signedInAt, baseline, targetName, within: request.proof.within, impact };
}

/**
 * Calls the service, and gives the event for its answer, or for the lack of one.
 * @throws {Overtaken} where nothing left, since another process has the job
 */
async function call(
  parts: Parts<'requiredFields' | 'clock' | 'log'>,
  { job, request, session }: Sending,
  mayLeave: MayLeave,
): Promise<JobEvent> {
  try {
    await session.submit(request.call(), mayLeave);
    return { type: 'accepted' };
  } catch (error) {
    if (error instanceof Overtaken) throw error;
    // The store fails before a request leaves, or as a sign-in is forgotten that the service refused: nothing was done.
    if (error instanceof StoreTrouble) return eventOfUnsent(parts, job, error);
    if (error instanceof Failure && error.kind !== 'unclear') {
      await learnFromRefusal(parts, request, error);
      const why = request.proof.type === 'gone' ? await explained(error, request, session.records) : error;
      return eventOfUnsent(parts, job, why);
    }
    parts.log.warn({ job: job.id, operation: job.operation, error }, 'whether the service accepted is unknown');
    return { type: 'inDoubt', reason: sentence(error) };
  }
}

/**
 * Adds to the refusal of a deletion the dependents in its way, where the records show them (spec §3, rules 2 and 3).
 */
async function explained(error: Failure, { target }: JobRequest, records: RecordReader): Promise<Failure> {
  if (error.kind !== 'refused') return error;
  const known = await records.list('live').catch(() => undefined);
  return new Failure(error.kind, await withDependents(error.message, target, known?.records ?? []), { cause: error });
}

/** Gives the event for a service that certainly did nothing: the job waits where waiting can help, else it ends. */
export function eventOfUnsent({ clock, log }: Parts<'clock' | 'log'>, job: Sendable, error: unknown): JobEvent {
  const isDefect = kindOf(error) === 'fault';
  log[isDefect ? 'error' : 'info']({ job: job.id, operation: job.operation, error }, 'nothing was done by the service');
  if (isSignedOut(error)) return { type: 'signedOut', until: expiryOf(job) };
  const [reason, pause] = [sentence(error), pauseBefore(error, job.tries)];
  return pause === undefined ? { type: 'failed', reason } : { type: 'putOff', reason, until: clock.now() + pause };
}

/** The time at which a job that still is not sent expires. */
export function expiryOf(job: Sendable): number {
  return job.approval?.expiresAt ?? job.createdAt + keptFor;
}
