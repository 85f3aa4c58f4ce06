import { z } from 'zod';
import { day } from '../../ground/durations.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { readerOf } from '../../jobs/approval/policy/mayUseAccount.ts';
import type { Parts } from '../../jobs/parts.ts';
import { isAccount } from '../../store/serviceOwner.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import type { ReportReader, ReportRun } from '../schedules/run/scheduleReport.ts';
import type { Schedule } from '../schedules/schedule.ts';
import { readSummary } from './readSummary.ts';
import { isWrong, ProtectionSummary } from './summary.ts';

/** The values of a schedule that is a report: the words that its records match, and when there is a message at all. */
const ReportValues = z.object({ words: z.string().catch(''), only: z.enum(['wrong', 'all']).catch('all') });

/** The values of a report as a schedule has them. Words are kept as they were typed. */
export function reportValues({ values }: Pick<Schedule, 'values'>): z.infer<typeof ReportValues> {
  return ReportValues.parse(values);
}

/** The message of a report: the summary with the sign-in that read it, or the reason why there is none. */
export const ReportNotice = z.union([
  z.object({ summary: ProtectionSummary, reader: z.union([z.literal('service'), z.object({ person: z.string() })]) }),
  z.object({ fault: z.string(), person: z.string() }),
]);
export type ReportNotice = z.infer<typeof ReportNotice>;

/** The longest time that a report looks back for failed jobs. */
const longest = 8 * day;

/**
 * Runs a report for its channel. It reads with the service account where the subscriber may use it at this moment, else
 * with the subscriber’s own sign-in.
 * @throws {Failure} `signed-out` where that sign-in has ended
 */
export async function runReport(parts: ReportReader, schedule: Schedule, plannedAt: number): Promise<ReportRun> {
  const { only } = reportValues(schedule);
  try {
    const told = await readFor(parts, schedule);
    const isTold = only === 'all' || isWrong(told.summary);
    return { outcome: 'succeeded', notices: isTold ? [noticeOf(parts, schedule, plannedAt, told)] : [] };
  } catch (error) {
    if (isSignedOut(error)) throw error;
    parts.log.warn({ error, schedule: schedule.id }, 'a report could not be made');
    const told = { fault: sentence(error), person: schedule.person };
    return { outcome: 'failed', notices: [noticeOf(parts, schedule, plannedAt, told)] };
  }
}

async function readFor(parts: ReportReader, schedule: Schedule) {
  const { person, channel, lastAt } = schedule;
  const reader = await readerOf(parts, schedule);
  const now = parts.clock.now();
  const summary = await readSummary(parts, {
    reader,
    notBefore: now,
    turn: Math.floor(now / day),
    words: reportValues(schedule).words.split(/\s+/).filter(Boolean),
    since: Math.min(now - day, Math.max(now - longest, lastAt ?? now)),
    told: isAccount(reader) ? 'all' : { person, place: channel },
  });
  return { summary, reader: isAccount(reader) ? ('service' as const) : { person } };
}

function noticeOf(
  { clock }: Parts<'clock'>,
  { id, team, channel, person }: Schedule,
  plannedAt: number,
  data: ReportNotice,
): NewNotice {
  const about = { subject: id, isNews: true, team, kind: 'report', createdAt: clock.now() };
  return { id: JSON.stringify(['report', id, plannedAt]), ...about, data, to: { channel, person } };
}
