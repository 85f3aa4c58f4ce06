import type { Identifier, Vendor } from '../identifiers.ts';
import { maskPasswords } from '../secrets/passwords.ts';
import { assumed } from './assumptions.ts';
import { type DatabasePart, partsIn } from './databaseParts.ts';
import {
  isTree,
  type Leaf,
  leaves,
  memoByKey,
  memoByPath,
  oneLine,
  plainKey,
  ranked,
  type Tree,
  textAt,
} from './jsonTree.ts';
import { type Names, nameIn } from './labels.ts';
import { pathsOf } from './mappedPaths.ts';
import { findMentions, type Mention } from './mentions.ts';
import { isOtherRecord, isReference } from './ownIdentifier.ts';
import type { Mapping } from './recordMapping.ts';
import { type Related, relatedTo } from './relatedRecords.ts';
import { isReported } from './reportKeys.ts';
import { type Report, reportsOf } from './reports.ts';
import { findState, isYes, type State } from './states.ts';
import { usualClass } from './stateWords.ts';
import { countersOf, timeOf, timesOf } from './times.ts';

/** One record as Dolly understands it (spec §2: "fields … not shown"). `createdAt` is milliseconds since the epoch. */
export type RecordView = Readonly<{
  id: Identifier;
  name: string | undefined;
  vendor: Vendor | undefined;
  state: State | undefined;
  error: string | undefined;
  source: Mention | undefined;
  environment: Mention | undefined;
  project: Mention | undefined;
  port: number | undefined;
  /** Whether a clone is physical; `undefined` where the record does not say. */
  isPhysical: boolean | undefined;
  /** Its times of change (refreshed, restored, backed up, …) by path, milliseconds since the epoch. */
  times: Readonly<Record<string, number>>;
  /** Counts of the work done to it, by path (`restoreCount`). */
  counters: Readonly<Record<string, number>>;
  /** Its reports of work on it, in its own order. */
  reports: readonly Report[];
  /** Whether it stands for a deleted resource, by its state (`REMOVED`), a flag (`deleted: true`) or a time. */
  isTombstone: boolean;
  createdAt: number | undefined;
  /** The value that `createdAt` was read from, as it came, with its place as dotted keys. */
  createdFrom: Readonly<{ path: string; value: string }> | undefined;
  /** The people who asked for it or own it, as it names them. */
  askedBy: readonly string[];
  /** The plain keys of the lists in the record itself that are empty. */
  emptyLists: readonly string[];
  /** Every other identifier that stands in the record. */
  mentions: readonly Mention[];
  /** The parts inside a database, as far as its record lists them. */
  parts: readonly DatabasePart[];
  /** The place of each fact, as dotted keys. */
  readFrom: Readonly<
    Partial<Record<'name' | 'state' | 'error' | 'source' | 'environment' | 'port' | 'createdAt', string>>
  >;
  /** Every plain value of the record itself, with its path, as it came. */
  values: readonly Readonly<{ path: string; value: string }>[];
}>;

/** Reads the record `id` from its fields `tree`. `names` gives the names of other records. */
export function viewRecord(tree: Tree, id: Identifier, mapping: Mapping, names: Names = new Map()): RecordView {
  return new Reading(tree, id, mapping, names);
}

/** A copy of a record with a state and an error from elsewhere. */
export function withState(record: RecordView, state: State | undefined, error: string | undefined): RecordView {
  // Its facts are getters, which a spread would leave out.
  const { id, name, vendor, source, environment, project, port, isPhysical, times, createdAt, createdFrom } = record;
  const { mentions, parts, readFrom, values, counters, reports, askedBy, emptyLists, isTombstone } = record;
  return {
    ...{ id, name, vendor, source, environment, project, port, isPhysical, times, createdAt, createdFrom },
    ...{ mentions, parts, readFrom, values, counters, reports, askedBy, emptyLists, isTombstone, state, error },
  };
}

/**
 * A record that is read lazily. Of fifty thousand, most are asked for only their identifier, and the rest for a few
 * facts again and again. Those facts are read at the first use and kept; seldom used ones are read each time.
 */
class Reading implements RecordView {
  readonly id: Identifier;
  readonly #tree: Tree;
  readonly #mapping: Mapping;
  readonly #names: Names;
  #facts: Facts | undefined;
  #otherFacts: OtherFacts | undefined;
  #related: Related | undefined;

  constructor(tree: Tree, id: Identifier, mapping: Mapping, names: Names) {
    this.id = id;
    this.#names = names;
    this.#tree = tree;
    this.#mapping = mapping;
  }

