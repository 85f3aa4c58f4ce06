import type { Kysely } from 'kysely';
import { lockTime } from '../ground/loop.ts';
import { listenToQueue, noteDue } from './agenda.ts';
import { compiledOnce } from './compiled.ts';
import type { Schema, Store } from './database.ts';
import { light, lightTaking } from './light.ts';
import { asAdded, type Held, type Identified, idsOf, isAnyOf, isHeld, isNoneOf } from './lists.ts';
import { isAmong, isFree, lockOrder } from './lock.ts';
import { Overtaken } from './overtaken.ts';
import { quarantineFor, takeAll } from './quarantine.ts';
import { asItIs, equals, insertOrSet, oneMore, wrote } from './statementParts.ts';
import type { DueRow } from './things/rows.ts';

/*
 * The queue of all that is due beside the jobs: leases, schedules, messages, and so on. Its rows are narrow. What they
 * are about stands in tables of its own and is read when a row is taken. Times are milliseconds since the epoch.
 */

/** Names a row of the queue. */
export type Key = Readonly<{ kind: string; id: string }>;

/**
 * A row that a process has taken. Each taking raises `fence`, and so does each cause that makes the row due anew: what
 * an earlier holder still writes counts no more.
 */
export type Due = Readonly<Omit<DueRow, 'dueAt' | 'lockedUntil'> & { dueAt: number }>;

/** A row that was taken, and what it is about. */
export type DueWork<Row> = Readonly<{ due: Due; row: Row }>;

/** A row of the queue that begins. */
type NewDue = Key & Readonly<{ team: string; dueAt: number | null; now: number; lockedUntil?: number }>;

/** The queue of one kind. */
export type DueQueue<Row> = {
  /** Calls `hear` with the time from which on something is due by what was just written. */
  listen(hear: (at: number) => void): void;
  /**
   * Takes up to `max` rows that are due, the oldest first, and locks them; none of the ids `without`. Rows that cannot be read
   * stay as they are, and others are taken for them.
   */
  take(now: number, max: number, without?: readonly string[]): Promise<readonly DueWork<Row>[]>;
  /** Extends the locks of rows that were taken, unless another process has them by now. */
  renew(taken: readonly Due[], until: number): Promise<void>;
  /** Locks a row until a time; tells whether this process still has it. */
  keep(due: Due, until: number): Promise<boolean>;
  /**
   * Puts a row off until `dueAt`; `null`: until something makes it due. `failed` counts a failed try, and anything else
   * begins the count anew. Without the row’s present fence it changes nothing.
   */
  rest(due: Due, dueAt: number | null, at: Readonly<{ now: number; failed?: boolean }>): Promise<void>;
  /** The time of the first row that is due `after` a time, or of the first of all; `undefined` where there is none. */
  nextTime(after?: number): Promise<number | undefined>;
  /** Makes due what a clock put off that went ahead: its times do not compare with the present one. */
  recall(now: number): Promise<void>;
  /** Makes everything due that is to be done some time. */
  recallAll(now: number): Promise<void>;
};

