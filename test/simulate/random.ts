/** A stream of chance: the same seed and purpose give the same numbers, whatever other streams are asked for. */
export type Random = Readonly<{
  /** A number from 0 to 1, without 1. */
  next(): number;
  /** A whole number from `from` to `to`, both included. */
  whole(from: number, to: number): number;
  /** Whether something of this probability happens. */
  chance(probability: number): boolean;
  /** One of several. @throws Error where there are none */
  one<T>(from: readonly T[]): T;
  /** One of several by their weights. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T;
}>;

/** Opens the stream of one purpose (sfc32, seeded by a hash of both words). */
export function randomOf(seed: string, purpose: string): Random {
  const hash = fingerprint();
  hash.add(`${seed}/${purpose}`);
  let [a, b, c, d] = [hash.one(), hash.other(), 0x9e3779b9, 1];
  const next = () => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = ((c << 21) | (c >>> 11)) + sum;
    c |= 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let turn = 0; turn < 12; turn++) next();
  const whole = (from: number, to: number) => from + Math.floor(next() * (to - from + 1));
  return {
    next,
    whole,
    chance: probability => next() < probability,
    one(from) {
      const chosen = from[whole(0, from.length - 1)];
      if (chosen === undefined) throw new Error('there is nothing to choose from');
      return chosen;
    },
    weighted(weights) {
      const all = keysOf(weights);
      let left = next() * all.reduce((sum, key) => sum + weights[key], 0);
      for (const key of all) {
        left -= weights[key];
        if (left < 0) return key;
      }
      return this.one(all);
    },
  };
}

/** Of all kinds one, however many there are of it, and of that kind mostly a late one. @param pick a number from 0 to 1, without 1 */
export function oneOfAKind<One>(all: readonly One[], kindOf: (one: One) => string, pick: number): One | undefined {
  const kinds = [...Map.groupBy(all, kindOf)].sort(([one], [other]) => (one < other ? -1 : 1));
  const at = pick * kinds.length;
  const [, same = []] = kinds[Math.floor(at)] ?? [];
  return same[Math.floor(Math.sqrt(at % 1) * same.length)];
}

function keysOf<T extends string>(weights: Readonly<Record<T, number>>): T[] {
  const keys: T[] = [];
  for (const key in weights) keys.push(key);
  return keys;
}

/** A running fingerprint of texts: two FNV-1a hashes of 32 bits. */
export type Fingerprint = Readonly<{ add(text: string): void; one(): number; other(): number; text(): string }>;

/** A fingerprint of nothing yet. */
export function fingerprint(): Fingerprint {
  let [one, other] = [0x811c9dc5, 0x01234567];
  return {
    add(text) {
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at);
        one = Math.imul(one ^ code, 0x01000193);
        other = Math.imul(other ^ (code + at), 0x85ebca6b) ^ (other >>> 13);
      }
    },
    one: () => one >>> 0,
    other: () => other >>> 0,
    text: () => [one, other].map(half => (half >>> 0).toString(16).padStart(8, '0')).join(''),
  };
}
