import { type Identifier, typedIdentifier } from '../api/identifiers.ts';
import { keyed } from '../ground/lookalikes.ts';
import { mapInSlices } from '../ground/slices.ts';
import type { Named } from './find.ts';
import { withoutHidden } from './legible.ts';

/** A text with the shape of an identifier: nothing that belongs to a word stands before or after it, but for lines of italics. */
const shapes = /(?<![\p{L}\p{N}-]_{0,3})(?<!_{4})[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*-\d{1,30}(?!_{0,3}[\p{L}\p{N}-])/giu;

/** The identifiers of the service's kinds (spec §2) in a text, in any case, each once, as they come in it. */
export function identifiersIn(text: string): readonly Identifier[] {
  const found = [...readAsLog(text).matchAll(shapes)].flatMap(([shape]) => typedIdentifier(shape) ?? []);
  const known = found.filter(({ noun }) => noun !== undefined);
  return [...new Map(known.map(id => [id.text, id])).values()];
}

/** What JSON and other logs write for a character, also within JSON: `\n`, `\\n`, `\u2011`, `\x1b`, `\033`, `\e`. */
const escapes = /(?<!\\)\\+(?:[bfnrt"/]|u([\dA-Fa-f]{4})|x([\dA-Fa-f]{2})|(?:033|e)(?=[[\]]))/g;
/** What colours the lines of a terminal, clears them, moves the cursor, or begins and ends a link. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the commands of a terminal begin with one
const commands = /\u001b(?:\[[0-?]{0,30}[ -/]{0,4}[@-~]|\][^\u0007\u001b]{0,500}(?:\u0007|\u001b\\))/g;

/**
 * A text as a keyboard types it. Where it may be JSON, as logs are, that is what it means, and then what it says: the
 * letter behind a backslash belongs to no name in a log, and to one in a path of Windows. A command of a terminal may stand
 * between two words, and inside of one.
 */
function readAsLog(text: string): string {
  const unescaped = text.replace(escapes, (whole, ...codes: readonly (string | undefined)[]) => {
    const code = codes[0] ?? codes[1] ?? (/[3e]$/.test(whole) ? '1b' : undefined);
    return code === undefined ? ' ' : String.fromCharCode(Number.parseInt(code, 16));
  });
  const readings = ['', ' '].map(instead => unescaped.replace(commands, instead));
  return keyed([...new Set([...readings.toReversed(), text])].join('\n'));
}

/** Max places at which one name is looked at: a text may repeat longer words that contain it. */
const maxPlaces = 100;

/**
 * The records whose whole name stands in a text, in any case, as they come in it. A name inside of a longer word is none:
 * `orders` is not named by `orders-3320`. A name of one character is never found.
 */
export async function namedInText<T extends Named>(text: string, records: readonly T[]): Promise<readonly T[]> {
  const read = comparableText(readAsLog(text));
  const words = new Set(wordsOf(read));
  const places = new Map<string, number>();
  const placeOf = ({ name }: T): number => {
    const wanted = name === undefined ? '' : comparableText(name);
    const known = places.get(wanted);
    if (known !== undefined) return known;
    const parts = wanted.length < 2 ? [] : wordsOf(wanted);
    // Most names are ruled out by their words, of which a list has thousands.
    const place = parts.length > 0 && parts.every(part => words.has(part)) ? firstPlace(read, wanted) : -1;
    places.set(wanted, place);
    return place;
  };
  const found = await mapInSlices(records, record => ({ record, place: placeOf(record) }));
  return found
    .filter(({ place }) => place >= 0)
    .sort((one, other) => one.place - other.place)
    .map(({ record }) => record);
}

/**
 * A text or a name for comparison: in lower case, with single blanks, and blanks for the marks that Slack puts around
 * links. Passwords are left as they are: nothing shows this.
 */
function comparableText(text: string): string {
  // Most names have nothing to be changed, and a list has thousands.
  if (/^[\w-]+$/.test(text)) return text.toLowerCase();
  return withoutHidden(keyed(text).replace(/[<>|]/g, ' ')).replace(/\s+/g, ' ').toLowerCase();
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The first place where a name stands on its own, or -1. */
function firstPlace(text: string, name: string): number {
  let at = text.indexOf(name);
  for (let tries = 0; at >= 0 && tries < maxPlaces; tries++) {
    const [before, after] = [text.slice(Math.max(0, at - 2), at), text.slice(at + name.length, at + name.length + 2)];
    if (!/[\p{L}\p{N}][-_]?$/u.test(before) && !/^[-_]?[\p{L}\p{N}]/u.test(after)) return at;
    at = text.indexOf(name, at + 1);
  }
  return -1;
}
