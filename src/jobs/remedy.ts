import { writeOperation } from '../operations/catalogue.ts';
import type { WriteOperation } from '../operations/operation.ts';
import { isBrought } from '../operations/plans/plan.ts';
import type { JobValues } from '../store/jobs/data.ts';
import type { Job, Plan } from '../store/jobs/job.ts';
import { broughtBy } from './plans/nextOf.ts';

/** The request that is left of a plan: an operation with the values of its form. */
export type Remedy = Readonly<{ operation: WriteOperation; values: JobValues }>;

/**
 * The request that is left of a plan which ended after some of its steps: the step that it ended at, with what the
 * earlier ones brought. `undefined` where the plan as a whole can be asked for again: nothing of it was done, or a
 * deletion is left.
 */
export function remedyOf(plan: Plan, jobs: readonly Job[]): Remedy | undefined {
  const step = plan.steps[plan.step];
  const operation = step && writeOperation(step.operation);
  const isBegun = jobs.some(job => job.step !== null && job.step < plan.step && job.state !== 'failed');
  if (!step || !operation || operation.deletes || !isBegun) return undefined;
  const values = Object.entries(step.values).flatMap(([name, value]) => {
    const given = isBrought(value) ? broughtBy(jobs, value) : value;
    return given === undefined ? [] : [[name, given] as const];
  });
  return { operation, values: Object.fromEntries(values) };
}
