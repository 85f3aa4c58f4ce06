import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation, Values, WriteOperation } from '../../operations/operation.ts';
import { isBrought, type PlanStep } from '../../operations/plans/plan.ts';
import type { JobValues } from '../../store/jobs/rows/data.ts';
import { isPlan, type Job, type Plan } from '../../store/jobs/rows/job.ts';
import { backups } from '../approval/facts/impact.ts';
import { isBatch, operationOf } from '../request.ts';
import { broughtBy, isUnsure } from './nextOf.ts';

/**
 * The request that is left of a plan: an operation with the values of its form. `lost` is the name of what an earlier
 * step deleted and this request would make again, unless a record shows it; `isInDoubt` says that it may be made already.
 */
type Remedy = Readonly<{
  operation: WriteOperation;
  values: JobValues;
  step: PlanStep;
  lost: string | undefined;
  isInDoubt: boolean;
}>;

/**
 * The request that is left of a plan which ended after some of its steps: that of the first step that is not confirmed,
 * with what the earlier ones brought. `undefined` where the plan as a whole can be asked for again: nothing of it was
 * done, or a deletion is left; and where that step is still under way.
 */
export function remedyOf(plan: Plan, jobs: readonly Job[]): Remedy | undefined {
  const done = jobs.filter(({ state }) => state === 'succeeded');
  const isDone = done.some(({ step }) => step === plan.step);
  const at = isDone ? plan.step + 1 : plan.step;
  const step = plan.steps[at];
  const operation = step && writeOperation(step.operation);
  const isBegun = isDone || jobs.some(job => job.step !== null && job.step < plan.step && job.state !== 'failed');
  const last = jobs.findLast(job => job.step === at);
  const isUnderWay = last?.state === 'sending' || last?.state === 'running';
  if (!step || !operation || operation.deletes || !isBegun || isUnderWay) return undefined;
  const values = Object.entries(step.values).flatMap(([name, value]) => {
    const given = isBrought(value) ? broughtBy(jobs, value) : value;
    return given === undefined ? [] : [[name, given] as const];
  });
  const deleted = done.find(job => writeOperation(job.operation)?.deletes);
  const isInDoubt = last !== undefined && isUnsure(last);
  const isThere = isInDoubt && last.claimed !== null;
  const lost = isThere ? undefined : deleted && (deleted.targetName ?? deleted.target);
  return { operation, values: Object.fromEntries(values), step, lost, isInDoubt };
}

/** The states of a plan that was stopped by the end of one of its steps. */
const stopped = ['failed', 'finished', 'unconfirmed'] as const;
export type Stopped = Plan<(typeof stopped)[number]>;

/** Whether a plan ended before its last step was begun. A batch that has ended has begun all that it has. */
export function stoppedEarly(plan: Plan): boolean {
  return plan.endedAt !== null && !isBatch(plan) && plan.step < plan.steps.length - 1;
}

/** Whether a plan that has ended can go on: it was begun, and something of it is left to do. */
export function canGoOn(plan: Job, jobs: readonly Job[]): plan is Stopped {
  if (!isPlan(plan) || isBatch(plan)) return false;
  if (!stopped.some(state => state === plan.state) || plan.sentAt === null) return false;
  // Nobody's click runs with the service account: what is left is asked for anew.
  if (plan.runsAs !== null) return false;
  const last = jobs.findLast(({ step }) => step === plan.step);
  const isDone = last !== undefined && plan.state !== 'failed';
  return !(isDone && plan.step === plan.steps.length - 1);
}

/**
 * The restore that takes back what a plan restored: of the same part, to the snapshot that an earlier step of the plan
 * made. `jobs` are those of its steps; `undefined` where they do not hold both, confirmed.
 */
export function takeBackOf(jobs: readonly Job[]): Readonly<{ operation: JobOperation; values: Values }> | undefined {
  const done = jobs.filter(({ state }) => state === 'succeeded');
  const restore = done.findLast(job => operationOf(job).rewinds !== undefined);
  if (!restore) return undefined;
  const operation = operationOf(restore);
  const field = operation.fields.find(({ role }) => role === 'snapshot');
  const snapshot = snapshotBefore(jobs, restore);
  return field && snapshot ? { operation, values: { ...restore.values, [field.name]: snapshot } } : undefined;
}

/** The snapshot of a confirmed backup of the same target that came before a job among those of its plan. */
export function snapshotBefore(jobs: readonly Job[], job: Job): string | undefined {
  const isBackup = ({ state, target, operation }: Job) =>
    state === 'succeeded' && target === job.target && backups.includes(operation);
  return jobs.slice(0, jobs.indexOf(job)).findLast(isBackup)?.claimed ?? undefined;
}
