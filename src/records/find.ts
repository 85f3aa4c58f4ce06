import { type Identifier, type Noun, nounNames, typedIdentifier } from '../api/identifiers.ts';
import type { Mention } from '../api/reading/mentions.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import { closest } from '../ground/closest.ts';
import { keyed, keyedName } from '../ground/lookalikes.ts';
import { counted } from '../ground/wording.ts';
import { legible } from './legible.ts';

/** The facts of a record that a search by name needs. */
export type Named = Pick<RecordView, 'id' | 'name' | 'environment'>;

/** The records among which a name is looked for; `cut` where there may be more than these. */
export type NamedList = Readonly<{ records: readonly Named[]; cut: boolean }>;

/** The list in place of one that was not read. */
export const unread: NamedList = { records: [], cut: true };

/**
 * The result of a search for a typed name or identifier. `close` are the records with a similar name. That there is
 * `none` is said by {@link noneAmong} alone: the list may have been cut.
 */
export type Found =
  | { type: 'one'; id: string; name: string | undefined }
  | { type: 'several'; records: readonly Named[] }
  | { type: 'none'; close: readonly Named[]; among: NamedList }
  | { type: 'wrong'; sentence: string; noun: Noun | undefined };

/**
 * Finds a record by identifier or by name, in any case; of names that differ in that alone, the one as it was typed. An
 * identifier of the right noun is taken even if no record shows it: the service knows best. A name may look like an
 * identifier (`orders-3320`). The name of a record of another noun is `wrong`, with a sentence that says so.
 */
export function find(typed: string, nouns: readonly Noun[], among: NamedList): Found {
  const { records } = among;
  const id = typedIdentifier(typed);
  if (id && isOneOf(id, nouns)) {
    const record = records.find(({ id: { text } }) => text === id.text);
    return { type: 'one', id: id.text, name: record?.name };
  }
  const spelt = spelling(keyed(typed));
  const wanted = spelt.toLowerCase();
  // The name as it is, and as it is shown: there, a blank stands for a mark of direction.
  const isSpelled = (name: string) => spelling(name).toLowerCase() === wanted;
  const isCalled = ({ name }: Named) =>
    name !== undefined && (isSpelled(name) || (keyed(name) !== name && isSpelled(keyed(name))));
  const named = records.filter(record => isOneOf(record.id, nouns) && record.name !== undefined);
  const alike = named.filter(isCalled);
  const exact = (spelled: (name: string) => string) =>
    alike.filter(({ name = '' }) => alike.length > 1 && spelled(name) === spelled(typed));
  const called = [exact(name => keyed(name).trim()), exact(spelling), alike].find(some => some.length > 0) ?? [];
  const [only] = called;
  if (only && called.length === 1) return { type: 'one', id: only.id.text, name: only.name };
  if (called.length > 1) return { type: 'several', records: called };
  const other = records.find(isCalled);
  if (other) return wrong(`${other.name} (${other.id.text})`, other.id, nouns);
  if (id && (id.noun || id.text === typed.trim())) return wrong(id.text, id, nouns);
  return { type: 'none', close: closest(wanted, named, record => record.name ?? ''), among };
}

/**
 * Says that there is none of something in a list. Of a list that was cut, nobody knows what else there is. Its other
 * records are still there for whoever knows their identifiers, each by its own GET (spec §4).
 */
export function noneAmong(none: string, { records, cut }: NamedList): string {
  if (!cut) return `${none}.`;
  return `${none} among the ${counted(records.length, 'record')} that I could read. There may be more: name one by its identifier.`;
}

/** Says of a list that stands there that it was cut. */
export const listIsCut = ':warning: This list is incomplete: the service says that there are more.';

/** Parts of records, such as snapshots; `cut` where there may be more than these. */
export type PartsInside = Readonly<{ parts: readonly Mention[]; cut: boolean }>;

/** Parts of records as a list to look into. Records that show none of them may have some. */
export function partsAsList({ parts, cut }: PartsInside): NamedList {
  const records = parts.map(({ id, label }) => ({ id, name: label, environment: undefined }));
  return { records, cut: cut || records.length === 0 };
}

/**
 * A name as a person can type it, who reads it as it is shown: with single blanks, and without the signs for what is not
 * shown and the marks of code, which are none of a text that was typed either.
 */
function spelling(name: string): string {
  // Most names have nothing to be made legible, and a list has thousands.
  if (/^[a-z\d](?:[\w-]*[a-z\d])?$/i.test(name)) return name;
  return keyedName(legible(name))
    .replace(/[`\ufffd]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
}

function wrong(name: string, { noun }: Identifier, nouns: readonly Noun[]): Found {
  const needed = nouns.map(wanted => nounNames[wanted].one).join(' or ');
  return {
    type: 'wrong',
    noun,
    sentence: `${name} is ${noun ? nounNames[noun].one : 'of an unknown kind'}; this needs ${needed}.`,
  };
}

/** Words as the names of several records: all of them, or the first name that is not exactly one record. */
export type FoundSeveral =
  | { type: 'one' }
  | { type: 'several'; records: readonly Extract<Found, { type: 'one' }>[] }
  | { type: 'fault'; name: string; found: Exclude<Found, { type: 'one' }> };

/** The names in some words: the parts between commas where there are any, else each word. */
export function namesInWords(words: readonly string[]): readonly string[] {
  const whole = words.join(' ');
  const names = whole.includes(',') ? whole.split(',').map(name => name.trim()) : words;
  return [...new Set(names.filter(Boolean))];
}

/** Finds the records that some words name. A whole name comes first: then the words are those of `one` record. */
export async function findSeveral(
  words: readonly string[],
  findOne: (name: string) => Found | Promise<Found>,
): Promise<FoundSeveral> {
  const names = namesInWords(words);
  if (names.length < 2 || (await findOne(words.join(' '))).type !== 'none') return { type: 'one' };
  const records = new Map<string, Extract<Found, { type: 'one' }>>();
  for (const name of names) {
    const found = await findOne(name);
    if (found.type !== 'one') return { type: 'fault', name, found };
    records.set(found.id, found);
  }
  return { type: 'several', records: [...records.values()] };
}

/** Orders names as people count, so that `orders-9` comes before `orders-10`. */
export const compareNames = new Intl.Collator('en', { numeric: true }).compare;

/** Orders records by name; a record without one stands under its identifier. */
export function byName(one: Named, other: Named): number {
  return compareNames(one.name ?? one.id.text, other.name ?? other.id.text);
}

export function isOneOf(id: Identifier | undefined, nouns: readonly Noun[]): boolean {
  return id?.noun !== undefined && nouns.includes(id.noun);
}

/** Whether every word stands somewhere in the record: its name, identifier, state, vendor or another plain value. */
export function matches(record: RecordView, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { id, name, state, vendor, environment, source, project } = record;
  const known = lowered([id.text, name, state?.word, vendor, environment?.label, source?.label, project?.label]);
  return words.every(word => {
    const wanted = keyed(typedIdentifier(word)?.text ?? word).toLowerCase();
    if (known.includes(wanted)) return true;
    return record.mayHold?.(wanted) !== false && lowered(record.values.map(({ value }) => value)).includes(wanted);
  });
}

function lowered(texts: readonly (string | undefined)[]): string {
  return keyed(texts.join('\n')).toLowerCase();
}
