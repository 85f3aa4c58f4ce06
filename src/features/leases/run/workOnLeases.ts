import { creationOf } from '../../../api/reading/times.ts';
import { doubled } from '../../../ground/clock.ts';
import { hour, minute } from '../../../ground/durations.ts';
import { Failure } from '../../../ground/failure.ts';
import { type Loop, lockTime } from '../../../ground/loop.ts';
import { hasLeft, isMember } from '../../../jobs/approval/people/hasSay.ts';
import { isMadeBy } from '../../../jobs/approval/people/maker.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import { contactWith, watchContact } from '../../../jobs/slackContact.ts';
import { type LookMoment, type NextOf, type ThingWorker, workOnThings } from '../../../jobs/workOnThings.ts';
import type { Session } from '../../../records/records.ts';
import { hasEnded } from '../../../store/jobs/rows/job.ts';
import { type Lease, leases } from '../../../store/tables/leases.ts';
import { addresseesOf, wordToOwner } from '../leaseNotice.ts';
import { endJobOf } from './endJob.ts';
import { stepOfLease } from './leaseSteps.ts';
import { type EndJobState, type LeaseFacts, type LeaseSight, type NextOfLease, nextOfLease } from './nextOfLease.ts';
import { type CloneSeen, seeClone, termsOfLease } from './seeClone.ts';

/** Looks at what the end of a lease hangs on, and whom to tell. */
type LeaseLooker = Judge & Parts<'jobs' | 'outbox' | 'things' | 'approvalChannel' | 'clock'>;

/**
 * Does what is due about leases: begins them, warns, asks, stops and deletes. The records of a clone are read only
 * then, with its owner's sign-in, so a lease at rest costs nothing.
 */
export function workOnLeases(worker: ThingWorker, parts: LeaseLooker): Loop {
  return workOnThings(worker, {
    kind: leases,
    look: (lease, at) => look(parts, lease, at),
    next: (lease, { sight }) => (sight ? stepWith(lease, sight) : 'look'),
    pauseAfter: (_, tries) => pauseOfLease(tries),
  });
}

/** The pause before the next try of a look that failed `tries` times, in milliseconds. */
export function pauseOfLease(tries: number): number {
  return doubled(tries, minute, hour / 4);
}

/** All that the step of a lease follows from. `job` stops or deletes the clone, where that is due. */
type LeaseLook = Awaited<ReturnType<typeof look>>;

function stepWith(lease: Lease, sight: LeaseLook): NextOf<typeof leases> {
  const { facts, known, to, isSignedOut, job } = sight;
  const next = nextOfLease(facts);
  const { terms, now } = facts;
  if (next.type === 'wait') {
    // To wait for a message or a job is no plan; the next warning is one, which the policy may have moved.
    const isAhead = lease.state === 'kept' && lease.endsAt !== null && now < lease.endsAt;
    const plannedAt = isAhead ? next.dueAt : lease.plannedAt;
    const isKnown = known.name === lease.name && known.madeAt === lease.madeAt && known.job === lease.job;
    const isSame = isKnown && plannedAt === lease.plannedAt;
    return isSame ? { rest: next.dueAt } : { changes: { ...known, plannedAt }, dueAt: next.dueAt };
  }
  const step = stepOfLease({ lease: facts.lease, next, terms, now, to, isSignedOut });
  const ending = job ? { endJob: job.job.id, plannedAt: null } : {};
  return { ...step, changes: { ...known, ...step.changes, ...ending }, ...(job ? { job, dueAt: now + lockTime } : {}) };
}

