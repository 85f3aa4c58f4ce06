import type { Transaction } from 'kysely';
import type { EyesRow, Schema, Store } from '../database.ts';
import { unlessOvertaken } from '../overtaken.ts';
import { type Due, type DueQueue, mustHaveDue, queueOf, readAll, removeDue } from '../queue.ts';
import { type KeptSight, readSight, subscriptions } from './alertRows.ts';

/** The changes of one look: sights to write, and the records whose sights are deleted. */
export type SightChanges = Readonly<{ written: readonly KeptSight[]; deleted: readonly string[] }>;

/** Eyes that a process has taken for a look. */
export type HeldEyes = EyesRow & Readonly<{ due: Due }>;

/** The kind of eyes in the queue. */
export const eyesKind = 'eyes';

/**
 * The looks at the service: each sign-in’s eyes are due every few minutes, and one process takes them then. What it saw
 * it writes in parts, each only while it still has the eyes, so that of two processes one writes.
 */
export type Sights = {
  /** The eyes that are to look. */
  queue(): DueQueue<EyesRow>;
  /** Up to `max` sights of these eyes, in the order of their records, after this one. */
  page(eyes: string, after: string, max: number): Promise<KeptSight[]>;
  /** Those of them that have news of the turn that is under way. */
  withNews(eyes: EyesRow, after: string, max: number): Promise<KeptSight[]>;
  /** Writes a part of what a look saw; `false` where another process has the eyes: nothing is written then. */
  write(eyes: HeldEyes, changes: SightChanges, until: number): Promise<boolean>;
  /** Deletes eyes that serve no channel any more, and some of their sights; `true` where none is left. */
  close(eyes: HeldEyes): Promise<boolean>;
};

/** Max sights that one statement deletes. */
const deletedAtOnce = 500;

export function sightsIn(store: Store): Sights {
  /** Writes while this process has the eyes; `false` where another one has them by now. */
  const whileHeld = async (eyes: HeldEyes, until: number, write: (changes: Transaction<Schema>) => Promise<void>) => {
    const done = await unlessOvertaken(() =>
      store.transaction().execute(async changes => {
        // The eyes are locked before their row in the queue, as by whoever subscribes a channel.
        await changes
          .updateTable('eyes')
          .set(eb => ({ turn: eb.ref('turn') }))
          .where('id', '=', eyes.id)
          .execute();
        await mustHaveDue(changes, eyes.due, until);
        await write(changes);
        return true;
      }),
    );
    return done === true;
  };
  const pageOf = (eyes: string, after: string, max: number) =>
    store
      .selectFrom('sights')
      .selectAll()
      .where('eyes', '=', eyes)
      .where('record', '>', after)
      .orderBy('record')
      .limit(max);
  return {
    queue: () =>
      queueOf(store, eyesKind, async ids =>
        readAll(await store.selectFrom('eyes').selectAll().where('id', 'in', ids).execute(), row => row),
      ),
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
      whileHeld(eyes, until, async changes => {
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
      }),
    async close(eyes) {
      let isOver = true;
      await whileHeld(eyes, 0, async changes => {
        const some = changes.selectFrom('sights').select('record').where('eyes', '=', eyes.id).limit(deletedAtOnce);
        const { numDeletedRows } = await changes
          .deleteFrom('sights')
          .where('eyes', '=', eyes.id)
          .where('record', 'in', some)
          .executeTakeFirst();
        isOver = numDeletedRows < BigInt(deletedAtOnce);
        if (!isOver) return;
        const wanted = changes
          .selectFrom('things')
          .select('id')
          .where('kind', '=', subscriptions.name)
          .where('subject', '=', eyes.id)
          .where('state', 'not in', subscriptions.over);
        const { numDeletedRows: closed } = await changes
          .deleteFrom('eyes')
          .where('id', '=', eyes.id)
          .where(({ not, exists }) => not(exists(wanted)))
          .executeTakeFirst();
        if (closed > 0n) await removeDue(changes, eyesKind, [eyes.id]);
      });
      return isOver;
    },
  };
}
