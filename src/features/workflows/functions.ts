import { catalogue } from '../../operations/catalogue.ts';
import type { Field, JobOperation } from '../../operations/operation.ts';
import type { StepParameter, WorkflowFunction } from '../../slack/workflowFunction.ts';
import { waitStates } from './lookUntil.ts';

/*
 * The steps of Slack’s Workflow Builder, as the manifest declares them and as executions are checked against: what Slack
 * calls functions. They come from the catalogue (docs.slack.dev/tools/bolt-js/tutorials/custom-steps).
 */

/** The id of the step that waits for a record. */
const waitStepId = 'wait_until';

/** The hours for which a step waits for a record. */
export const waitHours = { usual: 24, most: 168 } as const;
const hoursAre = `Hours after which the step fails: ${waitHours.usual} if none are given, ${waitHours.most} at most`;

const parameter = (
  name: string,
  type: StepParameter['type'],
  title: string,
  description: string,
  isRequired = false,
): StepParameter => ({ name, type, title, description, is_required: isRequired });

const byName = (parameters: readonly StepParameter[]): WorkflowFunction['input_parameters'] =>
  Object.fromEntries(parameters.map(one => [one.name, one]));

/** The inputs of every step that say for whom it is, before and after those of its work. */
const first = [
  parameter('workflow', 'string', 'Name of this workflow', 'Dolly shows it to the person whom it asks', true),
  parameter('person', 'slack#/types/user_id', 'In whose name', 'Dolly asks this person for their consent', true),
];
const last = [
  parameter('channel', 'slack#/types/channel_id', 'Channel', 'The message goes there; otherwise to the person alone'),
  parameter('why', 'string', 'Reason', 'For its approvers'),
];
const account = parameter(
  'account',
  'boolean',
  'Run with the service account',
  'Only if approvers have allowed this workflow',
);

const outputs = [
  parameter('outcome', 'string', 'Outcome', 'The outcome', true),
  parameter('name', 'string', 'Name', 'The name of the record that it made, or worked on'),
  parameter('identifier', 'string', 'Identifier', 'The identifier of that record'),
];

/** The operations that are steps. */
export const stepOperations: readonly JobOperation[] = catalogue.flatMap(operation =>
  operation.type !== 'read' && operation.step ? [operation] : [],
);

/** All steps by their callback ids. The manifest is made of them. */
export const workflowFunctions: Readonly<Record<string, WorkflowFunction>> = Object.fromEntries([
  ...stepOperations.flatMap(operation => (operation.step ? [[operation.step.id, functionOf(operation)] as const] : [])),
  [waitStepId, waitFunction()] as const,
]);

function functionOf(operation: JobOperation): WorkflowFunction {
  const { step, summary, presets, fields } = operation;
  const preset = parameter(
    'preset',
    'string',
    'Preset',
    'A preset of that person, or one of the workspace, fills the rest',
  );
  return {
    title: step?.title ?? summary,
    description: summary,
    input_parameters: byName([
      ...first,
      ...(presets ? [preset] : []),
      ...fields.map(field => inputOf(field, presets !== true && field.name === operation.target)),
      ...last,
      account,
    ]),
    output_parameters: byName([
      ...outputs,
      parameter(
        'connection',
        'string',
        'Connection',
        'The command or address to connect to it, if its record shows one',
      ),
      parameter('link', 'string', 'Link to the message', 'The message of the job in Slack'),
    ]),
  };
}

function inputOf({ name, label, hint, widget }: Field, isRequired: boolean): StepParameter {
  const type = widget.type === 'integer' ? 'integer' : widget.type === 'checkbox' ? 'boolean' : 'string';
  const values = widget.type === 'choice' ? widget.options.map(({ value }) => value).join(' or ') : undefined;
  const record = widget.type === 'record' ? 'Its name or its identifier' : undefined;
  const usual = widget.type === 'checkbox' ? widget.text : label;
  return parameter(name, type, label, values ?? hint ?? record ?? usual, isRequired);
}

function waitFunction(): WorkflowFunction {
  const states = Object.keys(waitStates).join(', ');
  return {
    title: 'Wait until a record is …',
    description: 'Wait until a database, a clone or an environment is there, gone, or in a state',
    input_parameters: byName([
      ...first,
      parameter('record', 'string', 'Database, clone or environment', 'Its name or its identifier', true),
      parameter('until', 'string', 'Until it is', `One of: ${states}`, true),
      parameter('hours', 'integer', 'For at most', hoursAre),
    ]),
    output_parameters: byName([...outputs, parameter('state', 'string', 'State', 'The state as its record says it')]),
  };
}
