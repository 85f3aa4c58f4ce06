import { randomUUID } from 'node:crypto';
import { manyTargets } from '../../operations/plans/batch.ts';
import type { Plan } from '../../store/jobs/rows/job.ts';
import { actorOf } from '../actor.ts';
import type { Mover } from '../parts.ts';
import { operationOf } from '../request.ts';
import { toRetry } from './nextOfBatch.ts';
import { knownValues } from './stepWords.ts';
import { allJobsOf } from './turn.ts';

/** The answer where nothing of a batch can be asked for again. */
export const nothingLeft = 'There is nothing to ask for again.';

/** Asks again for what failed of a batch. A second click finds the batch that the first one made. */
export async function retryBatch(parts: Mover, batch: Plan, channel = batch.channel): Promise<string> {
  const { jobs, clock } = parts;
  if (batch.runsAs !== null) return 'This ran as the service account; nobody can retry it by hand.';
  const steps = toRetry(batch, (await allJobsOf(parts, batch.id)) ?? []).map(({ step }) => step);
  const [first] = steps;
  if (!first) return nothingLeft;
  const { id, team, person, operation, labels, thread, purpose, asShown } = batch;
  const targetName = manyTargets(operationOf(batch), steps.length);
  const { isNew } = await jobs.add(
    {
      ...{ id: randomUUID(), requestKey: JSON.stringify([team, person, 'retry', id, steps.map(one => one.target)]) },
      ...{ team, person, operation, labels, purpose, channel: batch.channel, ...(thread === null ? {} : { thread }) },
      ...{ target: String(first.target), targetName, values: knownValues(first), steps },
      ...(asShown === undefined ? {} : { asShown }),
      createdAt: clock.now(),
    },
    await actorOf(parts, batch, channel),
  );
  return isNew ? `I’ll ask again for ${targetName}.` : 'You have already asked for that again.';
}
