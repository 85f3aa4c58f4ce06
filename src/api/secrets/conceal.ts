import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { mapInSlices } from '../../ground/slices.ts';
import { parseIdentifier } from '../identifiers.ts';
import { memoByKey, setValue } from '../reading/jsonTree.ts';
import { quotesInRecords } from './secrets.ts';
import { folded } from './spellings.ts';

/** The text in place of one that quotes the token with which the record was read. */
export const concealed = '(left out: it quotes a sign-in)';

/** The maximum depth of nesting. A deeper answer is no record, and would be read in part only. */
const deepest = 64;
/** The number of objects and lists between two checks whether other work waits. */
const atOnce = 64;

/** The memory for digests of answers, in bytes, and what one of them takes. */
const remembered = { maxSize: 16 * 1024 * 1024, sizeCalculation: () => 200 } as const;
/** The max length of an answer that is remembered, in characters: a digest takes its time, too. */
const longest = 512 * 1024;

const digests = new WeakMap<object, string>();

/** The digest of an answer that was read with a token; `undefined` for a very long one. */
export function digestOfAnswer(body: unknown): string | undefined {
  return isOpen(body) ? digests.get(body) : undefined;
}

/**
 * Replaces, in place, every text of an answer that quotes the token, so that nothing shown or kept of records holds it.
 * Works in slices, since a list may be huge.
 * @returns whether the answer was read to its end: it is not where it is nested deeper than {@link deepest}
 */
export type Conceal = (answer: Readonly<{ text: string; body: unknown }>, token: string) => Promise<boolean>;

/**
 * Makes a {@link Conceal} that remembers, by their digests, answers in which nothing quoted the token: follow-ups read
 * the same answer again and again.
 */
export function concealer(): Conceal {
  const clean = new LRUCache<string, true>(remembered);
  return async ({ text, body }, token) => {
    if (text.length > longest) return concealIn(body, token);
    const digest = createHash('sha256').update(token).update('\n').update(text).digest('base64');
    if (isOpen(body)) digests.set(body, digest);
    if (clean.get(digest)) return true;
    const found = await search(body, token);
    if (found === 'nothing') clean.set(digest, true);
    return found !== 'too deep';
  };
}

/** The same without a memory. */
export async function concealIn(body: unknown, token: string): Promise<boolean> {
  return (await search(body, token)) !== 'too deep';
}

async function search(body: unknown, token: string): Promise<'nothing' | 'quotes' | 'too deep'> {
  const hides = hiding(token);
  let isAnyHidden = false;
  const noting = (text: string) => {
    const isHidden = hides(text);
    isAnyHidden ||= isHidden;
    return isHidden;
  };
  const depths = await mapInSlices(concealing(body, noting), depth => depth);
  if ((depths.at(-1) ?? 0) > deepest) return 'too deep';
  return isAnyHidden ? 'quotes' : 'nothing';
}

function* concealing(body: unknown, hides: Hides): Generator<number> {
  const hidesKey = memoByKey(hides);
  let level: unknown[] = [body];
  for (let depth = 0; level.length > 0 && depth <= deepest + 1; depth++) {
    const next: unknown[] = [];
    for (const [nth, node] of level.entries()) {
      if (nth % atOnce === 0) yield depth;
      if (Array.isArray(node)) concealInList(node, next, hides);
      else if (isOpen(node)) concealInObject(node, next, hides, hidesKey);
    }
    level = next;
  }
}

type Hides = (text: string) => boolean;

/** Replaces the texts of a list that quote the token, and adds the lists and objects in it to `next`. */
function concealInList(list: unknown[], next: unknown[], hides: Hides): void {
  for (const [at, value] of list.entries()) {
    if (isOpen(value)) next.push(value);
    else if (typeof value === 'string' && hides(value)) list[at] = concealed;
  }
}

/** The same for an object. A key that quotes the token is taken out with its value. */
function concealInObject(node: Record<string, unknown>, next: unknown[], hides: Hides, hidesKey: Hides): void {
  for (const key of Object.keys(node)) {
    const value = node[key];
    if (hidesKey(key)) {
      delete node[key];
      node[concealed] = concealed;
    } else if (isOpen(value)) next.push(value);
    else if (typeof value === 'string' && hides(value)) setValue(node, key, concealed);
  }
}

