import { mapInSlices, runInSlices } from '../../ground/slices.ts';
import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import type { Tree } from '../reading/jsonTree.ts';
import type { Mention } from '../reading/mentions.ts';
import { type RecordTree, recordTreesIn, saysMore } from '../reading/recordList.ts';
import type { Mapping } from '../reading/recordMapping.ts';
import { type RecordView, viewRecord } from '../reading/recordView.ts';
import { columnPacker, type PackedColumn } from './columns.ts';

/*
 * A long list as one thread hands it to another: of each record its JSON as bytes, and packed in columns the facts that
 * are asked of all records, to find one, to sort them, and to say how they stand.
 */

/** A mention as it is written. `isOwn` where the record around it is the one that shows it, as of most. */
export type WrittenMention = Omit<Mention, 'id'> & Readonly<{ id: string; isOwn: boolean }>;

/** The facts that have a column, as they are read from a record. Each comes with a key that tells its value from others. */
const factsOf = {
  name: ({ name }: RecordView) => ({ value: name, key: name ?? '' }),
  look: ({ state, isPhysical, isTombstone, askedBy }: RecordView) => ({
    value: { state, isPhysical, isTombstone, askedBy },
    key: [state?.word, state?.class, isPhysical, isTombstone, ...askedBy].join('\n'),
  }),
  created: ({ createdAt, createdFrom }: RecordView) => ({
    value: createdFrom && { createdAt, createdFrom },
    key: `${createdFrom?.path.length}\n${createdFrom?.path}\n${createdAt}\n${createdFrom?.value}`,
  }),
  environment: ({ environment, id }: RecordView) => write(environment, id),
  project: ({ project, id }: RecordView) => write(project, id),
  source: ({ source, id }: RecordView) => write(source, id),
} as const;

type Fact = keyof typeof factsOf;
/** The value of a fact, where a record shows it. */
export type FactOf<Name extends Fact> = NonNullable<ReturnType<(typeof factsOf)[Name]>['value']>;

function write(mention: Mention | undefined, record: Identifier) {
  if (!mention) return { value: undefined, key: '' };
  const isOwn = mention.of === record.text;
  const { id, key, path, label, inList, depth, time, createdAt, state } = mention;
  const of = isOwn ? undefined : mention.of;
  const value: WrittenMention = { ...mention, id: id.text, isOwn, of };
  return {
    value,
    key: [path.length, path, id.text, key, label, inList, depth, time, createdAt, state, isOwn, of].join('\n'),
  };
}

export type Packed = Readonly<{
  /** The length of the answer, in bytes. */
  size: number;
  digest: string;
  /** Whether the answer says that there are more records than it holds. */
  cut: boolean;
  /** The identifiers of the records, a line each. */
  ids: string;
  columns: Readonly<Record<Fact, PackedColumn>>;
  /** The records as JSON in UTF-8, {@link blockLength} of them in each block, and the end of each one in its block. */
  blocks: readonly Uint8Array<ArrayBuffer>[];
  ends: Uint32Array<ArrayBuffer>;
  /** The rest of the answer as JSON, with `null` in place of each record. */
  rest: string;
}>;

/** The number of records in a block. */
export const blockLength = 256;

/** How a list is read: the nouns of its records, and the operator's mapping. */
export type HowToRead = Readonly<{ nouns: readonly Noun[]; mapping: Mapping }>;

/** Packs the records in the answer to a GET of a list, in slices. */
export async function packList(
  body: unknown,
  { nouns, mapping }: HowToRead,
  answer: Pick<Packed, 'size' | 'digest'>,
): Promise<Packed> {
  const found = await recordTreesIn(body, nouns, mapping);
  const trees = new Set<unknown>(found.map(({ tree }) => tree));
  const column = () => columnPacker(found.length);
  const columns = {
    ...{ name: column(), look: column(), created: column() },
    ...{ environment: column(), project: column(), source: column() },
  } as const satisfies Record<Fact, unknown>;
  await mapInSlices(found, ({ tree, id }) => {
    const record = viewRecord(tree, id, mapping);
    for (const fact of facts) {
      const { value, key } = factsOf[fact](record);
      columns[fact].add(value, key);
    }
  });
  const { name, look, created, environment, project, source } = columns;
  return {
    ...answer,
    cut: saysMore(body),
    ids: found.map(({ id }) => id.text).join('\n'),
    columns: {
      ...{ name: name.packed(), look: look.packed(), created: created.packed() },
      ...{ environment: environment.packed(), project: project.packed(), source: source.packed() },
    },
    ...(await runInSlices(packTrees(found))),
    rest: JSON.stringify(body, (_, value: unknown) => (trees.has(value) ? null : value)),
  };
}

const facts = ['name', 'look', 'created', 'environment', 'project', 'source'] as const satisfies readonly Fact[];

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

/** Reads the fields of one record out of a packed list. */
export function treeReader({ blocks, ends }: Pick<Packed, 'blocks' | 'ends'>): (record: number) => Tree {
  const read = blocks.map(({ buffer }) => Buffer.from(buffer));
  return record => {
    const from = record % blockLength === 0 ? 0 : (ends[record - 1] ?? 0);
    return JSON.parse(read[Math.floor(record / blockLength)]?.toString('utf8', from, ends[record]) ?? '{}');
  };
}

/** Reads a mention as it was before it was written. */
export function readMention({ id: text, isOwn, of, ...rest }: WrittenMention, record: Identifier): Mention | undefined {
  const id = parseIdentifier(text);
  const absent = { label: undefined, time: undefined, createdAt: undefined };
  return id && { ...absent, ...rest, id, of: isOwn ? record.text : of };
}
