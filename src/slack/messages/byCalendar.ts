import type { ContextBlock } from '@slack/types';
import { timesToType } from '../../features/schedules/scheduleLines.ts';
import type { Job } from '../../store/jobs/job.ts';
import { context } from '../blocks/blocks.ts';
import { titleOf } from './jobWords.ts';

/** The first line of a message about a run of a schedule, which names it; none for other jobs. */
export function byCalendar(job: Job): ContextBlock[] {
  const { schedule, rhythm, zone } = job;
  if (schedule === null) return [];
  const times = rhythm === null || zone === null ? '' : `, ${timesToType({ rhythm, zone })}`;
  return [context(`:calendar: By schedule: *${titleOf(job)}*${times}`)];
}
