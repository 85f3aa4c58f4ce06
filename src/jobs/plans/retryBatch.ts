import { randomUUID } from 'node:crypto';
import { manyTargets } from '../../operations/plans/batch.ts';
import type { Job, JobState, Plan } from '../../store/jobs/rows/job.ts';
import { actorOf } from '../actor.ts';
import type { Mover } from '../parts.ts';
import { operationOf } from '../request.ts';
import { type BatchTarget, targetsOf } from './nextOfBatch.ts';
import { knownValues } from './stepWords.ts';
import { allJobsOf } from './turn.ts';

/** The ends after which the service has nothing of a request any more: it did not take it, or says that it failed. */
const isOver: readonly JobState[] = ['failed', 'void', 'expired', 'withdrawn'];

/**
 * The targets of a batch that has ended which can be asked for again without doing anything twice: none that the service may
 * have accepted and whose end nobody knows, and none that people denied.
 */
export function toRetry(batch: Plan, jobs: readonly Job[]): readonly BatchTarget[] {
  if (batch.endedAt === null || batch.plan !== null) return [];
  return targetsOf(batch, jobs).filter(({ job, asks }) => isOver.includes((job ?? asks ?? batch).state));
}

/** The answer where nothing of a batch can be asked for again. */
export const nothingLeft = 'There is nothing to ask for again.';

/** Asks again for what failed of a batch. A second click finds the batch that the first one made. */
export async function retryBatch(parts: Mover, batch: Plan, channel = batch.channel): Promise<string> {
  const { jobs, clock } = parts;
  if (batch.runsAs !== null) return 'This ran with the service account, which does nothing by a click.';
  const steps = toRetry(batch, (await allJobsOf(parts, batch.id)) ?? []).map(({ step }) => step);
  const [first] = steps;
  if (!first) return nothingLeft;
  const { id, team, person, operation, labels, thread, purpose } = batch;
  const targetName = manyTargets(operationOf(batch), steps.length);
  const { isNew } = await jobs.add(
    {
      ...{ id: randomUUID(), requestKey: JSON.stringify([team, person, 'retry', id, steps.map(one => one.target)]) },
      ...{ team, person, operation, labels, purpose, channel: batch.channel, ...(thread === null ? {} : { thread }) },
      ...{ target: String(first.target), targetName, values: knownValues(first), steps },
      createdAt: clock.now(),
    },
    await actorOf(parts, batch, channel),
  );
  return isNew ? `I ask again for ${targetName}.` : 'You have asked for that again already.';
}
