import { useState } from 'preact/hooks';
import type { Workflow } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { post } from '../requests.ts';
import { type DraftStep, draftsOf, stepsOf, variablesFor } from '../workflow-inputs.ts';
import { Icon } from './icon.tsx';
import { ParameterField } from './parameter-field.tsx';

/** A tiny Workflow Builder: a name, and steps of the app with their inputs. */
export function WorkflowForm({ workflow, close }: { workflow: Workflow | undefined; close(): void }) {
  const { data } = usePage();
  const [first = ''] = Object.keys(data.functions);
  const [name, setName] = useState(workflow?.name ?? '');
  const [drafts, setDrafts] = useState<DraftStep[]>(
    workflow ? draftsOf(workflow.steps) : [{ function: first, texts: {} }],
  );
  const [error, setError] = useState('');

  async function save(): Promise<void> {
    const steps = stepsOf(drafts, data.functions);
    const which = workflow ? { id: workflow.id } : {};
    const answer = await post('/play/workflow', { as: data.me.id, ...which, name, steps });
    if (answer.ok) close();
    else setError(answer.error);
  }
  function change(at: number, draft: DraftStep): void {
    setDrafts(drafts.with(at, draft));
    setError('');
  }

  return (
    <form
      class="workflow-form"
      aria-label={workflow ? `Change ${workflow.name}` : 'New workflow'}
      noValidate
      onSubmit={event => {
        event.preventDefault();
        void save();
      }}
    >
      <div class="parameter">
        <label for="workflow-name">Name of the workflow</label>
        <input
          id="workflow-name"
          type="text"
          value={name}
          required
          onInput={event => setName(event.currentTarget.value)}
        />
      </div>
      <p class="hint">It begins when somebody starts it in a channel.</p>
      <ol class="step-list">
        {[...drafts.keys()].map(at => (
          <li key={at}>
            <StepFields
              at={at}
              drafts={drafts}
              change={changed => change(at, changed)}
              remove={drafts.length > 1 ? () => setDrafts(drafts.toSpliced(at, 1)) : undefined}
            />
          </li>
        ))}
      </ol>
      <button type="button" class="button" onClick={() => setDrafts([...drafts, { function: first, texts: {} }])}>
        <Icon name="plus" /> Add a step
      </button>
      {error && (
        <p class="modal-failure" role="alert">
          {error}
        </p>
      )}
      <div class="dialog-buttons">
        <button type="button" class="button" onClick={close}>
          Cancel
        </button>
        <button type="submit" class="button primary">
          Save the workflow
        </button>
      </div>
    </form>
  );
}

function StepFields({
  at,
  drafts,
  change,
  remove,
}: {
  at: number;
  drafts: readonly DraftStep[];
  change(draft: DraftStep): void;
  remove: (() => void) | undefined;
}) {
  const { data } = usePage();
  const draft = drafts[at] ?? { function: '', texts: {} };
  const declared = data.functions[draft.function];
  const variables = variablesFor(drafts, at, data.functions);
  return (
    <fieldset class="step">
      <legend>Step {at + 1}</legend>
      <div class="step-head">
        <select
          aria-label={`Step ${at + 1}`}
          value={draft.function}
          onChange={event => change({ function: event.currentTarget.value, texts: {} })}
        >
          {Object.entries(data.functions).map(([name, { title }]) => (
            <option key={name} value={name}>
              {title}
            </option>
          ))}
        </select>
        {remove && (
          <button type="button" class="icon-button" aria-label={`Remove step ${at + 1}`} onClick={remove}>
            <Icon name="close" />
          </button>
        )}
      </div>
      {declared?.description && <p class="hint">{declared.description}</p>}
      {Object.entries(declared?.input_parameters ?? {}).map(([name, parameter]) => (
        <ParameterField
          key={`${draft.function} ${name}`}
          name={name}
          parameter={parameter}
          text={draft.texts[name] ?? ''}
          variables={variables}
          write={text => change({ ...draft, texts: { ...draft.texts, [name]: text } })}
        />
      ))}
    </fieldset>
  );
}
