import { Failure, failureBut } from '../../ground/failure.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { isPlan, isUnsent, type Job, type Plan, runnerOf } from '../../store/jobs/rows/job.ts';
import type { Actor } from '../../store/tables/audit/audit.ts';
import { actorOf } from '../actor.ts';
import { advance } from '../advance.ts';
import type { Mover, Parts } from '../parts.ts';
import { isBatch } from '../request.ts';
import { canGoOn, type Stopped, stoppedEarly } from './remedy.ts';
import { numberedStep, targetOfStep } from './stepWords.ts';
import { allJobsOf, stepJobs } from './turn.ts';

/*
 * The acts of the person who asked for a plan. Each gives a sentence for that person; `channel` is the one in which they
 * clicked.
 */

/** Lets plans go on. */
type Continuer = Mover & Parts<'records'>;

/**
 * Lets a plan go on that the end of a step has stopped, once its person has seen to that: a step that was finished or is
 * unconfirmed counts as done, any other is tried again. `begun` is the number of jobs that the plan had begun when the
 * person saw it: where it has begun more, it was stopped by something else than what the person saw.
 */
export async function goOn(parts: Continuer, job: Job, channel = job.channel, begun?: number): Promise<string> {
  const jobs = (await stepJobs(parts, job.id)) ?? [];
  const bar = barTo(job, parts.clock.now());
  if (bar !== undefined && job.runsAs !== null) return bar;
  if (!canGoOn(job, jobs)) return 'This cannot go on: it is under way, or has ended.';
  if (begun !== undefined && begun !== jobs.length)
    return 'It already went on, and has stopped again. Look at its current message.';
  if (bar !== undefined) return bar;
  const isGone = await isGoneAlready(parts, job);
  const seenTo = isGone ? 0 : jobs.filter(({ step }) => step === job.step).length + 1;
  const step = isGone ? job.step + 1 : job.step;
  const moved = await advance(parts, job, { type: 'wentOn', by: await actorOf(parts, job, channel), seenTo, step });
  if (!moved) return 'This is already going on.';
  return isGone ? 'What that step should delete is already gone, so I go on with what comes after it.' : 'I go on.';
}

/** Says in a sentence why no click begins anything further of a plan that has ended; `undefined` where one may. */
function barTo({ runsAs, approval }: Job, now: number): string | undefined {
  if (runsAs !== null)
    return 'This ran as the service account; nobody can let it go on by hand. Change what is left, and ask for it yourself.';
  return approval && now >= approval.expiresAt
    ? 'Its approval is too old to go on with. Change it and ask again.'
    : undefined;
}

/**
 * Whether a plan stands at a deletion whose target no record shows any more: somebody else deleted it, and another try
 * would stop again.
 */
async function isGoneAlready({ records }: Parts<'records'>, plan: Stopped): Promise<boolean> {
  const step = plan.steps[plan.step];
  const target = step && targetOfStep(step);
  if (!step || !target || target.noun === 'snapshot' || !writeOperation(step.operation)?.deletes) return false;
  const session = await records.session(runnerOf(plan));
  const record = await session?.records.one(target, true).catch(failureBut());
  return session !== undefined && (record instanceof Failure ? record.kind === 'missing' : record === undefined);
}

/**
 * Withdraws a running plan: what was sent goes on to its end, and nothing further is begun. With a batch goes what waits for
 * approval.
 */
export async function withdrawPlan(
  parts: Mover,
  plan: Plan<'running'>,
  channel = plan.channel,
  { why = 'It was withdrawn.', by: actor }: Readonly<{ why?: string; by?: Actor }> = {},
): Promise<string> {
  const by = actor ?? (await actorOf(parts, plan, channel));
  const jobs = (await allJobsOf(parts, plan.id)) ?? [];
  const sent = jobs.filter(job => !isPlan(job) && (job.state === 'sending' || job.state === 'running'));
  const many = sent.length === 1 ? 'One' : `${sent.length}`;
  const name = isBatch(plan) ? many : numberedStep(plan.steps, plan.step);
  const what =
    sent.length > 0
      ? `${name} ${sent.length === 1 ? 'was under way by then and goes on to its end' : 'were under way by then and go on to their ends'}. I start nothing further.`
      : 'I start nothing further.';
  if (!(await advance(parts, plan, { type: 'withdrawn', by, reason: `${why} ${what}` })))
    return 'It has just changed. Look at it again.';
  // A step that is not sent by now finds its plan withdrawn (beforeStep.ts), and ends here at once.
  for (const job of (await stepJobs(parts, plan.id)) ?? []) {
    if (isUnsent(job)) await advance(parts, job, { type: 'withdrawn', by });
    else if (job.state === 'running' && isPlan(job)) await withdrawPlan(parts, job, channel, { why, by });
  }
  return `Withdrawn. ${what}`;
}

/**
 * Looks at once at the step of a plan that is under way, or again at the one whose end has stopped the plan; at all of a
 * batch. The plan waits for that step again, unless more would begin behind it that no click may begin.
 */
export async function lookAgainAtStep(parts: Mover, plan: Plan, channel = plan.channel): Promise<string> {
  const jobs = (await stepJobs(parts, plan.id)) ?? [];
  const by = await actorOf(parts, plan, channel);
  const looked = isBatch(plan) ? jobs : jobs.filter(({ step }) => step === plan.step).slice(-1);
  const moved = await Promise.all(
    looked.map(async job =>
      isPlan(job) ? undefined : (await advance(parts, job, { type: 'lookedAgain', by })) && job.state,
    ),
  );
  if (moved.every(state => state === undefined)) return 'There is nothing to check now.';
  const told = checking(moved.includes('running'));
  const bar = stoppedEarly(plan) ? barTo(plan, parts.clock.now()) : undefined;
  if (bar !== undefined) return `${told}, and start nothing further. ${bar}`;
  // Where this is lost, the person clicks once more.
  if (plan.state === 'failed')
    await advance(parts, plan, { type: 'wentOn', by, seenTo: 0, step: plan.steps.length - 1 });
  else if (plan.state !== 'running') await advance(parts, plan, { type: 'lookedAgain', by });
  return `${told}.`;
}

/** Gives up looking for the proof of the step that is under way, which stops the plan. */
export async function stopLookingAtStep(parts: Mover, plan: Plan, channel = plan.channel): Promise<string> {
  const last = ((await stepJobs(parts, plan.id)) ?? []).at(-1);
  const by = await actorOf(parts, plan, channel);
  const moved = last && (await advance(parts, last, { type: 'stoppedLooking', by }));
  return moved
    ? 'I stopped checking, and start nothing further. The service may still be working on it.'
    : 'There is nothing under way to check.';
}

/** Says that a look follows: at a job that is running, or once more at one that ended (`secondLook` in machine/effects.ts). */
export function checking(isRunning: boolean): string {
  return isRunning ? 'I’m checking now' : 'I’m checking again, for five minutes';
}
