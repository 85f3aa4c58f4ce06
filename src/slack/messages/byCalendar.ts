import type { ContextBlock } from '@slack/types';
import type { Job } from '../../store/jobs/job.ts';
import { context } from '../blocks/blocks.ts';
import { timesToType } from '../schedules/scheduleLines.ts';
import { titleOf } from './jobWords.ts';

/** The first line of a message about a run of a schedule, which names it; none for other jobs. */
export function byCalendar(job: Job): ContextBlock[] {
  if (job.schedule === null) return [];
  // The reason of a run ends with its times (scheduleRun.ts).
  const [, times] = /It runs by its schedule: (.+)\.$/.exec(job.purpose ?? '') ?? [];
  return [context(`:calendar: By schedule: *${titleOf(job)}*${times === undefined ? '' : `, ${timesToType(times)}`}`)];
}
