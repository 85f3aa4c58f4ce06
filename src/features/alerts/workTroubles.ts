import { day, minute } from '../../ground/durations.ts';
import { jobOperation } from '../../operations/catalogue.ts';
import { writeMinute } from '../../operations/requests/keepFor.ts';
import { tookWords } from '../../slack/blocks/durationWords.ts';
import type { Dealing } from '../../store/jobs/dealings.ts';
import type { JobTimings } from '../../store/jobs/timings.ts';
import { failuresOn } from '../schedules/run/afterRun.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { scheduleTitle } from '../schedules/scheduleLines.ts';
import { isOverdue } from '../schedules/scheduleRules.ts';
import type { Shown } from './newsOf.ts';

/* Trouble with Dolly’s own work on a record: runs by the calendar, and jobs that take too long. */

/** Whether the schedules of a record fail again and again, which rings; or a run was left out, or could not begin. */
export function runTrouble(all: readonly Schedule[], record: string, at: number): Shown {
  const failing = all.find(one => failuresOn(one, record) > 0);
  if (failing)
    return { is: 'yes', words: `${scheduleTitle(failing)}: its last ${failuresOn(failing, record)} runs failed` };
  // A schedule for an environment is in trouble with a member only where its runs fail there.
  const schedules = all.filter(({ target }) => target === record);
  const waiting = schedules.find(({ plannedAt }) => isOverdue(plannedAt, at));
  if (waiting?.plannedAt != null) {
    const why = waiting.reason === null ? '' : `: ${waiting.reason}`;
    const words = `${scheduleTitle(waiting)}: its run of ${writeMinute(waiting.plannedAt)} has not begun${why}`;
    return { is: 'yes', isQuiet: true, since: waiting.plannedAt, words };
  }
  const left = schedules.find(({ leftAt }) => leftAt != null);
  if (left?.leftAt == null) return { is: 'no' };
  const words = `${scheduleTitle(left)}: its run of ${writeMinute(left.leftAt)} was skipped`;
  return { is: 'yes', isQuiet: true, since: left.leftAt, words };
}

/** The usual times of jobs by operation and target, in milliseconds. */
export type UsualTimes = ReadonlyMap<string, number>;

/** Jobs of the same kind on the same record that say what is usual, at least; and the reach of that. */
const leastJobs = 3;
const reach = { time: 60 * day, jobs: 1_000 } as const;
/** The time beyond twice the usual one after which a job takes too long, in milliseconds. */
const slack = 10 * minute;

/** Reads what is usual where a job is under way for longer than the least that may be too long. */
export async function usualDurations(
  jobs: JobTimings,
  { team, dealings, at }: Readonly<{ team: string; dealings: readonly Dealing[]; at: number }>,
): Promise<UsualTimes> {
  const isLong = ({ sentAt, endedAt }: Dealing) => endedAt === null && sentAt !== null && at - sentAt > slack;
  if (!dealings.some(isLong)) return new Map();
  const { timings } = await jobs.timings(team, { from: at - reach.time, before: { at: at + 1, id: '' } }, reach.jobs);
  const grouped = Map.groupBy(timings, ({ operation, target }) => `${operation} ${target}`);
  return new Map(
    [...grouped].flatMap(([key, some]) => {
      const times = some.map(({ took }) => took).toSorted((one, other) => one - other);
      const median = times[Math.floor(times.length / 2)];
      return times.length < leastJobs || median === undefined ? [] : [[key, median] as const];
    }),
  );
}

/** Whether a job on a record runs for longer than twice its usual time and ten minutes. */
export function slowTrouble(dealings: readonly Dealing[], usual: UsualTimes, at: number): Shown {
  for (const { operation, target, sentAt, endedAt, person, schedule } of dealings) {
    const time = usual.get(`${operation} ${target}`);
    if (time === undefined || sentAt === null || endedAt !== null) continue;
    const since = sentAt + 2 * time + slack;
    if (since > at) continue;
    const known = jobOperation(operation);
    const called = known?.type === 'write' ? known.title({}) : operation;
    const words = `${called} runs for ${tookWords(at - sentAt)}, usually ${tookWords(time)}`;
    return { is: 'yes', since, words, by: { operation, person, schedule } };
  }
  return { is: 'no' };
}
