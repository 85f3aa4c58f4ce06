import { addDue } from '../../../src/store/queue.ts';
import { type Kind, thingRow } from '../../../src/store/things/kind.ts';
import { type NewThing, thingsIn } from '../../../src/store/things/things.ts';
import { type DueRow, inParts, type QueueCase } from './queue.ts';

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
  { make, pauseAfter, turnUninstalled, max = 100 }: ThingCase<State, Body>,
): QueueCase {
  const keyOf = (id: string) => make({ id, dueAt: 0 }).id;
  const names = new Map<string, string>();
  return {
    lock: 'due.locked_until',
    max,
    turnUninstalled,
    put: (store, rows) =>
      inParts(rows, async some => {
        const made = some.map(row => ({ row, thing: make(row) }));
        for (const { row, thing } of made) names.set(thing.id, row.id);
        await store
          .insertInto('things')
          .values(made.map(({ thing }) => thingRow(kind, { ...thing, revision: 1 })))
          .execute();
        await addDue(
          store,
          made.map(({ row: { dueAt }, thing: { id, team } }) => ({ kind: kind.name, id, team, dueAt, now: dueAt })),
        );
      }),
    spoil: (store, id) => store.updateTable('things').set({ body: '{' }).where('id', '=', keyOf(id)).execute(),
    see: (store, id) =>
      store
        .selectFrom('due')
        .select(['dueAt', 'lockedUntil', 'tries'])
        .where('kind', '=', kind.name)
        .where('id', '=', keyOf(id))
        .executeTakeFirst(),
    begin(store, said) {
      const things = thingsIn(store);
      const queue = things.queue(kind, said);
      return {
        async take(now, most) {
          return (await queue.take(now, most)).map(({ due, row }) => ({
            id: names.get(due.id) ?? due.id,
            renew: until => queue.renew([due], until),
            rest: dueAt => queue.rest(due, dueAt, { now }),
            fail: at => queue.rest(due, at + pauseAfter(due.tries), { now: at, failed: true }),
            step: async at =>
              (await things.apply(kind, row, { changes: {}, dueAt: null }, { now: at, taken: due })) !== undefined,
          }));
        },
        nextTime: queue.nextTime,
        search: queue.recall,
        recall: queue.recall,
      };
    },
  };
}
