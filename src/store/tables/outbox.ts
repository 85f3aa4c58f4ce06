import { type Kysely, sql } from 'kysely';
import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { inTransaction } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import { noteRows } from '../history/recentRows.ts';
import { type Place, Posting } from '../jobs/rows/data.ts';
import { isAnyOf } from '../lists.ts';
import { Overtaken, wholly } from '../overtaken.ts';
import { addDue, type Due, hasten, mustHaveDue, queueOf, readAll, removeDue, setDue } from '../queue.ts';
import type { NoticeRow } from '../things/rows.ts';
import { ringWayId, ringWays } from './ringWays.ts';

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

/** A message as its row has it. `tellAt` is the time at which it is to be told; `null`: Slack has it as it is. */
export type Notice = Readonly<
  Omit<NoticeRow, 'posting' | 'isNews'> & { posting: Posting | undefined; tellAt: number | null }
>;

/**
 * The outbox of messages that are not about a job. A message stands here from the transaction that caused it until
 * Slack has taken it, and is changed in place when its outcome is known. What a post brought is kept though the message
 * changed meanwhile; what a process notes that has lost the message changes nothing.
 */
export type Outbox = ReturnType<typeof outboxIn>;

/** The kind of messages in the queue. */
const kind = 'notice';
const sweptAtOnce = 500;
/** Max messages that are read to find how many were replaced. */
const mostInSuccession = 100;
/** What a message has gathered, by {@link Outbox.gather}. */
export const GatheredItems = z.object({ items: z.array(z.object({ id: z.string(), text: z.string() })) });

export function outboxIn(store: Store) {
  const all = () =>
    store
      .selectFrom('outbox')
      // Each has its row there. An inner join might begin with all of those.
      .leftJoin('due', join => join.onRef('due.id', '=', 'outbox.id').on('due.kind', '=', kind))
      .selectAll('outbox')
      .select('due.dueAt as tellAt');
  const one = async (query: ReturnType<typeof all>) => {
    const row = await query.limit(1).executeTakeFirst();
    return row && readNotice(row);
  };
  const find = (id: string) => one(all().where('outbox.id', '=', id));
  /** Changes a message that this process has; `false`, and nothing is changed, where another one has taken it since. */
  const byHolder = (due: Due, change: (changes: Kysely<Schema>, revision: number) => Promise<unknown>) =>
    wholly(store, async changes => {
      // The message is locked before its row in the queue, as by whoever closes it.
      const row = await changes
        .updateTable('outbox')
        .set(eb => ({ revision: eb.ref('revision') }))
        .where('id', '=', due.id)
        .returning('revision')
        .executeTakeFirst();
      if (!row) throw new Overtaken();
      await change(changes, row.revision);
    });
  return {
    /** Adds messages; those whose id is known are there already. */
    add: (notices: readonly NewNotice[]) => inTransaction(store, changes => addNotices(changes, notices)),
    find,
    /** Where a message stands, with the timestamp of the message whose thread it is in, or begins. */
    async threadOf(id: string): Promise<Place | undefined> {
      const message = await find(id);
      if (!message || message.place === null || message.ts === null) return undefined;
      const head = message.thread === null ? undefined : await find(message.thread);
      return { place: message.place, ts: head?.place === message.place ? (head.ts ?? message.ts) : message.ts };
    },
    /** Of some people of a team, those who want a direct message in place of a mention. */
    async wantAlone(team: string, people: readonly string[]): Promise<readonly string[]> {
      if (people.length === 0) return [];
      const rows = await store
        .selectFrom('things')
        .select('person')
        .where(({ and }) => and({ kind: ringWays.name, state: 'direct' }))
        .where(
          isAnyOf(
            'id',
            people.map(person => ringWayId({ team, person })),
          ),
        )
        .execute();
      return rows.map(({ person }) => person);
    },
    /** The latest message about something. */
    lastOf: (subject: string) => one(all().where('subject', '=', subject).orderBy('createdAt', 'desc')),
    /** The messages about something that are for a person’s direct messages, the oldest first. */
    async toPerson(subject: string, person: string) {
      const rows = await all()
        .where(({ and }) => and({ subject, person }))
        .orderBy('createdAt')
        .execute();
      return rows.flatMap(row => readNotice(row) ?? []);
    },
    /**
     * Adds an item to a message that gathers such, and begins it where it is not there; `false` where it is told by now.
     * The same item counts once.
     */
    gather: (notice: NewNotice, item: Readonly<{ id: string; text: string }>) =>
      inTransaction(store, async changes => {
        await addNotices(changes, [{ ...notice, data: { items: [] } }]);
        const row = await changes
          .updateTable('outbox')
          .set(eb => ({ revision: eb('revision', '+', 1) }))
          .where('id', '=', notice.id)
          .where('ts', 'is', null)
          .where('posting', 'is', null)
          .returning('data')
          .executeTakeFirst();
        const items = row && GatheredItems.safeParse(parseJson(row.data)).data?.items;
        if (!items) return false;
        const all = [...items.filter(({ id }) => id !== item.id), item];
        await changes
          .updateTable('outbox')
          .set({ data: JSON.stringify({ items: all }) })
          .where('id', '=', notice.id)
          .execute();
        return true;
      }),
    /** Whether a later message took the place of one to a channel, and how many right before it were never posted. */
    async succession({ id, subject, kind: told, channel }: Notice) {
      const rows = await all()
        .where(({ and }) => and({ subject, 'outbox.kind': told, channel }))
        .orderBy('createdAt', 'desc')
        .orderBy('outbox.id', 'desc')
        .limit(mostInSuccession)
        .execute();
      const at = rows.findIndex(row => row.id === id);
      const before = rows.slice(at + 1);
      const posted = before.findIndex(({ ts }) => ts !== null);
      return { hasLater: at > 0, unposted: posted < 0 ? before.length : posted };
    },
    /** Closes the messages about something: they say how it ended. */
    close: (subject: string, end: Readonly<{ outcome: string; now: number }>) =>
      inTransaction(store, changes => closeNotices(changes, subject, end)),
    /** The messages that are behind. `hear` is called once for each that cannot be read. */
    queue: (hear?: (id: string) => void) =>
      queueOf(
        store,
        kind,
        async ids => readAll(await all().where(isAnyOf('outbox.id', ids)).execute(), readNotice),
        hear,
      ),
    /**
     * Keeps a message that was taken until a later time, and notes the post that begins, if one does: its answer may get
     * lost. `null` notes that it was refused. `false` where another process has taken the message since.
     */
    keep: (due: Due, until: number, posting?: Posting | null) =>
      byHolder(due, async changes => {
        await mustHaveDue(changes, due, until);
        if (posting !== undefined)
          await changes
            .updateTable('outbox')
            .set({ posting: posting && JSON.stringify(posting) })
            .where('id', '=', due.id)
            .execute();
      }),
    /** Notes the place of a message that was posted, and when. */
    async posted(due: Due, at: Readonly<{ place: string; ts: string; arrivedAt: number }>) {
      await byHolder(due, async changes => {
        await mustHaveDue(changes, due);
        const posted = changes.updateTable('outbox').set({ ...at, posting: null });
        noteNotices(changes, await posted.where('id', '=', due.id).returningAll().execute());
      });
    },
    /** Notes that Slack has a message in this revision, or takes it never. */
    async told(due: Due, shown: number, now: number) {
      await byHolder(due, async (changes, revision) => {
        const told = changes.updateTable('outbox').set({ shown }).where('id', '=', due.id);
        noteNotices(changes, await told.returningAll().execute());
        // It may have changed meanwhile: then it is still to be told.
        const dueAt = revision === shown ? null : undefined;
        if (!(await setDue(changes, due, { dueAt, now, taken: due }))) throw new Overtaken();
      });
    },
    /**
     * Deletes messages from before `time` that are told and that nobody needs any more: they have their outcome, or never
     * get one. Gives their number.
     */
    async sweep(time: number) {
      const old = all()
        .clearSelect()
        .select('outbox.id')
        .where('createdAt', '<', time)
        .where(({ or, eb }) => or([eb('outcome', 'is not', null), eb('isNews', '=', 1)]))
        .where('due.dueAt', 'is', null)
        .limit(sweptAtOnce);
      return inTransaction(store, async changes => {
        const swept = await changes.deleteFrom('outbox').where('id', 'in', old).returning('id').execute();
        await removeDue(changes, kind, swept);
        return swept.length;
      });
    },
  };
}

