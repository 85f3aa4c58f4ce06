import type { Clock } from '../../ground/clock.ts';
import type { Bus } from './bus.ts';
import type { Json } from './json.ts';
import { limits } from './limits.ts';
import type { StepRun, Workflow, WorkflowRun, WorkflowStep } from './protocol.ts';
import { secret, slackId } from './random.ts';
import { SlackError } from './slackError.ts';

/** The end of a step: its outputs, or the sentence why it failed. */
export type StepEnd = { outputs: Json } | { error: string };

/** A step that has begun: the token that it gives its app, and its end. */
export type Begun = { step: StepRun; token: string; ended: Promise<void> };

/** The workflows that people have built, and their runs. */
export type Workflows = {
  all(): Workflow[];
  find(id: string): Workflow | undefined;
  /** Keeps a new workflow, or a new version of one. */
  keep(workflow: Omit<Workflow, 'id' | 'version'> & { id?: string | undefined }): Workflow;
  /** The runs, oldest first (bounded). */
  runs(): WorkflowRun[];
  /** Begins a run; its steps begin one after the other with {@link begin}. */
  run(workflow: Workflow, started: Pick<WorkflowRun, 'by' | 'channel' | 'values'>): WorkflowRun;
  /** Begins the next step of a run. */
  begin(run: WorkflowRun, step: WorkflowStep, inputs: Json): Begun;
  /**
   * The step of an execution.
   * @param team the workspace whose app asks; undefined: the app of the whole organisation
   * @throws SlackError function_execution_not_found, access_denied (another workspace's)
   */
  step(execution: string, team: string | undefined): StepRun;
  /** Ends a step. @throws SlackError execution_not_in_running_state */
  end(step: StepRun, end: StepEnd): void;
  /** Lets the token of a step through. @returns its workspace @throws SlackError token_expired, token_revoked, invalid_auth */
  admit(token: string): string;
};

const kept = 200;

export function newWorkflows(clock: Clock, bus: Bus): Workflows {
  const known = new Map<string, Workflow>();
  const runs: WorkflowRun[] = [];
  const open = new Map<string, { step: StepRun; run: WorkflowRun; ended(): void }>();
  const tokens = new Map<string, { step: StepRun; at: number; team: string }>();
  const tell = (run: WorkflowRun) => bus.publish({ type: 'run', run });

  return {
    all: () => [...known.values()],
    find: id => known.get(id),
    keep({ id = slackId('Wf'), ...rest }) {
      const workflow = { id, ...rest, version: (known.get(id)?.version ?? 0) + 1 };
      known.set(id, workflow);
      bus.publish({ type: 'workflow', workflow });
      return workflow;
    },
    runs: () => runs,
    run({ id, name, version, team }, started) {
      const run: WorkflowRun = {
        id: slackId('Wx'),
        workflow: id,
        name,
        version,
        team,
        at: clock.now(),
        steps: [],
        ...started,
      };
      runs.push(run);
      if (runs.length > kept) for (const { execution } of runs.shift()?.steps ?? []) open.delete(execution);
      tell(run);
      return run;
    },
    begin(run, { function: name }, inputs) {
      const step: StepRun = {
        execution: slackId('Fx'),
        function: name,
        inputs,
        state: 'running',
        outputs: {},
        error: '',
      };
      const token = `xwfp-${secret()}`;
      tokens.set(token, { step, at: clock.now(), team: run.team });
      run.steps.push(step);
      const ended = new Promise<void>(resolve => open.set(step.execution, { step, run, ended: resolve }));
      tell(run);
      return { step, token, ended };
    },
    step(execution, team) {
      const found = open.get(execution);
      if (found === undefined) throw new SlackError('function_execution_not_found');
      if (team !== undefined && found.run.team !== team) throw new SlackError('access_denied');
      return found.step;
    },
    end(step, end) {
      if (step.state !== 'running') throw new SlackError('execution_not_in_running_state');
      Object.assign(step, { state: 'error' in end ? 'failed' : 'completed', ...end });
      const found = open.get(step.execution);
      if (found === undefined) return;
      tell(found.run);
      found.ended();
    },
    admit(token) {
      const given = tokens.get(token);
      if (given === undefined) throw new SlackError('invalid_auth');
      if (given.step.state !== 'running') throw new SlackError('token_revoked');
      if (clock.now() - given.at > limits.stepToken) throw new SlackError('token_expired');
      return given.team;
    },
  };
}
