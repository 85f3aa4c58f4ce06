import { isRecord } from './json.ts';

/** Counts the characters in the texts of a JSON value. Slack counts what a task card folds twice. */
export function charactersOf(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, entry) => sum + charactersOf(entry), 0);
  if (!isRecord(value)) return 0;
  return Object.entries(value).reduce((sum, [key, entry]) => {
    if ((key === 'text' || key === 'title') && typeof entry === 'string') return sum + entry.length;
    return sum + charactersOf(entry) * (key === 'details' || key === 'output' ? 2 : 1);
  }, 0);
}