function isOpen(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/**
 * Limits for the texts of one answer. `maxLooked` of them are searched in other spellings, later ones only if they may
 * hold the token as they stand. `maxThorough` of those that look spelt are read in up to eight layers of spellings,
 * later ones in one layer. `maxKnown` results are remembered.
 */
const maxLooked = 20_000;
const maxThorough = 500;
const maxKnown = 2_000;

/**
 * Makes a test for texts that quote a token. It is quick for texts that do not: of millions hardly any does, and many
 * are the same.
 */
function hiding(token: string): (text: string) => boolean {
  const mayHold = tripletsOf(token);
  const quotes = quotesInRecords(token, mayHold);
  const shortest = Math.min(8, token.length);
  let [looks, left] = [maxLooked, maxThorough];
  const find = (text: string) => {
    looks -= 1;
    const mayBePlain = mayHold(text);
    if (looks < 0 && !mayBePlain) return false;
    const look = lookOf(text);
    if (look === 'data' || (look === 'plain' && !mayBePlain)) return false;
    if (parseIdentifier(text)?.noun !== undefined) return false;
    if (look === 'spelt') left -= 1;
    return quotes(text, look === 'plain' ? 0 : left > 0 ? 8 : 1);
  };
  const known = new Map<string, boolean>();
  let isAnyHidden = false;
  return text => {
    // A spelling is never shorter than the text that it stands for.
    if (text.length < shortest) return false;
    // Most texts of a huge list end here: `find` would say the same, and there is no text to remember.
    if (looks <= 0 && !isAnyHidden && !mayHold(text)) return false;
    const before = known.get(text);
    if (before !== undefined) return before;
    const hides = find(text);
    isAnyHidden ||= hides;
    if (known.size < maxKnown) known.set(text, hides);
    return hides;
  };
}

/**
 * Sorts a text by its looks. `data` is a number or a time, without which records could not be read. `spelt` may be in
 * another spelling: it has escapes, or does not look like words and names. `plain` is the rest.
 */
function lookOf(text: string): 'data' | 'plain' | 'spelt' {
  const { lower, upper, digits, others, escapes, longest } = countsOf(text);
  if (lower === 0 && upper <= 2 && digits >= others && digits > 0 && escapes === 0) return 'data';
  if (escapes > 0) return 'spelt';
  if (longest >= 11 && lower > 0 && upper > 0 && digits > 0) return 'spelt';
  return longest >= 16 && /[\da-f]{16}|([\da-f]{2}[\s:,-]){7}/i.test(text) ? 'spelt' : 'plain';
}

/** Counts the characters of a text by their kind, its escapes, and the characters of its longest run. */
function countsOf(text: string) {
  let [lower, upper, digits, others, escapes, run, longest] = [0, 0, 0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39) digits += 1;
    else if (code >= 0x61 && code <= 0x7a) lower += 1;
    else if (code >= 0x41 && code <= 0x5a) upper += 1;
    else others += 1;
    if (isEscape(text, at, code, digits)) escapes += 1;
    run = isInRun(code) ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return { lower, upper, digits, others, escapes, longest };
}

/** Whether a character begins an escape, or divides bytes that are written as a list of numbers. */
function isEscape(text: string, at: number, code: number, digits: number): boolean {
  if (code === 0x25 || code === 0x26 || code === 0x5c) return true;
  if (code === 0x2c) return digits > 0;
  // The escapes of mail.
  return code === 0x3d && /^(=[\dA-F]{2}){3}/.test(text.slice(at, at + 9));
}

/** Whether a token, or its spelling in Base64, may have the character. */
function isInRun(code: number): boolean {
  return isLetter(code) || code === 0x2b || code === 0x2d || code === 0x2f || code === 0x5f || code === 0xa;
}

function isLetter(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || (code >= 0x41 && code <= 0x5a);
}

/**
 * Makes a quick test that rejects only texts without eight characters of the token in a row (all of them, for a shorter
 * token): every such row holds three that begin at one of the places tested. Case does not count.
 */
function tripletsOf(token: string): (text: string) => boolean {
  // One bit for each triplet: this is made for each answer, and a large table costs more than it saves.
  const known = new Uint8Array(1 << 15);
  const plain = folded(token);
  for (let from = 0; from + 3 <= plain.length; from++) {
    const triplet = tripletAt(plain, from);
    known[triplet >> 3] = (known[triplet >> 3] ?? 0) | (1 << (triplet & 7));
  }
  const isKnown = (triplet: number) => (((known[triplet >> 3] ?? 0) >> (triplet & 7)) & 1) === 1;
  const step = Math.max(1, Math.min(8, plain.length) - 2);
  return given => {
    // Tokens are ASCII. Only letters of another width and gaps have to be folded away.
    const text = /^[!-*,-~\xa1-\xac\xae-\xff]*$/.test(given) ? given : folded(given);
    for (let from = 0; from + 3 <= text.length; from += step) if (isKnown(tripletAt(text, from))) return true;
    return plain.length < 3;
  };
}

function tripletAt(text: string, from: number): number {
  return (classAt(text, from) << 12) | (classAt(text, from + 1) << 6) | classAt(text, from + 2);
}

/** One of 64 classes for a character, the same in either case. */
function classAt(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return (code >= 0x61 && code <= 0x7a ? code - 0x20 : code) & 63;
}
