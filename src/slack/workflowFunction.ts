/* What the manifest declares about a step of Slack’s Workflow Builder, which Slack calls a function. */

/** A parameter of a step in the shape of the manifest. */
export type StepParameter = Readonly<{
  name: string;
  type: 'string' | 'integer' | 'boolean' | 'slack#/types/user_id' | 'slack#/types/channel_id';
  title: string;
  description: string;
  is_required: boolean;
}>;

type Parameters = Readonly<Record<string, StepParameter>>;

/** A step in the shape of the manifest. */
export type WorkflowFunction = Readonly<{
  title: string;
  description: string;
  input_parameters: Parameters;
  output_parameters: Parameters;
}>;
