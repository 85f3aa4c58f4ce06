import type { Store } from '../database.ts';
import { light } from '../light.ts';
import { asAdded } from '../lists.ts';
import type { WordRow } from './rows.ts';

/** The state words of services, with the counts that each workspace learned from records. */
export type LearnedWords = ReturnType<typeof learnedWordsIn>;

export function learnedWordsIn(store: Store) {
  return {
    of: (service: string) => store.selectFrom('words').selectAll().where('service', '=', service).execute(),
    /** Writes the counts of these words over those before. */
    async keep(rows: readonly WordRow[]) {
      if (rows.length === 0) return;
      await store
        .insertInto('words')
        .values([...rows])
        .onConflict(conflict =>
          conflict
            .columns(['service', 'team', 'kind', 'word'])
            .doUpdateSet(asAdded('stood', 'rested', 'passed', 'seenAt')),
        )
        .modifyEnd(light)
        .execute();
    },
  };
}
