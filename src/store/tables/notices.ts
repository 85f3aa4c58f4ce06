import type { Kysely } from 'kysely';
import { lockTime } from '../../ground/loop.ts';
import type { NoticeRow, Schema, Store } from '../database.ts';
import { Posting } from '../jobs/data.ts';
import { light } from '../light.ts';
import { isAmong, isFree } from '../lock.ts';

/** A message to be sent once. It goes to a person, a channel, or the thread of a job’s or another such message. */
export type NewNotice = Pick<NoticeRow, 'id' | 'subject' | 'team' | 'kind' | 'createdAt'> &
  Readonly<{
    /** What it tells, in the shape of its kind. */
    data: unknown;
    to:
      | Readonly<{ person: string }>
      | Readonly<{ channel: string }>
      | Readonly<{ job: string }>
      | Readonly<{ thread: string }>;
  }>;

/** A message as its row has it. */
export type Notice = Readonly<Omit<NoticeRow, 'posting'> & { posting: Posting | undefined }>;

/**
 * The outbox of messages that are not about a job. A message stands here from the transaction that caused it until
 * Slack has taken it, and is changed in place when its outcome is known.
 */
export type Notices = {
  /** Adds messages; those whose id is known are there already. */
  add(notices: readonly NewNotice[]): Promise<void>;
  find(id: string): Promise<Notice | undefined>;
  /** The latest message about something. */
  lastOf(subject: string): Promise<Notice | undefined>;
  /** The messages about something that are for a person’s direct messages, the oldest first. */
  toPerson(subject: string, person: string): Promise<readonly Notice[]>;
  /** Closes the messages about something: they say how it ended. */
  close(subject: string, end: Readonly<{ outcome: string; now: number }>): Promise<void>;
  /** Takes up to `max` messages that are behind, but none to these channels and people, and locks them. */
  take(now: number, lockTime: number, max: number): Promise<Notice[]>;
  /** The time of the next message that nobody has taken; `undefined` where there is none. */
  nextTime(now: number): Promise<number | undefined>;
  /**
   * Keeps a message that was taken until a later time, and notes the post that begins, if one does: its answer may get
   * lost. `undefined` where another process has taken the message since: what was taken before notes nothing more.
   */
  keep(notice: Notice, until: number, posting?: Posting): Promise<Notice | undefined>;
  /** Notes the place of a message that was posted, and when. */
  posted(notice: Notice, place: string, ts: string, arrivedAt: number): Promise<void>;
  /** Notes that Slack has a message in this revision, or takes it never. */
  told(notice: Notice): Promise<void>;
  /** Frees a message that has to wait until `tellAt`; `failed` counts a failed try. */
  putOff(notice: Notice, tellAt: number, failed: boolean): Promise<void>;
  /**
   * Deletes messages from before `time` that are told and that nobody needs any more: they have their outcome, or never
   * get one. Gives their number.
   */
  sweep(time: number): Promise<number>;
};

const sweptAtOnce = 500;

