import { parseJson } from '../../ground/json.ts';
import { mapInSlices } from '../../ground/slices.ts';
import { type Identifier, type Noun, parseIdentifier } from '../identifiers.ts';
import type { Names } from '../reading/labels.ts';
import { bestOf, type Mention, mentionsIn } from '../reading/mentions.ts';
import type { RecordList } from '../reading/recordList.ts';
import type { Mapping } from '../reading/recordMapping.ts';
import { type RecordView, viewRecord } from '../reading/recordView.ts';
import { columnReader } from './columns.ts';
import { type ColumnFacts, type Packed, readMention, textReader, type WrittenMention } from './packedList.ts';

/**
 * The answer to a GET of a list that was read in another thread. Of fifty thousand records, most are asked for the facts
 * of a column alone; the few whose other facts are wanted are read one by one.
 */
export class LongList {
  /** The length of the answer, in bytes. */
  readonly size: number;
  readonly digest: string;
  readonly #packed: Packed;
  readonly #mapping: Mapping;

  constructor(packed: Packed, mapping: Mapping) {
    this.size = packed.size;
    this.digest = packed.digest;
    this.#packed = packed;
    this.#mapping = mapping;
  }

  /** Whether it says that there are more records than it holds. */
  get isCut(): boolean {
    return this.#packed.cut;
  }

  /** Its records, in slices. `names` gives the names of other records. */
  async read(names: Names): Promise<RecordList> {
    const { ids, cut } = this.#packed;
    const facts = openFacts(this.#packed, this.#mapping, names);
    const read = await mapInSlices((ids === '' ? [] : ids.split('\n')).entries(), ([record, text]) => {
      const id = parseIdentifier(text);
      return id ? [new PackedRecord(facts, record, id)] : [];
    });
    return { records: read.flat(), cut };
  }

  /** Every identifier of a noun without a list of its own, once each, with the best label found, in slices. */
  async mentions(noun: Noun): Promise<readonly Mention[]> {
    const { ends, rest } = this.#packed;
    const textOf = textReader(this.#packed);
    const ofRecords = await mapInSlices(ends.keys(), record => mentionsIn([parseJson(textOf(record))], noun));
    return bestOf([mentionsIn(parseJson(rest), noun), ...ofRecords].flat());
  }
}

/** The facts of the records of one list, by their numbers. */
type Facts = ReturnType<typeof openFacts>;

function openFacts(packed: Packed, mapping: Mapping, names: Names) {
  const { columns } = packed;
  const textOf = textReader(packed);
  // Who asks for one of the other facts asks for several.
  let last: { record: number; view: RecordView } | undefined;
  return {
    textOf,
    name: columnReader<ColumnFacts['name']>(columns.name),
    look: columnReader<ColumnFacts['look']>(columns.look),
    created: columnReader<ColumnFacts['created']>(columns.created),
    environment: columnReader<WrittenMention>(columns.environment),
    project: columnReader<WrittenMention>(columns.project),
    source: columnReader<WrittenMention>(columns.source),
    called(written: WrittenMention | undefined, record: Identifier): Mention | undefined {
      const mention = written && readMention(written, record);
      const label = mention && names.get(mention.id.text);
      return mention && label !== undefined ? { ...mention, label } : mention;
    },
    whole(record: number, id: Identifier): RecordView {
      if (last?.record !== record) last = { record, view: viewRecord(JSON.parse(textOf(record)), id, mapping, names) };
      return last.view;
    },
  };
}

/** A text that stands in JSON as it is. */
const plainText = /^[ !#-[\]-~]+$/;

/** One record of a long list. */
class PackedRecord implements RecordView {
  readonly id: Identifier;
  readonly #facts: Facts;
  readonly #record: number;

  constructor(facts: Facts, record: number, id: Identifier) {
    this.#facts = facts;
    this.#record = record;
    this.id = id;
  }

  get vendor() {
    return this.id.vendor;
  }
  get name() {
    return this.#facts.name(this.#record);
  }
  get state() {
    return this.#facts.look(this.#record)?.state;
  }
  get isPhysical() {
    return this.#facts.look(this.#record)?.isPhysical;
  }
  get isTombstone() {
    return this.#facts.look(this.#record)?.isTombstone === true;
  }
  get askedBy() {
    return this.#facts.look(this.#record)?.askedBy ?? [];
  }
  get createdAt() {
    return this.#facts.created(this.#record)?.createdAt;
  }
  get createdFrom() {
    return this.#facts.created(this.#record)?.createdFrom;
  }
  get environment() {
    return this.#facts.called(this.#facts.environment(this.#record), this.id);
  }
  get project() {
    return this.#facts.called(this.#facts.project(this.#record), this.id);
  }
  get source() {
    return this.#facts.called(this.#facts.source(this.#record), this.id);
  }
  get error() {
    return this.#whole().error;
  }
  get port() {
    return this.#whole().port;
  }
  get times() {
    return this.#whole().times;
  }
  get timedWorks() {
    return this.#whole().timedWorks;
  }
  get counters() {
    return this.#whole().counters;
  }
  get reports() {
    return this.#whole().reports;
  }
  get given() {
    return this.#whole().given ?? { tree: {}, mapping: {} };
  }
  get mentions() {
    return this.#whole().mentions;
  }
  get lists() {
    return this.#whole().lists;
  }
  get parts() {
    return this.#whole().parts;
  }
  get readFrom() {
    return this.#whole().readFrom;
  }
  get values() {
    return this.#whole().values;
  }

  mayHold(text: string): boolean {
    // Other characters may be escaped in JSON.
    return !plainText.test(text) || this.#facts.textOf(this.#record).toLowerCase().includes(text);
  }

  #whole(): RecordView {
    return this.#facts.whole(this.#record, this.id);
  }
}
