import { useState } from 'preact/hooks';
import type { Workflow } from '../../protocol.ts';
import { usePage } from '../context.ts';
import { channelTitle } from '../conversation.ts';
import { post } from '../requests.ts';
import { PlaceHeader } from './place-header.tsx';
import { WorkflowForm } from './workflow-form.tsx';
import { WorkflowRuns } from './workflow-runs.tsx';

/** The workflows of the workspace: built of the app's steps, started in a channel, with their runs. */
export function WorkflowsView({ openDrawer }: { openDrawer(): void }) {
  const { data } = usePage();
  const [edited, setEdited] = useState<Workflow | 'new'>();
  const mayBuild = data.me.kind === undefined;
  return (
    <>
      <PlaceHeader title="Workflows" detail="A tiny Workflow Builder" openDrawer={openDrawer} />
      <div class="home workflows" data-testid="workflows">
        {edited ? (
          <WorkflowForm workflow={edited === 'new' ? undefined : edited} close={() => setEdited(undefined)} />
        ) : (
          <>
            {data.workflows.length === 0 && (
              <p class="empty">
                A workflow puts steps of apps one after the other.
                {mayBuild ? ' Build one, and start it.' : ' Guests can start them, but not build them.'}
              </p>
            )}
            <ul class="workflow-list" aria-label="Workflows">
              {data.workflows.map(workflow => (
                <li key={workflow.id}>
                  <WorkflowCard workflow={workflow} change={() => setEdited(workflow)} />
                </li>
              ))}
            </ul>
            {mayBuild && (
              <p>
                <button type="button" class="button primary" onClick={() => setEdited('new')}>
                  New workflow
                </button>
              </p>
            )}
          </>
        )}
        <WorkflowRuns />
      </div>
    </>
  );
}

function WorkflowCard({ workflow, change }: { workflow: Workflow; change(): void }) {
  const { data, complain } = usePage();
  const rooms = data.channels.filter(({ kind }) => kind !== 'dm');
  const [channel, setChannel] = useState(rooms[0]?.id ?? '');
  const owner = data.people.find(({ id }) => id === workflow.owner);
  const titles = workflow.steps.map(({ function: name }) => data.functions[name]?.title ?? name);
  async function start(): Promise<void> {
    const answer = await post('/play/run', { as: data.me.id, workflow: workflow.id, channel });
    if (!answer.ok) complain(answer.error);
  }
  return (
    <article class="workflow" aria-label={workflow.name}>
      <h2>{workflow.name}</h2>
      <p class="hint">
        By {owner?.realName ?? workflow.owner}, version {workflow.version}
      </p>
      <p>{titles.join(' → ')}</p>
      <div class="workflow-buttons">
        <select
          aria-label={`Channel in which ${workflow.name} starts`}
          value={channel}
          onChange={event => setChannel(event.currentTarget.value)}
        >
          {rooms.map(room => (
            <option key={room.id} value={room.id}>
              {channelTitle(room, data)}
            </option>
          ))}
        </select>
        <button type="button" class="button primary" onClick={() => void start()}>
          Start {workflow.name}
        </button>
        {workflow.owner === data.me.id && (
          <button type="button" class="button" onClick={change}>
            Change {workflow.name}
          </button>
        )}
      </div>
    </article>
  );
}
