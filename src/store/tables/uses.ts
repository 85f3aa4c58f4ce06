import type { Kysely } from 'kysely';
import { lockTime } from '../../ground/loop.ts';
import type { Schema, Store, UseRow } from '../database.ts';
import { light } from '../light.ts';
import { isAmong, isFree } from '../lock.ts';
import type { Vault } from '../vault.ts';
import { type HeardKind, noteHeard } from './heard.ts';

/** A use before it is stored. */
export type NewUse = Omit<UseRow, 'dueAt' | 'lockedUntil' | 'tries'>;

/**
 * Uses: requests by a command or a button that acts without the form of a job. A use is kept until it is answered, so
 * that it is taken up again if its process was killed in the middle of it. Its text is sealed like a token.
 */
export type Uses = {
  /**
   * Keeps a use that the caller works on now; `false` where it is kept already, since Slack delivered it again. A use
   * that was a message of the kind `heard` is noted in the same transaction: it is not kept again after it was done.
   */
  keep(use: NewUse, lockTime: number, heard?: HeardKind): Promise<boolean>;
  /** Takes up to `max` uses that are due, or whose process is gone, and locks them for `lockTime` milliseconds. */
  take(now: number, lockTime: number, max: number): Promise<UseRow[]>;
  /** Extends the locks of uses that were taken: the process that works on them is alive. */
  renew(ids: readonly string[], until: number): Promise<void>;
  /** Puts off a use that could not be answered until `dueAt`. */
  putOff(id: string, dueAt: number): Promise<void>;
  /** Forgets a use that was answered. */
  done(id: string): Promise<void>;
  /** The time at which the next use that nobody has taken is due; `undefined` where there is none. */
  nextTime(now: number): Promise<number | undefined>;
  /** Ends all pauses, since the time of day was set. */
  recall(now: number): Promise<void>;
};

/** Keeps uses in the store. */
export function usesIn(store: Store, vault: Vault): Uses {
  const done = async (id: string) => {
    await store.deleteFrom('uses').where('id', '=', id).execute();
  };
  const opened = async (row: UseRow): Promise<UseRow[]> => {
    const value = await vault.open({ team: row.team, person: row.person }, row.value);
    if (value !== undefined) return [{ ...row, value }];
    // The key is gone, and the request with it; the vault has reported that.
    await done(row.id);
    return [];
  };
  return {
    done,
    async keep(use, lockTime, heard) {
      const value = await vault.seal({ team: use.team, person: use.person }, use.value);
      const row = { ...use, value, dueAt: use.createdAt, lockedUntil: use.createdAt + lockTime, tries: 0 };
      const insert = async (changes: Kysely<Schema>) =>
        (await changes
          .insertInto('uses')
          .values(row)
          .onConflict(conflict => conflict.column('id').doNothing())
          .returning('id')
          .executeTakeFirst()) !== undefined;
      if (heard === undefined) return insert(store);
      const { id, team, createdAt: at } = use;
      return store
        .transaction()
        .execute(async changes => (await noteHeard(changes, { id, team, kind: heard, at })) && insert(changes));
    },
    async take(now, lockTime, max) {
      const free = store
        .selectFrom('uses')
        .select('id')
        .where('dueAt', '<=', now)
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(max);
      const rows = await store
        .updateTable('uses')
        .set({ lockedUntil: now + lockTime })
        .where(isAmong(store, free))
        // Checked again on the row itself: another process may have taken it between the choice and the change.
        .where(isFree('lockedUntil', now, lockTime))
        .returningAll()
        .modifyEnd(light)
        .execute();
      return (await Promise.all(rows.map(opened))).flat();
    },
    async renew(ids, until) {
      if (ids.length === 0) return;
      await store.updateTable('uses').set({ lockedUntil: until }).where('id', 'in', ids).modifyEnd(light).execute();
    },
    async putOff(id, dueAt) {
      await store
        .updateTable('uses')
        .set(eb => ({ dueAt, lockedUntil: 0, tries: eb('tries', '+', 1) }))
        .where('id', '=', id)
        .modifyEnd(light)
        .execute();
    },
    async nextTime(now) {
      const row = await store
        .selectFrom('uses')
        .select('dueAt')
        .where(isFree('lockedUntil', now, lockTime))
        .orderBy('dueAt')
        .limit(1)
        .executeTakeFirst();
      return row && Number(row.dueAt);
    },
    async recall(now) {
      await store.updateTable('uses').set({ dueAt: now }).where('dueAt', '>', now).execute();
    },
  };
}
