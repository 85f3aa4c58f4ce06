import type { Job } from '../../store/jobs/rows/job.ts';
import { actionsRow, type Content, context, message, section } from '../blocks/blocks.ts';
import type { CommandNames } from '../desk/interaction.ts';
import { commandLine } from '../messages/approval/requestLine.ts';
import { type ButtonView, jobButtons } from '../messages/jobButtons.ts';
import { headOf } from '../messages/jobMessage.ts';
import { lackingSentence, titleOf } from '../messages/jobWords.ts';

/**
 * The message of a job for its person alone: why nothing was done, or why nothing was sent yet, the button that goes on
 * from there, and the request in a small line.
 */
export function aloneMessage(job: Job, names: CommandNames, view: ButtonView = {}): Content {
  const buttons = jobButtons(job, 'card', view);
  const request = [titleOf(job), commandLine(job, names)].filter(Boolean).join('  ·  ');
  return message([
    section(headOf(job, { lacking: lackingSentence(job) })),
    ...actionsRow(buttons, 'job'),
    context(request),
  ]);
}
