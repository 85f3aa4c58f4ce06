import type { Transaction } from 'kysely';
import { lockTime } from '../../ground/loop.ts';
import type { EyesRow, Schema, Store } from '../database.ts';
import { light } from '../light.ts';
import { isAmong, isFree } from '../lock.ts';
import { type KeptSight, readSight } from './alertRows.ts';

/** The changes of one look: sights to write, and the records whose sights are deleted. */
export type SightChanges = Readonly<{ written: readonly KeptSight[]; deleted: readonly string[] }>;

/**
 * The looks at the service: each sign-in’s eyes are due every few minutes, and one process takes them then. What it saw
 * it writes in parts, each only while it still has the eyes, so that of two processes one writes.
 */
export type Sights = {
  /** Takes up to `max` due eyes. A time further ahead than `rhythm` (milliseconds) was set before a clock was set back. */
  take(now: number, rhythm: number, max: number): Promise<EyesRow[]>;
  /** Keeps eyes that were taken locked until this time; `false` where another process has them. */
  renew(eyes: EyesRow, until: number): Promise<boolean>;
  /** The time of the next look that nobody has taken. */
  nextTime(now: number, rhythm: number): Promise<number | undefined>;
  /** Puts off a look that failed. */
  putOff(eyes: EyesRow, dueAt: number): Promise<void>;
  /** Up to `max` sights of these eyes, in the order of their records, after this one. */
  page(eyes: string, after: string, max: number): Promise<KeptSight[]>;
  /** Those of them that have news of the turn that is under way. */
  withNews(eyes: EyesRow, after: string, max: number): Promise<KeptSight[]>;
  /** Writes a part of what a look saw; `false` where another process has the eyes: nothing is written then. */
  write(eyes: EyesRow, changes: SightChanges, until: number): Promise<boolean>;
  /** Deletes eyes that serve no channel any more, and some of their sights; `true` where none is left. */
  close(eyes: EyesRow): Promise<boolean>;
};

/** Max sights that one statement deletes. */
const deletedAtOnce = 500;

/** Keeps sights in the store. */
export function sightsIn(store: Store): Sights {
  const pageOf = (eyes: string, after: string, max: number) =>
    store
      .selectFrom('sights')
      .selectAll()
      .where('eyes', '=', eyes)
      .where('record', '>', after)
      .orderBy('record')
      .limit(max);
  return {
    ...queueOfEyes(store),
    async page(eyes, after, max) {
      return (await pageOf(eyes, after, max).execute()).map(readSight);
    },
    async withNews({ id, turn }, after, max) {
      const rows = await pageOf(id, after, max)
        .where('news', '=', turn + 1)
        .execute();
      return rows.map(readSight);
    },
    write: (eyes, { written, deleted }, until) =>
      store.transaction().execute(async changes => {
        if (!(await isHeld(changes, eyes, until))) return false;
        const rows = written.map(({ troubles, ...sight }) => ({
          ...sight,
          eyes: eyes.id,
          troubles: JSON.stringify(troubles),
        }));
        if (rows.length > 0)
          await changes
            .insertInto('sights')
            .values(rows)
            .onConflict(conflict =>
              conflict.columns(['eyes', 'record']).doUpdateSet(eb => ({
                name: eb.ref('excluded.name'),
                madeAt: eb.ref('excluded.madeAt'),
                since: eb.ref('excluded.since'),
                goneAt: eb.ref('excluded.goneAt'),
                troubles: eb.ref('excluded.troubles'),
                news: eb.ref('excluded.news'),
              })),
            )
            .execute();
        if (deleted.length > 0)
          await changes.deleteFrom('sights').where('eyes', '=', eyes.id).where('record', 'in', deleted).execute();
        return true;
      }),
    close: eyes =>
      store.transaction().execute(async changes => {
        if (!(await isHeld(changes, eyes, 0))) return true;
        const some = changes.selectFrom('sights').select('record').where('eyes', '=', eyes.id).limit(deletedAtOnce);
        const { numDeletedRows } = await changes
          .deleteFrom('sights')
          .where('eyes', '=', eyes.id)
          .where('record', 'in', some)
          .executeTakeFirst();
        if (numDeletedRows >= BigInt(deletedAtOnce)) return false;
        const wanted = changes
          .selectFrom('subscriptions')
          .select('id')
          .where('eyes', '=', eyes.id)
          .where('state', '!=', 'off');
        await changes
          .deleteFrom('eyes')
          .where('id', '=', eyes.id)
          .where(({ not, exists }) => not(exists(wanted)))
          .execute();
        return true;
      }),
  };
}

/** Makes sure in a transaction that this process still has the eyes, and keeps them locked until this time. */
export async function isHeld(changes: Transaction<Schema>, { id, revision }: EyesRow, until: number): Promise<boolean> {
  const { numUpdatedRows } = await changes
    .updateTable('eyes')
    .set({ lockedUntil: until })
    .where('id', '=', id)
    .where('revision', '=', revision)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

function queueOfEyes(store: Store): Pick<Sights, 'take' | 'renew' | 'nextTime' | 'putOff'> {
  return {
    async take(now, rhythm, max) {
      const free = store
        .selectFrom('eyes')
        .select('id')
        .where(({ or, eb }) => or([eb('dueAt', '<=', now), eb('dueAt', '>', now + 2 * rhythm)]))
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(max);
      return (
        store
          .updateTable('eyes')
          .set(eb => ({ lockedUntil: now + lockTime, revision: eb('revision', '+', 1) }))
          .where(isAmong(store, free))
          // Checked again on the row itself: another process may have taken it between the choice and the change.
          .where(({ or, eb }) => or([eb('dueAt', '<=', now), eb('dueAt', '>', now + 2 * rhythm)]))
          .where(isFree('lockedUntil', now, lockTime))
          .returningAll()
          .modifyEnd(light)
          .execute()
      );
    },
    async renew({ id, revision }, until) {
      const { numUpdatedRows } = await store
        .updateTable('eyes')
        .set({ lockedUntil: until })
        .where('id', '=', id)
        .where('revision', '=', revision)
        .modifyEnd(light)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    async nextTime(now, rhythm) {
      const rows = await store
        .selectFrom('eyes')
        .select('dueAt')
        .where('dueAt', 'is not', null)
        .where(isFree('lockedUntil', now, lockTime))
        .execute();
      const times = rows.map(({ dueAt }) => Number(dueAt)).map(dueAt => (dueAt > now + 2 * rhythm ? now : dueAt));
      return times.length === 0 ? undefined : Math.min(...times);
    },
    async putOff({ id, revision }, dueAt) {
      await store
        .updateTable('eyes')
        .set(eb => ({ dueAt, lockedUntil: 0, tries: eb('tries', '+', 1) }))
        .where('id', '=', id)
        .where('revision', '=', revision)
        .modifyEnd(light)
        .execute();
    },
  };
}
