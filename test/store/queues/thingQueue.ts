import { type Kind, type Thing, thingRow } from '../../../src/store/things/kind.ts';
import { type NewThing, thingsIn } from '../../../src/store/things/things.ts';
import { dueQueue } from './dueQueue.ts';
import type { DueRow, QueueCase } from './queue.ts';

/** A kind of durable things in the suite: how one is made for a row, and what its loop does about failures. */
export type ThingCase<State extends string, Body extends object> = Readonly<{
  make(row: DueRow): NewThing<State, Body>;
  pauseAfter(tries: number): number;
  turnUninstalled: NonNullable<QueueCase['turnUninstalled']>;
  max?: number;
}>;

/** The queue of a kind of durable things. */
export function thingQueue<State extends string, Body extends object>(
  kind: Kind<State, Body>,
  { make, max = 100, ...kept }: ThingCase<State, Body>,
): QueueCase {
  return dueQueue<Thing<State, Body>>({
    ...kept,
    ...{ kind: kind.name, max },
    keyOf: make,
    store: (store, rows) =>
      store
        .insertInto('things')
        .values(rows.map(row => thingRow(kind, { ...make(row), revision: 1 })))
        .execute(),
    spoil: (store, id) => store.updateTable('things').set({ body: '{' }).where('id', '=', id).execute(),
    queue: (store, said) => thingsIn(store).queue(kind, said),
    acts: (store, taken, row) => ({
      step: async now =>
        (await thingsIn(store).apply(kind, row, { changes: {}, dueAt: null }, { now, taken })) !== undefined,
    }),
  });
}
