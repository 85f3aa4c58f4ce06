import { child, list, string } from '../blocks.ts';
import { Plain } from './mrkdwn-text.tsx';
import { RichText } from './rich-text.tsx';

/** How each status looks, and how it is said. */
const shown: Readonly<Record<string, readonly [sign: string, name: string]>> = {
  pending: ['○', 'Not begun'],
  in_progress: ['◔', 'Under way'],
  complete: ['✓', 'Done'],
  error: ['✕', 'Failed'],
};

/** A plan block: its title, and its tasks one under the other. */
export function Plan({ block }: { block: unknown }) {
  return (
    <details class="plan" open>
      <summary class="plan-title">
        <Plain text={string(block, 'title')} />
      </summary>
      <ol>
        {list(block, 'tasks').map((task, at) => (
          <li key={string(task, 'task_id') || at}>
            <TaskCard task={task} />
          </li>
        ))}
      </ol>
    </details>
  );
}

/** A task card: its status and title, with what there is to say below. */
export function TaskCard({ task }: { task: unknown }) {
  const status = string(task, 'status') || 'pending';
  const [sign = '○', name = status] = shown[status] ?? [];
  const said = [child(task, 'details'), child(task, 'output')].map(part => list(part, 'elements'));
  return (
    <div class={`task task-${status}`}>
      <span class="task-sign" role="img" aria-label={name}>
        {sign}
      </span>
      <div class="task-text">
        <Plain text={string(task, 'title')} />
        {said.map((elements, at) => elements.length > 0 && <RichText key={at} elements={elements} />)}
      </div>
    </div>
  );
}
