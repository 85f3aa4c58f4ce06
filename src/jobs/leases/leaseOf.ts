import { writeOperation } from '../../operations/catalogue.ts';
import { endOfKeeping, readKeepFor, writeMoment } from '../../operations/keepFor.ts';
import { leaseRequest } from '../../operations/leases.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import type { LeaseHook } from '../../store/jobs/changing.ts';
import type { EndedJob } from '../../store/jobs/job.ts';
import { type EarlierLease, type LeaseNews, openLeaseStates } from '../../store/tables/leaseRows.ts';
import type { Policy } from '../approval/rules.ts';
import type { LeaseChanged } from './leaseNotice.ts';

/** The states in which a lease waits for a job that stops or deletes its clone, or for somebody to bring it back. */
const ending = ['stopping', 'stopped', 'deleting'] as const;

/** Says what the end of a job means for the lease of a clone; `undefined` where it means nothing. */
export function leaseHookOf({ leases }: Pick<Policy, 'leases'>): LeaseHook {
  return job => {
    if (job.operation === leaseRequest.name) return job.state === 'succeeded' ? extendedBy(job) : undefined;
    const operation = writeOperation(job.operation);
    if (!operation) return undefined;
    const isGiven = job.values.keepFor !== undefined;
    const isAlone = !isGiven && leases.length === 0;
    if (makesClone(operation)) return isAlone && job.plan === null ? undefined : begunBy(job, isAlone);
    const { team, target: record } = job;
    const isGone = operation.deletes === true && job.state === 'succeeded';
    const isEnding = operation.deletes || operation.onlyVirtual;
    if (!isGone && !isEnding) return undefined;
    return { type: 'look', team, record, states: isGone ? openLeaseStates : ending };
  };
}

/** Whether an operation makes a clone that may have a lease. */
export function makesClone({ fields }: Pick<WriteOperation, 'fields'>): boolean {
  return fields.some(({ role }) => role === 'keepFor');
}

function begunBy(job: EndedJob, isAlone: boolean): LeaseNews | undefined {
  const { claimed: record, evidence } = job;
  if (record === null || evidence?.gone) return undefined;
  const { name, madeAt } = evidence?.id === record ? evidence : {};
  const { team, person, plan, operation, channel, values, endedAt: since } = job;
  const wish = values.keepFor === undefined ? null : String(values.keepFor);
  const known = { name: name ?? null, madeAt: madeAt ?? null };
  // A step has no message of its own: its lease is told in the thread of the plan.
  const about = { team, person, record, ...known, job: plan ?? job.id, operation, channel };
  const wishAfter = (before: EarlierLease) => wish ?? wishOfMoved(before, since);
  const moved = plan === null ? undefined : { plan, isAlone, wishAfter };
  return { type: 'begins', lease: { ...about, wish, since }, moved };
}

/**
 * The time for a clone that was made again, out of the lease that the clone before had: the same end, or the same time
 * once more where that is over.
 */
export function wishOfMoved({ wish, since: before, endsAt }: EarlierLease, since: number): string | null {
  if (wish !== null) return wish;
  return writeMoment(endsAt === null || endsAt > since ? endsAt : since + (endsAt - before));
}

/** A request to keep a clone for longer than the policy allows, which was approved. */
function extendedBy(job: EndedJob): LeaseNews | undefined {
  const { team, person, target: record, targetName, channel, values, endedAt } = job;
  const until = readKeepFor(String(values.keepUntil ?? ''));
  if (!until) return undefined;
  const endsAt = endOfKeeping(until, endedAt);
  const name = targetName === record ? null : targetName;
  const made = { name, madeAt: null, job: null, operation: null };
  const lease = { team, person, record, ...made, channel, wish: null, since: endedAt };
  const outcome = JSON.stringify({ by: person, endsAt, isTakenOver: false } satisfies LeaseChanged);
  return { type: 'extended', lease, endsAt, outcome };
}
