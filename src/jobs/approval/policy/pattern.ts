import { foldings } from '../../../ground/lookalikes.ts';

/**
 * Whether the whole of a text matches a pattern, in which `*` stands for any characters; case does not matter.
 * `undefined` where the text only looks as if it did: by letters that look alike, by marks on them, or by invisible
 * characters.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (standInOrder(pattern.split('*').map(caseless), caseless(text))) return true;
  const parts = pattern.split('*').map(foldings);
  const looksAlike = foldings(text).some(all =>
    parts[0]?.some((_, form) =>
      standInOrder(
        parts.map(part => part[form] ?? ''),
        all,
      ),
    ),
  );
  return looksAlike ? undefined : false;
}

/** Whether `parts` stand in a text in their order, the first at its beginning and the last at its end. */
function standInOrder([first = '', ...rest]: readonly string[], all: string): boolean {
  const last = rest.pop();
  if (last === undefined) return all === first;
  if (!all.startsWith(first) || all.length < first.length + last.length) return false;
  let at = first.length;
  for (const part of rest) {
    const found = all.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return all.endsWith(last) && all.length - last.length >= at;
}

function caseless(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
