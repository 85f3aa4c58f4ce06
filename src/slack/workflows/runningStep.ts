import { hour, minute, second } from '../../ground/durations.ts';
import { advance } from '../../jobs/advance.ts';
import { hasEnded, type Job, unsent } from '../../store/jobs/job.ts';
import type { Execution } from '../../store/tables/executionRows.ts';
import { linkToJob } from '../connection/permalinks.ts';
import type { Desk } from '../desk/desk.ts';
import { lookUntil, overdue } from './lookUntil.ts';
import { endWith, type NextStep, stepPause } from './nextStep.ts';
import { strangerFault } from './prepareStep.ts';
import { readStepInputs } from './stepInputs.ts';
import { resultOfJob } from './stepResult.ts';
import { readWaitState } from './waitStates.ts';

/** Pause and max tries of the message of a job that has ended, in milliseconds: its address is an output. */
const [messagePause, mostMessageTries] = [second, 20];
/** The pauses between two looks for which a step waits, by the time for which it has waited, in milliseconds. */
const lookPauses = [
  { upTo: 10 * minute, pause: 15 * second },
  { upTo: hour, pause: minute },
  { upTo: Number.POSITIVE_INFINITY, pause: 3 * minute },
] as const;

/** Looks once at the record for which a step waits. Its leave and its person are looked at, too, each time. */
export async function nextLook(desk: Desk, execution: Execution): Promise<NextStep> {
  const { clock, grants } = desk;
  const { team, grantId, record: seen, deadlineAt, createdAt } = execution;
  const grant = grantId === null ? undefined : await grants.find(grantId);
  if (grant?.state !== 'given') return endWith(desk, { error: 'The leave for this step was taken back.' });
  const asked = readStepInputs(execution);
  const until = typeof asked === 'string' ? undefined : readWaitState(asked.typed.until ?? '');
  if (typeof asked === 'string' || !until)
    return endWith(desk, { error: 'This release of Dolly does not know this step.' });
  const owner = { team, person: asked.person };
  const stranger = await strangerFault(desk, owner);
  if (stranger !== undefined) return endWith(desk, { error: stranger });
  const awaited = { record: asked.typed.record ?? '', until, seen };
  const look = await lookUntil(desk, owner, awaited);
  if ('result' in look) return endWith(desk, look.result);
  const now = clock.now();
  if (now >= deadlineAt) return endWith(desk, overdue(awaited, look.state));
  const pause = lookPauses.find(({ upTo }) => now - createdAt < upTo)?.pause ?? minute;
  const dueAt = Math.min(now + pause, deadlineAt);
  if (look.seen === seen && execution.hold === null) return { pause: dueAt - now };
  return { changes: { record: look.seen, hold: null, dueAt, tries: 0 } };
}

/** Follows the job of a step to its end. Where the leave was taken back before it was sent, it is withdrawn. */
export async function nextOfJob(desk: Desk, execution: Execution, id: string): Promise<NextStep> {
  const job = await desk.jobs.find(id);
  if (!job) return endWith(desk, { error: 'Nobody knows any more how it ended: its job was cleared away.' });
  // A replica of another release works on it.
  if (job.state === 'unreadable') return { pause: stepPause };
  if (!hasEnded(job)) {
    await withdrawUnallowed(desk, execution, job);
    return { pause: stepPause };
  }
  const isUntold = job.messageTs === null && job.tellAt !== null;
  if (isUntold && execution.tries < mostMessageTries) return { pause: messagePause, failed: true };
  return endWith(desk, resultOfJob(job, linkToJob(await desk.workspace(execution.team), job)));
}

async function withdrawUnallowed(desk: Desk, { grantId, person }: Execution, job: Job): Promise<void> {
  if (!unsent.some(state => state === job.state)) return;
  const grant = grantId === null ? undefined : await desk.grants.find(grantId);
  if (grant?.state === 'given') return;
  const by = { actor: person ?? 'dolly', login: null, channel: null };
  const reason = 'The leave for this workflow was taken back before anything was sent.';
  await advance(desk, job, { type: 'withdrawn', by, reason });
}
