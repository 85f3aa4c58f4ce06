import { Failure } from '../../ground/failure.ts';
import { isPlan, type JobIn, type Plan } from '../../store/jobs/rows/job.ts';
import { eventBeforeSending, type PolicyEvent } from '../approval/beforeSending.ts';
import { forbiddenBy, strictest } from '../approval/policy/verdict.ts';
import { type Inquiry, openInquiry, type SendingQuestion } from '../approval/question.ts';
import { changeSinceApproval } from '../approval/stillApproved.ts';
import type { Inquirer } from '../parts.ts';
import { isBatch } from '../request.ts';
import { changeBeforeDeletion, ownChangesBefore, withoutOwnChanges } from './changeOfPlan.ts';
import { planSubject, verdictsOnStep } from './checkPlan.ts';
import { stepJobs } from './turn.ts';

type UnsentStep = JobIn<'new' | 'approved'>;

/**
 * Checks a step of a plan that is about to be sent: the plan still runs, the policy asks for no more than the plan has,
 * and the target still is as the plan's approvers saw it, but for what the plan itself did. A job of a batch is checked as
 * if it had been asked for alone.
 * @throws {Failure} where the records that this rests on cannot be read
 */
export async function eventBeforeStep(
  parts: Inquirer,
  job: UnsentStep,
  question: SendingQuestion,
): Promise<PolicyEvent | undefined> {
  const stopped = (reason: string): PolicyEvent =>
    job.state === 'approved'
      ? { type: 'changedSince', reason }
      : { type: 'refused', reason, login: question.credential.username };
  const plan = job.plan === null ? undefined : await parts.jobs.find(job.plan);
  const steps = plan && (await stepJobs(parts, plan.id));
  if (plan?.state !== 'running' || !isPlan(plan) || !steps) return stopped('Its plan goes on no more.');
  if (isBatch(plan)) {
    const event = await eventBeforeSending(parts, job, question);
    return event?.type === 'approvalNeeded' ? stopped('The policy asks for approval of this now: ask again.') : event;
  }
  const inquiry = await inquiryOfStep(parts, plan, question);
  if (job.state === 'approved') {
    const own = ownChangesBefore(job, steps);
    // Nobody could see a record that an earlier step of the plan made: it is approved as what that step brings.
    const isKnown = typeof plan.steps[job.step ?? -1]?.target === 'string';
    const change = await changeSinceApproval(inquiry, job, question, facts =>
      isKnown ? withoutOwnChanges(facts, own, question.operation) : [],
    );
    const whole =
      change ?? (await changeBeforeDeletion(parts, plan, { job, steps, own: own.records, session: question }));
    return whole === undefined ? undefined : stopped(whole);
  }
  const verdict = await inquiry.verdict();
  if (verdict.type === 'allow') return undefined;
  if (verdict.type === 'forbid') return stopped(forbiddenBy(verdict));
  return stopped(
    verdict.type === 'approve'
      ? `The policy asks for approval of this step now (${verdict.rule}).`
      : 'What the policy says rests on the target, which cannot be read.',
  );
}

/** The inquiry into a step, whose verdict rests on the plan, too. */
async function inquiryOfStep(parts: Inquirer, plan: Plan<'running'>, question: SendingQuestion): Promise<Inquiry> {
  const inquiry = openInquiry(parts, question, 'now');
  const subject = await planSubject(parts, plan);
  const verdictOn = (seen: Parameters<typeof verdictsOnStep>[3]) =>
    verdictsOnStep(parts, subject, question.operation.name, seen);
  return {
    ...inquiry,
    async verdict() {
      const unread = verdictOn(undefined);
      if (unread.every(({ type }) => type === 'allow')) return strictest(unread);
      const seen = await inquiry.reading();
      if (seen instanceof Failure && seen.kind !== 'missing' && seen.kind !== 'forbidden') throw seen;
      const isRead = seen !== undefined && !(seen instanceof Failure);
      const possible = isRead ? verdictOn(seen) : unread;
      const verdict = strictest(possible);
      return !isRead && possible.some(({ type }) => type !== verdict.type) ? ({ type: 'open' } as const) : verdict;
    },
  };
}
