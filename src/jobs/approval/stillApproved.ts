import { Failure } from '../../ground/failure.ts';
import type { Session } from '../../records/records.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { Judge, Parts } from '../parts.ts';
import { differencesBetween } from './facts/differences.ts';
import { approvalsThatCount } from './people/approvers.ts';
import { forbiddenBy, type PolicyVerdict, untold } from './policy/verdict.ts';
import type { Inquiry } from './question.ts';

/**
 * Says in a sentence what has changed since a job was approved: its sign-in, its target, or the demands of the policy.
 * `comparable` picks the facts whose change counts. Gives `undefined` where nothing has changed that the approval rests on.
 * @throws {Failure} where that cannot be read at the moment
 */
export async function changeSinceApproval(
  inquiry: Inquiry,
  job: JobIn<'approved'>,
  signIn: Pick<Session, 'credential' | 'records'>,
  comparable = (facts: readonly Fact[]) => facts,
): Promise<string | undefined> {
  const { parts } = inquiry;
  const { credential } = signIn;
  if (credential.username !== job.login) return otherLogin(job, credential.username);
  const seen = await inquiry.reading();
  if (seen instanceof Failure) {
    if (seen.kind !== 'missing' && seen.kind !== 'forbidden') throw seen;
    return `${job.target} could not be read any more: ${seen.message}`;
  }
  const different = differencesBetween(comparable(job.approval.facts), comparable(seen?.facts ?? []));
  if (different.length > 0) return `The target has changed since the approval. ${different.join(' ')}`;
  const verdict = await inquiry.verdict();
  if (job.approval.terms.lease !== undefined && verdict.type !== 'forbid') return parts.changeOfRule(job, seen ?? {});
  return changeOfPolicy(parts, job, { ...signIn, verdict });
}

/**
 * Says why the approval of a job does not suffice for what the policy says now; `undefined` where it does.
 * @throws {Failure} `busy` where Slack does not tell who may approve
 */
export async function changeOfPolicy(
  parts: Judge & Parts<'credentials'>,
  job: JobIn<'approved'>,
  { verdict, ...signIn }: Pick<Session, 'credential' | 'records'> & { verdict: PolicyVerdict | { type: 'open' } },
): Promise<string | undefined> {
  if (verdict.type === 'forbid') return forbiddenBy(verdict);
  if (verdict.type !== 'approve') return undefined;
  if (job.approval.emergency !== null) return emergencyOver(parts, job);
  const given = (await approvalsThatCount(parts, job, verdict.approvers, signIn)).length;
  return verdict.approvals > given
    ? `The policy asks for ${verdict.approvals === 1 ? 'one approval' : `${verdict.approvals} approvals`} (${verdict.rule}), and of those that were given, ${given} ${given === 1 ? 'counts' : 'count'} now.`
    : undefined;
}

/** The sentence on an approved job whose sign-in is another user's now. */
export function otherLogin({ login, runsAs }: JobIn<'approved'>, now: string): string {
  const whose = runsAs === 'service' ? `the service account is ${now}` : `you are signed in as ${now}`;
  return `It was approved to run as ${login}, and ${whose} now.`;
}

/** Says why a person may not break the glass any more; `undefined` where they may. */
async function emergencyOver({ people, policy }: Judge, job: JobIn<'approved'>): Promise<string | undefined> {
  const listed = await people.isAmong({ team: job.team, person: job.person }, policy.emergency, 'now');
  if (listed === undefined) throw new Failure('busy', untold(policy.emergency));
  return listed ? undefined : 'The policy no longer lets you run it without approval.';
}
