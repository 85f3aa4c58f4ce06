import { isRecord } from './json.ts';

/** Counts the characters in the `text` properties of a JSON value. */
export function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + charactersOf(entry), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce(
    (sum, [key, entry]) => sum + (key === 'text' && typeof entry === 'string' ? entry.length : charactersOf(entry)),
    0,
  );
}
