import { day } from '../../ground/durations.ts';
import type { JobOperation } from '../../operations/operation.ts';
import { scheduleRequest } from '../../operations/requests/scheduleRequest.ts';
import type { EndedJob } from '../../store/jobs/rows/job.ts';
import type { Actor } from '../../store/tables/audit/audit.ts';
import type { Owner } from '../../store/vault.ts';
import { advance } from '../advance.ts';
import type { Judge, Mover } from '../parts.ts';
import type { TouchedNames } from './facts/inspection.ts';
import { mayApprove } from './people/mayDecide.ts';
import type { Policy } from './policy/rules.ts';
import { forbiddenBy, possibleVerdicts, strictest, subjectOf } from './policy/verdict.ts';

/**
 * Reads out of the end of a request who gave a standing permission, or why there is none. The word of its owner does not
 * count, nor one without approval in an emergency.
 */
export function givenBy(
  { state, reason, approval }: EndedJob,
  owner: string,
): Readonly<{ approvedBy: readonly string[] }> | Readonly<{ why: string }> {
  const words = (approval?.decisions ?? []).filter(({ type, person }) => type === 'approved' && person !== owner);
  if (state !== 'succeeded') return { why: reason };
  if (words.length === 0 || approval?.emergency !== null) return { why: 'Nobody else approved it.' };
  return { approvedBy: words.map(({ person }) => person) };
}

/** Withdraws the request for a permission that has changed or ended. Where it was decided already, nothing follows. */
export async function withdrawRequest(
  parts: Mover,
  { request }: Readonly<{ request: string | null }>,
  by: Actor,
  why: string,
): Promise<void> {
  const job = request === null ? undefined : await parts.jobs.find(request);
  if (!job || job.state === 'unreadable') return;
  await advance(parts, job, { type: 'withdrawn', by, reason: `${why} Nothing was sent.` });
}

/** The longest time before its end at which a standing permission is asked for anew. */
const longestNotice = 7 * day;

/**
 * How a standing permission stands that was given at a time: it `holds`, it `ends` soon, so that it is asked for anew, or
 * it is `over`. `end` is the end of its time.
 */
export function timeOfPermission(
  { consentLifetime }: Pick<Policy, 'consentLifetime'>,
  givenAt: number | null,
  now: number,
): Readonly<{ stands: 'holds' | 'ends' | 'over'; end: number }> {
  const end = (givenAt ?? Number.NEGATIVE_INFINITY) + consentLifetime;
  const asksFrom = end - Math.min(longestNotice, consentLifetime / 4);
  return { stands: now >= end ? 'over' : now >= asksFrom ? 'ends' : 'holds', end };
}

/**
 * The time at which a permission counts as given once it is used. One from ahead of the clock was given before the clock
 * was set back: nobody knows when, so its time runs from this use on, and it does not last longer by what the clock was ahead.
 */
export function givenAsOf(givenAt: number | null, now: number): number | null {
  return givenAt === null ? null : Math.min(givenAt, now);
}

/** Whether a permission that a person gave as one user is void, since they sign in as this one. Older ones name no user. */
export function isOfOtherUser(
  { login: giver }: Readonly<{ login?: string | null | undefined }>,
  login: string,
): boolean {
  return typeof giver === 'string' && giver !== login;
}

/** A standing permission, as it is judged: whose it is, and who approved it. */
type Approved = Owner & Readonly<{ approvedBy: readonly string[] }>;

/**
 * Says in one sentence why a schedule, or the step of a workflow, may not run with the service account any more:
 * the policy forbids it now, or too few of those who approved it may still approve. `undefined` where it may. `seen` is
 * its target as the records show it now, `request` the operation by which it was approved.
 * @throws {Failure} `busy` where Slack does not tell: an approval is not taken back for a missing answer
 */
export async function lapseOfApproval(
  parts: Judge,
  schedule: Approved,
  seen: TouchedNames,
  request: Pick<JobOperation, 'name' | 'guarded'> = scheduleRequest,
): Promise<string | undefined> {
  const subject = await subjectOf(parts, schedule, request, 'now');
  const verdict = strictest(possibleVerdicts(parts.policy, { ...subject, ...seen }));
  if (verdict.type === 'forbid') return forbiddenBy(verdict);
  const [needed, approvers] =
    verdict.type === 'approve' ? [verdict.approvals, verdict.approvers] : [1, parts.policy.approvers];
  const counted = await Promise.all(
    schedule.approvedBy.map(person => mayApprove(parts, approvers, { team: schedule.team, person })),
  );
  const given = counted.filter(Boolean).length;
  if (given >= needed) return undefined;
  return given === 0
    ? 'Nobody who let it run with the service account may approve that now.'
    : `The policy asks for ${needed} approvals (${verdict.rule}), but ${given} of those who approved may still approve.`;
}
