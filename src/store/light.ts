import { sql } from 'kysely';

const marked = '/* light */';

/**
 * Marks a statement that needs no durability of its own, with `.modifyEnd(light)`: it only locks, delays or counts.
 * Its commit then does not wait for the disk; the next durable commit takes it along. If the power fails before that, the
 * statement is undone, so a job is merely looked at or told of once more. Within a transaction it waits for that one's commit.
 */
export const light = sql`${sql.raw(marked)}`;

/**
 * The same for a statement that takes rows and raises their fences. PostgreSQL may end by itself while the process goes on
 * that took them: were the taking undone, another process would get the same fence. So its commit waits there.
 */
export const lightTaking = sql`${sql.raw('/* taking, light */')}`;

/** Whether a statement was marked as {@link light}, or as {@link lightTaking}. */
export function isLight(text: string): boolean {
  return text.endsWith('light */');
}

/** Writes a statement for PostgreSQL that is {@link light}: what it changes sets how its own commit goes. */
export function withoutWaiting(text: string): string {
  if (!text.endsWith(marked)) return text;
  const setting = `set_config('synchronous_commit', 'off', true) as light`;
  return `${text.slice(0, -marked.length)} ${text.includes(' returning ') ? ',' : 'returning'} ${setting}`;
}