/** Makes the queue of a kind. `read` reads what rows are about; `hear` is called once for each that it cannot read. */
export function queueOf<Row>(
  store: Store,
  kind: string,
  read: (ids: readonly string[]) => Promise<ReadonlyMap<string, Row>>,
  hear: (id: string) => void = () => undefined,
): DueQueue<Row> {
  const quarantine = quarantineFor<DueRow>(({ id }) => hear(id));
  /** Leaves rows as they were before they were taken, for a release that can read them. */
  const leave = async (rows: readonly DueRow[], now: number) => {
    for (const row of rows) quarantine.put(row, now);
    if (rows.length > 0) await held(store, kind, rows).set({ lockedUntil: 0 }).modifyEnd(light).execute();
  };
  return {
    listen: hear => listenToQueue(store, kind, ({ at }) => hear(at)),
    take: (now, wanted, without = []) =>
      takeAll(wanted, async max => {
        const passed = [...without, ...quarantine.ids(now)];
        const free = store
          .selectFrom('due')
          .select('id')
          .where('kind', '=', kind)
          .where('dueAt', '<=', now)
          .where(isFree('lockedUntil', now, lockTime))
          .$if(passed.length > 0, query => query.where(isNoneOf('id', passed)))
          .orderBy('dueAt')
          .limit(max);
        const taken = await store
          .updateTable('due')
          .set({ lockedUntil: now + lockTime, fence: oneMore('fence') })
          .where('kind', '=', kind)
          .where(isAmong(store, free))
          // Checked again on the row itself: another process may have taken it between the choice and the change.
          .where('dueAt', '<=', now)
          .where(isFree('lockedUntil', now, lockTime))
          .returningAll()
          .modifyEnd(lightTaking)
          .execute();
        if (taken.length === 0) return { given: [], lost: 0 };
        const rows = await read(taken.map(({ id }) => id));
        const given = taken.flatMap(({ dueAt, lockedUntil: _, ...due }) => {
          const row = rows.get(due.id);
          return row === undefined || dueAt === null ? [] : [{ due: { ...due, dueAt }, row }];
        });
        const unread = taken.filter(({ id }) => !rows.has(id));
        await leave(unread, now);
        return { given: given.toSorted((one, other) => one.due.dueAt - other.due.dueAt), lost: unread.length };
      }),
    async renew(taken, lockedUntil) {
      if (taken.length === 0) return;
      const own = store.selectFrom('due').select('id').where('kind', '=', kind).where(isHeld('id', taken));
      await store
        .updateTable('due')
        .set({ lockedUntil })
        .where('kind', '=', kind)
        .where(isAmong(store, own))
        .modifyEnd(light)
        .execute();
    },
    keep: (due, lockedUntil) => wrote(held(store, kind, [due]).set({ lockedUntil }).modifyEnd(light)),
    async rest(due, dueAt, { now, failed = false }) {
      await held(store, kind, [due])
        .set({ dueAt, setAt: now, lockedUntil: 0, tries: failed ? due.tries + 1 : 0 })
        .modifyEnd(light)
        .execute();
      noteDue(store, kind, dueAt);
    },
    nextTime: async (after = -1) => (await selectNext(store, { kind, after })).rows[0]?.dueAt ?? undefined,
    async recall(now) {
      await recalled(store, kind, now)
        .where('setAt', '>', now + lockTime)
        .execute();
    },
    recallAll: async now => void (await recalled(store, kind, now).where('dueAt', '>', now).execute()),
  };
}

/** Each queue asks for it every few seconds, though nothing may be due for hours. */
const selectNext = compiledOnce(
  (store, { kind, after }: Readonly<{ kind: string; after: number }>) =>
    store
      .selectFrom('due')
      .select('dueAt')
      .where('kind', '=', kind)
      .where('dueAt', '>', after)
      .orderBy('dueAt')
      .limit(1),
  ({ kind, after }) => [kind, after, 1],
);

/** Reads rows by their ids, and leaves out those that cannot be read. */
export function readAll<Row extends Readonly<{ id: string }>, Thing>(
  rows: readonly Row[],
  read: (row: Row) => Thing | undefined,
): ReadonlyMap<string, Thing> {
  return new Map(
    rows.flatMap(row => {
      const thing = read(row);
      return thing === undefined ? [] : [[row.id, thing] as const];
    }),
  );
}

/** A change of rows of a kind by the process that has them. */
function held(store: Store, kind: string, rows: readonly Held[]) {
  return store.updateTable('due').where('kind', '=', kind).where(isHeld('id', rows));
}

function recalled(store: Store, kind: string, now: number) {
  return store
    .updateTable('due')
    .set({ dueAt: now, setAt: now })
    .where('kind', '=', kind)
    .where('dueAt', 'is not', null);
}

/** Adds rows to the queue in the transaction of their cause. Those that stand there are due anew. */
export async function addDue(changes: Kysely<Schema>, rows: readonly NewDue[]): Promise<void> {
  if (rows.length === 0) return;
  const fresh = rows.map(({ now, lockedUntil = 0, ...row }) => ({
    ...row,
    setAt: now,
    lockedUntil,
    fence: 0,
    tries: 0,
  }));
  const anew = { ...asAdded('dueAt', 'setAt'), fence: oneMore('due.fence'), lockedUntil: 0, tries: 0 };
  await insertOrSet(changes, 'due', ['kind', 'id'], fresh, anew).execute();
  // What is locked is in the hands of whoever adds it.
  for (const { kind, dueAt, lockedUntil } of rows) if (!lockedUntil) noteDue(changes, kind, dueAt);
}