  get vendor() {
    return this.id.vendor;
  }
  get name() {
    return this.#read().name;
  }
  get state() {
    return this.#read().state;
  }
  get error() {
    return this.#readOthers().error;
  }
  get port() {
    return this.#readOthers().port;
  }
  get isPhysical() {
    return this.#read().isPhysical;
  }
  get isTombstone() {
    return this.#read().isTombstone;
  }
  get createdAt() {
    return this.#read().createdAt;
  }
  get createdFrom() {
    return this.#read().createdFrom;
  }
  get source() {
    return this.#called(this.#readRelated().source);
  }
  get environment() {
    return this.#called(this.#readRelated().environment);
  }
  get project() {
    return this.#called(this.#readRelated().project);
  }
  get times() {
    return timesOf(this.#own());
  }
  get counters() {
    return countersOf(this.#own());
  }
  get askedBy() {
    if (!mayNameAsker(this.#tree)) return [];
    return leaves(this.#tree, Array.isArray).flatMap(leaf =>
      leaf.path.length <= 2 && assumed.askedBy.test(leaf.key) && !isReported(leaf) ? (textAt(leaf) ?? []) : [],
    );
  }
  get reports() {
    return reportsOf(this.#tree, this.id);
  }
  get mentions() {
    return findMentions(this.#tree, this.id).map(mention => this.#called(mention) ?? mention);
  }
  get emptyLists() {
    return Object.entries(this.#tree).flatMap(([key, value]) =>
      Array.isArray(value) && value.length === 0 ? plainKey(key) : [],
    );
  }
  get parts() {
    return partsIn(this.#tree, this.id);
  }
  get readFrom() {
    const { name, state, error, port, created } = placesOf(this.#own(), this.id, this.#mapping);
    const { source, environment } = this.#readRelated();
    const places = {
      ...{ name: name?.shown, state: state?.path, error: error?.shown, port: port?.shown, createdAt: created?.shown },
      ...{ source: source?.path, environment: environment?.path },
    };
    return Object.fromEntries(Object.entries(places).filter(([, path]) => path !== undefined));
  }
  get values() {
    return this.#own().map(leaf => ({ path: leaf.shown, value: String(leaf.value) }));
  }

  #read(): Facts {
    this.#facts ??= factsOf(this.#own(), this.id, this.#mapping);
    return this.#facts;
  }
  #readOthers(): OtherFacts {
    this.#otherFacts ??= otherFactsOf(this.#own(), this.id, this.#mapping);
    return this.#otherFacts;
  }
  /** A mention with the name from the other record's own list, which is newer than the name in this record. */
  #called(mention: Mention | undefined): Mention | undefined {
    const label = mention && this.#names.get(mention.id.text);
    return mention && label !== undefined ? { ...mention, label } : mention;
  }
  #readRelated(): Related {
    this.#related ??= relatedTo(this.#tree, this.id, this.#mapping);
    return this.#related;
  }
  /** The plain values of the record itself. */
  #own(): readonly Leaf[] {
    if (lastOwn.tree === this.#tree && lastOwn.id === this.id.text) return lastOwn.leaves;
    // A number under the key of a reference counts them: `snapshots: 4`.
    const isElsewhere = (key: string, value: unknown) =>
      Array.isArray(value)
        ? !assumed.error.includes(key)
        : (isReference(key) && typeof value !== 'number') || isOtherRecord(key, value, this.id);
    lastOwn = { tree: this.#tree, id: this.id.text, leaves: leaves(this.#tree, isElsewhere) };
    return lastOwn.leaves;
  }
}

/** The values of the record that was read last: whoever asks for one of its facts asks for several. */
let lastOwn: Readonly<{ tree: Tree; id: string; leaves: readonly Leaf[] }> = { tree: {}, id: '', leaves: [] };

/** The facts of a record by which fifty thousand are searched, and those that are asked of a few. */
type Facts = Pick<RecordView, 'name' | 'state' | 'isPhysical' | 'isTombstone' | 'createdAt' | 'createdFrom'>;
type OtherFacts = Pick<RecordView, 'error' | 'port'>;

function factsOf(own: readonly Leaf[], id: Identifier, mapping: Mapping): Facts {
  const facts = own.filter(isPlainFact);
  const state = findState(own, mapping, pathsOf(mapping, id.noun).state)?.state;
  const created = creationPlace(facts);
  return {
    name: textAt(namePlace(own, facts, id, mapping)),
    createdAt: timeOf(created?.value),
    createdFrom: created && { path: created.shown, value: String(created.value) },
    state,
    isPhysical: isPhysical(facts),
    isTombstone: (state !== undefined && assumed.deletedState.test(state.word)) || facts.some(saysDeleted),
  };
}

function otherFactsOf(own: readonly Leaf[], id: Identifier, mapping: Mapping): OtherFacts {
  const { error, port } = placesOf(own, id, mapping);
  const number = Number(port?.value);
  return {
    error: error && oneLine(maskPasswords(String(error.value))),
    port: Number.isInteger(number) && number > 0 ? number : undefined,
  };
}

function creationPlace(facts: readonly Leaf[]): Leaf | undefined {
  return ranked(facts, assumed.time)[0];
}

const isAsker = memoByKey(key => assumed.askedBy.test(plainKey(key)));

/** Whether the record, or an object in it, has a key for those who asked for it: most have none. */
function mayNameAsker(tree: Tree): boolean {
  return Object.entries(tree).some(
    ([key, value]) => isAsker(key) || (isTree(value) && Object.keys(value).some(isAsker)),
  );
}

/** The place of each fact among the record's own values. */
function placesOf(own: readonly Leaf[], id: Identifier, mapping: Mapping) {
  const paths = pathsOf(mapping, id.noun);
  const plainly = own.filter(leaf => !isReported(leaf));
  const facts = own.filter(isPlainFact);
  const state = findState(own, mapping, paths.state);
  const remark = () => {
    if (state?.state.class === 'failed') return textOf(plainly, assumed.remark);
    // Where no word says how the record is, a remark that speaks of a failure does.
    if (state && !/^\d+$/.test(state.state.word)) return undefined;
    const said = textOf(plainly, assumed.remark);
    return said && usualClass(String(said.value)) === 'failed' ? said : undefined;
  };
  return {
    name: namePlace(own, facts, id, mapping),
    state,
    error: leafAt(own, paths.error) ?? textOf(plainly, assumed.error) ?? remark(),
    port: ranked(facts, assumed.port)[0],
    created: creationPlace(facts),
  };
}

function namePlace(own: readonly Leaf[], facts: readonly Leaf[], id: Identifier, mapping: Mapping): Leaf | undefined {
  return leafAt(own, pathsOf(mapping, id.noun).name) ?? nameIn(facts, id);
}

/** The leaf at a path of the operator's mapping. */
function leafAt(own: readonly Leaf[], path: string | undefined): Leaf | undefined {
  return path === undefined ? undefined : own.find(leaf => leaf.shown === path);
}

/** Whether a leaf is a fact of the record itself: it stands in no report, state or error (`state: {name}`). */
function isPlainFact(leaf: Leaf): boolean {
  return !isReported(leaf) && !isAside(leaf);
}

const isAside = memoByPath(path => path.slice(0, -1).some(part => assumed.aside.includes(part)));

/** Whether a leaf says that its record is deleted: a yes (`deleted: true`), or the time at which that was done. */
function saysDeleted({ key, path, value }: Leaf): boolean {
  if (path.length > 2 || !mayTellDeletion(key)) return false;
  return assumed.deleted.test(key) ? isYes(value) === true : timeOf(value) !== undefined;
}

const mayTellDeletion = memoByKey(key => assumed.deleted.test(key) || assumed.deletedAt.test(key));

/** Whether a record is physical, told by a word (`cloneType: "PHYSICAL"`) or by yes or no (`isVirtual: false`). */
function isPhysical(facts: readonly Leaf[]): boolean | undefined {
  for (const { key, value } of facts) {
    if (!mayTellKind(key)) continue;
    const yes = isYes(value);
    if (yes !== undefined && assumed.isVirtual.test(key)) return !yes;
    if (yes !== undefined && assumed.isPhysical.test(key)) return yes;
    if (assumed.kindOfClone.includes(key) && assumed.virtual.test(String(value))) return false;
    if (assumed.kindOfClone.includes(key) && assumed.physical.test(String(value))) return true;
  }
  return undefined;
}

const mayTellKind = memoByKey(
  key => assumed.isVirtual.test(key) || assumed.isPhysical.test(key) || assumed.kindOfClone.includes(key),
);

/** The text at the best of the names, directly or as the message inside an object of that name. */
function textOf(own: readonly Leaf[], names: readonly string[]): Leaf | undefined {
  const texts = own.filter(
    leaf => typeof leaf.value === 'string' && leaf.value.trim() !== '' && !assumed.noError.test(leaf.value.trim()),
  );
  const inside = texts.filter(leaf => leaf.path.slice(0, -1).some(part => names.includes(part)));
  return ranked(texts, names)[0] ?? ranked(inside, assumed.explanation)[0];
}
