/** The highest port that there is. */
const lastPort = 65_535;

/** The first port from `from` on that is not taken; `undefined` where there is none. */
export function firstPortNotIn(from: number, taken: ReadonlySet<number>): number | undefined {
  for (let port = Math.max(1, from); port <= lastPort; port++) if (!taken.has(port)) return port;
  return undefined;
}

/**
 * The name itself where it is not taken, in any case of letters; else the next one by its number: `QA07` after `QA06`,
 * `PAYDEV2` after `PAYDEV`. `gap` stands before a number that is added.
 */
export function nextFreeName(name: string, taken: Iterable<string>, gap = ''): string {
  const known = new Set([...taken].map(one => one.toLowerCase()));
  const [, stem = name, digits = ''] = /^(.*?)(\d{0,9})$/s.exec(name) ?? [];
  const begin = digits === '' ? 1 : Number(digits);
  const numbered = (number: number) =>
    digits === '' ? `${stem}${gap}${number}` : `${stem}${String(number).padStart(digits.length, '0')}`;
  let free = name;
  for (let number = begin + 1; known.has(free.toLowerCase()); number++) free = numbered(number);
  return free;
}

/** A word that can stand in a path or a name everywhere. */
const plainWord = /^[\w.-]+$/;

/** The words by which people tell one clone from another in a path or in a further name. */
export type TellingWords = Readonly<{
  port?: string | undefined;
  name?: string | undefined;
  source?: string | undefined;
}>;

/**
 * A text after the pattern of another one: `/mnt/shop-3311` after `/mnt/shop-3310`, where the ports are 3311 and 3310.
 * Without any of the words in it, the text stays as it is. `undefined` where a word in it has no counterpart, or one
 * that is unfit for a path.
 */
export function afterPattern(text: string, was: TellingWords, is: TellingWords): string | undefined {
  let made = text;
  for (const key of ['name', 'port', 'source'] as const) {
    const [old, now] = [was[key], is[key]];
    if (old === undefined || old === '' || old === now) continue;
    const place = placeOf(made, old);
    if (place === undefined) continue;
    if (now === undefined || !plainWord.test(now)) return undefined;
    const found = made.slice(place, place + old.length);
    made = `${made.slice(0, place)}${inCaseOf(found, now)}${made.slice(place + old.length)}`;
  }
  return made;
}

/** The last place of a word in a text, in any case of letters, where it is no part of a longer word or number. */
function placeOf(text: string, word: string): number | undefined {
  const [within, wanted] = [text.toLowerCase(), word.toLowerCase()];
  const isEdge = (inside: string | undefined, outside: string | undefined) =>
    outside === undefined || !(/\d/.test(inside ?? '') ? /\d/ : /[a-z]/).test(outside);
  for (let at = within.lastIndexOf(wanted); at >= 0; at = at === 0 ? -1 : within.lastIndexOf(wanted, at - 1)) {
    const end = at + wanted.length;
    if (isEdge(within[at], within[at - 1]) && isEdge(within[end - 1], within[end])) return at;
  }
  return undefined;
}

/** A text in the case of letters of another one, where that is all lower or all upper. */
function inCaseOf(example: string, text: string): string {
  if (!/[a-z]/i.test(example)) return text;
  if (example === example.toLowerCase()) return text.toLowerCase();
  return example === example.toUpperCase() ? text.toUpperCase() : text;
}
