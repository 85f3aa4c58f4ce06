import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Store } from '../../database.ts';
import { listed } from '../../lists.ts';
import { isShared } from '../../lock.ts';
import type { Owner } from '../../vault.ts';

/** The queue's table, its key and its time, and which of its rows may be taken, and along with those that are due. */
type Of = Readonly<{
  table: 'jobs' | 'looks';
  key: 'id' | 'job';
  time: 'dueAt' | 'freeAt';
  mayBeTaken: RawBuilder<SqlBool>;
  mayComeAlong: RawBuilder<SqlBool>;
}>;
type WantedRows = Readonly<{ now: number; until: number; max: number; along?: readonly Owner[] }>;

/**
 * Selects the keys of what is due, and of what is due by `until` of the same people, and of the people `along`: of as many
 * people as have `max` rows. Who has waited longest comes first, with all of that, since one read of the records serves
 * it: rows one by one would split people, and their records would be read for each part.
 */
export function ofWholePeople(
  store: Store,
  { table, key, time, mayBeTaken, mayComeAlong }: Of,
  { now, until, max, along = [] }: WantedRows,
): RawBuilder<string> {
  const [rows, id, at] = [sql.table(table), sql.ref(key), sql.ref(time)];
  const others = listed(
    along.map(({ team, person }) => [team, person]),
    2,
  );
  // What another process is about to take is passed over: else both would choose the same people.
  const due = sql`select team, person, ${at} as since from ${rows}
    where ${at} <= ${now} and ${mayBeTaken} order by ${at} limit ${max} ${sql.raw(isShared(store) ? 'for update skip locked' : '')}`;
  const people = sql`select team, person, min(since) as since
    from (select * from (${due}) as due union all select *, ${now} from (${others}) as along) as people
    group by team, person`;
  const theirs = sql`select ${id} as id, rank() over (order by since, team, person) as place
    from ${rows} join (${people}) as people using (team, person)
    where ${at} <= ${until} and (${at} <= ${now} or ${mayComeAlong}) and ${mayBeTaken}`;
  return sql`(select id from (${theirs}) as theirs where place <= ${max})`;
}
