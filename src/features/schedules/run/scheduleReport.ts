import type { FactReader, Parts } from '../../../jobs/parts.ts';
import type { Words } from '../../../slack/blocks/blocks.ts';
import type { AnsweredCommand } from '../../../slack/house.ts';
import type { NewNotice } from '../../../store/tables/outboxRows.ts';
import type { Schedule } from '../schedule.ts';

/* A report by the calendar is no job: schedules run it, and another feature makes it. */

/** What came of a run: a `failed` one has a message that says why, so that silence never means that nothing was read. */
export type ReportRun = Readonly<{ outcome: 'succeeded' | 'failed'; notices: readonly NewNotice[] }>;

/** Makes reports with the sign-in of their runs. */
export type ReportReader = FactReader & Parts<'things' | 'account' | 'keepersOf'>;

/** Makes the report of a schedule. @throws {Failure} `signed-out` where the sign-in for it has ended */
export type ReportMaker = (parts: ReportReader, schedule: Schedule, plannedAt: number) => Promise<ReportRun>;

/** What makes the reports that schedules run. */
export type ReportMaking = Readonly<{ makeReport: ReportMaker }>;

/** All about reports by the calendar: their making, their command, and the words of their messages. */
export type ReportWork<Needs> = Readonly<{
  make: ReportMaker;
  commands: readonly AnsweredCommand<Needs>[];
  words: Readonly<Record<string, Words>>;
}>;
