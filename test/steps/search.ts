import { type Node, parsePattern } from './pattern.ts';

/*
 * The steps of a search for a pattern: each place and each part of the pattern that a plain machine with backtracking
 * tries. Unlike a time, the number is the same on each machine, however busy it is.
 */

/** What is left to be matched. It gives whether that fits from a place on. */
type Rest = (at: number) => boolean;

const trees = new Map<string, Node>();
/** The searches that took many steps: most readers mask passwords, each in the same texts. */
const known = new Map<string, number>();
const many = 10_000;

/** The steps of one search in a text from a place on. A search that takes more than `most` steps ends there. */
export function stepsOfSearch(pattern: RegExp, text: string, from: number, most: number): number {
  const key = `${pattern.flags} ${pattern.source}`;
  const whole = `${key} ${from} ${text}`;
  const before = known.get(whole);
  if (before !== undefined) return before;
  const tree = trees.get(key) ?? parsePattern(pattern);
  trees.set(key, tree);
  const search = new Search(pattern, text, most);
  for (let at = from; at <= text.length; at++)
    if (search.fits(tree, at) || pattern.sticky || search.steps > most) break;
  if (search.steps > many) known.set(whole, search.steps);
  return search.steps;
}

class Search {
  steps = 0;
  readonly #text: string;
  readonly #most: number;
  readonly #byCharacter: boolean;
  readonly #lines: boolean;
  readonly #word: (at: number) => boolean;
  readonly #groups = new Map<string, string>();

  constructor({ flags }: RegExp, text: string, most: number) {
    this.#text = text;
    this.#most = most;
    this.#byCharacter = /[uv]/.test(flags);
    this.#lines = flags.includes('m');
    this.#word = at => /\w/.test(text[at] ?? ' ');
  }

  fits(tree: Node, at: number): boolean {
    return this.#match(tree, at, false, () => true);
  }

  #match(node: Node, at: number, back: boolean, rest: Rest): boolean {
    if (++this.steps > this.#most) return true;
    switch (node.type) {
      case 'character': {
        const next = this.#take(node, at, back);
        return next !== undefined && rest(next);
      }
      case 'edge':
        return this.#isEdge(node.source, at) && rest(at);
      case 'sequence':
        return this.#matchAll(back ? node.parts.toReversed() : node.parts, 0, at, back, rest);
      case 'choice':
        return node.options.some(option => this.#match(option, at, back, rest));
      case 'group':
        return this.#match(node.inside, at, back, end => {
          const found = this.#text.slice(Math.min(at, end), Math.max(at, end));
          this.#groups.set(String(node.number), found);
          if (node.name !== undefined) this.#groups.set(node.name, found);
          return rest(end);
        });
      case 'look':
        return this.#match(node.inside, at, node.behind, () => true) === node.wanted && rest(at);
      case 'again': {
        const found = this.#groups.get(node.group) ?? '';
        return this.#text.startsWith(found, at) && rest(at + found.length);
      }
      case 'repeat':
        return node.inside.type === 'character'
          ? this.#repeatCharacter(node, node.inside, at, back, rest)
          : this.#repeat(node, 0, at, back, rest);
    }
  }

  #matchAll(parts: readonly Node[], index: number, at: number, back: boolean, rest: Rest): boolean {
    const part = parts[index];
    return part ? this.#match(part, at, back, next => this.#matchAll(parts, index + 1, next, back, rest)) : rest(at);
  }

  #take({ fits }: Extract<Node, { type: 'character' }>, at: number, back: boolean): number | undefined {
    const text = this.#text;
    if (back ? at <= 0 : at >= text.length) return undefined;
    const from = back ? at - 1 : at;
    const code = this.#byCharacter ? (text.codePointAt(from) ?? 0) : 0;
    const character = code > 0xffff ? String.fromCodePoint(code) : (text[from] ?? '');
    return fits(character) ? (back ? from : at + character.length) : undefined;
  }

  /** Repeats of single characters need no recursion, which long texts would take too far. */
  #repeatCharacter(
    { min, max, greedy }: Extract<Node, { type: 'repeat' }>,
    inside: Extract<Node, { type: 'character' }>,
    at: number,
    back: boolean,
    rest: Rest,
  ): boolean {
    const places = [at];
    const goesOn = () => {
      this.steps += 1;
      const next = places.length > max ? undefined : this.#take(inside, places.at(-1) ?? at, back);
      if (next !== undefined) places.push(next);
      return next !== undefined;
    };
    if (greedy) while (goesOn());
    else for (let times = 0; times < min; times++) if (!goesOn()) return false;
    if (places.length <= min) return false;
    if (!greedy) {
      do if (this.#tries(rest, places.at(-1) ?? at)) return true;
      while (goesOn());
      return false;
    }
    for (let times = places.length - 1; times >= min; times--) if (this.#tries(rest, places[times] ?? at)) return true;
    return false;
  }

  #tries(rest: Rest, at: number): boolean {
    return ++this.steps > this.#most || rest(at);
  }

  #repeat(node: Extract<Node, { type: 'repeat' }>, times: number, at: number, back: boolean, rest: Rest): boolean {
    const { min, max, greedy, inside } = node;
    const more = () =>
      times < max &&
      this.#match(inside, at, back, next =>
        next === at && times >= min ? false : this.#repeat(node, times + 1, next, back, rest),
      );
    if (times < min) return more();
    return greedy ? more() || rest(at) : rest(at) || more();
  }

  #isEdge(source: string, at: number): boolean {
    const text = this.#text;
    if (source === '^') return at === 0 || (this.#lines && /[\n\r\u2028\u2029]/.test(text[at - 1] ?? ''));
    if (source === '$') return at === text.length || (this.#lines && /[\n\r\u2028\u2029]/.test(text[at] ?? ''));
    return (this.#word(at - 1) !== this.#word(at)) === (source === '\\b');
  }
}
