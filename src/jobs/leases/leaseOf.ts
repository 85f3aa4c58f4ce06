import { writeOperation } from '../../operations/catalogue.ts';
import { endOfKeeping, readKeepFor } from '../../operations/keepFor.ts';
import { leaseRequest } from '../../operations/leases.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import type { LeaseHook } from '../../store/jobs/changing.ts';
import type { EndedJob } from '../../store/jobs/job.ts';
import { type LeaseNews, openLeaseStates } from '../../store/tables/leaseRows.ts';
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
    if (makesClone(operation)) return isGiven || leases.length > 0 ? begunBy(job) : undefined;
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

function begunBy(job: EndedJob): LeaseNews | undefined {
  const { claimed: record, evidence } = job;
  if (record === null || evidence?.gone) return undefined;
  const { name, madeAt } = evidence?.id === record ? evidence : {};
  const { team, person, id, operation, channel, values, endedAt: since } = job;
  const wish = values.keepFor === undefined ? null : String(values.keepFor);
  const known = { name: name ?? null, madeAt: madeAt ?? null };
  return { type: 'begins', lease: { team, person, record, ...known, job: id, operation, channel, wish, since } };
}

/** A request to keep a clone for longer than the policy allows, which was approved. */
function extendedBy({ team, person, target: record, values, endedAt }: EndedJob): LeaseNews | undefined {
  const until = readKeepFor(String(values.keepUntil ?? ''));
  if (!until) return undefined;
  const endsAt = endOfKeeping(until, endedAt);
  const outcome = JSON.stringify({ by: person, endsAt, isTakenOver: false } satisfies LeaseChanged);
  return { type: 'extended', team, record, endsAt, outcome };
}
