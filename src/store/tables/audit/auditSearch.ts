import { type ExpressionBuilder, sql } from 'kysely';
import { breath } from '../../../ground/slices.ts';
import { namesIn, type RowOf } from '../../columns.ts';
import type { Schema, Store } from '../../database.ts';
import { auditTable } from '../rows.ts';
import { bitsOf, blockSize, delimited, hasBit } from './auditIndex.ts';

/*
 * A search goes through the trail from block to block of the index. It reads the entries of those blocks alone that may
 * have what it looks for, and all entries that no block covers yet. Each statement reads so little that others get
 * their turn soon: the embedded store works in this very thread.
 */

/** An entry in the trail. */
export type Entry = Readonly<Omit<RowOf<typeof auditTable>, 'text'>>;

/**
 * A search in the trail. An entry fits if it has every word, is not from before `since` but from before `until`
 * (milliseconds since the epoch), and was made by `by`: a Slack user, or somebody signed in as that user of the
 * service. A word is any part of an entry's text.
 */
export type AuditFilter = Readonly<{ words: readonly string[]; since?: number; until?: number; by?: string }>;

/**
 * A part of the entries that fit: those older than the entry `before`, or newer than `after`; else the newest of all.
 */
export type From = Readonly<{ before?: string | undefined; after?: string | undefined }>;

/** The entries that were found, the newest first. */
export type EntriesFound = Readonly<{
  entries: readonly Entry[];
  /**
   * The place from which to go on to older entries, and its time, where the search ended at its limit before it had
   * found enough.
   */
  rest: Readonly<{ before: string; at: number }> | undefined;
}>;

/** The team of the bot's entries about itself, which every team sees. */
export const ownTeam = '';

/** Max rows that one statement reads: entries that are read, and blocks of the index that are tested. */
const atOnce = { audit: 2_000, auditBlocks: 1_000 } as const;
/** Max blocks that fit by one statement: each of them is tested for all grams. */
const fittingAtOnce = 20;
/** Max entries that one search reads. */
const maxRead = 50_000;

/** The columns of an entry: all but `text`, which is for searches only. */
const columns = namesIn(auditTable).filter(name => name !== 'text');

/** A range of ids: `lower` is part of it, `upper` is not. Without `upper` it goes on to the newest entry. */
type Range = Readonly<{ lower: string; upper: string | undefined }>;
/** A range that may have entries which fit, and the number of its entries, about. */
type Part = Range & Readonly<{ size: number }>;
type Search = Readonly<{ team: string; filter: AuditFilter; isUpwards: boolean }>;

/** Reads the trail part by part, until enough fits or so much was read that others wait. */
export async function searchTrail(
  store: Store,
  { team, filter, max }: Readonly<{ team: string; filter: AuditFilter; max: number }>,
  { before, after }: From,
): Promise<EntriesFound> {
  const isUpwards = after !== undefined;
  const search = { team, filter, isUpwards };
  const entries: Entry[] = [];
  let rest: EntriesFound['rest'];
  let read = 0;
  for await (const { size, ...range } of partsOf(store, search, { lower: behind(after ?? ''), upper: before })) {
    entries.push(...(await entriesIn(store, search, range, max - entries.length)));
    read += size;
    if (entries.length >= max) break;
    if (read < maxRead) continue;
    if (!isUpwards) rest = await restBefore(store, range.lower);
    break;
  }
  return { entries: isUpwards ? entries.toReversed() : entries, rest };
}

async function restBefore(store: Store, before: string): Promise<EntriesFound['rest']> {
  const last = await store
    .selectFrom('audit')
    .select('at')
    .where('id', '>=', before)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return last && { before, at: last.at };
}

/** Gives the parts of a range that may have entries which fit, in the order of the search. */
async function* partsOf(store: Store, search: Search, { lower, upper }: Range): AsyncGenerator<Part> {
  const { words, since, until, by } = search.filter;
  // The index of ids alone finds the next entries of all.
  if (words.length === 0 && (since ?? until ?? by) === undefined) return yield { lower, upper, size: 0 };
  const { top } = await store
    .selectFrom('auditBlocks')
    .select(eb => eb.fn.max<string | null>('last').as('top'))
    .executeTakeFirstOrThrow();
  const end = behind(top ?? '');
  const above = slicesOf(store, 'audit', { lower: larger(lower, end), upper }, search.isUpwards);
  const below = blocksOf(store, search, { lower, upper: upper === undefined || upper > end ? end : upper });
  for (const parts of search.isUpwards ? [below, above] : [above, below]) yield* parts;
}

