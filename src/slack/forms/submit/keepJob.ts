import { isDeepStrictEqual } from 'node:util';
import { mayHaveStored } from '../../../ground/failure.ts';
import { parseJson } from '../../../ground/json.ts';
import { actorOf } from '../../../jobs/actor.ts';
import { newJob } from '../../../jobs/newJob.ts';
import type { Mover } from '../../../jobs/parts.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import type { PlanStep } from '../../../operations/plans/plan.ts';
import type { ShownMarks } from '../../../store/jobs/rows/data.ts';
import type { NewJob } from '../../../store/jobs/rows/job.ts';
import type { Desk } from '../../desk/desk.ts';
import type { CheckedForm } from '../formState.ts';

/** The answer to a person whose job the store does not take. */
export const storeFault =
  'My store has a problem: I cannot save this now, so nothing was sent. Please try again later.';

/** The answer to a person who submits a form again that was taken with other values: it stayed open for a slow store. */
export const takenBefore =
  'You already sent this form, and I took the first version; its message shows what you asked for. To ask for something else, run the command again.';

/** The same where nobody knows whether the store has it. */
export const storedLate =
  'My store is slow or does not answer, so I do not know yet whether I saved this. Submit it again: I’ll do it only once.';

/** A checked form to be kept as a job; as a plan where it has steps. */
type KeptForm = Omit<CheckedForm, 'inputs' | 'operation'> &
  Readonly<{ operation: JobOperation; steps?: readonly PlanStep[] | undefined; asShown?: ShownMarks | undefined }>;

/**
 * Stores a job and starts it; `false` if the store does not take it. `purpose` is the reason for the job. With `freeSince`
 * no other request may take its port or its name, nor one that ended since that time: else it gives `taken`. It gives
 * `other` where the same form was kept before, and asked for something else, and `late` where nobody knows whether it was.
 */
export async function keepJob(
  desk: Mover & Desk<'log'>,
  { owner, operation, metadata, values, steps, asShown }: KeptForm,
  purpose: string | null,
  freeSince?: number,
): Promise<boolean | 'taken' | 'other' | 'late'> {
  const { team, person } = owner;
  const { request, channel, thread, labels } = metadata;
  const place = { request, channel, thread };
  const asked = { team, person, ...place, labels, purpose, now: desk.clock.now(), steps, asShown };
  const job = newJob(operation, values, asked);
  const { port = null, name = null } = job.takes ?? {};
  const free = freeSince !== undefined && (port !== null || name !== null) && { port, name, since: freeSince };
  try {
    const by = await actorOf(desk, owner, channel);
    const added = free ? await desk.jobs.addIfFree(job, by, free) : await desk.jobs.add(job, by);
    if (!added) return 'taken';
    return added.isNew || added.job.state === 'unreadable' || isDeepStrictEqual(askedBy(added.job), askedBy(job))
      ? true
      : 'other';
  } catch (error) {
    desk.log.error({ error, job: job.id, operation: operation.name, person, team }, 'a job could not be stored');
    return mayHaveStored(error) && 'late';
  }
}

/** What a job asks for, as the store keeps it. */
function askedBy({ operation, values, steps }: Pick<NewJob, 'operation' | 'values' | 'steps'>): unknown {
  return parseJson(JSON.stringify({ operation, values, steps }));
}
