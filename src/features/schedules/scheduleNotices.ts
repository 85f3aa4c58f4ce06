import type { NewNotice } from '../../store/tables/notices.ts';
import type { Schedule } from './schedule.ts';
import type { ScheduleNotice, ScheduleTold } from './scheduleNotice.ts';

/** The kinds of messages that have buttons, which the next change of their schedule takes away. */
const withButtons: readonly ScheduleTold[] = ['failing', 'paused', 'signed out', 'owner left'];

/** Makes the messages of a step of a schedule: the same for each place. */
export function noticesOf(
  schedule: Schedule,
  what: ScheduleTold,
  to: readonly NewNotice['to'][],
  { now, ...more }: Readonly<{ now: number }> & Partial<ScheduleNotice>,
): readonly NewNotice[] {
  const { id, team, revision, kind, operation, target, targetName, person, rhythm, zone, lastJob: job } = schedule;
  const about = { kind, operation, target, targetName, person, rhythm, zone, job, nextAt: schedule.plannedAt };
  // The message names the revision that its step writes: its buttons are for the schedule as it is then.
  const data = { ...about, ...more, what, schedule: id, revision: revision + 1 } satisfies ScheduleNotice;
  return to.map(place => ({
    id: JSON.stringify([id, revision, what, ...Object.values(place)]),
    isNews: !withButtons.includes(what),
    ...{ subject: id, team, kind: 'schedule', createdAt: now, data, to: place },
  }));
}