/** Gives the blocks in a range that may have entries which fit, each cut to the range. */
async function* blocksOf(store: Store, { filter, isUpwards }: Search, range: Range): AsyncGenerator<Part> {
  const { lower, upper = '' } = range;
  const { last } = await store
    .selectFrom('auditBlocks')
    .select(eb => eb.fn.min<string | null>('last').as('last'))
    .where('last', '>=', upper)
    .executeTakeFirstOrThrow();
  const lasts = { lower, upper: last === null ? upper : behind(last) };
  for await (const slice of slicesOf(store, 'auditBlocks', lasts, isUpwards))
    for await (const block of blocksThatFit(store, { filter, isUpwards }, slice)) {
      const end = behind(block.last);
      const part = { lower: larger(behind(block.lower), lower), upper: end < upper ? end : upper };
      if (block.isBare) yield* slicesOf(store, 'audit', part, isUpwards);
      else yield { ...part, size: blockSize };
    }
}

/** Gives the blocks whose last ids are in a range, and which may have entries that fit. */
async function* blocksThatFit(store: Store, { filter, isUpwards }: Omit<Search, 'team'>, range: Range) {
  for (let { lower, upper } = range; ; ) {
    const blocks = await store
      .selectFrom('auditBlocks')
      .select(['last', 'lower', eb => eb('grams', 'is', null).as('isBare')])
      .where(within('last', { lower, upper }))
      .where(mayFit(filter))
      .orderBy('last', isUpwards ? 'asc' : 'desc')
      .limit(fittingAtOnce)
      .execute();
    yield* blocks;
    const end = blocks.at(-1);
    if (!end || blocks.length < fittingAtOnce) return;
    if (isUpwards) lower = behind(end.last);
    else upper = end.last;
  }
}

/** Gives slices of a range of ids, each with a bounded number of rows. Others get their turn after each. */
async function* slicesOf(
  store: Store,
  table: keyof typeof atOnce,
  { lower, upper }: Range,
  isUpwards: boolean,
): AsyncGenerator<Part> {
  const size = atOnce[table];
  const column = table === 'audit' ? 'id' : 'last';
  const order = sql.raw(isUpwards ? 'asc' : 'desc');
  while (upper === undefined || lower < upper) {
    const { rows } = await sql<{ edge: string }>`select ${sql.ref(column)} as edge from ${sql.table(table)}
      where ${within(column, { lower, upper })} order by ${sql.ref(column)} ${order} limit 1 offset ${size - 1}`.execute(
      store,
    );
    const edge = rows[0]?.edge;
    if (edge === undefined) return yield { lower, upper, size };
    const cut = isUpwards ? behind(edge) : edge;
    yield isUpwards ? { lower, upper: cut, size } : { lower: cut, upper, size };
    await breath();
    if (isUpwards) lower = cut;
    else upper = cut;
  }
}

/** Reads the entries of a range that fit, up to `max` of them. */
async function entriesIn(store: Store, { team, filter, isUpwards }: Search, range: Range, max: number) {
  await breath();
  // A statement for each team: rows of two teams at once would have to be sorted, all of them.
  const rows = await Promise.all(
    [team, ownTeam].map(one =>
      store
        .selectFrom('audit')
        .select(columns)
        .where('team', '=', one)
        .where(within('id', range))
        .where(fits(filter))
        .orderBy('id', isUpwards ? 'asc' : 'desc')
        .limit(max)
        .execute(),
    ),
  );
  const sorted = rows.flat().toSorted((one, other) => (one.id < other.id === isUpwards ? -1 : 1));
  return sorted.slice(0, max);
}

/** Selects the entries that fit. */
function fits({ words, since, until, by }: AuditFilter) {
  return (eb: ExpressionBuilder<Schema, 'audit'>) =>
    eb.and([
      ...(since === undefined ? [] : [eb('at', '>=', since)]),
      ...(until === undefined ? [] : [eb('at', '<', until)]),
      ...(by === undefined ? [] : [eb.or([eb('actor', '=', by), eb('login', '=', by)])]),
      ...words.map(word => sql<boolean>`text like ${`%${written(word).replace(/[%_\\]/g, '\\$&')}%`} escape '\\'`),
    ]);
}

/** Selects the blocks that may have entries which fit; one that is not indexed may have any. */
function mayFit({ words, since, until, by }: AuditFilter) {
  const texts = [...words.map(written), ...(by === undefined ? [] : [delimited(written(by))])];
  return (eb: ExpressionBuilder<Schema, 'auditBlocks'>) =>
    eb.or([
      eb('grams', 'is', null),
      eb.and([
        ...(since === undefined ? [] : [eb('newest', '>=', since)]),
        ...(until === undefined ? [] : [eb('oldest', '<', until)]),
        ...bitsOf(texts).map(hasBit),
      ]),
    ]);
}

/** A text as it stands in the trail: in lower case, and without what PostgreSQL cannot keep. */
function written(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().toLowerCase();
}

function within(column: 'id' | 'last', { lower, upper }: Range) {
  const from = sql<boolean>`${sql.ref(column)} >= ${lower}`;
  return upper === undefined ? from : sql<boolean>`${from} and ${sql.ref(column)} < ${upper}`;
}

/** The first text behind an id and before every later one. */
function behind(id: string): string {
  return id === '' ? id : `${id}0`;
}

function larger(one: string, other: string): string {
  return one > other ? one : other;
}
