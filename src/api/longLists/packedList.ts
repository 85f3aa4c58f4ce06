import { runInSlices } from '../../ground/slices.ts';
import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import type { Tree } from '../reading/jsonTree.ts';
import type { Mention } from '../reading/mentions.ts';
import { type RecordTree, recordTreesIn, saysMore, withPages } from '../reading/recordList.ts';
import type { Mapping } from '../reading/recordMapping.ts';
import { type RecordView, viewRecord } from '../reading/recordView.ts';
import { columnPacker, type PackedColumn, type Sharing } from './columns.ts';

/*
 * A long list as one thread hands it to another: of each record its JSON as bytes, and packed in columns the facts that
 * are asked of all records, to find one, to sort them, and to say how they stand.
 */

/** A mention as it is written. `isOwn` where the record around it is the one that shows it, as of most. */
export type WrittenMention = Omit<Mention, 'id'> & Readonly<{ id: string; isOwn: boolean }>;
/** The facts by which a record is sorted out. */
type SortingFacts = Pick<RecordView, 'state' | 'isPhysical' | 'isTombstone' | 'askedBy'>;
type Creation = Pick<RecordView, 'createdAt' | 'createdFrom'>;

/** The facts that have a column. */
export type ColumnFacts = Readonly<{
  name: string;
  look: SortingFacts;
  created: Creation;
  environment: WrittenMention;
  project: WrittenMention;
  source: WrittenMention;
}>;

const sharedLooks: Sharing<SortingFacts> = {
  key: ({ state }) => state?.word ?? '',
  isSame: (one, other) =>
    one.state?.class === other.state?.class &&
    one.isPhysical === other.isPhysical &&
    one.isTombstone === other.isTombstone &&
    one.askedBy.length === other.askedBy.length &&
    one.askedBy.every((name, at) => name === other.askedBy[at]),
};

const mentionParts = ['label', 'path', 'inList', 'depth', 'time', 'createdAt', 'condition', 'isOwn', 'of'] as const;
const sharedMentions: Sharing<WrittenMention> = {
  key: ({ id }) => id,
  isSame: (one, other) => mentionParts.every(part => one[part] === other[part]),
};

function write(mention: Mention | undefined, record: Identifier): WrittenMention | undefined {
  if (!mention) return undefined;
  const isOwn = mention.of === record.text;
  return { ...mention, id: mention.id.text, isOwn, of: isOwn ? undefined : mention.of };
}

export type Packed = Readonly<{
  /** The length of the answer, in bytes. */
  size: number;
  digest: string;
  /** Whether the answer says that there are more records than it holds. */
  cut: boolean;
  /** The identifiers of the records, a line each. */
  ids: string;
  columns: Readonly<Record<keyof ColumnFacts, PackedColumn>>;
  /** The records as JSON in UTF-8, {@link blockLength} of them in each block, and the end of each one in its block. */
  blocks: readonly Uint8Array<ArrayBuffer>[];
  ends: Uint32Array<ArrayBuffer>;
  /** The rest of the answer as JSON, with `null` in place of each record. */
  rest: string;
}>;

/** The number of records in a block. */
const blockLength = 256;

/** How a list is read: the nouns of its records, the operator's mapping, and what its headers say of further pages. */
export type HowToRead = Readonly<{ nouns: readonly Noun[]; mapping: Mapping; pages?: Tree | undefined }>;

/** Packs the records in the answer to a GET of a list, in slices. */
export async function packList(
  body: unknown,
  { nouns, mapping, pages }: HowToRead,
  answer: Pick<Packed, 'size' | 'digest'>,
): Promise<Packed> {
  const found = await recordTreesIn(body, nouns, mapping);
  const trees = new Set<unknown>(found.map(({ tree }) => tree));
  return {
    ...answer,
    cut: saysMore(withPages(body, pages)),
    ids: found.map(({ id }) => id.text).join('\n'),
    columns: await runInSlices(packColumns(found, mapping)),
    ...(await runInSlices(packTrees(found))),
    rest: JSON.stringify(body, (_, value: unknown) => (trees.has(value) ? null : value)),
  };
}

function* packColumns(found: readonly RecordTree[], mapping: Mapping): Generator<undefined, Packed['columns']> {
  const names = columnPacker<string>(found.length);
  const looks = columnPacker<SortingFacts>(found.length, sharedLooks);
  const creations = columnPacker<Creation>(found.length);
  const places = columnPacker<WrittenMention>(found.length, sharedMentions);
  const projects = columnPacker<WrittenMention>(found.length, sharedMentions);
  const sources = columnPacker<WrittenMention>(found.length, sharedMentions);
  for (const [nth, { tree, id }] of found.entries()) {
    const { name, state, isPhysical, isTombstone, askedBy, createdAt, createdFrom, environment, project, source } =
      viewRecord(tree, id, mapping);
    names.add(name);
    looks.add({ state, isPhysical, isTombstone, askedBy });
    creations.add(createdFrom && { createdAt, createdFrom });
    places.add(write(environment, id));
    projects.add(write(project, id));
    sources.add(write(source, id));
    if (nth % atOnce === 0) yield;
  }
  return {
    ...{ name: names.packed(), look: looks.packed(), created: creations.packed() },
    ...{ environment: places.packed(), project: projects.packed(), source: sources.packed() },
  };
}

/** The number of records between two checks whether other work waits. */
const atOnce = 32;

function* packTrees(found: readonly RecordTree[]): Generator<undefined, Pick<Packed, 'blocks' | 'ends'>> {
  const ends = new Uint32Array(found.length);
  const blocks: Uint8Array<ArrayBuffer>[] = [];
  const encoder = new TextEncoder();
  for (let from = 0; from < found.length; from += blockLength) {
    const texts = found.slice(from, from + blockLength).map(({ tree }) => JSON.stringify(tree));
    let end = 0;
    for (const [nth, text] of texts.entries()) {
      end += Buffer.byteLength(text);
      ends[from + nth] = end;
    }
    blocks.push(encoder.encode(texts.join('')));
    yield;
  }
  return { ends, blocks };
}

/** Reads the JSON of one record out of a packed list. */
export function textReader({ blocks, ends }: Pick<Packed, 'blocks' | 'ends'>): (record: number) => string {
  const read = blocks.map(({ buffer }) => Buffer.from(buffer));
  return record => {
    const from = record % blockLength === 0 ? 0 : (ends[record - 1] ?? 0);
    return read[Math.floor(record / blockLength)]?.toString('utf8', from, ends[record]) ?? '{}';
  };
}

/** Reads a mention as it was before it was written. */
export function readMention({ id: text, isOwn, of, ...rest }: WrittenMention, record: Identifier): Mention | undefined {
  const id = parseIdentifier(text);
  const absent = { label: undefined, time: undefined, createdAt: undefined };
  return id && { ...absent, ...rest, id, of: isOwn ? record.text : of };
}
