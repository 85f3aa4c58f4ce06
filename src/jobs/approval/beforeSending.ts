import { Failure } from '../../ground/failure.ts';
import type { Session } from '../../records/records.ts';
import type { Fact, Labels } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { JobEvent } from '../machine/transitions.ts';
import type { Judge, Parts } from '../parts.ts';
import { factsOfStep } from '../plans/planFacts.ts';
import { isBatch } from '../request.ts';
import { changeSinceApproval } from './changedSinceApproval.ts';
import { findObstacle } from './checks.ts';
import { nameAmong } from './facts/fact.ts';
import { type Finding, gates } from './facts/findings.ts';
import type { Inspection } from './facts/inspection.ts';
import { digestOfShown } from './facts/shownWhole.ts';
import type { Inquiry, SendingQuestion } from './inquiry.ts';
import { addHolders } from './people/holder.ts';
import { identityOf } from './people/identity.ts';
import type { ApprovalVerdict } from './policy/verdict.ts';
import { differenceSinceAsked, doesHarm, marksOfTarget } from './sameAsShown.ts';

/**
 * Checks a job that is about to be sent against the policy and the service's rules. Gives `undefined` where it may be
 * sent, else the event that ends it or lets it wait for approval. An approved job may be sent only if its target still
 * is as the approvers saw it, it runs as the user that they were shown, and the policy does not ask for more now.
 * @throws {Failure} where the records that this rests on cannot be read
 */
export async function eventBeforeSending(
  inquiry: Inquiry<SendingQuestion>,
  job: JobIn<'new' | 'approved'>,
): Promise<PolicyEvent | undefined> {
  if (job.state === 'approved') {
    const change = await changeSinceApproval(inquiry, job);
    return change === undefined ? undefined : { type: 'changedSince', reason: change };
  }
  const obstacle = await findObstacle(inquiry);
  if (obstacle) return refusalOf(obstacle, inquiry.credential.username);
  const verdict = await inquiry.verdict();
  return verdict.type === 'approve' ? approvalNeeded(inquiry, job, verdict) : undefined;
}

function refusalOf({ gate, sentence }: Finding, login: string): PolicyEvent {
  const whose =
    gates[gate].of === 'service' ? 'The service would refuse this, so nobody was asked to approve it: ' : '';
  return { type: gate === 'policy' ? 'forbidden' : 'refused', reason: `${whose}${sentence}`, login };
}

async function approvalNeeded(
  inquiry: Inquiry<SendingQuestion>,
  job: JobIn<'new'>,
  verdict: ApprovalVerdict,
): Promise<PolicyEvent> {
  const seen = await inquiry.reading();
  if (!seen || seen instanceof Failure)
    throw new Error(`${job.target} was not read, so nobody can be asked to approve it`);
  const { operation, target, records, credential } = inquiry;
  const asShown = doesHarm(operation) ? job.asShown : undefined;
  // Approvers would be shown another record than whoever asked was.
  const different = asShown && differenceSinceAsked(asShown, await marksOfTarget(records, target, seen.record));
  if (different !== undefined) return { type: 'refused', reason: different, login: credential.username };
  return approvalEvent(inquiry.parts, job, { ...inquiry, ...seen, verdict });
}

/** The policy's answer about a job that may not be sent now. */
export type PolicyEvent = JobEvent<'forbidden' | 'refused' | 'approvalNeeded' | 'changedSince'>;

/** A request for approval: whose sign-in asks, the verdict that asks for it, and the facts that the approvers see. */
type RequestForApproval = Pick<Session, 'credential' | 'records'> &
  Pick<Inquiry, 'impact'> &
  Pick<Inspection, 'facts' | 'called'> &
  Readonly<{ verdict: ApprovalVerdict }>;

/** Makes the event by which a job begins to wait for approval, or is refused since nobody could read all of it. */
export async function approvalEvent(
  parts: Judge & Parts<'jobs' | 'keepersOf' | 'approvalChannel' | 'clock'>,
  job: JobIn<'new'>,
  { credential, records, verdict, facts: seen, called, impact }: RequestForApproval,
): Promise<JobEvent<'approvalNeeded' | 'refused'>> {
  const { policy, approvalChannel, clock } = parts;
  const { facts, held } = await addHolders(parts, job, seen);
  const shown = digestOfShown(job, facts);
  if ('fault' in shown) return { type: 'refused', reason: shown.fault, login: credential.username };
  const channel = approvalChannel(job.team);
  const { rule, approvals, approvers, lifetime } = verdict;
  const asker = await identityOf({ credential, records });
  const lost = await impact();
  const now = clock.now();
  return {
    type: 'approvalNeeded',
    approval: {
      terms: {
        rule,
        approvals,
        approvers: [...approvers],
        asker,
        ...(shown.salt === undefined ? {} : { salt: shown.salt }),
        ...(held.length > 0 ? { held } : {}),
      },
      facts,
      digest: shown.digest,
      expiresAt: now + lifetime,
      cardPlace: channel === job.channel ? null : (channel ?? null),
    },
    login: credential.username,
    // The name in the form may be old; the records tell the name of now.
    targetName: nameNow(job, facts),
    labels: labelsNow(job, called),
    remindAt: now + Math.min(policy.reminders[0] ?? lifetime, lifetime),
    impact: lost,
  };
}

/** The names of what a request has chosen, as the records show them: no form's word is shown to those who approve. */
function labelsNow({ labels }: Pick<JobIn<'new'>, 'labels'>, called: Inspection['called']): Labels {
  return Object.fromEntries(Object.keys(labels).flatMap(id => (called.has(id) ? [[id, called.get(id) ?? '']] : [])));
}

/** The name of the target of a request as its facts have it; that of its form for a plan where no step is about the target. */
function nameNow(job: JobIn<'new'>, facts: readonly Fact[]): string | null {
  const { target, targetName, steps } = job;
  // A batch is called by the number of its targets.
  const at = isBatch(job) ? -1 : (steps ?? []).findIndex(step => step.target === target);
  const ofStep = at < 0 ? undefined : nameAmong(factsOfStep(facts, at));
  return nameAmong(facts) ?? ofStep ?? (steps ? targetName : null);
}
