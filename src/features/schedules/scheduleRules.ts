import { type Calendar, Rhythm } from '../../ground/calendar.ts';
import { minute } from '../../ground/durations.ts';
import { digestOfPermitted } from '../../jobs/approval/facts/digest.ts';
import { allowsOnSchedule, type Policy } from '../../jobs/approval/policy/rules.ts';
import { formOperation, jobOperation } from '../../operations/catalogue.ts';
import { isBackup } from '../../operations/databases.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { Schedule } from './schedule.ts';

/** The name of the operation of a report, which is no job (protection/runReport.ts). */
export const reportOperation = 'report';

/** Says why a schedule that is a report does not run. */
export const noReports = 'Nothing makes reports here any more.';

/** Whether the catalogue lets an operation run by the calendar. */
export function isSchedulable(operation: Pick<JobOperation, 'schedulable'>): boolean {
  return operation.schedulable === true;
}

/** Says in one sentence why an operation cannot be scheduled; `undefined` where it can. */
export function scheduleFault(policy: Policy, operation: JobOperation): string | undefined {
  if (!isSchedulable(operation))
    return 'This operation can’t be scheduled. Backups, log backups, refreshes, starts, stops and renewals can.';
  if (!allowsOnSchedule(policy, operation))
    return `No rule of the policy lets this run by itself. A rule with “operation: ${operation.name}” and “schedule: allow” does.`;
  return undefined;
}

/** The parts of a schedule that say when it runs. */
type Timed = Pick<Schedule, 'rhythm' | 'zone'>;

/** The calendar of a schedule. @throws Error for a rhythm that only another release knows */
export function calendarOf({ rhythm, zone }: Timed): Calendar {
  return { rhythm: Rhythm.parse(JSON.parse(rhythm)), zone };
}

/** The parts of a schedule that people approve. */
type Approvable = Timed &
  Pick<Schedule, 'team' | 'person' | 'channel' | 'operation' | 'values' | 'target' | 'targetName' | 'madeAt'>;

/**
 * Digests all that an approval of a schedule rests on: the work with its values, the target with what it is recognised
 * by, the times, the channel and the owner.
 */
export function digestOfSchedule(schedule: Approvable): string {
  const { team, person, channel, operation, values, target, targetName, madeAt, rhythm, zone } = schedule;
  const sorted = Object.entries(values).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return digestOfPermitted([
    ...[team, person, channel, operation, sorted],
    ...[target, targetName, madeAt, rhythm, zone],
  ]);
}

/** Whether those who approve let exactly this run with the service account. */
export function isApprovedSchedule(schedule: Approvable & Pick<Schedule, 'approvedBy' | 'digest'>): boolean {
  return schedule.approvedBy.length > 0 && schedule.digest === digestOfSchedule(schedule);
}

/** The time for which a run may fail to begin before anybody hears of it, in milliseconds. */
const quietFor = 30 * minute;

/** Whether a run that was planned for a time has not begun for so long that people hear of it. */
export function isOverdue(plannedAt: number | null, now: number): plannedAt is number {
  return plannedAt !== null && now - plannedAt >= quietFor;
}

/** Says that this release cannot run a schedule. */
export const unknownWork = 'This version of Dolly does not know what it runs.';

/** The operation of a schedule’s runs; `undefined` for a report, and for one that this release does not know. */
export function operationOfSchedule({ kind, operation }: Pick<Schedule, 'kind' | 'operation'>) {
  return kind === 'job' ? jobOperation(operation) : undefined;
}

/** Whether a schedule only backs up: no database is to be without a backup for a missing click or for failures. */
export function onlyBacksUp(schedule: Pick<Schedule, 'kind' | 'operation'>): boolean {
  const known = operationOfSchedule(schedule);
  return known !== undefined && isBackup(formOperation(known));
}
