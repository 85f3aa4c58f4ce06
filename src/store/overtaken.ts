import type { Transaction } from 'kysely';
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
