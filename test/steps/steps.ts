import { stepsOfSearch } from './search.ts';

/*
 * Counts the steps of a piece of work: the steps of each search for a pattern, and the characters and elements that the
 * machine's own functions go through. The numbers are the same on each machine.
 */

/** A search that takes more steps than this is counted no further. */
export const most = 20_000_000;

/** Steps of the searches and of the machine's own functions. */
export function stepsOfText(work: () => unknown): number {
  const counter = { steps: 0 };
  const restore = patched(counter);
  try {
    work();
  } finally {
    restore();
  }
  return counter.steps;
}

/** How far the machine's own functions go, by what they belong to, what they are given, and what they give. */
const walks: readonly (readonly [object, Readonly<Record<string, Walk>>])[] = [
  [
    String.prototype,
    {
      indexOf: (length, [, from], found) => reached(length, from, found),
      includes: (length, [, from], found) => (found === true ? 1 : reached(length, from, -1)),
      startsWith: (_, [text]) => String(text).length,
      endsWith: (_, [text]) => String(text).length,
      ...all('replaceAll', 'split', 'trim', 'normalize', 'toLowerCase', 'toUpperCase', 'toWellFormed'),
      lastIndexOf: (length, [, from], found) =>
        (typeof from === 'number' ? Math.min(from, length) : length) - Math.max(0, Number(found)),
    },
  ],
  [
    Array.prototype,
    {
      indexOf: (length, [, from], found) => reached(length, from, found),
      includes: (length, _, found) => (found === true ? 1 : length),
      ...all('lastIndexOf', 'join', 'concat', 'shift', 'unshift', 'toReversed', 'toSorted'),
      slice: (_, __, found) => (Array.isArray(found) ? found.length : 0),
    },
  ],
];
type Walk = (length: number, given: readonly unknown[], found: unknown) => number;

function reached(length: number, from: unknown, found: unknown): number {
  const start = typeof from === 'number' ? from : 0;
  return Math.max(0, (typeof found === 'number' && found >= 0 ? found : length) - start);
}

function all(...names: readonly string[]): Record<string, Walk> {
  return Object.fromEntries(names.map(name => [name, (length: number) => length]));
}

/** Lets searches and the machine's own functions count; gives the way back. */
function patched(counter: { steps: number }): () => void {
  const { exec } = RegExp.prototype;
  let isOwn = false;
  RegExp.prototype.exec = function search(text) {
    if (!isOwn) {
      isOwn = true;
      counter.steps += stepsOfSearch(this, text, this.global || this.sticky ? this.lastIndex : 0, most);
      isOwn = false;
    }
    return exec.call(this, text);
  };
  const before = walks.flatMap(([owner, ways]) =>
    Object.entries(ways).map(([name, walk]) => [owner, name, walk, Reflect.get(owner, name)] as const),
  );
  for (const [owner, name, walk, own] of before)
    Reflect.set(owner, name, function walked(this: { length: number }, ...given: unknown[]) {
      const found = Reflect.apply(own, this, given);
      if (!isOwn) counter.steps += walk(this.length, given, found);
      return found;
    });
  return () => {
    RegExp.prototype.exec = exec;
    for (const [owner, name, , own] of before) Reflect.set(owner, name, own);
  };
}
