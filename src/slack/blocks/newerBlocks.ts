import type { AnyBlock, TaskCardBlock } from '@slack/types';
import { isTree } from '../../api/reading/jsonTree.ts';
import { chartLines, type MessageBlock } from './chart.ts';
import { tableLines } from './dataTable.ts';
import { bold, plain } from './mrkdwn.ts';

const newerKinds = ['data_table', 'data_visualization', 'container', 'plan', 'task_card', 'alert', 'card'] as const;

/** A block that Slack brings to its workspaces and clients by and by, each kind at its own time. */
export type NewerBlock = Extract<MessageBlock | AnyBlock, { type: (typeof newerKinds)[number] }>;

/** Whether a workspace may refuse a block because it does not have that kind yet. */
export function isNewer(block: MessageBlock | AnyBlock): block is NewerBlock {
  return newerKinds.some(kind => kind === block.type);
}

/** The newer kinds among blocks, each once, in the order of a table of them. */
export function kindsIn(blocks: readonly (MessageBlock | AnyBlock)[]): readonly string[] {
  return newerKinds.filter(kind => blocks.some(({ type }) => type === kind));
}

/** The sign that stands for the level of an alert where there are no alerts. */
export const warningSigns = {
  info: ':information_source:',
  success: ':white_check_mark:',
  warning: ':warning:',
  error: ':no_entry:',
} as const;

/** The sign that stands for the status of a task where there are no task cards. */
const taskSigns = {
  pending: ':white_circle:',
  in_progress: ':hourglass_flowing_sand:',
  complete: ':white_check_mark:',
  error: ':x:',
} as const satisfies Record<TaskCardBlock['status'], string>;

/** The content of a newer block as lines of mrkdwn; of a container its title, and of a card all but its buttons. */
export function olderLines(block: NewerBlock): string[] {
  switch (block.type) {
    case 'data_table':
      return tableLines(block);
    case 'data_visualization':
      return chartLines(block);
    case 'container':
      return [bold(block.title?.text ?? '')];
    case 'plan':
      return [bold(block.title), ...(block.tasks ?? []).flatMap(task => (isTask(task) ? taskLine(task) : []))];
    case 'task_card':
      return [taskLine(block)];
    case 'alert': {
      const { level = 'default', text } = block;
      const said = text.type === 'mrkdwn' ? text.text : plain(text.text, text.text.length * 5);
      return [level === 'default' ? said : `${warningSigns[level]} ${said}`];
    }
    case 'card': {
      const { title, subtitle, body } = block;
      return [title && `*${title.text}*`, subtitle?.text, body?.text].flatMap(text => text || []);
    }
  }
}

function isTask(task: TaskCardBlock | Record<string, unknown>): task is TaskCardBlock {
  return task.type === 'task_card';
}

function taskLine({ status, title, details }: TaskCardBlock): string {
  const said = (details?.elements ?? [])
    .flatMap(part =>
      part.elements.flatMap(piece => ('text' in piece && typeof piece.text === 'string' ? piece.text : [])),
    )
    .join('');
  return `${taskSigns[status]} ${plain(title, 256)}${said === '' ? '' : ` · ${plain(said, 300)}`}`;
}

/** The parts of blocks of which Slack counts every character twice. */
const countedTwice: readonly string[] = ['details', 'output'];

/** The number of characters of all texts in blocks, as Slack counts them for a message. */
export function charactersIn(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, part) => sum + charactersIn(part), 0);
  if (!isTree(value)) return 0;
  return Object.entries(value).reduce((sum, [key, part]) => {
    if ((key === 'text' || key === 'title') && typeof part === 'string') return sum + part.length;
    return sum + charactersIn(part) * (countedTwice.includes(key) ? 2 : 1);
  }, 0);
}
