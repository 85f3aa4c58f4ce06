/** Parses a text as JSON; gives `undefined`, which fits no shape, where it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
