import { outcomeNames, workNames } from '../../api/reading/recordMapping.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { maskPasswords } from '../../api/secrets/passwords.ts';
import { keysOf } from '../../ground/keys.ts';
import { meaningIn, withoutMeaning } from '../../ground/wording.ts';
import { meansSeveral, namesItself, works } from '../../operations/work.ts';

/* The words of a service that Dolly understands, and those that it does not, as a mapping names them. */

/** The words of one table by their meanings, with how often each was seen; `open` are those of which nobody knows the meaning. */
export type WordsFound = Readonly<{
  told: ReadonlyMap<string, ReadonlyMap<string, number>>;
  open: ReadonlyMap<string, number>;
}>;

/** A word with its meaning; without, nobody knows it. */
type WordHeard = Readonly<{ word: string; meaning: string | undefined }>;

/** Max words of one meaning, and max characters of a word that is one. */
const most = 12;
const longest = 40;

/** The words of records in each table of a mapping. None that may be of people is among them. */
export function serviceWords(
  records: readonly RecordView[],
): Readonly<Record<'states' | 'works' | 'outcomes', WordsFound>> {
  const isOfPeople = namesOfPeople(records);
  const found = (heard: readonly WordHeard[]) =>
    sorted(
      heard
        .map(one => ({ ...one, word: withoutMeaning(one.word) }))
        .filter(({ word }) => isWord(word) && !isOfPeople(word)),
    );
  const reports = records.flatMap(record => record.reports);
  return {
    states: found(
      records.flatMap(({ state }) =>
        state === undefined || meaningIn(state.word) !== undefined
          ? []
          : { word: state.word, meaning: state.class === 'unknown' ? undefined : state.class },
      ),
    ),
    works: found(reports.flatMap(({ kind }) => (kind === undefined ? [] : { word: kind, meaning: workOf(kind) }))),
    outcomes: found(
      reports.flatMap(({ told, word = told, outcome }) =>
        word === undefined ? [] : { word: told ?? word, meaning: outcomeNames.find(name => name === outcome) },
      ),
    ),
  };
}

function workOf(kind: string): string | undefined {
  const named = keysOf(works).filter(name => namesItself(kind, works[name]));
  const work = named.length === 1 && !meansSeveral(kind) ? works[named[0] ?? 'backup'].name : undefined;
  return workNames.find(name => name === meaningIn(kind)) ?? work;
}

/** A word that has several meanings is left out. */
function sorted(heard: readonly WordHeard[]): WordsFound {
  const words = [...Map.groupBy(heard, ({ word }) => word.toLowerCase()).values()].flatMap(all => {
    const [first] = all;
    const isOne = all.every(({ meaning }) => meaning === first?.meaning);
    return first && isOne ? [{ ...first, many: all.length }] : [];
  });
  const count = (some: typeof words) =>
    new Map(
      some
        .toSorted((a, b) => b.many - a.many)
        .slice(0, most)
        .map(({ word, many }) => [word, many] as const),
    );
  const told = Map.groupBy(
    words.filter(({ meaning }) => meaning !== undefined),
    ({ meaning = '' }) => meaning,
  );
  return {
    told: new Map([...told].map(([meaning, some]) => [meaning, count(some)])),
    open: count(words.filter(({ meaning }) => meaning === undefined)),
  };
}

/** Whether a text is a word of a service, and no sentence about something. */
function isWord(text: string): boolean {
  return (
    text.length <= longest &&
    /^\p{L}[\p{L}\p{N}_./ -]*$/u.test(text) &&
    text.split(/[ /]+/).length <= 4 &&
    maskPasswords(text) === text
  );
}

/** Tells which texts are or hold the name of a record or of a person. */
export function namesOfPeople(records: readonly RecordView[]): (text: string) => boolean {
  const inBlanks = (text: string) =>
    ` ${text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()} `;
  const names = records.flatMap(({ name, askedBy, reports }) => [name, ...askedBy, ...reports.map(({ by }) => by)]);
  const known = [...new Set(names.flatMap(name => (name === undefined ? [] : inBlanks(name))))];
  return text => known.some(name => inBlanks(text) === name || (name.length > 4 && inBlanks(text).includes(name)));
}

/** The words as a mapping has them. */
export function asMapping({ told }: WordsFound): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...told].map(([meaning, words]) => [meaning, [...words.keys()]]));
}
