import { Failure } from '../../ground/failure.ts';
import { writeMoment } from '../../operations/requests/keepFor.ts';
import type { Session } from '../../records/records.ts';
import { isHidden } from '../../records/shown.ts';
import type { Fact } from '../../store/jobs/rows/data.ts';
import type { JobIn } from '../../store/jobs/rows/job.ts';
import type { Judge, Parts } from '../parts.ts';
import { digestOfPermitted } from './facts/digest.ts';
import { keyOf } from './facts/fact.ts';
import type { Inspection } from './facts/inspection.ts';
import type { Inquiry, SendingQuestion } from './inquiry.ts';
import { isListed } from './people/hasSay.ts';
import { approvalsThatCount } from './people/mayDecide.ts';
import { forbiddenBy, type PolicyVerdict } from './policy/verdict.ts';

/**
 * Says in a sentence what has changed since a job was approved: its sign-in, its target, or the demands of the policy.
 * `comparable` picks the facts whose change counts. Gives `undefined` where nothing has changed that the approval rests on.
 * @throws {Failure} where that cannot be read at the moment
 */
export async function changeSinceApproval(
  inquiry: Inquiry<SendingQuestion>,
  job: JobIn<'approved'>,
  comparable = (facts: readonly Fact[]) => facts,
): Promise<string | undefined> {
  const { parts, credential, records } = inquiry;
  if (credential.username !== job.login) return otherLogin(job, credential.username);
  const seen = await inquiry.reading();
  if (seen instanceof Failure) {
    if (!isHidden(seen)) throw seen;
    return `I could no longer read ${job.target}: ${seen.message}`;
  }
  const different = differencesBetween(comparable(job.approval.facts), comparable(seen?.facts ?? []));
  if (different.length > 0) return `The target has changed since the approval. ${different.join(' ')}`;
  const older = await olderSnapshot(inquiry, job);
  if (older !== undefined) return older;
  const verdict = await inquiry.verdict();
  if (job.approval.terms.lease !== undefined && verdict.type !== 'forbid') return lapseOfRule(parts, job, seen ?? {});
  return changeOfPolicy(parts, job, { credential, records, verdict });
}

/** Says that the latest snapshot, to which a job rewinds, is older now than the one that was approved: more would be lost. */
async function olderSnapshot({ impact }: Pick<Inquiry<SendingQuestion>, 'impact'>, job: JobIn<'approved'>) {
  const { takenAt, isLatest = false } = job.impact?.snapshot ?? {};
  if (!isLatest || takenAt === undefined) return undefined;
  const now = (await impact())?.snapshot;
  if (now && (now.takenAt === undefined || now.takenAt >= takenAt)) return undefined;
  const is = now?.takenAt === undefined ? 'is gone' : `is now from ${writeMoment(now.takenAt)}`;
  return `The latest snapshot was from ${writeMoment(takenAt)} when this was approved, and ${is}.`;
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
    ? `The policy asks for ${verdict.approvals === 1 ? 'one approval' : `${verdict.approvals} approvals`} (${verdict.rule}), and of those given, ${given} still ${given === 1 ? 'counts' : 'count'}.`
    : undefined;
}

/**
 * Says why a rule of the policy does not approve a job any more that it approved by itself: what it covers is over, or is
 * not exactly the same now. `undefined` where it is.
 */
async function lapseOfRule(
  { coveredByRule }: Parts<'coveredByRule'>,
  job: JobIn<'approved'>,
  seen: Partial<Inspection>,
): Promise<string | undefined> {
  const covered = await coveredByRule(job, seen);
  if (covered === undefined) return 'The policy rule that approved it no longer covers it.';
  return digestOfPermitted(covered) === job.approval.terms.lease
    ? undefined
    : 'The policy changed after this was approved.';
}

/** The sentence on an approved job whose sign-in is another user's now. */
export function otherLogin({ login, runsAs }: JobIn<'approved'>, now: string): string {
  const whose = runsAs === 'service' ? `the service account is now ${now}` : `you are now signed in as ${now}`;
  return `It was approved to run as ${login}, but ${whose}.`;
}

/** Says why a person may not break the glass any more; `undefined` where they may. */
async function emergencyOver(judge: Judge, job: JobIn<'approved'>): Promise<string | undefined> {
  return (await isListed(judge, judge.policy.emergency, job))
    ? undefined
    : 'The policy no longer lets you run it without approval.';
}

/** Compares two readings of a target: a sentence for each fact that differs. */
export function differencesBetween(before: readonly Fact[], now: readonly Fact[]): readonly string[] {
  const keys = [...new Set([...before, ...now].map(keyOf))];
  return keys.flatMap(key => {
    const [was = [], is = []] = [before, now].map(facts => facts.filter(one => keyOf(one) === key));
    if (areSame(key, was, is)) return [];
    const show = (facts: readonly Fact[]) => facts.map(({ value }) => value).join(', ') || 'not shown';
    return [`${(is[0] ?? was[0])?.label} was ${show(was)}, and is ${show(is)}.`];
  });
}

function areSame(key: string, was: readonly Fact[], is: readonly Fact[]): boolean {
  const match = (some: readonly Fact[], others: readonly Fact[]) =>
    some.length === others.length && some.every((one, at) => others[at] && isSame(key, one, others[at]));
  // A fact without data to compare counts as absent.
  const withData = (facts: readonly Fact[]) => facts.filter(({ compared }) => compared !== '');
  return match(was, is) || match(withData(was), withData(is));
}

function isSame(key: string, was: Fact, is: Fact): boolean {
  // The meaning of a word may have been learned meanwhile; the same word is the same state.
  if (key === 'state' && was.value === is.value) return true;
  return was.compared === is.compared;
}
