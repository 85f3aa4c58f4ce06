import type { PlanBlock, TaskCardBlock } from '@slack/types';
import { legible, withoutMarkup } from '../../records/legible.ts';
import { cut, limits } from './limits.ts';
import { type Piece, richLine } from './richText.ts';

/** One step of a plan: its name, how it stands, and what there is to say about it. */
export type Task = Readonly<{ title: string; status: TaskCardBlock['status']; details?: readonly Piece[] }>;

/**
 * Steps with their state, in messages only: the first ones, as many as Slack takes. No block where there are none.
 * Titles show text of people and of the service letter for letter.
 */
export function taskPlan(title: string, tasks: readonly Task[]): PlanBlock[] {
  if (tasks.length === 0) return [];
  const drawn = tasks.slice(0, limits.planTasks).map((task, at) => taskCard(`step ${at + 1}`, task));
  return [{ type: 'plan', title: cut(withoutMarkup(legible(title)), limits.planTitle), tasks: drawn }];
}

function taskCard(id: string, { title, status, details = [] }: Task): TaskCardBlock {
  const more = details.length === 0 ? {} : { details: richLine(details, limits.taskDetails) };
  return {
    type: 'task_card',
    task_id: id,
    title: cut(withoutMarkup(legible(title)), limits.taskTitle),
    status,
    ...more,
  };
}