/**
 * Changes the time of a row in the transaction of its cause, and frees it. With `taken`, only the process that has the
 * row may do so; tells whether it was done.
 */
export async function setDue(
  changes: Kysely<Schema>,
  { kind, id }: Key,
  { dueAt, now, taken }: Readonly<{ dueAt?: number | null | undefined; now: number; taken?: Due | undefined }>,
): Promise<boolean> {
  const due = dueAt === undefined ? {} : { dueAt, setAt: now };
  const row = changes.updateTable('due').set({ ...due, fence: oneMore('fence'), lockedUntil: 0, tries: 0 });
  const isSet = await wrote(row.where(equals({ kind, id, ...(taken && { fence: taken.fence }) })));
  if (isSet) noteDue(changes, kind, dueAt === undefined ? now : dueAt);
  return isSet;
}

/**
 * Makes sure in a transaction that this process still has a row, and keeps it locked until a time.
 * @throws {Overtaken} where another process has it
 */
export async function mustHaveDue(changes: Kysely<Schema>, due: Due, until?: number): Promise<void> {
  const row = changes.updateTable('due').set({ lockedUntil: until ?? asItIs('lockedUntil') });
  if (!(await wrote(row.where(equals({ kind: due.kind, id: due.id, fence: due.fence }))))) throw new Overtaken();
}

/** Makes rows due at once in the transaction of the cause. Whoever has one of them goes on with it. */
export async function hasten(changes: Kysely<Schema>, kind: string, rows: readonly Identified[], now: number) {
  if (rows.length === 0) return;
  await changes
    .updateTable('due')
    .set({ dueAt: now, setAt: now, tries: 0 })
    .where('kind', '=', kind)
    .where(isAnyOf('id', idsOf(rows)))
    .execute();
  noteDue(changes, kind, now);
}

/** Makes rows due at once in the transaction of the cause, whoever has them. */
export async function wake(changes: Kysely<Schema>, keys: readonly Key[], now: number): Promise<void> {
  // In one order, so that no two processes wait for each other.
  for (const { kind, id } of keys.toSorted(byKey)) await setDue(changes, { kind, id }, { dueAt: now, now });
}

/** Makes everything of a team due at once that is to be done some time, or by a time: the app is installed there again, say. */
export async function wakeTeam(changes: Kysely<Schema>, team: string, now: number, by?: number): Promise<void> {
  await changes
    .updateTable('due')
    .set({ dueAt: now, setAt: now })
    .where('team', '=', team)
    .where('dueAt', '>', now)
    .$if(by !== undefined, query => query.where('dueAt', '<=', by ?? now))
    .execute();
}

/** The order in which the rows of several keys are locked. */
export function byKey(one: Key, other: Key): number {
  return lockOrder(`${one.kind} ${one.id}`, `${other.kind} ${other.id}`);
}

/** Deletes rows in the transaction that deletes what they are about. */
export async function removeDue(changes: Kysely<Schema>, kind: string, rows: readonly Identified[]): Promise<void> {
  if (rows.length > 0)
    await changes
      .deleteFrom('due')
      .where('kind', '=', kind)
      .where(isAnyOf('id', idsOf(rows)))
      .execute();
}

/** Deletes a row that no process has, in the same way; `false` where one has it. */
export async function removeFree(changes: Kysely<Schema>, { kind, id }: Key, now: number): Promise<boolean> {
  const row = changes.deleteFrom('due').where(equals({ kind, id }));
  return wrote(row.where(isFree('lockedUntil', now, lockTime)));
}

/** Frees the locks of all rows beside the jobs. It must run only while no other process can hold one. */
export async function freeLocks(store: Store): Promise<void> {
  for (const table of ['due', 'homes', 'installations'] as const)
    await store.updateTable(table).set({ lockedUntil: 0 }).where('lockedUntil', '>', 0).execute();
}
