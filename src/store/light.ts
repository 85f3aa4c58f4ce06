import { sql } from 'kysely';

/**
 * Marks a statement that needs no durability of its own, with `.modifyEnd(light)`: it only locks, delays or counts.
 * SQLite then commits it without waiting for the disk; the next durable commit takes it along. If the power fails
 * before that, the statement is undone, so a job is merely looked at or told of once more. Only for a statement outside
 * of transactions.
 */
export const light = sql`${sql.raw('/* light */')}`;

/** Whether a statement was marked as {@link light}. */
export function isLight(text: string): boolean {
  return text.endsWith('/* light */');
}
