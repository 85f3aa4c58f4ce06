import { type Kysely, sql } from 'kysely';
import type { Schema } from '../database.ts';
import { addDue, hasten, removeDue } from '../dueQueue.ts';
import { noteRows } from '../history/recentRows.ts';
import { isAnyOf } from '../lists.ts';
import { oneMore, unlessThere } from '../statementParts.ts';
import type { NoticeRow } from '../things/rows.ts';

/* What others write into the outbox together with what causes it: it is in their transaction, or nothing is. */

/** The kind of messages in the queue. */
export const noticeKind = 'notice';

/**
 * A message to be sent once. It goes to a person, a channel, or the thread of a job’s or another such message. A person
 * beside a channel gets it where the channel takes nothing; with a thread beside it, it stands in that one there, where it
 * can.
 */
export type NewNotice = Pick<NoticeRow, 'id' | 'subject' | 'team' | 'kind' | 'createdAt'> &
  Readonly<{
    /** What it tells, in the shape of its kind. */
    data: unknown;
    /** Whether nothing follows on it: it never gets an outcome, and goes with the history. */
    isNews?: boolean;
    to:
      | Readonly<{ person: string }>
      | Readonly<{ channel: string; person?: string; thread?: string | null }>
      | Readonly<{ job: string }>
      | Readonly<{ thread: string }>;
  }>;

/** Adds messages to the outbox, in the transaction of their cause. */
export async function addNotices(changes: Kysely<Schema>, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ data, to, isNews = false, ...notice }) => ({
    ...{ person: null, channel: null, job: null, thread: null, ...to },
    ...{ ...notice, data: JSON.stringify(data), isNews: Number(isNews) },
    ...{ outcome: null, revision: 1, shown: 0, place: null, ts: null, arrivedAt: null, posting: null },
  }));
  const added = await changes.insertInto('outbox').values(rows).onConflict(unlessThere).returningAll().execute();
  noteNotices(changes, added);
  await addDue(
    changes,
    added.map(({ id, team, createdAt: now }) => ({ kind: noticeKind, id, team, dueAt: now, now })),
  );
}

/** Keeps rows in mind that were just written: a store may go back behind them. */
export function noteNotices(changes: Kysely<Schema>, rows: readonly NoticeRow[]): void {
  noteRows(changes, ...rows.map(row => ({ table: 'outbox' as const, row })));
}

/**
 * The end of messages: of all about something, of those of a kind, or of some; and what they say then. With `from`, of those
 * that ended with that outcome, which was the last word no longer.
 */
export type NoticesEnd = Readonly<{ outcome: string; now: number; kind?: string; notice?: string; from?: string }>;

/** Closes the messages about something: they say how it ended, and lose their buttons. */
export async function closeNotices(
  changes: Kysely<Schema>,
  subject: string,
  { outcome, now, kind: only, notice, from }: NoticesEnd,
): Promise<void> {
  const closed = await changes
    .updateTable('outbox')
    .set({ outcome, revision: oneMore('revision') })
    .where('subject', '=', subject)
    .where(({ eb }) => (from === undefined ? eb('outcome', 'is', null) : eb('outcome', '=', from)))
    .where(sql<boolean>`is_news = 0`)
    .$if(only !== undefined, query => query.where('kind', '=', only ?? ''))
    .$if(notice !== undefined, query => query.where('id', '=', notice ?? ''))
    .returningAll()
    .execute();
  noteNotices(changes, closed);
  await hasten(changes, noticeKind, closed, now);
}

/** A message that says something else from now on. `outcome` ends it, or opens it again. */
export type RedrawnNotice = Readonly<{ notice: string; data: unknown; outcome?: string | null }>;

/** Draws messages anew, in the transaction of the cause. */
export async function redrawNotices(changes: Kysely<Schema>, drawn: readonly RedrawnNotice[], now: number) {
  for (const { notice, data, ...ended } of drawn) {
    const row = await changes
      .updateTable('outbox')
      .set({ ...ended, data: JSON.stringify(data), revision: oneMore('revision') })
      .where('id', '=', notice)
      .returningAll()
      .execute();
    noteNotices(changes, row);
  }
  await hasten(
    changes,
    noticeKind,
    drawn.map(({ notice: id }) => ({ id })),
    now,
  );
}

/** Deletes the messages about things that are deleted in the same transaction; with `before`, only the older ones. */
export async function removeNotices(
  changes: Kysely<Schema>,
  about: readonly Readonly<{ id: string }>[],
  before?: number,
): Promise<void> {
  if (about.length === 0) return;
  const subjects = about.map(({ id }) => id);
  const gone = await changes
    .deleteFrom('outbox')
    .where(isAnyOf('subject', subjects))
    .$if(before !== undefined, query => query.where('createdAt', '<', before ?? 0))
    .returning('id')
    .execute();
  await removeDue(changes, noticeKind, gone);
}
