import { target, text } from '../fields.ts';
import { definePlan } from '../operation.ts';
import { scheduleRequest, written } from './scheduleRequest.ts';

/**
 * The request to let a step of a workflow run with the service account: a plan without steps, like that of a schedule.
 * Its approval itself gives the consent. Its values also name the consent.
 */
export const workflowRequest = definePlan({
  name: 'workflow.approve',
  words: ['workflow', 'approve'],
  summary: 'Let a workflow’s step run with the service account',
  fields: [
    target('record', 'Target', ['live', 'clone', 'environment']),
    text('workflow', 'Workflow', 'Nightly test data', { required: true }),
    text('work', 'Work', 'back up shop', { required: true }),
    { ...written('details', 'Inputs'), sent: false },
  ],
  title: () => 'Workflow',
  phrases: {
    asks: 'let the workflow “{workflow}” {work} with the service account',
    running: 'Letting a workflow work on {name}',
    done: 'The workflow “{workflow}” may work on {name} with the service account',
    undone: 'The workflow may not use the service account',
  },
  guarded: true,
});

/** The requests to let something run with the service account while nobody is there. No command asks for them. */
const accountRequests: readonly string[] = [scheduleRequest.name, workflowRequest.name];

/** Whether an operation is a request to let something run with the service account. */
export function asksForAccount(operation: string): boolean {
  return accountRequests.includes(operation);
}
