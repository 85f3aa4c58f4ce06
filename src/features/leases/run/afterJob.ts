import type { Policy } from '../../../jobs/approval/policy/rules.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import { makesClone } from '../../../operations/operation.ts';
import { endOfKeeping, readKeepFor, writeMoment } from '../../../operations/requests/keepFor.ts';
import { leaseRequest } from '../../../operations/requests/leaseRequest.ts';
import { compareRecords, type Marks } from '../../../records/sameRecord.ts';
import type { EndedJob } from '../../../store/jobs/rows/job.ts';
import { hasHolder, type Lease, leaseId, leases } from '../../../store/tables/leases.ts';
import { type EndHook, type EndNews, newsFor, type PlanOfEnd, type ReopenHook } from '../../../store/things/endNews.ts';
import { keptUntil, newLease } from '../lease.ts';
import { noteChange } from './leaseSteps.ts';

/** The states in which a lease waits for a job that stops or deletes its clone, or for somebody to bring it back. */
const ending: readonly Lease['state'][] = ['stopping', 'stopped', 'deleting'];

/** Says what the end of a job means for the lease of a clone. */
export function leaseHookOf({ leases: rules }: Pick<Policy, 'leases'>): EndHook {
  return (job, plan) => {
    if (job.operation === leaseRequest.name) return job.state === 'succeeded' ? extendedBy(job) : [];
    const operation = writeOperation(job.operation);
    if (!operation) return [];
    const isGiven = job.values.keepFor !== undefined;
    const isAlone = !isGiven && rules.length === 0;
    if (makesClone(operation)) return isAlone && job.plan === null ? [] : begunBy(job, plan, isAlone);
    const isGone = operation.deletes === true && job.state === 'succeeded';
    const isEnding = operation.deletes || operation.onlyVirtual;
    return isGone || isEnding ? [lookAt(job, isGone)] : [];
  };
}

/** Makes an operation's end a reason to look at the lease of its target; `isGone`: in whichever state it is. */
function lookAt({ team, target }: Pick<EndedJob, 'team' | 'target'>, isGone: boolean): EndNews {
  return newsFor(leases, leaseId(team, target), (lease, _, now) => {
    const isToLook = lease && lease.state !== 'ended' && (isGone || ending.includes(lease.state));
    // The revision changes, so that a step that was made from what was before does not overwrite it.
    return isToLook ? { changes: {}, dueAt: now } : undefined;
  });
}

/**
 * Says what it means for the lease of a clone that a job’s end was taken back: one that ended with a deletion goes on, since the
 * clone is there, and its owner is warned once more before anything else is done.
 */
export const leaseReopenHook: ReopenHook = ({ team, operation, target, claimed, sentAt }) => {
  if (claimed !== null) return [lookAt({ team, target: claimed }, true)];
  if (!writeOperation(operation)?.deletes) return [];
  return [
    newsFor(leases, leaseId(team, target), (lease, _, now) => {
      if (lease?.state !== 'ended' || (lease.endedAt ?? 0) < sentAt) return undefined;
      const changes = { ...keptUntil(lease.endsAt, now), mustWarn: true, plannedAt: now };
      return { changes, dueAt: now, trail: { event: 'lease restored' } };
    }),
  ];
};

/**
 * A clone begins its lease. One that a plan made again takes the lease over that the plan's target had: its holder, and
 * its time. `isAlone` says that there is no other reason for a lease.
 */
function begunBy(job: EndedJob, plan: PlanOfEnd | undefined, isAlone: boolean): readonly EndNews[] {
  const { claimed: record, evidence } = job;
  if (record === null || evidence?.gone) return [];
  const { name, madeAt } = evidence?.id === record ? evidence : {};
  const { team, person, operation, channel, values, endedAt: since } = job;
  // The service account made it, and is not the user as whom its owner signs in.
  const login = job.runsAs === null ? job.login : null;
  const wish = values.keepFor === undefined ? null : String(values.keepFor);
  const known = { name: name ?? null, madeAt: madeAt ?? null };
  // A step has no message of its own: its lease is told in the thread of the plan.
  const fresh = { team, person, login, record, ...known, job: job.plan ?? job.id, operation, channel, wish, since };
  const before = plan && leaseId(team, plan.target);
  return [
    newsFor(
      leases,
      leaseId(team, record),
      (lease, earlier, now) => {
        if (lease?.job === fresh.job && lease.state !== 'ended') return undefined;
        // Its end stays as it was set, and from now on the clone is held by whoever made it.
        if (lease && wasSetMeanwhile(lease, job.createdAt, known))
          return lease.job === null ? { changes: { person, login, job: fresh.job, operation }, dueAt: now } : undefined;
        // It was open when the plan was asked for.
        const moved = plan && earlier && (earlier.endedAt ?? plan.createdAt) >= plan.createdAt ? earlier : undefined;
        if (isAlone && !moved) return undefined;
        const whose = moved && hasHolder(moved) ? { person: moved.person, login: moved.login } : {};
        const own = moved ? { ...fresh, ...whose, wish: wish ?? wishOfMoved(moved, since) } : fresh;
        return {
          ...{ as: newLease(own), dueAt: since },
          closed: lease && lease.job !== fresh.job ? [{ outcome: 'Another clone has this identifier now.' }] : [],
        };
      },
      before,
    ),
  ];
}

/** Whether a lease of the clone was set since it was asked for: that is newer than the time in its form. */
function wasSetMeanwhile(lease: Lease, askedAt: number, clone: Marks): boolean {
  return lease.state !== 'ended' && lease.setAt >= askedAt && compareRecords(lease, clone).is !== 'another';
}

/** The parts of the lease of the clone before from which the time of the next one follows. */
type EarlierLease = Pick<Lease, 'wish' | 'since' | 'endsAt'>;

/**
 * The time for a clone that was made again, out of the lease that the clone before had: the same end, or the same time
 * once more where that is over.
 */
export function wishOfMoved({ wish, since: before, endsAt }: EarlierLease, since: number): string | null {
  if (wish !== null) return wish;
  return writeMoment(endsAt === null || endsAt > since ? endsAt : since + (endsAt - before));
}

/**
 * A request to keep a clone for longer than the policy allows, which was approved: the end is set as by a person's own
 * act, and its owner hears of it. One that was approved when its time was over changes nothing.
 */
function extendedBy(job: EndedJob): readonly EndNews[] {
  const { team, person, login, target: record, targetName, channel, values, endedAt } = job;
  const until = readKeepFor(String(values.keepUntil ?? ''));
  const endsAt = until && endOfKeeping(until, endedAt);
  if (endsAt === undefined || (endsAt !== null && endsAt <= endedAt)) return [];
  const name = targetName === record ? null : targetName;
  const made = { name, madeAt: null, job: null, operation: null };
  const fresh = newLease({ team, person, login, record, ...made, channel, wish: null, since: endedAt });
  return [
    newsFor(leases, fresh.id, (found, _, now) => {
      const lease = found?.state === 'ended' ? undefined : found;
      const ends = {
        ...keptUntil(endsAt, now),
        plannedAt: now,
        allowedBy: null,
        ...(lease?.person === person ? { login } : {}),
      };
      const rest = {
        dueAt: now,
        ...noteChange({ lease, by: person, endsAt, record, name: targetName ?? record, now }),
      };
      return lease ? { changes: ends, ...rest } : { as: { ...fresh, ...ends }, ...rest };
    }),
  ];
}
