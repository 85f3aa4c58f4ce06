import type { StepRun, WorkflowRun } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { channelTitle } from '../conversation.ts';
import { clockTime } from '../dates.ts';
import { wordsOf } from '../workflow-inputs.ts';

const STATE_WORDS = { running: 'Running', completed: 'Completed', failed: 'Failed' } as const;

/** The runs of workflows, newest first, with what each step got and gave. */
export function WorkflowRuns() {
  const { data } = usePage();
  return (
    <section class="runs" aria-label="Runs">
      <h2>Runs</h2>
      {data.runs.length === 0 && <p class="empty">Nothing has run yet.</p>}
      <ol>
        {data.runs.toReversed().map(run => (
          <li key={run.id}>
            <Run run={run} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Run({ run }: { run: WorkflowRun }) {
  const { data } = usePage();
  const person = data.people.find(({ id }) => id === run.by);
  const channel = data.channels.find(({ id }) => id === run.channel);
  const by = person ? `by ${person.realName}` : 'by a schedule';
  const where = channel ? ` in ${channelTitle(channel, data)}` : '';
  return (
    <article class="run" aria-label={`${run.name}, ${clockTime(new Date(run.at))}`}>
      <h3>{run.name}</h3>
      <p class="hint">
        Started {by}
        {where} at {clockTime(new Date(run.at))}
      </p>
      <ol>
        {run.steps.map(step => (
          <li key={step.execution}>
            <StepCard step={step} />
          </li>
        ))}
      </ol>
    </article>
  );
}

function StepCard({ step }: { step: StepRun }) {
  const { data } = usePage();
  const declared = data.functions[step.function];
  return (
    <div class="step-run">
      <div class="step-head">
        <b>{declared?.title ?? step.function}</b>
        <span class={`step-state ${step.state}`}>{STATE_WORDS[step.state]}</span>
      </div>
      {step.error && <p class="step-error">{step.error}</p>}
      <Values title="Inputs" values={step.inputs} />
      <Values title="Outputs" values={step.outputs} />
    </div>
  );
}

function Values({ title, values }: { title: string; values: Record<string, unknown> }) {
  const entries = Object.entries(values);
  if (entries.length === 0) return null;
  return (
    <div class="step-values">
      <div class="step-values-title">{title}</div>
      <dl>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{wordsOf(value)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
