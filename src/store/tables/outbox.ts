import type { Kysely } from 'kysely';
import { z } from 'zod';
import { parseJson } from '../../ground/json.ts';
import { inTransaction } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import { type Due, type DueQueue, mustHaveDue, queueOf, readAll, removeDue, setDue } from '../dueQueue.ts';
import { type Place, Posting } from '../jobs/rows/data.ts';
import { isAnyOf } from '../lists.ts';
import { Overtaken, wholly } from '../overtaken.ts';
import { asItIs, equals, oneMore } from '../statementParts.ts';
import type { NoticeRow } from '../things/rows.ts';
import { addNotices, closeNotices, type NewNotice, type NoticesEnd, noteNotices, noticeKind } from './outboxRows.ts';
import { ringWayId, ringWays } from './ringWays.ts';

/** A message as its row has it. `tellAt` is the time at which it is to be told; `null`: Slack has it as it is. */
export type Notice = Readonly<
  Omit<NoticeRow, 'posting' | 'isNews'> & { posting: Posting | undefined; tellAt: number | null }
>;

/**
 * The outbox of messages that are not about a job. A message stands here from the transaction that caused it until
 * Slack has taken it, and is changed in place when its outcome is known. What a post brought is kept though the message
 * changed meanwhile; what a process notes that has lost the message changes nothing.
 */
export type Outbox = Readonly<{
  /** Adds messages; those whose id is known are there already. */
  add(notices: readonly NewNotice[]): Promise<void>;
  /** A message; `undefined` where there is none, or only another release can read it. */
  find(id: string): Promise<Notice | undefined>;
  /** The latest message about something; `undefined` where there is none, or only another release can read it. */
  lastOf(subject: string): Promise<Notice | undefined>;
  /** The messages about something that are for a person’s direct messages, the oldest first. */
  toPerson(subject: string, person: string): Promise<readonly Notice[]>;
  /**
   * Where a message stands, with the timestamp of the message whose thread it is in, or begins; `undefined` where it was not
   * posted yet.
   */
  threadOf(id: string): Promise<Place | undefined>;
  /** Of some people of a team, those who want a direct message in place of a mention. */
  wantAlone(team: string, people: readonly string[]): Promise<readonly string[]>;
  /**
   * Adds an item to a message that gathers such, and begins it where it is not there; `false` where it is told by now.
   * The same item counts once.
   */
  gather(notice: NewNotice, item: GatheredItem): Promise<boolean>;
  /** Closes the messages about something: they say how it ended. */
  close(subject: string, end: Pick<NoticesEnd, 'outcome' | 'now'>): Promise<void>;
  /** Whether a later message took the place of one to a channel, and how many right before it were never posted. */
  succession(notice: Notice): Promise<Readonly<{ hasLater: boolean; unposted: number }>>;
  /** The messages that are behind. `hear` is called once for each that cannot be read. */
  queue(hear?: (id: string) => void): DueQueue<Notice>;
  /**
   * Keeps a message that was taken until a later time, and notes the post that begins, if one does: its answer may get
   * lost. `null` notes that it was refused. `false` where another process has taken the message since.
   */
  keep(due: Due, until: number, posting?: Posting | null): Promise<boolean>;
  /** Notes the place of a message that was posted, and when. */
  posted(due: Due, at: Readonly<{ place: string; ts: string; arrivedAt: number }>): Promise<void>;
  /** Notes that Slack has a message in this revision, or takes it never. One that has changed meanwhile is still to be told. */
  told(due: Due, shown: number, now: number): Promise<void>;
  /**
   * Deletes messages from before `time` that are told and that nobody needs any more: they have their outcome, or never
   * get one. Gives their number.
   */
  sweep(time: number): Promise<number>;
}>;

const sweptAtOnce = 500;
/** Max messages that are read to find how many were replaced. */
const mostInSuccession = 100;
const GatheredItem = z.object({ id: z.string(), text: z.string() });
type GatheredItem = Readonly<z.infer<typeof GatheredItem>>;
/** What a message has gathered, by {@link Outbox.gather}. */
export const GatheredItems = z.object({ items: z.array(GatheredItem) });