/** Adds messages to the outbox, in the transaction of their cause. */
export async function addNotices(changes: Kysely<Schema>, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ data, to, isNews = false, ...notice }) => ({
    ...{ person: null, channel: null, job: null, thread: null, ...to },
    ...{ ...notice, data: JSON.stringify(data), isNews: Number(isNews) },
    ...{ outcome: null, revision: 1, shown: 0, place: null, ts: null, arrivedAt: null, posting: null },
  }));
  const added = await changes
    .insertInto('outbox')
    .values(rows)
    .onConflict(conflict => conflict.column('id').doNothing())
    .returningAll()
    .execute();
  noteNotices(changes, added);
  await addDue(
    changes,
    added.map(({ id, team, createdAt: now }) => ({ kind, id, team, dueAt: now, now })),
  );
}

function noteNotices(changes: Kysely<Schema>, rows: readonly NoticeRow[]): void {
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
    .set(eb => ({ outcome, revision: eb('revision', '+', 1) }))
    .where('subject', '=', subject)
    .where(({ eb }) => (from === undefined ? eb('outcome', 'is', null) : eb('outcome', '=', from)))
    .where(sql<boolean>`is_news = 0`)
    .$if(only !== undefined, query => query.where('kind', '=', only ?? ''))
    .$if(notice !== undefined, query => query.where('id', '=', notice ?? ''))
    .returningAll()
    .execute();
  noteNotices(changes, closed);
  await hasten(changes, kind, closed, now);
}

/** A message that says something else from now on. `outcome` ends it, or opens it again. */
export type RedrawnNotice = Readonly<{ notice: string; data: unknown; outcome?: string | null }>;

/** Draws messages anew, in the transaction of the cause. */
export async function redrawNotices(changes: Kysely<Schema>, drawn: readonly RedrawnNotice[], now: number) {
  for (const { notice, data, ...ended } of drawn) {
    const row = await changes
      .updateTable('outbox')
      .set(eb => ({ ...ended, data: JSON.stringify(data), revision: eb('revision', '+', 1) }))
      .where('id', '=', notice)
      .returningAll()
      .execute();
    noteNotices(changes, row);
  }
  await hasten(
    changes,
    kind,
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
  await removeDue(changes, kind, gone);
}

/** Reads a row; `undefined` for one that only another release can read. */
function readNotice({ isNews: _, posting, ...row }: NoticeRow & { tellAt: number | null }): Notice | undefined {
  if (posting === null) return { ...row, posting: undefined };
  const read = Posting.safeParse(parseJson(posting));
  return read.success ? { ...row, posting: read.data } : undefined;
}
