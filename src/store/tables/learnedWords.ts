import { sql } from 'kysely';
import type { Store } from '../database.ts';
import { light } from '../light.ts';
import { asAdded } from '../lists.ts';
import { insertOrSet } from '../statementParts.ts';
import type { WordRow } from './rows.ts';

/** The state words of services, with the counts that each workspace learned from records. */
export type LearnedWords = Readonly<{
  /** What all workspaces learned of the words of a service. */
  of(service: string): Promise<readonly WordRow[]>;
  /**
   * Writes the counts of these words, which only grow. Each process counts by itself: what another one wrote that counted
   * more stands.
   */
  keep(rows: readonly WordRow[]): Promise<void>;
}>;

export function learnedWordsIn(store: Store): LearnedWords {
  return {
    of: service => store.selectFrom('words').selectAll().where('service', '=', service).execute(),
    async keep(rows) {
      if (rows.length === 0) return;
      const counts = { stood: larger('stood'), rested: larger('rested'), passed: larger('passed') };
      const set = { ...counts, ...asAdded('seenAt') };
      await insertOrSet(store, 'words', ['service', 'team', 'kind', 'word'], rows, set).modifyEnd(light).execute();
    },
  };
}

/** The larger one of a count that is written and the one that stands. */
function larger(count: 'stood' | 'rested' | 'passed') {
  const [added, before] = [sql.ref(`excluded.${count}`), sql.ref(`words.${count}`)];
  return sql<number>`case when ${added} > ${before} then ${added} else ${before} end`;
}
