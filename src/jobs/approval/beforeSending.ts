import { Failure } from '../../ground/failure.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { Inquirer } from '../parts.ts';
import { findObstacle } from './checks.ts';
import { type Finding, gates } from './facts/findings.ts';
import { approvalEvent, type PolicyEvent } from './policy/policyEvent.ts';
import type { ApprovalVerdict } from './policy/verdict.ts';
import { type Inquiry, openInquiry, type SendingQuestion } from './question.ts';
import { changeSinceApproval } from './stillApproved.ts';

/**
 * Checks a job that is about to be sent against the policy and the service's rules. Gives `undefined` where it may be
 * sent, else the event that ends it or lets it wait for approval. An approved job may be sent only if its target still
 * is as the approvers saw it, it runs as the user that they were shown, and the policy does not ask for more now.
 * @throws {Failure} where the records that this rests on cannot be read
 */
export async function eventBeforeSending(
  parts: Inquirer,
  job: JobIn<'new' | 'approved'>,
  question: SendingQuestion,
): Promise<PolicyEvent | undefined> {
  const inquiry = openInquiry(parts, question, 'now');
  if (job.state === 'approved') {
    const change = await changeSinceApproval(inquiry, job, question);
    return change === undefined ? undefined : { type: 'changedSince', reason: change };
  }
  const obstacle = await findObstacle(inquiry);
  if (obstacle?.cause) throw obstacle.cause;
  if (obstacle) return refusalOf(obstacle, question.credential.username);
  const verdict = await inquiry.verdict();
  return verdict.type === 'approve' ? approvalNeeded(inquiry, job, question, verdict) : undefined;
}

function refusalOf({ gate, sentence }: Finding, login: string): PolicyEvent {
  const whose =
    gates[gate].of === 'service' ? 'The service would refuse this, so nobody was asked to approve it: ' : '';
  return { type: gate === 'policy' ? 'forbidden' : 'refused', reason: `${whose}${sentence}`, login };
}

async function approvalNeeded(
  { parts, reading }: Inquiry,
  job: JobIn<'new'>,
  { credential, records }: SendingQuestion,
  verdict: ApprovalVerdict,
): Promise<PolicyEvent> {
  const seen = await reading();
  if (!seen || seen instanceof Failure)
    throw new Error(`${job.target} was not read, so nobody can be asked to approve it`);
  return approvalEvent(parts, job, { credential, records, verdict, facts: seen.facts });
}
