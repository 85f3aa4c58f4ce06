import pLimit from 'p-limit';
import { thisMoment } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { type Loop, lockRenewal, lockTime, startLoop } from '../../ground/loop.ts';
import { creationOf } from '../../records/creation.ts';
import type { Session } from '../../records/records.ts';
import { hasEnded } from '../../store/jobs/job.ts';
import type { Lease } from '../../store/tables/leases.ts';
import type { Parts } from '../parts.ts';
import { addresseesOf } from './addressees.ts';
import { endJobOf } from './endJob.ts';
import { type LeaseTerms, leaseTermsOf } from './leaseRules.ts';
import { stepOfLease } from './leaseSteps.ts';
import { type EndJobState, type LeaseSight, nextOfLease, pauseOfLease } from './nextOfLease.ts';
import { type CloneSeen, seeClone } from './seeClone.ts';
import { wordToOwner } from './wordToOwner.ts';

/** Max leases that one turn takes, and max people whose records are read at once. */
const maxAtOnce = 100;
const readersAtOnce = 8;
/** The time between two looks whether the app is installed again for the team of a lease, in milliseconds. */
const restTime = 10 * minute;

/** The parts for the work on leases; `changed` is called with the owner of each lease that changed. */
type LeaseParts = Parts & Readonly<{ wake(): void; changed(lease: Lease): Promise<void> }>;

/**
 * Does what is due about leases: begins them, warns, asks, stops and deletes. The records of a clone are read only
 * then, with its owner's sign-in, so a lease at rest costs nothing.
 */
export function workOnLeases(parts: LeaseParts): Loop {
  const { leases, clock, log } = parts;
  const inHand = new Set<string>();
  const renewLocks = lockRenewal(clock, until => leases.renew([...inHand], until));
  const inTurn = pLimit(readersAtOnce);
  const jumps = jumpsOf(parts);
  const workOn = async (some: readonly Lease[]) => {
    try {
      // One session reads each list once for all leases of a person.
      const [first] = some;
      const session = first && (await parts.records.session({ team: first.team, person: first.person }));
      for (const lease of some) await takeStep(parts, lease, { session, isJumped: jumps.isAcross(lease) });
    } catch (error) {
      log.error({ error, leases: some.map(({ id }) => id) }, 'leases could not be worked on');
    } finally {
      for (const { id } of some) inHand.delete(id);
    }
  };
  return startLoop(clock, {
    async turn(run, isPoll) {
      const now = jumps.look();
      await renewLocks();
      if (isPoll) {
        const next = await leases.nextTime(now);
        if (next === undefined || next > now) return next;
      }
      const due = await leases.take(now, lockTime, maxAtOnce - Math.min(inHand.size, maxAtOnce - 1));
      for (const { id } of due) inHand.add(id);
      for (const some of Map.groupBy(due, ({ team, person }) => `${team} ${person}`).values())
        run(inTurn(() => workOn(some)));
      return due.length >= maxAtOnce ? now : leases.nextTime(now);
    },
    failed: (error, times) => log.error({ error, times }, 'the list of due leases could not be read'),
  });
}

/** Watches for a clock that is set while the process runs: what lies between the two times was not reached in truth. */
function jumpsOf({ clock }: Pick<Parts, 'clock'>) {
  let before = thisMoment(clock);
  let jump = { from: 0, to: 0 };
  return {
    /** Gives the present time of day. */
    look(): number {
      const moment = thisMoment(clock);
      const expected = before.now + moment.steady - before.steady;
      if (moment.now - expected >= 1_000) jump = { from: expected, to: moment.now };
      before = moment;
      return moment.now;
    },
    isAcross: ({ dueAt }: Lease) => dueAt !== null && dueAt > jump.from && dueAt <= jump.to,
  };
}

async function takeStep(
  parts: LeaseParts,
  lease: Lease,
  { session, isJumped }: Readonly<{ session: Session | undefined; isJumped: boolean }>,
): Promise<void> {
  const { leases, clock, log } = parts;
  try {
    // Nothing is stopped or deleted while nobody there can be warned.
    if (await parts.hasLeft(lease.team)) return await leases.putOff(lease, clock.now() + restTime);
    const { seen, terms, to, isSignedOut } = await look(parts, lease, session);
    const [endJob, word] = await Promise.all([endJobStateOf(parts, lease), wordToOwner(parts, lease)]);
    const now = clock.now();
    const next = nextOfLease({ lease, now, terms, sight: seen.sight, endJob, isJumped, word });
    const step = stepOfLease({ lease, next, terms, now, to, isSignedOut });
    const isActing = next.type === 'stop' || next.type === 'delete';
    const job = isActing ? await endJobOf(parts, { lease, terms, seen, session, what: next.type, now }) : undefined;
    const known = recognised(lease, seen);
    const changes = { ...known, ...step.changes, ...(job ? { endJob: job.job.id, dueAt: now + lockTime } : {}) };
    const moved = await leases.apply(lease, { ...step, changes, ...(job ? { job } : {}) }, now);
    if (!moved || next.type === 'wait') return;
    await parts.changed(moved);
    parts.tell();
    if (job) parts.wake();
  } catch (error) {
    log.warn({ error, lease: lease.id }, 'a lease could not be looked at, and is put off');
    await leases.putOff(lease, clock.now() + pauseOfLease(lease.tries));
  }
}

/** Looks at the clone and at its owner. Where nobody's rules ask for it, a new lease needs no look. */
async function look(parts: Parts, lease: Lease, session: Session | undefined) {
  const { policy, people } = parts;
  const owner = { team: lease.team, person: lease.person };
  const isSimple = lease.state === 'new' && policy.leases.length === 0;
  const standing = isSimple ? 'member' : await people.standingOf(owner, 'now');
  const hasLeft = standing === 'outsider' || standing === 'guest';
  const seen: CloneSeen = isSimple
    ? {
        sight: { type: 'shown', doubt: undefined, isStopped: false, isRunning: false, isPhysical: false },
        subject: unknown,
      }
    : await seeClone(parts, lease, hasLeft ? undefined : session);
  const sight: LeaseSight =
    hasLeft && seen.sight.type === 'hidden'
      ? { type: 'hidden', why: 'its owner is no member of the workspace any more' }
      : seen.sight;
  const terms: LeaseTerms = leaseTermsOf(policy, seen.subject);
  const to = await addresseesOf(parts, lease, hasLeft);
  return { seen: { ...seen, sight }, terms, to, isSignedOut: !isSimple && !hasLeft && !session };
}

const unknown = { operation: undefined, isOneOf: () => undefined } as const;

/** What tells the clone from another, as far as it was not known before. */
function recognised(lease: Lease, { sight, inspection }: CloneSeen) {
  const record = inspection?.record;
  if (sight.type !== 'shown' || !record) return {};
  return {
    name: lease.name ?? record.name ?? null,
    madeAt: lease.madeAt ?? creationOf(record) ?? null,
  };
}

async function endJobStateOf({ jobs }: Parts, { endJob }: Lease): Promise<EndJobState> {
  const job = endJob === null ? undefined : await jobs.find(endJob);
  if (!job) return undefined;
  // A replica of another release works on it.
  if (job.state === 'unreadable' || !hasEnded(job)) return 'open';
  if (job.state === 'succeeded') return 'done';
  return job.state === 'finished' || job.state === 'unconfirmed' ? { unclear: job.reason } : { failed: job.reason };
}
