import type { KnownBlock } from '@slack/types';
import { faultOfShown, type ShownValue, shownValues } from '../../../jobs/approval/facts/shownWhole.ts';
import { operationOf } from '../../../jobs/request.ts';
import { asksForAccount } from '../../../operations/requests/workflowRequest.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { sectionsOf } from '../../blocks/blocks.ts';
import { inFull, plain } from '../../blocks/limits.ts';

/**
 * All values that the approval of a request binds, a line each, letter for letter; nothing for a schedule or a workflow,
 * whose cards say them themselves. What would not fit was refused before (jobs/approval/shownWhole.ts).
 */
export function valuesInFull(job: Job): KnownBlock[] {
  const operation = operationOf(job);
  if (job.state !== 'awaiting' || asksForAccount(operation.name)) return [];
  return sectionsOf(shownValues(operation, job).map(lineOf));
}

/** The same in one line of a list; `undefined` where the values have no room in it. */
export function rowInFull(job: Job): string | undefined {
  const operation = operationOf(job);
  const isElsewhere = asksForAccount(operation.name) || (job.steps ?? []).length > mostSteps;
  const values = shownValues(operation, job);
  return isElsewhere || faultOfShown(values, 'row') !== undefined ? undefined : values.map(lineOf).join('  ·  ');
}

/** Max steps that a line of a list names in full. */
const mostSteps = 8;

function lineOf([label, text]: ShownValue): string {
  return `${plain(label, 80)}: ${inFull(text)}`;
}
