import { Failure, sentence } from '../../ground/failure.ts';
import { about, type Job, type JobIn } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import type { Clerk, Mover, Parts } from '../parts.ts';
import { pauseBefore } from '../pauseAfterFailure.ts';
import { remindOrExpire } from './remindOrExpire.ts';

/* Clicks that decide: the attempt, its outcome, and the entry in the trail of a click that changes nothing. */

/** The person who clicks, the channel, and the digest of the card that they clicked on. */
export type Click = Owner & Readonly<{ channel: string; digest: string }>;

/** A click on its way to a decision. `act` names the act in the trail. */
export type Attempt = Readonly<{ job: Job; click: Click; act: string }>;

/**
 * The outcome of a click: it counted, it came too late for the state that the job is in now, or it was refused. The
 * person who clicked is told one of these, and the trail has the click in each case.
 */
export type ClickOutcome =
  | Readonly<{ type: 'counted'; job: Job }>
  | Readonly<{ type: 'late'; job: Job }>
  | Readonly<{ type: 'refused'; sentence: string }>;

/**
 * Lets a click decide on a job as the job is at this moment. `decide` gets the current job and the time of the attempt.
 * It changes the job and returns it, or returns `undefined` where somebody else changed the job first: then it is
 * called again with the new one. A {@link Failure} that it throws refuses the click.
 * @throws {Failure} `signed-out` where a sign-in is missing; the trail has the click already
 */
export function attemptDecision(
  parts: Attempting,
  attempt: Attempt,
  decide: (current: JobIn<'awaiting'>, now: number) => Promise<Job | undefined>,
): Promise<ClickOutcome> {
  return attemptTo(parts, attempt, async (current, now) => {
    const job = await decide(current, now);
    return job && { type: 'counted', job };
  });
}

/**
 * Asks whether a click may go on to a page on which the job is decided, and decides nothing: nobody reads or types there in
 * vain. `faultOf` says in a sentence why not. The trail has a click that may not.
 * @throws {Failure} what keeps the click from being looked at
 */
export async function mayOpenPage(
  parts: Attempting,
  attempt: Attempt,
  faultOf: (current: JobIn<'awaiting'>) => string | undefined,
): Promise<Readonly<{ type: 'open' }> | Exclude<ClickOutcome, { type: 'counted' }>> {
  return attemptTo(parts, attempt, async current => {
    const fault = faultOf(current);
    if (fault !== undefined) throw new Failure('forbidden', fault);
    return { type: 'open' };
  });
}

type Attempting = Mover & Parts<'audit' | 'policy'>;

async function attemptTo<Outcome>(
  parts: Attempting,
  attempt: Attempt,
  act: (current: JobIn<'awaiting'>, now: number) => Promise<Outcome | undefined>,
): Promise<Outcome | Exclude<ClickOutcome, { type: 'counted' }>> {
  const { job, click } = attempt;
  try {
    for (let current: Job = job; ; current = await readAgain(parts, job)) {
      if (current.state !== 'awaiting') return await rejectLate(parts, { ...attempt, job: current });
      const now = parts.clock.now();
      if (now >= current.approval.expiresAt) {
        await remindOrExpire(parts, current);
        continue;
      }
      if (click.digest !== current.approval.digest)
        throw new Failure('forbidden', 'This card has changed. Look at it again, then decide.');
      const done = await act(current, now);
      if (done) return done;
    }
  } catch (error) {
    // An answer that is missing at the moment refuses this click, but is no decision: the person may try again.
    const why =
      error instanceof Failure && pauseBefore(error, 0) !== undefined ? undecided(error.message) : sentence(error);
    await recordRejection(parts, attempt, why);
    if (error instanceof Failure && error.kind !== 'signed-out') return { type: 'refused', sentence: why };
    throw error;
  }
}

/** @throws {Failure} `forbidden` where another release took the job over meanwhile */
async function readAgain({ jobs }: Parts<'jobs'>, job: Job): Promise<Job> {
  const current = (await jobs.find(job.id)) ?? job;
  if (current.state !== 'unreadable') return current;
  throw new Failure(
    'forbidden',
    'Another version of Dolly is working on this, and I cannot read it. Nothing was decided.',
  );
}

/** Refuses a click that only the person who asked for the job may make. */
export async function rejectNonRequester(parts: Clerk, attempt: Attempt): Promise<ClickOutcome> {
  const why = 'Only the person who asked for it can do this.';
  await recordRejection(parts, attempt, why);
  return { type: 'refused', sentence: why };
}

/** The person who clicked, as the trail names them. */
export function clickerOf({ person, channel }: Click, login: string | null) {
  return { actor: person, login, channel };
}

async function rejectLate(parts: Clerk, attempt: Attempt) {
  await recordRejection(parts, attempt, `too late: it is ${attempt.job.state}`);
  return { type: 'late', job: attempt.job } as const;
}

/** Adds an entry to the trail about a click that changed nothing. */
async function recordRejection({ audit, credentials, clock }: Clerk, { job, click, act }: Attempt, why: string) {
  const login = (await credentials.find(click))?.username ?? null;
  const entry = { ...about(job), ...clickerOf(click, login), at: clock.now() };
  await audit.add({ ...entry, event: 'refused', detail: `${act}: ${why}` });
}

function undecided(why: string): string {
  return why.includes('Nothing was decided') ? why : `${why} Nothing was decided; please try again.`;
}
