import { type Kysely, sql, type Transaction } from 'kysely';
import { minute } from '../../../ground/durations.ts';
import { compiledOnce } from '../../compiled.ts';
import type { Schema, Store } from '../../database.ts';
import { equals, unlessThere } from '../../statementParts.ts';
import type { AuditBlockRow } from '../rows.ts';

/*
 * The index of the trail. A block covers some hundred entries that stand next to each other by their ids, and has a
 * Bloom filter of all their grams (one to four characters in a row). A search for any part of a word, a
 * name or an identifier reads only the blocks that have all grams of it. The blocks are made in the background, so that
 * an entry costs no more than its row. An entry that comes late, into the ids of a block, empties it: a trigger of the
 * database does so (migrations.ts), since a process with another clock may add the entry.
 */

/** Entries of a block; one that was emptied may get up to twice as many before it is cut. */
export const blockSize = 200;
/** Bits of a block's filter: about a fourth of them are set. */
const filterBits = 30_000;
/**
 * The youngest age of an entry in a new block, in milliseconds. It is longer than any transaction can last, so that no
 * entry appears among those of a block without having seen it.
 */
const minAge = minute;
/** The longest gram, in UTF-16 units. A shorter one has two bits, since a short word has few grams. */
const longest = 4;
/** Max bits that a search tests. More would hardly leave out more blocks. */
const maxTested = 32;

/** The bits of the grams of texts that are searched for, the longest first. A block must have all of them. */
export function bitsOf(texts: readonly string[]): readonly number[] {
  const found = new Set<number>();
  for (let length = longest; length > 0; length--)
    for (const text of texts)
      for (let start = 0; start + length <= text.length && found.size < maxTested; start++)
        for (let salt = 0; salt < saltsOf(length); salt++) found.add(bitOf(text, start, length, salt));
  return [...found];
}

/** A text as it stands in the filter, with the ends of its values delimited: `text` has them one a line. */
export function delimited(text: string): string {
  return `\n${text}\n`;
}

/** Makes the Bloom filter of some entries. */
function gramsOf(entries: readonly { text: string }[]): Uint8Array {
  const grams = new Uint8Array(Math.ceil(filterBits / 8));
  for (const { text } of entries) {
    const line = delimited(text);
    for (let length = 1; length <= longest; length++)
      for (let start = 0; start + length <= line.length; start++)
        for (let salt = 0; salt < saltsOf(length); salt++) {
          const bit = bitOf(line, start, length, salt);
          grams[bit >> 3] = (grams[bit >> 3] ?? 0) | (1 << (bit & 7));
        }
  }
  return grams;
}

function saltsOf(length: number): number {
  return length < longest ? 2 : 1;
}

/** The bit of the gram at a place of a text. The function must stay as it is: filters are kept. */
function bitOf(text: string, start: number, length: number, salt: number): number {
  let hash = length + salt * longest;
  for (let at = start; at < start + length; at++)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x9e3779b1) ^ (hash >>> 15);
  return ((hash ^ (hash >>> 13)) >>> 0) % filterBits;
}

/**
 * Does the next small step of the index: adds a block for entries that none covers, or makes the filter of one block.
 * Gives `false` where nothing is left to do.
 */
export async function fillTrailIndex(store: Store, now: number): Promise<boolean> {
  const [bare] = (await selectBare(store, undefined)).rows;
  return bare ? indexBlock(store, bare) : addBlock(store, now - minAge);
}

const selectBare = compiledOnce(
  (store, _: undefined) =>
    store
      .selectFrom('auditBlocks')
      .select(['last', 'lower', 'late'])
      .where('grams', 'is', null)
      .orderBy('last', 'desc')
      .limit(1),
  () => [1],
);

