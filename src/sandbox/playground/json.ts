/** A JSON object of which nothing is known yet. */
export type Json = Record<string, unknown>;

/** Whether `value` is a JSON object (no array, not null). */
export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `value` if it is an object, else an empty one. */
export const recordOf = (value: unknown): Json => (isRecord(value) ? value : {});

/** `value` if it is an array, else an empty one. */
export const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** The objects among the entries of `value`. */
export const recordsOf = (value: unknown): Json[] => listOf(value).filter(isRecord);

/** `value` if it is a string, else the empty string. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The JSON in `text`, or undefined where it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
