import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Owner } from '../../vault.ts';
import type { JobTaking } from './job.ts';

export function isTheirs(owners: readonly Owner[]): RawBuilder<SqlBool> {
  const pairs = padded(owners).map(({ team, person }) => sql`(${team}, ${person})`);
  return sql<SqlBool>`(team, person) in (values ${sql.join(pairs)})`;
}

/** A job or a look that a process took, by its id and the fence of then. */
export type Held = Readonly<{ id: string; fence: number }>;

/** The ones of these jobs that were taken by this kind of row. */
export function heldBy(
  by: JobTaking['by'],
  jobs: readonly Readonly<{ id: string; taken?: JobTaking | undefined }>[],
): Held[] {
  return jobs.flatMap(({ id, taken }) => (taken?.by === by ? [{ id, fence: taken.fence }] : []));
}

/** Whether a row is among those, and nobody has taken it since. */
export function isHeld(key: 'id' | 'job', held: readonly Held[]): RawBuilder<SqlBool> {
  // PostgreSQL takes all of the values for texts.
  const pairs = padded(held).map(({ id, fence }) => sql`(${id}, ${`${fence}`})`);
  return sql<SqlBool>`(${sql.ref(key)}, cast(fence as text)) in (values ${sql.join(pairs)})`;
}

/**
 * Repeats the last value until their number is a power of two: each length is a statement of its own to prepare.
 */
export function padded<T>(values: readonly T[]): readonly T[] {
  const last = values.slice(-1);
  const length = 2 ** Math.ceil(Math.log2(values.length));
  return [...values, ...Array.from({ length: length - values.length }, () => last).flat()];
}
