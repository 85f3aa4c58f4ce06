import { minute } from '../../ground/durations.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { pauseBefore } from '../../jobs/backOff.ts';
import type { Execution } from '../../store/tables/executionRows.ts';
import { plain } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import { nextOfAsked, waitForSignIn } from './askedStep.ts';
import { endWith, type NextStep } from './nextStep.ts';
import { nextLook, nextOfJob } from './runningStep.ts';
import { tellSlack } from './tellSlack.ts';

/** Takes one step on the way of an execution: asks for a leave, begins the work, looks at it, or tells Slack its end. */
export async function takeExecutionOn(desk: Desk, execution: Execution): Promise<void> {
  const { executions, clock, log } = desk;
  const next = await nextOf(desk, execution).catch((error: unknown) => nextAfterFailure(desk, execution, error));
  if (next === undefined) return;
  if ('pause' in next) return executions.putOff(execution, clock.now() + next.pause, next.failed === true);
  const written = await executions.apply(execution, next, clock.now());
  if (!written) return log.info({ execution: execution.id }, 'an execution has changed meanwhile');
  if (next.job) desk.wake();
  if (next.notices || next.outcome !== undefined || next.job) desk.tell();
}

function nextOf(desk: Desk, execution: Execution): Promise<NextStep> {
  switch (execution.state) {
    case 'asked':
      return nextOfAsked(desk, execution);
    case 'running':
      return execution.job === null ? nextLook(desk, execution) : nextOfJob(desk, execution, execution.job);
    case 'telling':
      return nextTelling(desk, execution);
    case 'ended':
      return Promise.resolve({ changes: { dueAt: null } });
  }
}

/** A failure that passes is waited for; any other one ends the step with its sentence. */
async function nextAfterFailure(desk: Desk, execution: Execution, error: unknown): Promise<NextStep> {
  const { id, tries, state, deadlineAt } = execution;
  const isOver = desk.clock.now() >= deadlineAt;
  if (isSignedOut(error) && state !== 'telling' && !isOver) return waitForSignIn(desk, execution);
  // What passes is waited for until the deadline, however often it was tried.
  const pause = pauseBefore(error, Math.min(tries, 10));
  desk.log.warn({ error, execution: id, pause }, 'a step of a workflow could not be taken on');
  // What is under way is looked at again, whatever happened: its end is not known.
  if (state === 'telling' || (execution.job !== null && state === 'running'))
    return { pause: pause ?? minute, failed: true };
  if (pause !== undefined && !isOver) return { pause, failed: true };
  const why = isSignedOut(error)
    ? 'The person in whose name it runs was not signed in to the service in time.'
    : sentence(error);
  return endWith(desk, { error: plain(why, 1_000) });
}

async function nextTelling(desk: Desk, execution: Execution): Promise<NextStep> {
  const telling = await tellSlack(desk, execution);
  if ('pause' in telling) return { pause: telling.pause, failed: true };
  const { told } = telling;
  return {
    changes: { state: 'ended', dueAt: null, tries: 0 },
    trail: told === 'step told' ? undefined : { event: told },
  };
}
