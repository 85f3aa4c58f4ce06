import type { Store } from './database.ts';

/** What was learned of one state word: how many records of the kind were seen so. */
export type WordRow = {
  /** Where the service is. */
  service: string;
  kind: string;
  word: string;
  /** How many records stood in it at one time while nothing of Dolly's was under way on them. */
  stood: number;
  /** How many were seen in it again later. */
  rested: number;
  /** How often a record entered it after a write and left it by itself. */
  passed: number;
  seenAt: number;
};

/** The state words of services, as they were learned. */
export type Words = {
  of(service: string): Promise<readonly WordRow[]>;
  /** Keeps what is known of these words now. */
  keep(rows: readonly WordRow[]): Promise<void>;
};

/** Keeps learned words in the store. */
export function wordsIn(store: Store): Words {
  return {
    of: service => store.selectFrom('words').selectAll().where('service', '=', service).execute(),
    async keep(rows) {
      if (rows.length === 0) return;
      await store
        .insertInto('words')
        .values([...rows])
        .onConflict(conflict =>
          conflict.columns(['service', 'kind', 'word']).doUpdateSet(({ ref }) => ({
            stood: ref('excluded.stood'),
            rested: ref('excluded.rested'),
            passed: ref('excluded.passed'),
            seenAt: ref('excluded.seenAt'),
          })),
        )
        .execute();
    },
  };
}