/** Keeps notices in the store. */
export function noticesIn(store: Store): Notices {
  /** A change of a message by the process that has it: the time of its lock says who took it last. */
  const changing = ({ id, lockedUntil }: Notice) =>
    store.updateTable('notices').where('id', '=', id).where('lockedUntil', '=', lockedUntil);
  return {
    add: notices => addNotices(store, notices),
    async find(id) {
      const row = await store.selectFrom('notices').selectAll().where('id', '=', id).executeTakeFirst();
      return row && readNotice(row);
    },
    async lastOf(subject) {
      const row = await store
        .selectFrom('notices')
        .selectAll()
        .where('subject', '=', subject)
        .orderBy('createdAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && readNotice(row);
    },
    async toPerson(subject, person) {
      const rows = await store
        .selectFrom('notices')
        .selectAll()
        .where('subject', '=', subject)
        .where('person', '=', person)
        .orderBy('createdAt')
        .execute();
      return rows.map(readNotice);
    },
    close: (subject, end) => closeNotices(store, subject, end),
    async take(now, lockTime, max) {
      const free = store
        .selectFrom('notices')
        .select('id')
        .where('tellAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('tellAt')
        .limit(max);
      const rows = await store
        .updateTable('notices')
        .set({ lockedUntil: now + lockTime })
        .where(isAmong(store, free))
        // Checked again on the row itself: another process may have taken it between the choice and the change.
        .where('tellAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .returningAll()
        .modifyEnd(light)
        .execute();
      return rows.map(readNotice);
    },
    async nextTime(now) {
      const row = await store
        .selectFrom('notices')
        .select('tellAt')
        .where('tellAt', 'is not', null)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('tellAt')
        .limit(1)
        .executeTakeFirst();
      return row && Number(row.tellAt);
    },
    async keep(notice, lockedUntil, posting) {
      const set = { lockedUntil, ...(posting ? { posting: JSON.stringify(posting) } : {}) };
      const row = await changing(notice).set(set).returningAll().executeTakeFirst();
      return row && readNotice(row);
    },
    async posted(notice, place, ts, arrivedAt) {
      await changing(notice).set({ place, ts, arrivedAt, posting: null }).execute();
    },
    async told(notice) {
      const { revision } = notice;
      await changing(notice)
        .set(eb => ({
          shown: revision,
          lockedUntil: 0,
          tries: 0,
          // It may have changed meanwhile: then it is still to be told.
          tellAt: eb.case().when('revision', '=', revision).then(eb.lit(null)).else(eb.ref('tellAt')).end(),
        }))
        .execute();
    },
    async putOff(notice, tellAt, failed) {
      const set = { tellAt, lockedUntil: 0, tries: notice.tries + Number(failed) };
      await changing(notice).set(set).modifyEnd(light).execute();
    },
    async sweep(time) {
      const old = store
        .selectFrom('notices')
        .select('id')
        .where('createdAt', '<', time)
        // News that nothing follows on have no outcome: what a schedule told long ago, a report, or the reminder of alerts.
        .where(({ or, eb }) =>
          or([
            eb('outcome', 'is not', null),
            eb('subject', 'like', 'told %'),
            eb('kind', 'in', ['alert', 'report', 'schedule']),
          ]),
        )
        .where('tellAt', 'is', null)
        .limit(sweptAtOnce);
      const { numDeletedRows } = await store.deleteFrom('notices').where('id', 'in', old).executeTakeFirst();
      return Number(numDeletedRows);
    },
  };
}

/** Adds messages to the outbox, in a transaction or on their own. */
export async function addNotices(store: Kysely<Schema>, notices: readonly NewNotice[]): Promise<void> {
  if (notices.length === 0) return;
  const rows = notices.map(({ data, to, ...notice }) => ({
    ...{ person: null, channel: null, job: null, thread: null, ...to },
    ...notice,
    data: JSON.stringify(data),
    tellAt: notice.createdAt,
    ...{
      outcome: null,
      revision: 1,
      shown: 0,
      place: null,
      ts: null,
      arrivedAt: null,
      posting: null,
      lockedUntil: 0,
      tries: 0,
    },
  }));
  await store
    .insertInto('notices')
    .values(rows)
    .onConflict(conflict => conflict.column('id').doNothing())
    .execute();
}

/** Closes the messages about something, or those of a kind, or one: they say how it ended, and lose their buttons. */
export async function closeNotices(
  changes: Kysely<Schema>,
  subject: string,
  { outcome, now, kind, notice }: Readonly<{ outcome: string; now: number; kind?: string; notice?: string }>,
): Promise<void> {
  await changes
    .updateTable('notices')
    .set(eb => ({ outcome, revision: eb('revision', '+', 1), tellAt: now, tries: 0 }))
    .where('subject', '=', subject)
    .where('outcome', 'is', null)
    .$if(kind !== undefined, query => query.where('kind', '=', kind ?? ''))
    .$if(notice !== undefined, query => query.where('id', '=', notice ?? ''))
    .execute();
}

function readNotice(row: NoticeRow): Notice {
  return { ...row, posting: row.posting === null ? undefined : Posting.safeParse(JSON.parse(row.posting)).data };
}
