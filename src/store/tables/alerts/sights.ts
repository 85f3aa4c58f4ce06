import type { Transaction } from 'kysely';
import type { Schema, Store } from '../../database.ts';
import { type Due, type DueQueue, mustHaveDue, queueOf, readAll, removeDue } from '../../dueQueue.ts';
import { asAdded, isAnyOf } from '../../lists.ts';
import { wholly } from '../../overtaken.ts';
import { isAccount } from '../../serviceOwner.ts';
import { asItIs, equals, insertOrSet, wrote } from '../../statementParts.ts';
import type { WatcherRow } from '../../things/rows.ts';
import { type KeptSight, readSight, subscriptions } from './alertRows.ts';

/** The changes of one look: sights to write, and the records whose sights are deleted. */
export type SightChanges = Readonly<{ written: readonly KeptSight[]; deleted: readonly string[] }>;

/** Eyes that a process has taken for a look. */
export type HeldWatcher = WatcherRow & Readonly<{ due: Due }>;

/** The kind of watchers in the queue. */
export const watcherKind = 'watcher';

/**
 * The looks at the service: each sign-in’s watcher is due every few minutes, and one process takes them then. What it saw
 * it writes in parts, each only while it still has the watcher, so that of two processes one writes.
 */
export type Sights = Readonly<{
  /** Up to `max` sights of this watcher, in the order of their records, after this one. */
  page(watcher: string, after: string, max: number): Promise<readonly KeptSight[]>;
  /** The sights of some records. */
  of(watcher: string, records: readonly string[]): Promise<readonly KeptSight[]>;
  /** A page, as `page` gives it, of those sights that have news of the turn that is under way. */
  withNews(watcher: WatcherRow, after: string, max: number): Promise<readonly KeptSight[]>;
  /** The time of the last look of a watcher that went well; `null` where there was none. */
  lastLook(watcher: string): Promise<number | null>;
  /** The watchers that are to look. */
  queue(): DueQueue<WatcherRow>;
  /**
   * Writes a part of what a look saw, and keeps the watcher until a time; `false` where another process has the watcher:
   * nothing is written then.
   */
  write(watcher: HeldWatcher, changes: SightChanges, until: number): Promise<boolean>;
  /**
   * Deletes a watcher that serves no channel any more, and some of its sights; `true` where none is left, or another process
   * has the watcher.
   */
  close(watcher: HeldWatcher): Promise<boolean>;
}>;

/** Max sights that one statement deletes. */
const deletedAtOnce = 500;
const whole = asAdded('name', 'madeAt', 'since', 'goneAt', 'backedAt', 'place', 'troubles', 'news');

export function sightsIn(store: Store): Sights {
  /** Writes while this process has the watcher; `false` where another one has it by now. */
  const whileHeld = (watcher: HeldWatcher, until: number, write: (changes: Transaction<Schema>) => Promise<void>) =>
    wholly(store, async changes => {
      // The watcher is locked before its row in the queue, as by whoever subscribes a channel.
      await changes
        .updateTable('watchers')
        .set({ turn: asItIs('turn') })
        .where('id', '=', watcher.id)
        .execute();
      await mustHaveDue(changes, watcher.due, until);
      await write(changes);
    });
  const pageOf = (watcher: string, after: string, max: number) =>
    store
      .selectFrom('sights')
      .selectAll()
      .where('watcher', '=', watcher)
      .where('record', '>', after)
      .orderBy('record')
      .limit(max);
  const read = async (rows: ReturnType<typeof pageOf>) => (await rows.execute()).map(readSight);
  return {
    queue: () =>
      queueOf(store, watcherKind, async ids =>
        readAll(await store.selectFrom('watchers').selectAll().where(isAnyOf('id', ids)).execute(), row => row),
      ),
    page: (watcher, after, max) => read(pageOf(watcher, after, max)),
    async lastLook(watcher) {
      const row = await store.selectFrom('watchers').select('lookedAt').where('id', '=', watcher).executeTakeFirst();
      return row?.lookedAt ?? null;
    },
    async of(watcher, records) {
      if (records.length === 0) return [];
      const own = store.selectFrom('sights').selectAll().where('watcher', '=', watcher);
      return read(own.where(isAnyOf('record', records)));
    },
    withNews: ({ id, turn }, after, max) => read(pageOf(id, after, max).where('news', '=', turn + 1)),
    write: (watcher, { written, deleted }, until) =>
      whileHeld(watcher, until, async changes => {
        const rows = written.map(one => ({ ...one, watcher: watcher.id, troubles: JSON.stringify(one.troubles) }));
        if (rows.length > 0) await insertOrSet(changes, 'sights', ['watcher', 'record'], rows, whole).execute();
        if (deleted.length > 0)
          await changes
            .deleteFrom('sights')
            .where('watcher', '=', watcher.id)
            .where(isAnyOf('record', deleted))
            .execute();
      }),
    async close(watcher) {
      let isOver = true;
      await whileHeld(watcher, 0, async changes => {
        const some = changes
          .selectFrom('sights')
          .select('record')
          .where('watcher', '=', watcher.id)
          .limit(deletedAtOnce);
        const { numDeletedRows } = await changes
          .deleteFrom('sights')
          .where('watcher', '=', watcher.id)
          .where('record', 'in', some)
          .executeTakeFirst();
        isOver = numDeletedRows < BigInt(deletedAtOnce);
        if (!isOver) return;
        const wanted = changes
          .selectFrom('things')
          .select('id')
          .where(equals({ kind: subscriptions.name, subject: watcher.id }))
          .where('state', 'not in', subscriptions.over);
        const own = changes.deleteFrom('watchers').where('id', '=', watcher.id);
        if (await wrote(own.where(({ not, exists }) => not(exists(wanted)))))
          await removeDue(changes, watcherKind, [watcher]);
      });
      return isOver;
    },
  };
}

/** The time of the last look that went well of the least recent watchers: of the service account, and of people. */
export async function lastLooks(store: Store): Promise<readonly Readonly<{ reader: string; at: number }>[]> {
  const rows = await store
    .selectFrom('watchers')
    .select(['person', 'lookedAt'])
    .where('lookedAt', 'is not', null)
    .execute();
  const byReader = Map.groupBy(rows, row =>
    isAccount({ team: '', person: row.person }) ? 'service account' : 'person',
  );
  return [...byReader].map(([reader, some]) => ({
    reader,
    at: Math.min(...some.map(({ lookedAt }) => lookedAt ?? 0)),
  }));
}
