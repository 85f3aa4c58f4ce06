import type { Store } from '../../../src/store/database.ts';
import { addDue, type Due, type DueQueue } from '../../../src/store/dueQueue.ts';
import { type DueRow, type Held, inParts, type QueueCase } from './queue.ts';

/** A kind of the one queue in the suite. */
export type DueCase<Row> = Readonly<{
  kind: string;
  max: number;
  /** The key of a row of the suite, and its team. */
  keyOf(row: DueRow): Readonly<{ id: string; team: string }>;
  /** Stores what rows are about. */
  store(store: Store, rows: readonly DueRow[]): Promise<unknown>;
  queue(store: Store, said?: () => void): DueQueue<Row>;
  pauseAfter(tries: number): number;
  /** What a process does about a row beside to put it off. */
  acts?(store: Store, due: Due, row: Row): Pick<Held, 'note' | 'step'>;
}> &
  Pick<QueueCase, 'spoil' | 'turnUninstalled'>;

/** A kind of the one queue. */
export function dueQueue<Row>(kept: DueCase<Row>): QueueCase {
  const { kind, max, keyOf, pauseAfter, spoil, turnUninstalled } = kept;
  const idOf = (id: string) => keyOf({ id, dueAt: 0 }).id;
  const names = new Map<string, string>();
  return {
    lock: 'due.locked_until',
    max,
    ...(spoil ? { spoil: (store: Store, id: string) => spoil(store, idOf(id)) } : {}),
    ...(turnUninstalled ? { turnUninstalled } : {}),
    put: (store, rows) =>
      inParts(rows, async some => {
        await kept.store(store, some);
        const due = some.map(row => {
          const { id, team } = keyOf(row);
          return { kind, id, team, dueAt: row.dueAt, now: row.dueAt };
        });
        for (const [index, { id }] of due.entries()) names.set(id, some[index]?.id ?? id);
        await addDue(store, due);
      }),
    see: (store, id) =>
      store
        .selectFrom('due')
        .select(['dueAt', 'lockedUntil', 'tries'])
        .where('kind', '=', kind)
        .where('id', '=', idOf(id))
        .executeTakeFirst(),
    begin(store, said) {
      const queue = kept.queue(store, said);
      return {
        async take(now, most) {
          return (await queue.take(now, most)).map(({ due, row }) => ({
            id: names.get(due.id) ?? due.id,
            renew: until => queue.renew([due], until),
            rest: dueAt => queue.rest(due, dueAt, { now }),
            fail: at => queue.rest(due, at + pauseAfter(due.tries), { now: at, failed: true }),
            ...kept.acts?.(store, due, row),
          }));
        },
        nextTime: queue.nextTime,
        search: queue.recall,
        recall: queue.recall,
      };
    },
  };
}
