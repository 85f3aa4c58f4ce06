import { type Asked, type Endpoint, type Write, write } from './endpoint.ts';
import type { Database, DatabaseState, Environment } from './estate.ts';
import { checkEnabled, checkState, checkVirtual } from './rules.ts';

/** Everything about one write that concerns a database, a clone or one of its snapshots. */
type DatabaseWrite<Value, Found extends { database: Database }> = Omit<Write<Value, Found>, 'owned' | 'texts'> & {
  /** In which states of the database the write is taken (spec §3 shows none). A job that failed can always be tried again. */
  states: readonly DatabaseState[];
  /** Not for physical clones. */
  isForVirtual?: boolean;
  /** Also for a clone whose creation did not come to its end. */
  isForUnusable?: boolean;
  /** On which environments something is executed (rule 1, spec §3): the database's own when left out. */
  environments?(asked: Asked<Found>): readonly (Environment | undefined)[];
  /** The name of the database when left out. */
  texts?: Write<Value, Found>['texts'];
};

/** Makes an endpoint of what is said of a write. The rules that all such writes have are looked at before its own. */
export function databaseWrite<Value, Found extends { database: Database }>(
  entry: DatabaseWrite<Value, Found>,
): Endpoint {
  const { texts = ({ database }) => [database.name] } = entry;
  return write<Value, Found>({
    ...entry,
    // On real servers things are called as they are: a table may be busy_slots, and its restore shall not be refused for it.
    texts: asked => (asked.context.engines[asked.database.vendor].simulated ? texts(asked) : []),
    owned: ({ database }) => database,
    check(asked) {
      const { database, operation, context } = asked;
      const { estate } = context;
      const environments = entry.environments?.(asked) ?? [estate.environments.get(database.environment)];
      for (const environment of environments) checkEnabled(environment);
      if (entry.isForVirtual) checkVirtual(operation, database);
      checkState(operation, database, entry);
      entry.check?.(asked);
    },
  });
}
