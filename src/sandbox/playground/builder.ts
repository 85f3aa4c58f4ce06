import type { Answer, Delivery } from './delivery.ts';
import { functionExecuted } from './eventPayloads.ts';
import { sentence } from './fault.ts';
import type { Json } from './json.ts';
import { isKnownType, parameterFaults } from './parameters.ts';
import type {
  Person,
  PlayRequests,
  RunAnswer,
  Workflow,
  WorkflowAnswer,
  WorkflowRun,
  WorkflowStep,
} from './protocol.ts';
import { isInstalled, type Slack } from './slack.ts';
import { resolved, variablesIn } from './variables.ts';
import type { Begun } from './workflows.ts';
import { sees } from './workspace.ts';

/** The variables that a step may use: how the workflow was started, and the outputs of the steps before it. */
function isVariable(slack: Slack, before: readonly WorkflowStep[], name: string): boolean {
  if (name === 'person' || name === 'channel' || /^values\.\w+$/.test(name)) return true;
  const [, at = '', output = ''] = /^steps\.(\d+)\.(\w+)$/.exec(name) ?? [];
  const step = before[Number(at || -1)];
  return step !== undefined && Object.hasOwn(slack.declared.functions[step.function]?.output_parameters ?? {}, output);
}

/** The reason why Workflow Builder does not take a step; undefined where it does. */
function stepFault(slack: Slack, steps: readonly WorkflowStep[], index: number): string | undefined {
  const { function: name = '', inputs = {} } = steps[index] ?? {};
  const declared = Object.hasOwn(slack.declared.functions, name) ? slack.declared.functions[name] : undefined;
  if (declared === undefined) return `The app has no step “${name}”.`;
  const { input_parameters, output_parameters } = declared;
  const strange = Object.values({ ...input_parameters, ...output_parameters }).find(({ type }) => !isKnownType(type));
  if (strange !== undefined) return `“${declared.title}” has a parameter of the unknown type ${strange.type}.`;
  for (const input of Object.values(inputs)) {
    const unknown = variablesIn(input).find(variable => !isVariable(slack, steps.slice(0, index), variable));
    if (unknown !== undefined) return `“${declared.title}” uses {{${unknown}}}, which nothing before it gives.`;
  }
  // A variable stands for a value that nobody has yet: only what is preset can be judged now.
  const variable = Object.entries(inputs).filter(([, input]) => variablesIn(input).length > 0);
  const preset = Object.fromEntries(Object.entries(inputs).filter(([, input]) => variablesIn(input).length === 0));
  const judged = Object.fromEntries(
    Object.entries(input_parameters).filter(([key]) => !variable.some(([name_]) => name_ === key)),
  );
  const strangers = variable.find(([key]) => !Object.hasOwn(input_parameters, key));
  if (strangers !== undefined) return `“${declared.title}” has no input ${strangers[0]}.`;
  const [fault] = parameterFaults(judged, preset, slack.workspace);
  return fault && `“${declared.title}”: ${fault.pointer.slice(1)} ${fault.says}`.replace(':  ', ': ');
}

/** A person builds a workflow in Workflow Builder, or changes one. Guests and strangers cannot. */
export function build(
  slack: Slack,
  person: Person,
  { id, name, steps }: PlayRequests['/play/workflow'],
): WorkflowAnswer {
  if (person.kind !== undefined) return { ok: false, error: 'You can’t build workflows here.' };
  const known = id === undefined ? undefined : slack.workflows.find(id);
  if (id !== undefined && known === undefined) return { ok: false, error: 'There is no such workflow.' };
  if (known !== undefined && known.owner !== person.id)
    return { ok: false, error: 'This workflow is somebody else’s.' };
  if (name.trim() === '') return { ok: false, error: 'A workflow needs a name.' };
  if (steps.length === 0) return { ok: false, error: 'A workflow needs a step.' };
  const wrong = steps.map((_, index) => stepFault(slack, steps, index)).find(fault => fault !== undefined);
  if (wrong !== undefined) return { ok: false, error: wrong };
  const made = { team: slack.workspace.team.id, name: name.trim() };
  return { ok: true, workflow: slack.workflows.keep({ id, ...made, owner: person.id, steps }) };
}

const isHeard = (answer: Answer) => answer.kind === 'answered' && answer.status >= 200 && answer.status < 300;

/** The event of a step, or the sentence why Slack ends the step before its app hears of it. */
function prepared(slack: Slack, run: WorkflowRun, begun: Begun): Json | string {
  const { step } = begun;
  const seen = slack.all().find(one => one.workspace.team.id === run.team && isInstalled(one));
  if (seen === undefined) return 'The app is not installed any more.';
  const declared = seen.declared.functions[step.function];
  if (declared === undefined) return `The app has no step “${step.function}” any more.`;
  const [fault] = parameterFaults(declared.input_parameters, step.inputs, seen.workspace);
  if (fault !== undefined) return `parameter_validation_failed: ${sentence(fault)}`;
  return functionExecuted(seen, { callbackId: step.function, declared, run, ...begun });
}

/** Runs the steps one after the other, each when the one before it is complete; the first that fails ends the run. */
async function play(slack: Slack, delivery: Delivery, { steps }: Workflow, run: WorkflowRun): Promise<void> {
  for (const step of steps) {
    const begun = slack.workflows.begin(run, step, resolved(step.inputs, run));
    const fail = (error: string) => {
      if (begun.step.state === 'running') slack.workflows.end(begun.step, { error });
    };
    const payload = prepared(slack, run, begun);
    if (typeof payload === 'string') return fail(payload);
    const what = `event function_executed ${step.function}`;
    void delivery.event({ kind: 'events_api', what, payload }).then(answer => {
      if (!isHeard(answer)) fail('The app did not respond.');
    });
    await begun.ended;
    if (begun.step.state === 'failed') return;
  }
}

/** Starts a workflow: by a person in a channel, or by nobody, as a schedule does. */
export function startRun(
  slack: Slack,
  delivery: Delivery,
  id: string,
  { by = '', channel = '', values = {} }: Partial<Pick<WorkflowRun, 'by' | 'channel' | 'values'>> = {},
): WorkflowRun | undefined {
  const workflow = slack.workflows.find(id);
  if (workflow === undefined) return undefined;
  const run = slack.workflows.run(workflow, { by, channel, values });
  void play(slack, delivery, workflow, run);
  return run;
}

/** A person starts a workflow. */
export function runWorkflow(
  slack: Slack,
  delivery: Delivery,
  person: Person,
  { workflow, channel: id, values = {} }: PlayRequests['/play/run'],
): RunAnswer {
  if (person.kind === 'outsider') return { ok: false, error: 'You can’t use workflows of this workspace.' };
  const channel = slack.workspace.channels.find(candidate => candidate.id === id);
  if (id !== undefined && (channel === undefined || !sees(slack.workspace, channel, person.id)))
    return { ok: false, error: 'There is no such channel.' };
  const isTheirs = slack.workflows.find(workflow)?.team === slack.workspace.team.id;
  const started = { by: person.id, channel: id ?? '', values };
  const run = isTheirs ? startRun(slack, delivery, workflow, started) : undefined;
  return run === undefined ? { ok: false, error: 'There is no such workflow.' } : { ok: true, run };
}
