import { isPlan, type Job } from '../../store/jobs/rows/job.ts';
import { advance } from '../advance.ts';
import type { Mover } from '../parts.ts';
import { stoppedEarly } from './remedy.ts';

/**
 * Takes back the end of the plan of a job whose end was taken back: it waits for that step again. A plan that stopped before its
 * last step stays so: its people were told that nothing further is begun, and a click of theirs lets it go on.
 */
export async function takeBackPlan(parts: Mover, { plan: id }: Pick<Job, 'plan'>): Promise<void> {
  const plan = id === null ? undefined : await parts.jobs.find(id);
  if (!plan || plan.state === 'unreadable' || !isPlan(plan)) return;
  if (stoppedEarly(plan)) return;
  if (plan.endedAt !== null)
    await advance(parts, plan, { type: 'takenBack', reason: 'I took back the result of one of its steps.' });
  // A batch may be a part of another one.
  await takeBackPlan(parts, plan);
}