export function outboxIn(store: Store): Outbox {
  const all = () =>
    store
      .selectFrom('outbox')
      // Each has its row there. An inner join might begin with all of those.
      .leftJoin('due', join => join.onRef('due.id', '=', 'outbox.id').on('due.kind', '=', noticeKind))
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
        .set({ revision: asItIs('revision') })
        .where('id', '=', due.id)
        .returning('revision')
        .executeTakeFirst();
      if (!row) throw new Overtaken();
      await change(changes, row.revision);
    });
  return {
    add: notices => inTransaction(store, changes => addNotices(changes, notices)),
    find,
    async threadOf(id) {
      const message = await find(id);
      if (!message || message.place === null || message.ts === null) return undefined;
      const head = message.thread === null ? undefined : await find(message.thread);
      return { place: message.place, ts: head?.place === message.place ? (head.ts ?? message.ts) : message.ts };
    },
    async wantAlone(team, people) {
      if (people.length === 0) return [];
      const rows = await store
        .selectFrom('things')
        .select('person')
        .where(equals({ kind: ringWays.name, state: 'direct' }))
        .where(
          isAnyOf(
            'id',
            people.map(person => ringWayId({ team, person })),
          ),
        )
        .execute();
      return rows.map(({ person }) => person);
    },
    lastOf: subject => one(all().where('subject', '=', subject).orderBy('createdAt', 'desc')),
    async toPerson(subject, person) {
      const rows = await all().where(equals({ subject, person })).orderBy('createdAt').execute();
      return rows.flatMap(row => readNotice(row) ?? []);
    },
    gather: (notice, item) =>
      inTransaction(store, async changes => {
        await addNotices(changes, [{ ...notice, data: { items: [] } }]);
        const row = await changes
          .updateTable('outbox')
          .set({ revision: oneMore('revision') })
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
    async succession({ id, subject, kind, channel }) {
      const rows = await all()
        .where(equals({ subject, 'outbox.kind': kind, channel }))
        .orderBy('createdAt', 'desc')
        .orderBy('outbox.id', 'desc')
        .limit(mostInSuccession)
        .execute();
      const at = rows.findIndex(row => row.id === id);
      const before = rows.slice(at + 1);
      const posted = before.findIndex(({ ts }) => ts !== null);
      return { hasLater: at > 0, unposted: posted < 0 ? before.length : posted };
    },
    close: (subject, end) => inTransaction(store, changes => closeNotices(changes, subject, end)),
    queue: hear =>
      queueOf(
        store,
        noticeKind,
        async ids => readAll(await all().where(isAnyOf('outbox.id', ids)).execute(), readNotice),
        hear,
      ),
    keep: (due, until, posting) =>
      byHolder(due, async changes => {
        await mustHaveDue(changes, due, until);
        if (posting !== undefined)
          await changes
            .updateTable('outbox')
            .set({ posting: posting && JSON.stringify(posting) })
            .where('id', '=', due.id)
            .execute();
      }),
    async posted(due, at) {
      await byHolder(due, async changes => {
        await mustHaveDue(changes, due);
        const posted = changes.updateTable('outbox').set({ ...at, posting: null });
        noteNotices(changes, await posted.where('id', '=', due.id).returningAll().execute());
      });
    },
    async told(due, shown, now) {
      await byHolder(due, async (changes, revision) => {
        const told = changes.updateTable('outbox').set({ shown }).where('id', '=', due.id);
        noteNotices(changes, await told.returningAll().execute());
        const dueAt = revision === shown ? null : undefined;
        if (!(await setDue(changes, due, { dueAt, now, taken: due }))) throw new Overtaken();
      });
    },
    async sweep(time) {
      const old = all()
        .clearSelect()
        .select('outbox.id')
        .where('createdAt', '<', time)
        .where(({ or, eb }) => or([eb('outcome', 'is not', null), eb('isNews', '=', 1)]))
        .where('due.dueAt', 'is', null)
        .limit(sweptAtOnce);
      return inTransaction(store, async changes => {
        const swept = await changes.deleteFrom('outbox').where('id', 'in', old).returning('id').execute();
        await removeDue(changes, noticeKind, swept);
        return swept.length;
      });
    },
  };
}

/** Reads a row; `undefined` for one that only another release can read. */
function readNotice({ isNews: _, posting, ...row }: NoticeRow & { tellAt: number | null }): Notice | undefined {
  if (posting === null) return { ...row, posting: undefined };
  const read = Posting.safeParse(parseJson(posting));
  return read.success ? { ...row, posting: read.data } : undefined;
}
