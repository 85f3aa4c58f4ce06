import type { KnownBlock } from '@slack/types';
import { scheduleRequest } from '../../operations/schedules.ts';
import type { Job } from '../../store/jobs/job.ts';
import { section } from '../blocks/blocks.ts';
import { bold, code, inFull, localTimes, plain } from '../blocks/limits.ts';

/**
 * Exactly what a request to let a schedule run with the service account asks to approve, a line each; nothing for other
 * requests. Each change of one of these is asked about anew.
 */
export function approvedSchedule(job: Job): KnownBlock[] {
  const { operation, values, target, targetName, channel, person } = job;
  if (operation !== scheduleRequest.name) return [];
  const text = (name: string) => (typeof values[name] === 'string' ? values[name] : '');
  const name = targetName ?? target;
  const lines = [
    ['Does', plain(text('work'), 5 * text('work').length)],
    ['Target', name === target ? code(target) : `${bold(name, 100)} (${code(target)})`],
    [
      'With',
      text('details')
        .split('\n')
        .map(line => line && inFull(line))
        .join('\n'),
    ],
    ['When', text('times') && inFull(text('times'))],
    ['Next runs', localTimes(plain(text('next').replaceAll(', ', '  ·  '), 200))],
    ['Messages', /^[CG]/.test(channel) ? `in <#${channel}>` : 'to the owner alone'],
    ['Owner', `<@${person}>`],
    ['Runs with', 'the service account, with nobody at the screen, until somebody pauses or deletes it'],
  ];
  const given = lines.filter(([, said]) => said !== '');
  return [section(given.map(([label, said]) => `*${label}*: ${said}`).join('\n'))];
}
