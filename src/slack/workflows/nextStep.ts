import { minute } from '../../ground/durations.ts';
import type { StepResult } from '../../store/tables/executionRows.ts';
import type { ExecutionStep } from '../../store/tables/executions.ts';
import type { Desk } from '../desk/desk.ts';

/** What follows for an execution: a step that is written, or a pause; `undefined` where it was written already. */
export type NextStep = ExecutionStep | Readonly<{ pause: number; failed?: boolean }> | undefined;

/**
 * Pause between two looks at a job that has not ended, or for a sign-in, in milliseconds: either makes the execution due
 * at once.
 */
export const stepPause = 10 * minute;

/** The step that stores an outcome, to be told to Slack. */
export function endWith(desk: Desk, result: StepResult): ExecutionStep {
  const now = desk.clock.now();
  const error = 'error' in result ? { detail: result.error } : {};
  return {
    changes: { state: 'telling', hold: null, result, endedAt: now, dueAt: now, tries: 0 },
    trail: { event: 'error' in result ? 'step failed' : 'step completed', ...error },
    outcome: 'error' in result ? 'It is over.' : 'It is done.',
  };
}
