import { z } from 'zod';
import { day } from '../../ground/durations.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { readerOf } from '../../jobs/approval/policy/mayUseAccount.ts';
import type { FactReader, Parts } from '../../jobs/parts.ts';
import type { DueReport, MadeReport } from '../../jobs/report.ts';
import { isAccount } from '../../store/serviceOwner.ts';
import type { NewNotice } from '../../store/tables/outboxRows.ts';
import { readSummary } from './readSummary.ts';
import { isWrong, ProtectionSummary } from './summary.ts';

/** The values of a schedule that is a report: the words that its records match, and when there is a message at all. */
const ReportValues = z.object({ words: z.string().catch(''), only: z.enum(['wrong', 'all']).catch('all') });

/** The values of a report as a schedule has them. Words are kept as they were typed. */
export function reportValues({ values }: Pick<DueReport, 'values'>): z.infer<typeof ReportValues> {
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

/** Makes reports with the sign-in of their runs. */
type ReportReader = FactReader & Parts<'things' | 'account' | 'keepersOf'>;

/**
 * Makes a report for its channel. It reads with the service account where the subscriber may use it at this moment, else
 * with the subscriber’s own sign-in.
 * @throws {Failure} `signed-out` where that sign-in has ended
 */
export async function runReport(parts: ReportReader, due: DueReport): Promise<MadeReport> {
  const { only } = reportValues(due);
  try {
    const told = await readFor(parts, due);
    const isTold = only === 'all' || isWrong(told.summary);
    return { outcome: 'succeeded', notices: isTold ? [noticeOf(parts, due, told)] : [] };
  } catch (error) {
    if (isSignedOut(error)) throw error;
    parts.log.warn({ error, schedule: due.id }, 'a report could not be made');
    const told = { fault: sentence(error), person: due.person };
    return { outcome: 'failed', notices: [noticeOf(parts, due, told)] };
  }
}

async function readFor(parts: ReportReader, due: DueReport) {
  const { person, channel, lastAt } = due;
  const reader = await readerOf(parts, due);
  const now = parts.clock.now();
  const summary = await readSummary(parts, {
    reader,
    notBefore: now,
    turn: Math.floor(now / day),
    words: reportValues(due).words.split(/\s+/).filter(Boolean),
    since: Math.min(now - day, Math.max(now - longest, lastAt ?? now)),
    told: isAccount(reader) ? 'all' : { person, place: channel },
  });
  return { summary, reader: isAccount(reader) ? ('service' as const) : { person } };
}

function noticeOf(
  { clock }: Parts<'clock'>,
  { id, team, channel, person, plannedAt }: DueReport,
  data: ReportNotice,
): NewNotice {
  const about = { subject: id, isNews: true, team, kind: 'report', createdAt: clock.now() };
  return { id: JSON.stringify(['report', id, plannedAt]), ...about, data, to: { channel, person } };
}
