import type { Transaction } from 'kysely';
import { ageOf, type Clock, type Moment, thisMoment } from '../ground/clock.ts';
import { lockTime } from '../ground/loop.ts';
import { inTransaction } from './agenda.ts';
import type { Schema, Store } from './database.ts';

/** Somebody else has changed a row meanwhile, or has it by now. It ends the transaction, of which nothing is written. */
export class Overtaken extends Error {
  override readonly name = 'Overtaken';
}

/** Does all of a transaction; `undefined`, and nothing of it, where it was {@link Overtaken}. */
export async function unlessOvertaken<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof Overtaken) return undefined;
    throw error;
  }
}

/** Makes changes in a transaction; tells whether they were made, or nothing of them since it was {@link Overtaken}. */
export async function wholly(store: Store, work: (changes: Transaction<Schema>) => Promise<unknown>): Promise<boolean> {
  return (await unlessOvertaken(() => inTransaction(store, work).then(() => true))) === true;
}

/** The hold of this process on a row that it took at `since`; without that, its hold is not known yet. */
export type RowHold<With> = Readonly<{
  /** Renews the lock, and writes `along` with it. @throws {Overtaken} where another process has the row */
  renew(along?: With): Promise<void>;
  /**
   * Is asked right before something leaves: after a pause of this process, another one may have the row. What leaves
   * within half the time of a lock arrives before anybody else can take it. @throws {Overtaken}
   */
  mustHold(): Promise<void>;
}>;

/** Makes the hold on a row. `keep` locks it until a time, and tells whether this process still has it. */
export function holdOn<With>(
  clock: Clock,
  keep: (until: number, along?: With) => Promise<boolean>,
  since?: Moment,
): RowHold<With> {
  let heldSince = since;
  const renew = async (along?: With) => {
    const moment = thisMoment(clock);
    if (!(await keep(moment.now + lockTime, along))) throw new Overtaken();
    heldSince = moment;
  };
  return {
    renew,
    async mustHold() {
      while (!heldSince || ageOf(clock, heldSince) >= lockTime / 2) await renew();
    },
  };
}
