import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import type { Fact } from '../../../store/jobs/rows/data.ts';
import type { JobIn } from '../../../store/jobs/rows/job.ts';
import { impactOfJob } from '../../impact.ts';
import type { JobEvent } from '../../machine/transitions.ts';
import type { Judge, Parts } from '../../parts.ts';
import { operationOf } from '../../request.ts';
import { digestOf } from '../facts/digest.ts';
import { faultOfShown, shownValues } from '../facts/shownWhole.ts';
import { identityOf } from '../people/identity.ts';
import type { SendingQuestion } from '../question.ts';
import type { ApprovalVerdict } from './verdict.ts';

/** The policy's answer about a job that may not be sent now. */
export type PolicyEvent = JobEvent<'forbidden' | 'refused' | 'approvalNeeded' | 'changedSince'>;

/** A request for approval: the verdict that asks for it, and the facts that the approvers see. */
type Asked = Pick<SendingQuestion, 'credential' | 'records'> &
  Readonly<{ verdict: ApprovalVerdict; facts: readonly Fact[] }>;

/** Makes the event by which a job begins to wait for approval, or is refused since nobody could read all of it. */
export async function approvalEvent(
  parts: Judge & Parts<'jobs' | 'approvalChannel' | 'clock'>,
  job: JobIn<'new'>,
  { credential, records, verdict, facts }: Asked,
): Promise<JobEvent<'approvalNeeded' | 'refused'>> {
  const { clock, policy } = parts;
  const fault = faultOfRequest(job);
  if (fault !== undefined) return { type: 'refused', reason: fault, login: credential.username };
  const channel = parts.approvalChannel(job.team);
  const { rule, approvals, approvers, lifetime } = verdict;
  const asker = await identityOf({ credential, records });
  const impact = await impactOfJob(parts, job, records);
  const now = clock.now();
  return {
    type: 'approvalNeeded',
    approval: {
      terms: { rule, approvals, approvers: [...approvers], asker },
      facts,
      digest: digestOf(job, facts),
      expiresAt: now + lifetime,
      cardPlace: channel === job.channel ? null : (channel ?? null),
    },
    login: credential.username,
    // The name in the form may be old; the records tell the name of now.
    targetName: facts.find(({ key }) => key === 'name')?.value ?? (job.steps ? job.targetName : null),
    remindAt: now + Math.min(policy.reminders[0] ?? lifetime, lifetime),
    impact,
  };
}

/** The values of a schedule or of a workflow's step were looked at when its request was made. */
function faultOfRequest(job: JobIn<'new'>): string | undefined {
  const operation = operationOf(job);
  return asksForAccount(operation.name) ? undefined : faultOfShown(shownValues(operation, job), 'pages');
}