/** Looks at all that the next step of a lease hangs on, and prepares the job of its end where that is due. */
async function look(parts: LeaseLooker, lease: Lease, { now, wasSet, session: open }: LookMoment) {
  const isSimple = lease.state === 'new' && parts.policy.leases.length === 0;
  const session = isSimple ? undefined : await open();
  const { whole, seen, terms, to, isSignedOut } = await lookAtClone(parts, lease, { session, isSimple });
  const [endJob, word, contact] = await Promise.all([
    endJobStateOf(parts, lease),
    wordToOwner(parts, lease),
    contactWith(parts, lease.team),
  ]);
  const facts: LeaseFacts = { lease: whole, now, terms, sight: seen.sight, endJob, isJumped: wasSet, word, contact };
  const next = nextOfLease(facts);
  const { type: what } = next;
  const until = promisedUntil(next, facts);
  if (until !== null && terms.mayAct)
    await watchContact(parts, { team: lease.team, until, now, from: what === 'wait' ? word?.saidAt : now });
  const isActing = what === 'stop' || what === 'delete';
  // Nothing acts with the sign-in of somebody who may have left.
  if (isActing && !(await isMember(parts, lease))) throw new Failure('busy', 'The owner of the lease has just left.');
  const job = isActing ? await endJobOf(parts, { lease, terms, seen, session, what, now }) : undefined;
  return { facts: { ...facts, terms }, known: { ...recognised(lease, seen), job: whole.job }, to, isSignedOut, job };
}

/** The time that is promised by what is said now, or by what somebody else’s act said of an end that needs no warning. */
function promisedUntil(next: NextOfLease, { lease, word }: LeaseFacts): number | null {
  if (next.type === 'warn' || next.type === 'runs') return next.endsAt;
  if (next.type === 'stopped') return next.graceUntil;
  return next.type === 'wait' && word && next.dueAt === lease.endsAt ? lease.endsAt : null;
}

/** Looks at the clone and at its owner. Where nobody's rules ask for it, a new lease needs no look. */
async function lookAtClone(
  parts: Judge & Parts<'jobs' | 'approvalChannel'>,
  lease: Lease,
  { session, isSimple }: Readonly<{ session: Session | undefined; isSimple: boolean }>,
) {
  const isLeft = !isSimple && (await hasLeft(parts, lease));
  const seen: CloneSeen = isSimple
    ? {
        sight: { type: 'shown', doubt: undefined, isStopped: false, isRunning: false, isPhysical: false },
        subject: unknown,
      }
    : await seeClone(parts, lease, isLeft ? undefined : session);
  const sight: LeaseSight =
    isLeft && seen.sight.type === 'hidden' ? { type: 'hidden', why: 'its owner has left the workspace' } : seen.sight;
  const whole = { ...lease, job: lease.job ?? (await makingJob(parts, lease, seen)) };
  const terms = await termsOfLease(parts, whole, seen.subject);
  const to = await addresseesOf(parts, whole, isLeft);
  return { whole, seen: { ...seen, sight }, terms, to, isSignedOut: !isLeft && seen.lacksSignIn === true };
}

const unknown = { operation: undefined, isOneOf: () => undefined } as const;

/** The job by which the person of a lease made its clone, where the lease began by something else: an approval, or an older release. */
async function makingJob({ jobs }: Parts<'jobs'>, { team, record, person }: Lease, { inspection }: CloneSeen) {
  const job = inspection?.record && (await jobs.makerOf(team, record));
  return job?.person === person && inspection?.record && isMadeBy(job, inspection.record) ? (job.plan ?? job.id) : null;
}

/** What tells the clone from another, as far as it was not known before. */
function recognised(lease: Lease, { sight, inspection }: CloneSeen) {
  const record = sight.type === 'shown' ? inspection?.record : undefined;
  return {
    name: lease.name ?? record?.name ?? null,
    madeAt: lease.madeAt ?? (record && creationOf(record)) ?? null,
  };
}

async function endJobStateOf({ jobs }: Parts<'jobs'>, { endJob }: Lease): Promise<EndJobState> {
  const job = endJob === null ? undefined : await jobs.find(endJob);
  if (!job) return undefined;
  // A replica of another release works on it.
  if (job.state === 'unreadable' || !hasEnded(job)) return 'open';
  if (job.state === 'succeeded') return 'done';
  return job.state === 'finished' || job.state === 'unconfirmed' ? { unclear: job.reason } : { failed: job.reason };
}
