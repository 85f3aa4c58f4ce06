import type { Store } from '../database.ts';
import { isAnyOf } from '../lists.ts';
import type { Kind } from './kind.ts';

/** The things to look for, by what is common to them. */
export type ThingSearch = Readonly<{
  team?: string;
  person?: string;
  channel?: string;
  subject?: string;
  waitsFor?: string;
  ids?: readonly string[];
  /** Those, too, that are over. */
  withOver?: boolean;
}>;

/** Selects the things of a kind, also those that are over. */
export function ofKind(store: Store, { name }: Pick<Kind<string, object>, 'name'>) {
  return store.selectFrom('things').selectAll().where('kind', '=', name);
}

/** Selects those of them that fit. */
export function searched(
  store: Store,
  kind: Pick<Kind<string, object>, 'name' | 'states' | 'over'>,
  search: ThingSearch,
) {
  const { ids, withOver = false, ...equal } = search;
  // Of another one the thing could not be read. An index passes over the many that are over.
  const open = Object.keys(kind.states).filter(state => !kind.over.includes(state));
  return ofKind(store, kind)
    .where(({ and }) => and(equal))
    .$if(!withOver, query => query.where('state', 'in', open))
    .$if(ids !== undefined, query => query.where(isAnyOf('id', ids ?? [])));
}
