import { isSignedOut, sentence } from '../../ground/failure.ts';
import { pauseBefore } from '../../jobs/backOff.ts';
import type { Mover } from '../../jobs/parts.ts';
import type { Session } from '../../records/records.ts';
import { plain } from '../../slack/blocks/limits.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import { signInOf } from '../../store/things/kind.ts';
import { lookAtAsked, type StepAsker } from './askedStep.ts';
import type { Execution } from './execution.ts';
import type { ExecutionSight } from './nextOfExecution.ts';
import { accountIsOut } from './prepareStep.ts';
import { lookAtJob, lookAtRecord } from './runningStep.ts';
import { readStepInputs } from './stepInputs.ts';
import { tellSlack } from './tellSlack.ts';

/** Looks after executions of steps. */
export type ExecutionLooker = StepAsker & Mover & Desk<'slack' | 'workspace'>;

/**
 * Looks at what the next step of an execution hangs on: its inputs, its leave, its work. While it is `telling`, it tells
 * Slack its outcome.
 * @throws what passes, or may: another try may help
 */
export async function lookAtExecution(
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
