import type { KnownBlock } from '@slack/types';
import { scheduleRequest } from '../../../operations/requests/scheduleRequest.ts';
import { workflowRequest } from '../../../operations/requests/workflowRequest.ts';
import type { Job } from '../../../store/jobs/rows/job.ts';
import { section } from '../../blocks/blocks.ts';
import { bold, code, inFull, localTimes, plain } from '../../blocks/limits.ts';

/** How long each standing permission lasts, in words. */
const until: Readonly<Record<string, string>> = {
  [scheduleRequest.name]: 'with nobody at the screen, until somebody pauses or deletes it',
  [workflowRequest.name]: 'whenever the workflow asks for exactly this, until that person takes it back',
};

/**
 * Exactly what a request for a standing permission asks to approve, that a schedule or a workflow's step runs with the
 * service account, a line each; nothing for other requests. Each change of one of these is asked about anew.
 */
export function approvedPermission({ operation, values, target, targetName, channel, person }: Job): KnownBlock[] {
  const lasts = until[operation];
  if (lasts === undefined) return [];
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  const whole = (name: string) => plain(text(name), 5 * text(name).length);
  const name = targetName ?? target;
  const isSchedule = operation === scheduleRequest.name;
  const lines = [
    ['Workflow', text('workflow') && bold(text('workflow'), 5 * text('workflow').length)],
    ['Does', whole('work')],
    ['Target', name === target ? code(target) : `${bold(name, 100)} (${code(target)})`],
    ['When', text('times') && inFull(text('times'))],
    ['Next runs', text('next') && localTimes(plain(text('next').replaceAll(', ', '  ·  '), 200))],
    ['Messages', /^[CG]/.test(channel) ? `in <#${channel}>` : `to ${isSchedule ? 'the owner' : 'its person'} alone`],
    [isSchedule ? 'Owner' : 'In the name of', `<@${person}>`],
    ['Runs with', `the service account, ${lasts}`],
  ];
  const given = lines.filter(([, said]) => said !== '');
  return [section(given.map(([label, said]) => `*${label}*: ${said}`).join('\n'))];
}
