import type { Values } from '../operations/operation.ts';
import type { NewNotice } from '../store/tables/outboxRows.ts';
import type { Owner } from '../store/vault.ts';

/*
 * A report by the calendar is no job: schedules run it, and the feature that knows what is to be told makes it. Neither
 * knows the other.
 */

/** A report that is due: the schedule that runs it, its words, and the channel that it is for. */
export type DueReport = Owner &
  Readonly<{
    /** The id of its schedule. */
    id: string;
    channel: string;
    /** Whose sign-in it reads with. */
    runsAs: 'owner' | 'service';
    values: Values;
    /** The time by its calendar of the last run. */
    lastAt: number | null;
    plannedAt: number;
  }>;

/** What came of it: a `failed` one has a message that says why, so that silence never means that nothing was read. */
export type MadeReport = Readonly<{ outcome: 'succeeded' | 'failed'; notices: readonly NewNotice[] }>;
