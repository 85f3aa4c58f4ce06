/*
 * Reads a regular expression into a tree, as far as the steps of a search in it need that. Single characters stay
 * patterns: the machine itself says whether they fit.
 */

/** A part of a pattern. */
export type Node =
  | Readonly<{ type: 'character'; fits: (character: string) => boolean }>
  | Readonly<{ type: 'edge'; source: string }>
  | Readonly<{ type: 'sequence'; parts: readonly Node[] }>
  | Readonly<{ type: 'choice'; options: readonly Node[] }>
  | Readonly<{ type: 'group'; number: number; name: string | undefined; inside: Node }>
  | Readonly<{ type: 'look'; behind: boolean; wanted: boolean; inside: Node }>
  | Readonly<{ type: 'again'; group: string }>
  | Readonly<{ type: 'repeat'; min: number; max: number; greedy: boolean; inside: Node }>;

/** Reads a pattern. @throws {Error} for what no pattern of Dolly has */
export function parsePattern({ source, flags }: RegExp): Node {
  let at = 0;
  let groups = 0;
  const modes = flags.replace(/[gyd]/g, '');
  const takes = (text: string) => {
    if (!source.startsWith(text, at)) return false;
    at += text.length;
    return true;
  };
  const choice = (): Node => {
    const options = [sequence()];
    while (takes('|')) options.push(sequence());
    const [only] = options;
    return only && options.length === 1 ? only : { type: 'choice', options };
  };
  const sequence = (): Node => {
    const parts: Node[] = [];
    while (at < source.length && source[at] !== '|' && source[at] !== ')') parts.push(repeated(atom()));
    return { type: 'sequence', parts };
  };
  const repeated = (inside: Node): Node => {
    const [mark, low, comma, high] = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})/.exec(source.slice(at)) ?? [];
    if (mark === undefined) return inside;
    at += mark.length;
    const greedy = !takes('?');
    const [min, max] =
      mark === '*'
        ? [0, Number.POSITIVE_INFINITY]
        : mark === '+'
          ? [1, Number.POSITIVE_INFINITY]
          : mark === '?'
            ? [0, 1]
            : [Number(low), high ? Number(high) : comma ? Number.POSITIVE_INFINITY : Number(low)];
    return { type: 'repeat', min, max, greedy, inside };
  };
  const closed = (): Node => {
    const inside = choice();
    if (!takes(')')) throw new Error(`a group is open at ${at} of ${source}`);
    return inside;
  };
  const group = (): Node => {
    if (takes('?:')) return closed();
    for (const [sign, behind, wanted] of looks)
      if (takes(sign)) return { type: 'look', behind, wanted, inside: closed() };
    groups += 1;
    const number = groups;
    const name = /^\?<(\w+)>/.exec(source.slice(at))?.[1];
    if (name !== undefined) at += name.length + 3;
    return { type: 'group', number, name, inside: closed() };
  };
  const atom = (): Node => {
    if (takes('(')) return group();
    const rest = source.slice(at);
    const [edge] = /^(?:\^|\$|\\b|\\B)/.exec(rest) ?? [];
    if (edge !== undefined) {
      at += edge.length;
      return { type: 'edge', source: edge };
    }
    const again = /^\\(?:(\d)|k<(\w+)>)/.exec(rest);
    if (again && rest[1] !== '0') {
      at += again[0].length;
      return { type: 'again', group: again[1] ?? again[2] ?? '' };
    }
    const single = rest.startsWith('[')
      ? rest.slice(0, endOfClass(rest, flags.includes('v')))
      : (escaped.exec(rest)?.[0] ?? rest.slice(0, 1));
    at += single.length;
    return { type: 'character', fits: fitting(single, modes) };
  };
  const whole = choice();
  if (at < source.length) throw new Error(`nothing understands ${source.slice(at)}`);
  return whole;
}

const looks = [
  ['?=', false, true],
  ['?!', false, false],
  ['?<=', true, true],
  ['?<!', true, false],
] as const;

const escaped = /^\\(?:u\{[\da-f]+\}|u[\da-f]{4}|x[\da-f]{2}|[pP]\{[^}]*\}|c[A-Z]|.)/isu;

/** The end of a class that a text begins with; classes of `v` patterns may hold others. */
function endOfClass(text: string, nests: boolean): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at += 1;
    else if (text[at] === '[' && (nests || depth === 0)) depth += 1;
    else if (text[at] === ']' && --depth === 0) return at + 1;
  }
  return text.length;
}

/** Whether characters fit a single one of a pattern; each is asked of the machine once. */
function fitting(single: string, flags: string): (character: string) => boolean {
  const pattern = new RegExp(`^(?:${single})$`, flags.replace('m', ''));
  const known = new Map<string, boolean>();
  return character => {
    const before = known.get(character);
    if (before !== undefined) return before;
    const fits = pattern.test(character);
    known.set(character, fits);
    return fits;
  };
}
