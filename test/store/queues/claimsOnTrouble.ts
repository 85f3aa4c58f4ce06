import { expect } from 'vitest';
import { hour, minute, second } from '../../../src/ground/durations.ts';
import { lockTime } from '../../../src/ground/loop.ts';
import type { Store } from '../../../src/store/database.ts';
import { type Claim, ids, see, t, takeOne } from './claim.ts';
import { type Death, type DyingStore, deaths, dyingStore } from './killing.ts';
import type { Held, QueueCase } from './queue.ts';

/* Kills, failures, teams that are gone and rows that cannot be read lose nothing. */

/** The acts of a process about one row, as a kill may meet them. */
const acts = ['take', 'renew', 'rest', 'finish'] as const;

type Act = (typeof acts)[number];

export const claimsOnTrouble = {
  async 'a kill at any statement loses no row: it can be taken again within the time of a lock'(queue, store) {
    const later = queue.begin(store);
    const killedAt = t + second;
    let kills = 0;
    for (const what of acts)
      for (const death of deaths)
        for (let statement = 0, isOver = false; !isOver; statement++) {
          const id = `${what}-${death}-${statement}`;
          await queue.put(store, [{ id, dueAt: t - hour }]);
          isOver = !(await diesAt(queue, dyingStore(store), { what, death, statement, killedAt }));
          kills += Number(!isOver);
          const found = ids(await later.take(killedAt + lockTime, 10));
          const dueAt = (await queue.see(store, id))?.dueAt ?? Number.POSITIVE_INFINITY;
          const isDone = what === 'finish' && dueAt > killedAt + lockTime;
          expect([id, found]).toEqual([id, isDone ? [] : [id]]);
          for (const held of await later.take(t + 3 * lockTime, 10)) await held.rest(t + 9 * minute);
        }
    // To take, to rest and to finish are a statement each at least.
    expect(kills).toBeGreaterThanOrEqual(6);
  },

  async 'a workspace that uninstalled the app keeps its rows for later, and no failure is counted'(queue, store) {
    if (!queue.turnUninstalled) throw new Error('it has no loop here');
    await queue.put(store, [{ id: 'row', dueAt: t - minute }]);
    await queue.turnUninstalled(store, t);
    const state = await see(queue, store);
    expect(state).toMatchObject({ tries: 0, lockedUntil: 0 });
    // To try again sooner would not bring the app back.
    expect(state?.dueAt).toBeGreaterThan(t + minute);
  },

  async 'a row that cannot be read is left as it is'(queue, store) {
    const { process } = await spoiled(queue, store);
    const before = await see(queue, store);
    await process.take(t, 10).catch(() => []);
    expect(before).toBeDefined();
    expect(await see(queue, store)).toEqual(before);
  },

  async 'a row that cannot be read does not block the others'(queue, store) {
    const { process } = await spoiled(queue, store);
    await queue.put(store, [{ id: 'other', dueAt: t - second }]);
    // A loop that is given fewer than it asked for waits until something else is due.
    expect(ids(await process.take(t, 1))).toEqual(['other']);
  },

  async 'a row that cannot be read is reported once'(queue, store) {
    const { process, times } = await spoiled(queue, store);
    for (const now of [t, t + second, t + 2 * minute, t + 5 * minute]) await process.take(now, 10).catch(() => []);
    expect(times()).toBe(1);
  },

  async 'the pauses after failures of a row grow, and stay below 18 minutes'(queue, store) {
    await queue.put(store, [{ id: 'row', dueAt: t - second }]);
    const process = queue.begin(store);
    const pauses = [];
    for (let now = t; pauses.length < 20; ) {
      await (await takeOne(process, now)).fail(now);
      const dueAt = (await see(queue, store))?.dueAt ?? null;
      // It was given up, and said so.
      if (dueAt === null) break;
      pauses.push(dueAt - now);
      now = dueAt;
    }
    const [first = 0] = pauses;
    // Pauses vary by a fifth.
    expect(pauses[4]).toBeGreaterThan(2 * first);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(18 * minute);
  },
} as const satisfies Record<string, Claim>;

/** Lets a process die at a statement of an act; tells whether the act has so many. */
async function diesAt(
  queue: QueueCase,
  life: DyingStore,
  { what, death, statement, killedAt }: Readonly<{ what: Act; death: Death; statement: number; killedAt: number }>,
): Promise<boolean> {
  const process = queue.begin(life.store);
  if (what === 'take') life.dieAt(statement, death);
  const [held] = await process.take(t, 10).catch(() => []);
  if (what !== 'take') life.dieAt(statement, death);
  if (held) await doAct(what, held, killedAt).catch(() => undefined);
  return life.isDead();
}

async function doAct(what: Act, held: Held, now: number): Promise<void> {
  if (what === 'renew') await held.renew?.(now + lockTime);
  if (what === 'rest') await held.rest(now + second);
  if (what === 'finish') await (held.note ?? held.step)?.(now);
}

/** Puts a row that nobody can read; `times` tells how often that was said. */
async function spoiled(queue: QueueCase, store: Store) {
  let count = 0;
  await queue.put(store, [{ id: 'row', dueAt: t - hour }]);
  await queue.spoil?.(store, 'row');
  return { process: queue.begin(store, () => void count++), times: () => count };
}
