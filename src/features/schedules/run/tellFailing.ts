import type { Parts } from '../../../jobs/parts.ts';
import { subscriptionId, subscriptions } from '../../../store/tables/alerts/alertRows.ts';
import type { Schedule, ScheduleStep } from '../schedule.ts';
import { noticesOf, toChannel } from '../scheduleNotice.ts';
import { failuresOn } from './afterRun.ts';
import { isForEnvironment } from './membersOfRun.ts';
import { dueTimeOfSchedule } from './nextOfSchedule.ts';

/** Knows what the alerts of a channel tell. */
type AlertReader = Parts<'things' | 'sights'>;

/** Tells of runs that fail, unless that is known. */
type FailureTeller = AlertReader & Parts<'standingOf'>;

/** Whether alerts of runs are on in the channel of a schedule, and how the record last looked to whoever looks for them. */
async function alertsAbout({ things, sights }: AlertReader, { team, channel }: Schedule, record: string) {
  const alerts = await things.find(subscriptions, subscriptionId(team, channel));
  const [sight] = alerts ? await sights.of(alerts.watcher, [record]) : [];
  return { isOn: alerts?.state === 'on' && alerts.kinds.includes('runs'), sight };
}

/**
 * Whether the channel of a schedule hears of trouble with its runs on this record by an incident: alerts of that kind are
 * on there, and whoever looks for them sees the record. Then the schedule does not say it, too.
 */
export async function isToldByAlerts(
  parts: AlertReader,
  schedule: Schedule,
  record = schedule.target,
): Promise<boolean> {
  const { isOn, sight } = await alertsAbout(parts, schedule, record);
  return isOn && sight?.goneAt === null;
}

/**
 * Whether the alerts of its channel did tell that a run was left out. They may not have looked in between: the service, or
 * Dolly itself, was away.
 */
export async function wasToldByAlerts(parts: AlertReader, schedule: Schedule): Promise<boolean> {
  const { sight } = await alertsAbout(parts, schedule, schedule.target);
  return sight?.troubles.runs?.state === 'stands';
}

/** The step of a schedule by which its channel hears that its runs fail again and again; `undefined` where none do. */
export async function tellFailing(
  parts: FailureTeller,
  schedule: Schedule,
  now: number,
): Promise<ScheduleStep | undefined> {
  const { members, failures } = schedule;
  if (!schedule.untold?.length) return undefined;
  // It waits for the end of maintenance, and one that goes well until then tells nothing.
  const { team, channel, target: record } = schedule;
  if ((await parts.standingOf({ team, channel, record, at: now }))?.is === 'in maintenance') return undefined;
  const untold = schedule.untold.filter(record => failuresOn(schedule, record) > 0);
  const told = await Promise.all(untold.map(record => isToldByAlerts(parts, schedule, record)));
  const notices = untold
    .filter((_, at) => !told[at])
    .flatMap(record => {
      const what = isForEnvironment(schedule) ? 'member failing' : 'trouble';
      const many = schedule.failing?.[record] ?? failures;
      const why =
        what === 'trouble'
          ? `Its last ${many} runs failed.`
          : `the last ${many} runs of ${members?.[record] ?? record} failed.`;
      return noticesOf(schedule, what, toChannel(schedule), { now, why, nextAt: null }).map(notice => ({
        ...notice,
        id: `${notice.id} ${record}`,
      }));
    });
  return { changes: { untold: null }, dueAt: dueTimeOfSchedule(schedule, now), notices };
}
