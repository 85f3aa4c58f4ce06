import type { KnownBlock } from '@slack/types';
import { workflowRequest } from '../../operations/workflowRequest.ts';
import type { Job } from '../../store/jobs/job.ts';
import { section } from '../blocks/blocks.ts';
import { bold, code, inFull, plain } from '../blocks/limits.ts';

/**
 * Exactly what a request to let a workflow's step run with the service account asks to approve, a line each; nothing for
 * other requests. Each change of one of these is asked about anew.
 */
export function approvedWorkflow(job: Job): KnownBlock[] {
  const { operation, values, target, targetName, channel, person } = job;
  if (operation !== workflowRequest.name) return [];
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  const name = targetName ?? target;
  const lines = [
    ['Workflow', bold(text('workflow'), 5 * text('workflow').length)],
    ['Does', plain(text('work'), 5 * text('work').length)],
    ['Target', name === target ? code(target) : `${bold(name, 100)} (${code(target)})`],
    [
      'With',
      text('details')
        .split('\n')
        .map(line => line && inFull(line))
        .join('\n'),
    ],
    ['Messages', /^[CG]/.test(channel) ? `in <#${channel}>` : 'to its person alone'],
    ['In the name of', `<@${person}>`],
    ['Runs with', 'the service account, whenever the workflow asks for exactly this, until that person takes it back'],
  ];
  const given = lines.filter(([, said]) => said !== '');
  return [section(given.map(([label, said]) => `*${label}*: ${said}`).join('\n'))];
}
