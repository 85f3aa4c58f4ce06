import { day } from '../../../ground/durations.ts';
import { digestOfPermitted } from '../../../jobs/approval/facts/digest.ts';
import type { Inspection } from '../../../jobs/approval/facts/inspection.ts';
import { digestOf, itemsOf } from '../../../jobs/approval/facts/items.ts';
import { isMember } from '../../../jobs/approval/people/hasSay.ts';
import { identityOf } from '../../../jobs/approval/people/identity.ts';
import { newJob } from '../../../jobs/newJob.ts';
import type { Judge, Parts } from '../../../jobs/parts.ts';
import { stopClone } from '../../../operations/clones.ts';
import { deleteDatabase } from '../../../operations/databases.ts';
import type { Session } from '../../../records/records.ts';
import { threadOfJob } from '../../../slack/outbox/bringUpToDate.ts';
import type { ApprovedBefore } from '../../../store/jobs/adding.ts';
import type { JobIn, NewJob } from '../../../store/jobs/rows/job.ts';
import { type Lease, leaseId, leases } from '../../../store/tables/leases.ts';
import type { LeaseTerms } from '../leaseRules.ts';
import { type CloneSeen, subjectOfLease, termsOfLease } from './seeClone.ts';

/** The end of a lease that becomes a job, with what was seen of the clone just now. */
type EndingLease = Readonly<{
  lease: Lease;
  terms: LeaseTerms;
  seen: CloneSeen;
  session: Session | undefined;
  what: 'stop' | 'delete';
  now: number;
}>;

/** Time for which such a job is kept that could not be sent, in milliseconds. */
const keptFor = day;

/**
 * Makes the job that stops or deletes a clone at the end of its lease. It runs with the owner's sign-in. The policy's
 * rule is its approval, for the clone as the records show it now.
 */
export async function endJobOf(
  { clock, jobs }: Parts<'clock' | 'jobs'>,
  { lease, terms, seen, session, what, now }: EndingLease,
): Promise<{ job: NewJob; approved: ApprovedBefore }> {
  const operation = what === 'stop' ? stopClone : deleteDatabase;
  const { inspection } = seen;
  if (!inspection || !session || terms.rule === null)
    throw new Error(`the clone of the lease ${lease.id} was not seen, so nothing is done to it`);
  const { team, person, channel, record, name } = lease;
  // Its messages stand in the thread of the one that made the clone.
  const made = lease.job === null ? undefined : await jobs.find(lease.job);
  const thread = made && made.state !== 'unreadable' && made.place === channel ? threadOfJob(made) : undefined;
  const job = newJob(
    operation,
    { [operation.target]: record },
    {
      ...{ team, person, channel, thread, now: clock.now() },
      request: JSON.stringify(['lease', record, lease.revision, what]),
      labels: name === null ? {} : { [record]: name },
      purpose: `The lease ended. The policy’s rule: ${terms.rule}`,
    },
  );
  const { facts } = inspection;
  return {
    job,
    approved: {
      terms: {
        ...{ rule: terms.rule, approvals: 0, approvers: [] },
        lease: digestOfPermitted(coveredBy(lease, what, terms)),
        asker: await identityOf(session),
      },
      facts: [...facts],
      digest: digestOf(job, itemsOf(job, facts)),
      expiresAt: now + keptFor,
      login: session.credential.username,
    },
  };
}

/** What the word of a lease rule covers: whose lease ends how, and all that the rule says about that. */
function coveredBy(
  { id, person }: Lease,
  what: EndingLease['what'],
  { rule, end, grace }: LeaseTerms,
): readonly unknown[] {
  return [id, person, what, rule, end, grace];
}

/** What the word of a lease rule covers now for the job of an end; `undefined` where the lease goes on. */
export async function coveredByLease(
  parts: Judge & Parts<'things'>,
  job: JobIn<'approved'>,
  seen: Partial<Inspection>,
): Promise<readonly unknown[] | undefined> {
  const { team, target } = job;
  const lease = await parts.things.find(leases, leaseId(team, target));
  if (lease?.endJob !== job.id || (lease.state !== 'stopping' && lease.state !== 'deleting')) return undefined;
  if (!(await isMember(parts, lease))) return undefined;
  const terms = await termsOfLease(parts, lease, await subjectOfLease(parts, lease, seen, 'now'));
  return coveredBy(lease, lease.state === 'stopping' ? 'stop' : 'delete', terms);
}
