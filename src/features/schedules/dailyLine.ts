import { nextRun } from '../../ground/calendar.ts';
import { day } from '../../ground/durations.ts';
import type { Parts } from '../../jobs/parts.ts';
import type { NewNotice } from '../../store/tables/notices.ts';
import { dailyAt } from './nextOfSchedule.ts';
import { type Schedule, schedules } from './schedule.ts';
import type { ScheduleNotice } from './scheduleNotice.ts';

/** Adds to the notices of a day. */
type LineAdder = Parts<'jobs' | 'things' | 'notices'>;

/**
 * Adds the line of a day about the runs in a channel of which only failures are told, once a day and channel: after
 * nine o’clock of the zone that comes to it first. It counts the day before that moment. Gives whether it added one.
 */
export async function addDailyLine(parts: LineAdder, schedule: Schedule, now: number): Promise<boolean> {
  const { team, channel, zone, tells } = schedule;
  if (tells !== 'failures') return false;
  const until = lastDaily(zone, now);
  // The day by its UTC date at noon: the same in every zone for the nine o’clock of one day.
  const date = new Intl.DateTimeFormat('sv', { timeZone: zone }).format(until);
  const id = JSON.stringify(['schedules of a day', team, channel, date]);
  if (await parts.notices.find(id)) return false;
  const since = nextRun({ rhythm: { every: 'day', at: dailyAt }, zone }, until - 2 * day) ?? until - day;
  const all = await parts.things.list(schedules, { team, channel, withOver: true });
  const ids = all.filter(one => one.tells === tells).map(one => one.id);
  const counts = await parts.jobs.countRuns({ team, channel, schedules: ids }, { since, until });
  if (counts.well + counts.failed + counts.open + counts.left === 0) return false;
  const data = { what: 'daily', zone, counts, until, plannedAt: since } satisfies Partial<ScheduleNotice>;
  const notice: NewNotice = {
    ...{ id, subject: `schedules of ${team} ${channel}`, team, kind: 'schedule', createdAt: now, data },
    isNews: true,
    to: { channel },
  };
  await parts.notices.add([notice]);
  return true;
}

/** The last nine o’clock of a zone up to now. */
function lastDaily(zone: string, now: number): number {
  const calendar = { rhythm: { every: 'day', at: dailyAt }, zone } as const;
  let last = nextRun(calendar, now - 2 * day) ?? now;
  for (let time = nextRun(calendar, last); time !== undefined && time <= now; time = nextRun(calendar, time))
    last = time;
  return last;
}
