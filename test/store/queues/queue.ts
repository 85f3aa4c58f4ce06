import type { Store } from '../../../src/store/database.ts';

/* The shape in which each queue enters the conformance suite. Times are milliseconds since the epoch. */

/** A row that is due for work. Its id is the test’s own; the adapter makes the queue’s key of it. */
export type DueRow = Readonly<{
  id: string;
  dueAt: number;
  team?: string;
  person?: string;
  /** Puts the row into the class that the queue serves first, where it has classes. */
  isUrgent?: boolean;
}>;

/** A row that a process has taken, with what this process can do about it from what it read. */
export type Held = Readonly<{
  id: string;
  /** Extends the lock. A queue without it cannot keep a row for longer than one lock. */
  renew?: (until: number) => Promise<unknown>;
  /** Puts the row off. */
  rest: (dueAt: number) => Promise<unknown>;
  /** Puts the row off after a failed try, by the pause that the queue’s loop takes. */
  fail: (now: number) => Promise<unknown>;
  /** Notes that the work is done. Only the process that has the row may say so. */
  note?: (now: number) => Promise<unknown>;
  /** Takes the thing to its end by compare-and-set; tells whether it was written. Anybody may, and the first one counts. */
  step?: (now: number) => Promise<boolean>;
}>;

/** A queue in the hands of one process. */
export type Process = Readonly<{
  take: (now: number, max: number) => Promise<readonly Held[]>;
  nextTime: (after?: number) => Promise<number | undefined>;
  /** `false` where its loop takes at each turn, without asking for the next time first. */
  asksFirst?: false;
  /** The search that its loop makes at its beginning or once a minute, whether or not it noticed a clock that was set. */
  search?: (now: number) => Promise<unknown>;
  /** The search that its loop makes where it notices that its own clock was set. */
  recall?: (now: number) => Promise<unknown>;
}>;

/** The columns of a row that make it part of a queue. The time is `null` where nothing is due any more. */
export type RowState = Readonly<{ dueAt: number | null; lockedUntil: number; tries: number }>;

/** A queue of today. `said` hears of each row that cannot be read. */
export type QueueCase = Readonly<{
  /** The column of its lock, as `table.column`. */
  lock: string;
  /** Max rows that its loop takes at once. */
  max: number;
  put: (store: Store, rows: readonly DueRow[]) => Promise<unknown>;
  begin: (store: Store, said?: () => void) => Process;
  see: (store: Store, id: string) => Promise<RowState | undefined>;
  /** Writes into a row what no release can read. A queue whose rows are all numbers has none. */
  spoil?: (store: Store, id: string) => Promise<unknown>;
  /** Lets its loop make a turn while the app is installed nowhere. */
  turnUninstalled?: (store: Store, now: number) => Promise<unknown>;
}>;

/** Inserts rows in parts: a statement of SQLite has room for 32,766 values. */
export async function inParts<Row>(rows: readonly Row[], insert: (some: Row[]) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < rows.length; from += 250) await insert(rows.slice(from, from + 250));
}
