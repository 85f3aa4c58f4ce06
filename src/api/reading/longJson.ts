import { parseJson } from '../../ground/json.ts';
import { runInSlices } from '../../ground/slices.ts';
import type { Noun } from '../identifiers.ts';
import { replaceFaults, withoutFaults } from './faultyJson.ts';
import { setValue } from './jsonTree.ts';

/** The length of text that is parsed at once, in bytes: about half a millisecond of work. */
const atOnce = 64 * 1024;
/** A text with more levels than any record has is parsed at once. */
const maxDepth = 66;

/**
 * Parses JSON in UTF-8 as {@link parseJson} does. A long text is parsed in slices, since `JSON.parse` would keep all
 * other work waiting: it is cut between the members of its long lists and objects, and `JSON.parse` reads each piece.
 */
export async function parseLongJson(bytes: Buffer, length = atOnce): Promise<unknown> {
  if (bytes.length <= 4 * length) return parseJson(textIn(bytes));
  const found = await runInSlices(cut(bytes, length));
  return found.long ? readCut(bytes, found.long) : parseJson(textIn(bytes));
}

/**
 * The same for a list of `nouns`, one value of which may be no JSON, in a thread whose heap is limited: `JSON.parse` beyond the limit
 * would end the whole process. So a text that cannot be cut, which is no record, is not parsed. `mayWeigh` receives the
 * memory that the values will take, about, in bytes, and may throw.
 */
export async function parseBoundedJson(
  bytes: Buffer,
  nouns: readonly Noun[],
  mayWeigh: (weight: number) => void,
): Promise<unknown> {
  const { long, weight } = await runInSlices(cut(bytes, atOnce));
  if (!long) return undefined;
  mayWeigh(weight);
  return (await readCut(bytes, long)) ?? withoutFaults(await readCut(bytes, long, replaceFaults), nouns);
}

async function readCut(bytes: Buffer, long: Long, mend?: (text: string) => string): Promise<unknown> {
  try {
    return await runInSlices(readLong(bytes, long, mend));
  } catch {
    return undefined;
  }
}

function textIn(bytes: Buffer, from = 0, to = bytes.length): string {
  return bytes.toString('utf8', from, to);
}

/** A list or an object that is too long to be parsed at once. */
type Long = Readonly<{ isList: boolean; from: number; to: number; pieces: readonly MemberRun[] }>;
/** Some members with the commas between them, or one member with a long value. */
type MemberRun = Readonly<{ from: number; to: number; long?: Long | undefined }>;
/** A list or an object that is still open, with the places where its present piece and its present member begin. */
type OpenLong = {
  isList: boolean;
  from: number;
  piece: number;
  member: number;
  pieces: MemberRun[];
  long: Long | undefined;
};

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** The memory that a list or an object takes, a member of a list, and one of an object, about, in bytes. */
const weights = { holder: 48, item: 16, member: 64 } as const;

type Cut = Readonly<{ long: Long | undefined; weight: number }>;

/**
 * Finds the places where a text can be cut; `long` is `undefined` where it is no long list or object. It looks at
 * brackets, commas and quotes alone: any fault between them is found as the pieces are parsed.
 */
function* cut(bytes: Buffer, length: number): Generator<undefined, Cut> {
  // Short texts take more than their letters.
  const found: FoundParts = { open: [], root: undefined, weight: 2 * bytes.length };
  let at = 0;
  while (at !== -1 && at < bytes.length) {
    at = findCuts(bytes, at, length, found);
    yield;
  }
  const { root, weight } = found;
  const isWhole = at !== -1 && root && isBlank(textIn(bytes, 0, root.from)) && isBlank(textIn(bytes, root.to));
  return { long: isWhole ? root : undefined, weight };
}

type FoundParts = { readonly open: OpenLong[]; root: Long | undefined; weight: number };

/** Looks at `length` bytes and at the string after them. Returns the place behind, or -1 for a text that is not to be cut. */
function findCuts(bytes: Buffer, from: number, length: number, found: FoundParts): number {
  const { open } = found;
  let at = from;
  for (const end = Math.min(from + length, bytes.length); at < end; at++) {
    const code = bytes[at];
    if (code === quote) at = endOfString(bytes, at);
    else if (code === comma) {
      const inside = open.at(-1);
      found.weight += inside?.isList ? weights.item : weights.member;
      endMember(inside, at, length);
    } else if (code === openList || code === openObject) {
      if (found.root || open.length >= maxDepth) return -1;
      const inside = at + 1;
      found.weight += weights.holder;
      open.push({ isList: code === openList, from: at, piece: inside, member: inside, pieces: [], long: undefined });
    } else if ((code === closeList || code === closeObject) && !close(found, at, code === closeList, length)) return -1;
  }
  return at;
}

/** Closes the innermost list or object, and keeps it where it is long. @returns whether the text can still be cut */
function close(found: FoundParts, at: number, isList: boolean, length: number): boolean {
  const closed = found.open.pop();
  if (closed?.isList !== isList) return false;
  if (at - closed.from < length) return true;
  endMember(closed, at, 0);
  const long = { isList, from: closed.from, to: at + 1, pieces: closed.pieces };
  const outer = found.open.at(-1);
  if (outer?.long) return false;
  if (outer) outer.long = long;
  else found.root = long;
  return true;
}

/** The place of the quote that ends the string which begins at `from`; the end of the text where none does. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const code = bytes[at];
    if (code === quote) return at;
    if (code === backslash) at++;
  }
  return bytes.length;
}

/** Ends a member at a comma or at the closing bracket, and the piece with it where that has the length. */
function endMember(open: OpenLong | undefined, at: number, length: number): void {
  if (!open) return;
  const { piece, member, long } = open;
  open.member = at + 1;
  if (!long && at - piece < length) return;
  if (long && member > piece) open.pieces.push({ from: piece, to: member - 1 });
  open.pieces.push(long ? { from: member, to: at, long } : { from: piece, to: at });
  open.piece = at + 1;
  open.long = undefined;
}

/** Reads a long list or object piece by piece. @throws {SyntaxError} where the text is no JSON */
function* readLong(
  bytes: Buffer,
  { isList, pieces }: Long,
  mend = (text: string) => text,
): Generator<undefined, unknown> {
  const read: unknown[] | Record<string, unknown> = isList ? [] : {};
  const [first, ...others] = pieces;
  if (first && others.length === 0 && isBlank(textIn(bytes, first.from, first.to))) return read;
  for (const { from, to, long } of pieces) {
    // A word stands for the long value, so that all around it is read, too: it is no key, and part of no other value.
    const part = long ? `${textIn(bytes, from, long.from)}null${textIn(bytes, long.to, to)}` : textIn(bytes, from, to);
    const value = long && { is: yield* readLong(bytes, long, mend) };
    if (isBlank(part)) throw new SyntaxError('a member is missing');
    if (Array.isArray(read)) for (const item of JSON.parse(mend(`[${part}]`))) read.push(value ? value.is : item);
    else addMembers(read, JSON.parse(mend(`{${part}}`)), value);
    yield;
  }
  return read;
}

/** Adds the members of a piece. The only member of a piece with a long value has that value. */
function addMembers(to: Record<string, unknown>, piece: object, long: Readonly<{ is: unknown }> | undefined): void {
  for (const [key, value] of Object.entries(piece)) setValue(to, key, long ? long.is : value);
}

/** Whether a text has nothing but what JSON takes for blanks. */
function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}
