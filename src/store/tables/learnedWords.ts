import type { Store } from '../database.ts';
import { light } from '../light.ts';
import type { WordRow } from './rows.ts';

/** The state words of services, with the counts that each workspace learned from records. */
export type LearnedWords = {
  of(service: string): Promise<readonly WordRow[]>;
  /** Writes the counts of these words over those before. */
  keep(rows: readonly WordRow[]): Promise<void>;
};

export function learnedWordsIn(store: Store): LearnedWords {
  return {
    of: service => store.selectFrom('words').selectAll().where('service', '=', service).execute(),
    async keep(rows) {
      if (rows.length === 0) return;
      await store
        .insertInto('words')
        .values([...rows])
        .onConflict(conflict =>
          conflict.columns(['service', 'team', 'kind', 'word']).doUpdateSet(({ ref }) => ({
            stood: ref('excluded.stood'),
            rested: ref('excluded.rested'),
            passed: ref('excluded.passed'),
            seenAt: ref('excluded.seenAt'),
          })),
        )
        .modifyEnd(light)
        .execute();
    },
  };
}
