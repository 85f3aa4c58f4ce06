import { sentence } from '../fault.ts';
import { isRecord, type Json } from '../json.ts';
import { parameterFaults } from '../parameters.ts';
import { isOrganisationWide, type Slack } from '../slack.ts';
import { SlackError } from '../slackError.ts';
import { structured } from './content.ts';
import { badArguments, type Method, required } from './method.ts';

/** The step that is to end. Where the app is installed for the whole organisation, it may be of any workspace. */
function stepIn(args: Json, slack: Slack) {
  const execution = required(args, 'function_execution_id');
  const { team } = slack.workspace;
  return slack.workflows.step(execution, isOrganisationWide(slack) ? undefined : team.id);
}

const completeSuccess: Method = (args, slack) => {
  const step = stepIn(args, slack);
  const outputs = structured(args, 'outputs');
  if (!isRecord(outputs)) throw badArguments('must provide an object [json-pointer:/outputs]');
  if (step.state !== 'running') throw new SlackError('execution_not_in_running_state');
  const declared = slack.declared.functions[step.function]?.output_parameters ?? {};
  const faults = parameterFaults(declared, outputs, slack.workspace).map(sentence);
  if (faults.length > 0) {
    const messages = faults.map(text => `[ERROR] ${text}`);
    throw new SlackError('parameter_validation_failed', { errors: faults, response_metadata: { messages } });
  }
  slack.workflows.end(step, { outputs });
  return {};
};

const completeError: Method = (args, slack) => {
  slack.workflows.end(stepIn(args, slack), { error: required(args, 'error') });
  return {};
};

/** The functions.* methods: how an app ends a step of a workflow. */
export const functionMethods: Record<string, Method> = {
  'functions.completeSuccess': completeSuccess,
  'functions.completeError': completeError,
};
