import { type Node, parsePattern } from './pattern.ts';

/*
 * The steps of a search for a pattern: each place and each part of the pattern that a plain machine with backtracking
 * tries. Unlike a time, the number is the same on each machine, however busy it is.
 */

/** Tries a part of a pattern and all that follows on it from a place on. It gives whether that fits. */
type Try = (at: number) => boolean;

const searches = new Map<string, Search>();
/** The searches that took many steps: most readers mask passwords, each in the same texts. */
const known = new Map<string, number>();
const many = 10_000;

/** The steps of one search in a text from a place on. A search that takes more than `most` steps ends there. */
export function stepsOfSearch(pattern: RegExp, text: string, from: number, most: number): number {
  const key = `${pattern.flags} ${pattern.source}`;
  const whole = `${key} ${from} ${text}`;
  const before = known.get(whole);
  if (before !== undefined) return before;
  const search = searches.get(key) ?? new Search(pattern);
  searches.set(key, search);
  const steps = search.in(text, from, most);
  if (steps > many) known.set(whole, steps);
  return steps;
}

/** A pattern as a chain of functions, each of which knows what follows on it: texts are searched millions of times. */
class Search {
  #steps = 0;
  #most = 0;
  #text = '';
  readonly #sticky: boolean;
  readonly #byCharacter: boolean;
  readonly #lines: boolean;
  readonly #groups = new Map<string, string>();
  readonly #whole: Try;

  constructor(pattern: RegExp) {
    this.#sticky = pattern.sticky;
    this.#byCharacter = /[uv]/.test(pattern.flags);
    this.#lines = pattern.flags.includes('m');
    this.#whole = this.#chain(parsePattern(pattern), false, () => true);
  }

  in(text: string, from: number, most: number): number {
    [this.#steps, this.#most, this.#text] = [0, most, text];
    this.#groups.clear();
    for (let at = from; at <= text.length; at++) if (this.#whole(at) || this.#sticky || this.#steps > most) break;
    return this.#steps;
  }

  /** @param back whether the text is gone through from its end, as behind a place */
  #chain(node: Node, back: boolean, next: Try): Try {
    const work = this.#part(node, back, next);
    return at => ++this.#steps > this.#most || work(at);
  }

  #part(node: Node, back: boolean, next: Try): Try {
    switch (node.type) {
      case 'character': {
        const { fits } = node;
        return at => {
          const end = this.#take(fits, at, back);
          return end >= 0 && next(end);
        };
      }
      case 'edge':
        return at => this.#isEdge(node.source, at) && next(at);
      case 'sequence':
        return (back ? node.parts : node.parts.toReversed()).reduce<Try>(
          (then, part) => this.#chain(part, back, then),
          next,
        );
      case 'choice': {
        const options = node.options.map(option => this.#chain(option, back, next));
        return at => options.some(option => option(at));
      }
      case 'group': {
        let begin = 0;
        const inside = this.#chain(node.inside, back, end => {
          const found = this.#text.slice(Math.min(begin, end), Math.max(begin, end));
          this.#groups.set(String(node.number), found);
          if (node.name !== undefined) this.#groups.set(node.name, found);
          return next(end);
        });
        return at => {
          const before = begin;
          begin = at;
          const fits = inside(at);
          begin = before;
          return fits;
        };
      }
      case 'look': {
        const inside = this.#chain(node.inside, node.behind, () => true);
        return at => inside(at) === node.wanted && next(at);
      }
      case 'again':
        return at => {
          const found = this.#groups.get(node.group) ?? '';
          return this.#text.startsWith(found, at) && next(at + found.length);
        };
      case 'repeat':
        return node.inside.type === 'character'
          ? this.#repeatCharacter(node, node.inside.fits, back, next)
          : this.#repeat(node, back, next);
    }
  }

  /** The place behind a character that fits; -1 where none does. */
  #take(fits: (character: string) => boolean, at: number, back: boolean): number {
    const text = this.#text;
    if (back ? at <= 0 : at >= text.length) return -1;
    const from = back ? at - 1 : at;
    const code = this.#byCharacter ? (text.codePointAt(from) ?? 0) : 0;
    const character = code > 0xffff ? String.fromCodePoint(code) : (text[from] ?? '');
    if (!fits(character)) return -1;
    return back ? from : at + character.length;
  }

  /** Repeats of single characters need no recursion, which long texts would take too far. */
  #repeatCharacter(
    { min, max, greedy }: Extract<Node, { type: 'repeat' }>,
    fits: (character: string) => boolean,
    back: boolean,
    next: Try,
  ): Try {
    const tries = (at: number) => ++this.#steps > this.#most || next(at);
    return at => {
      const places = [at];
      const goesOn = () => {
        this.#steps += 1;
        const end = places.length > max ? -1 : this.#take(fits, places.at(-1) ?? at, back);
        if (end >= 0) places.push(end);
        return end >= 0;
      };
      if (greedy) while (goesOn());
      else for (let times = 0; times < min; times++) if (!goesOn()) return false;
      if (places.length <= min) return false;
      if (!greedy) {
        do if (tries(places.at(-1) ?? at)) return true;
        while (goesOn());
        return false;
      }
      for (let times = places.length - 1; times >= min; times--) if (tries(places[times] ?? at)) return true;
      return false;
    };
  }

  /** How often it was repeated so far, and from where on the last time, is put back whenever a try ends in vain. */
  #repeat({ min, max, greedy, inside }: Extract<Node, { type: 'repeat' }>, back: boolean, next: Try): Try {
    let [times, begin] = [0, -1];
    const within = <T>(round: number, from: number, work: () => T): T => {
      const before = [times, begin] as const;
      [times, begin] = [round, from];
      const found = work();
      [times, begin] = before;
      return found;
    };
    const once = this.#chain(inside, back, end => !(end === begin && times > min) && round(end));
    const round: Try = at => {
      const done = times;
      const more = () => done < max && within(done + 1, at, () => once(at));
      if (done < min) return more();
      return greedy ? more() || next(at) : next(at) || more();
    };
    return at => within(0, -1, () => round(at));
  }

  #isEdge(source: string, at: number): boolean {
    const text = this.#text;
    if (source === '^') return at === 0 || (this.#lines && /[\n\r\u2028\u2029]/.test(text[at - 1] ?? ''));
    if (source === '$') return at === text.length || (this.#lines && /[\n\r\u2028\u2029]/.test(text[at] ?? ''));
    return (this.#isWord(at - 1) !== this.#isWord(at)) === (source === '\\b');
  }

  #isWord(at: number): boolean {
    return /\w/.test(this.#text[at] ?? ' ');
  }
}