/** Makes the filter of a block. A larger one is cut: its newest entries become a block of the usual size. */
async function indexBlock(store: Store, { last, lower, late }: Pick<AuditBlockRow, 'last' | 'lower' | 'late'>) {
  const entries = await store
    .selectFrom('audit')
    .select(['id', 'at', 'text'])
    .where('id', '>', lower)
    .where('id', '<=', last)
    .orderBy('id', 'desc')
    .limit(2 * blockSize + 1)
    .execute();
  const cut = entries.length > 2 * blockSize ? entries[blockSize]?.id : undefined;
  const own = cut === undefined ? entries : entries.slice(0, blockSize);
  const times = own.length > 0 ? own.map(({ at }) => at) : [0];
  const filled = { grams: gramsOf(own), oldest: Math.min(...times), newest: Math.max(...times) };
  await store.transaction().execute(async changes => {
    // Another process may have made it meanwhile, or an entry may have come late.
    const made = await changes
      .updateTable('auditBlocks')
      .set({ ...filled, lower: cut ?? lower })
      .where(equals({ last, lower, late }))
      .where('grams', 'is', null)
      .returning('last')
      .executeTakeFirst();
    if (made && cut !== undefined) await insertBlock(changes, lower, cut);
  });
  return true;
}

/**
 * Adds a block above all others once there are enough entries for it that are from before `until`. The first one covers
 * all such entries: a trail that is not indexed yet, however long, is indexed from its newest entries on.
 */
async function addBlock(store: Store, until: number): Promise<boolean> {
  const [{ top } = { top: null }] = (await selectTop(store, undefined)).rows;
  const [last] = (await (top === null ? selectNewest(store, until) : selectEnd(store, top))).rows;
  if (!last || last.at > until) return false;
  await insertBlock(store, top ?? '', last.id);
  return true;
}

const selectTop = compiledOnce(
  (store, _: undefined) => store.selectFrom('auditBlocks').select(eb => eb.fn.max('last').as('top')),
  () => [],
);
const selectNewest = compiledOnce(
  (store, until: number) => entries(store).where('at', '<=', until).orderBy('at', 'desc').limit(1),
  until => [until, 1],
);
/** The entry with which a block above others would end. */
const selectEnd = compiledOnce(
  (store, top: string) =>
    entries(store)
      .where('id', '>', top)
      .orderBy('id')
      .offset(blockSize - 1)
      .limit(1),
  top => [top, 1, blockSize - 1],
);
const entries = (store: Kysely<Schema>) => store.selectFrom('audit').select(['id', 'at']);

async function insertBlock(store: Store | Transaction<Schema>, lower: string, last: string): Promise<void> {
  const row = { last, lower, oldest: null, newest: null, grams: null };
  // Another process may have added one at the same moment: no two blocks have the same end, above or below.
  await store
    .insertInto('auditBlocks')
    .values({ ...row, late: 0 })
    .onConflict(unlessThere)
    .execute();
}

/**
 * Selects the blocks that have a bit. Both databases read it by the same functions: sqlite.ts adds `get_bit` to SQLite.
 */
export function hasBit(bit: number) {
  return sql<boolean>`get_bit(substr(grams, ${(bit >> 3) + 1}, 1), ${bit & 7}) = 1`;
}

/** Takes away the blocks whose entries are all from before `time`, and were swept. The blocks left lie side by side. */
export async function sweepBlocks(store: Transaction<Schema>, time: number): Promise<void> {
  const kept = store
    .selectFrom('auditBlocks')
    .select(eb => eb.fn.min('last').as('last'))
    .where(({ or, eb }) => or([eb('grams', 'is', null), eb('newest', '>=', time)]));
  const swept = await store.deleteFrom('auditBlocks').where('last', '<', kept).executeTakeFirst();
  if (swept.numDeletedRows === 0n) return;
  const lowest = store.selectFrom('auditBlocks').select(eb => eb.fn.min('last').as('last'));
  await store.updateTable('auditBlocks').set({ lower: '' }).where('last', '=', lowest).execute();
}
