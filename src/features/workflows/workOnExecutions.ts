import { isSignedOut, sentence } from '../../ground/failure.ts';
import type { Loop } from '../../ground/loop.ts';
import type { Mover } from '../../jobs/parts.ts';
import { pauseBefore } from '../../jobs/pauseAfterFailure.ts';
import { type ThingWorker, workOnThings } from '../../jobs/workOnThings.ts';
import type { Session } from '../../records/records.ts';
import { plain } from '../../slack/blocks/mrkdwn.ts';
import { pauseAfter } from '../../slack/connection/retryAfter.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { signInOf } from '../../store/things/kind.ts';
import { lookAtAsked, type StepAsker } from './beginStep.ts';
import { type Execution, executions } from './execution.ts';
import { type ExecutionSight, nextOfExecution } from './nextOfExecution.ts';
import { accountIsOut } from './prepareStep.ts';
import { lookAtJob, lookAtRecord } from './runningStep.ts';
import { readStepInputs } from './stepInputs.ts';
import { tellSlack } from './tellSlack.ts';

/**
 * Works on the executions of workflows’ steps that are due. A step that was done by half when a process was killed is
 * done again from the store, where the second time changes nothing.
 */
export function workOnExecutions(worker: ThingWorker, desk: ExecutionLooker): Loop {
  return workOnThings(worker, {
    kind: executions,
    groupsAtOnce: 20,
    look: (execution, { session }) => lookAtExecution(desk, execution, session),
    next(execution, { now, sight }) {
      if (execution.state === 'ended') return { rest: null };
      return sight ? nextOfExecution(execution, sight, now) : 'look';
    },
    pauseAfter: pauseOfExecution,
  });
}

/** The pause after a try that failed, in milliseconds. What passes is waited for, however often it was tried. */
export function pauseOfExecution(error: unknown, tries: number): number {
  return pauseBefore(error, Math.min(tries, 10)) ?? pauseAfter(error, tries);
}

/** Looks after executions of steps. */
type ExecutionLooker = StepAsker & Mover & Desk<'slack' | 'workspace'>;

/**
 * Looks at what the next step of an execution hangs on: its inputs, its consent, its work. While it is `telling`, it tells
 * Slack its outcome.
 * @throws what passes, or may: another try may help
 */
async function lookAtExecution(
  desk: ExecutionLooker,
  execution: Execution,
  session: () => Promise<Session | undefined>,
): Promise<ExecutionSight> {
  const { id, state, job, waitsFor } = execution;
  if (state === 'telling') return { saw: 'told', event: await tellSlack(desk, execution) };
  // What is under way is looked at again, whatever happened: its end is not known.
  if (state === 'running' && job !== null) return lookAtJob(desk, execution, job);
  try {
    if (waitsFor === signInOf(execution) && (await desk.credentials.find(execution))) return { saw: 'signed in' };
    return state === 'asked' ? await lookAtAsked(desk, execution) : await lookAtRecord(desk, execution, session);
  } catch (error) {
    const sight = sightOf(desk, execution, error);
    desk.log.warn({ error, execution: id, saw: sight.saw }, 'a step of a workflow could not be taken on');
    return sight;
  }
}

/**
 * What a failure means before anything is under way: its person is signed out, or it ends.
 * @throws what passes, until the deadline
 */
function sightOf({ clock }: Desk<'clock'>, execution: Execution, error: unknown): ExecutionSight {
  const asked = readStepInputs(execution);
  const step = typeof asked === 'string' ? undefined : asked;
  if (clock.now() < execution.deadlineAt) {
    // The service account signs in by itself.
    if (isSignedOut(error) && step?.runsAs === 'service') throw accountIsOut(error);
    if (isSignedOut(error)) return { saw: 'signed out', step };
    if (pauseBefore(error, 0) !== undefined) throw error;
  }
  const why = isSignedOut(error)
    ? 'The person in whose name it runs was not signed in to the service in time.'
    : sentence(error);
  return { saw: 'end', result: { error: plain(why, 1_000) } };
}
