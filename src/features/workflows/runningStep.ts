import { dolly } from '../../jobs/actor.ts';
import { advance } from '../../jobs/advance.ts';
import type { Mover } from '../../jobs/parts.ts';
import { withdrawPlan } from '../../jobs/plans/planActions.ts';
import { notSignedIn, type Session } from '../../records/records.ts';
import { linkToJob } from '../../slack/connection/permalinks.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { hasEnded, isPlan, isUnsent, type Job } from '../../store/jobs/rows/job.ts';
import { consents } from './consent/consent.ts';
import type { Execution } from './execution.ts';
import { lookUntil, overdue, readWaitState } from './lookUntil.ts';
import type { ExecutionSight } from './nextOfExecution.ts';
import { strangerFault } from './prepareStep.ts';
import { readStepInputs } from './stepInputs.ts';
import { resultOfJob } from './tellSlack.ts';

/** Looks once at the record for which a step waits. Its consent and its person are looked at, too, each time. */
export async function lookAtRecord(
  desk: Desk<'things' | 'people'>,
  execution: Execution,
  open: () => Promise<Session | undefined>,
): Promise<ExecutionSight> {
  const { team, record: seen } = execution;
  if (!(await isAllowed(desk, execution))) return endedBy('The consent for this step has ended.');
  const asked = readStepInputs(execution);
  const until = typeof asked === 'string' ? undefined : readWaitState(asked.typed.until ?? '');
  if (typeof asked === 'string' || !until) return endedBy('This version of Dolly does not know this step.');
  const stranger = await strangerFault(desk, { team, person: asked.person });
  if (stranger !== undefined) return endedBy(stranger);
  const session = await open();
  if (!session) throw notSignedIn();
  const awaited = { record: asked.typed.record ?? '', until, seen };
  const look = await lookUntil(session.records, awaited);
  if ('result' in look) return { saw: 'end', result: look.result };
  return { saw: 'record', record: look.seen, overdue: overdue(awaited, look.found) };
}

/** Follows the job of a step. */
type StepFollower = Mover & Desk<'things' | 'workspace'>;

/** Follows the job of a step to its end. Once the consent is over, what is not sent of it by then is withdrawn. */
export async function lookAtJob(desk: StepFollower, execution: Execution, id: string): Promise<ExecutionSight> {
  const job = await desk.jobs.find(id);
  if (!job) return endedBy('The result is unknown: the job record was deleted.');
  // A replica of another release works on it.
  if (job.state === 'unreadable') return { saw: 'work' };
  if (!hasEnded(job)) {
    if (!(await isAllowed(desk, execution))) await withdraw(desk, job);
    return { saw: 'work' };
  }
  const isUntold = job.messageTs === null && job.tellAt !== null;
  const result = resultOfJob(job, isUntold ? undefined : linkToJob(await desk.workspace(execution.team), job));
  return { saw: isUntold ? 'no message' : 'end', result };
}

function endedBy(error: string): ExecutionSight {
  return { saw: 'end', result: { error } };
}

async function isAllowed({ things }: Desk<'things'>, { consent }: Execution): Promise<boolean> {
  return consent !== null && (await things.find(consents, consent))?.state === 'given';
}

/** Withdraws a job whose consent is over. The trail has who took it back, or why else it ended. */
async function withdraw(desk: Mover, job: Job): Promise<void> {
  const consent = 'The consent for this workflow';
  if (job.state === 'running' && isPlan(job))
    await withdrawPlan(desk, job, job.channel, { why: `${consent} has ended.`, by: dolly });
  if (!isUnsent(job)) return;
  await advance(desk, job, { type: 'withdrawn', by: dolly, reason: `${consent} ended before anything was sent.` });
}
