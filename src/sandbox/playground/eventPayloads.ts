import { createHash } from 'node:crypto';
import type { Json } from './json.ts';
import { token } from './payloads.ts';
import type { StepFunction, StepRun, WorkflowRun } from './protocol.ts';
import { slackId } from './random.ts';
import { isOrganisationWide, type Slack } from './slack.ts';
import { organisation } from './workspace.ts';

const listed = (parameters: StepFunction['input_parameters']): Json[] =>
  Object.entries(parameters).map(([name, { type, title, description, is_required = false }]) => ({
    type,
    name,
    description: description ?? '',
    title: title ?? name,
    is_required,
  }));

/** A step as Slack tells of it: declared by the app, in a run. */
type ExecutedStep = {
  callbackId: string;
  declared: StepFunction;
  run: WorkflowRun;
  step: StepRun;
  token: string;
};

/**
 * A step of a workflow is executed. Nothing in it says which workflow it is, who started it, or where: that comes, if at
 * all, as inputs (docs.slack.dev/reference/events/function_executed).
 */
export function functionExecuted(slack: Slack, { callbackId, declared, run, step, token: own }: ExecutedStep): Json {
  const { title, description, input_parameters, output_parameters } = declared;
  return eventCallback(slack, {
    type: 'function_executed',
    function: {
      id: `Fn${createHash('sha256').update(callbackId).digest('hex').slice(0, 10).toUpperCase()}`,
      callback_id: callbackId,
      title,
      description,
      type: 'app',
      input_parameters: listed(input_parameters),
      output_parameters: listed(output_parameters),
      app_id: slack.workspace.app.id,
      date_created: 1_694_727_597,
      date_updated: 1_698_947_481,
      date_deleted: 0,
    },
    inputs: step.inputs,
    function_execution_id: step.execution,
    workflow_execution_id: run.id,
    event_ts: (slack.clock.now() / 1_000).toFixed(6),
    bot_access_token: own,
  });
}

/** The frame around an event. */
export function eventCallback(slack: Slack, event: Json): Json {
  const { team, app, channels } = slack.workspace;
  const enterprise = slack.settings.organisation ? organisation.id : null;
  return {
    token,
    team_id: team.id,
    ...(enterprise === null ? {} : { enterprise_id: enterprise }),
    context_team_id: team.id,
    context_enterprise_id: enterprise,
    api_app_id: app.id,
    event,
    type: 'event_callback',
    event_id: slackId('Ev'),
    event_time: Math.floor(slack.clock.now() / 1_000),
    authorizations: [
      {
        enterprise_id: enterprise,
        team_id: team.id,
        user_id: app.botUser,
        is_bot: true,
        is_enterprise_install: isOrganisationWide(slack),
      },
    ],
    is_ext_shared_channel: channels.some(({ id, isShared }) => id === event.channel && isShared === true),
    event_context: slackId('4-'),
  };
}
