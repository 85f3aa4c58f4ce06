import type { Loop } from '../../ground/loop.ts';
import { pauseBefore } from '../../jobs/backOff.ts';
import { type ThingWorker, workOnThings } from '../../jobs/workOnThings.ts';
import { pauseAfter } from '../../slack/connection/slackErrors.ts';
import { executions } from './execution.ts';
import { type ExecutionLooker, lookAtExecution } from './lookAtExecution.ts';
import { nextOfExecution } from './nextOfExecution.ts';

/**
 * Works on the executions of workflows’ steps that are due. A step that was done by half when a process was killed is
 * done again from the store, where the second time changes nothing.
 */
export function workOnExecutions(worker: ThingWorker, desk: ExecutionLooker): Loop {
  return workOnThings(worker, {
    kind: executions,
    ...{ maxAtOnce: 100, groupsAtOnce: 20 },
    runner: ({ team, person }) => ({ team, person }),
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
