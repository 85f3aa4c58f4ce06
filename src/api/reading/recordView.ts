import { type DayOrder, writeInOrder } from '../../ground/timeText.ts';
import type { Identifier, Noun, Vendor } from '../identifiers.ts';
import { assumed } from './assumedKeys.ts';
import { type DatabasePart, partsIn } from './databaseParts.ts';
import { isTree, type Leaf, leaves, memoByKey, plainKey, type Tree, textAt } from './jsonTree.ts';
import type { Names } from './labels.ts';
import { pathsOf } from './mappedPaths.ts';
import { findMentions, type Mention } from './mentions.ts';
import { isOtherRecord, isReference } from './ownIdentifier.ts';
import { otherFactsOf, placesOf, searchedFactsOf } from './recordFacts.ts';
import type { Mapping, Path } from './recordMapping.ts';
import { isReported } from './reportKeys.ts';
import { type Report, reportsIn } from './reports.ts';
import type { State } from './states.ts';
import { countersOf, timesOf } from './times.ts';
import { inToldReports, isToldAt, pathsIn, timeOfWork, toldOr, toldTimes, valueOfWork } from './toldFacts.ts';
import { withSnapshots } from './toldSnapshots.ts';

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
  /**
   * Its times of change (refreshed, restored, backed up, …) by path, milliseconds since the epoch. The work of which an operator
   * says that a time is stands behind its path.
   */
  times: Readonly<Record<string, number>>;
  /** The works of which an operator names the time in such records: no other time or counter is a sign of one. */
  timedWorks: readonly string[];
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
  /** The lengths of the lists in the record itself, by their plain keys. */
  lists: Readonly<Record<string, number>>;
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
  /** Its fields as they came, and the mapping by which they were read. */
  given?: Readonly<{ tree: Tree; mapping: Mapping }>;
  /** Says no where none of the values has the text, in lower case, without reading them. */
  mayHold?(text: string): boolean;
}>;

/** Reads the record `id` from its fields `tree`. `names` gives the names of other records. */
export function viewRecord(tree: Tree, id: Identifier, mapping: Mapping, names: Names = new Map()): RecordView {
  return new Reading(mapping.dates === undefined ? tree : datesInOrder(tree, mapping.dates), id, mapping, names);
}

/** A copy of some fields with each date such as 03/04/2026 as everybody reads it, as deep as anything is read. */
function datesInOrder(tree: Tree, order: DayOrder, depth = 0): Tree {
  const ordered = (value: unknown): unknown => {
    if (typeof value === 'string') return writeInOrder(value, order);
    if (Array.isArray(value)) return value.map(item => (Array.isArray(item) ? item : ordered(item)));
    return isTree(value) && depth < 14 ? datesInOrder(value, order, depth + 1) : value;
  };
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, ordered(value)]));
}

/** A copy of a record with a state and an error from elsewhere. */
export function withState(record: RecordView, state: State | undefined, error: string | undefined): RecordView {
  // Its facts are getters, which a spread would leave out.
  const { id, name, vendor, source, environment, project, port, isPhysical, times, createdAt, createdFrom } = record;
  const { mentions, parts, readFrom, values, timedWorks, counters, reports, askedBy, lists, isTombstone } = record;
  return {
    ...{ id, name, vendor, source, environment, project, port, isPhysical, times, createdAt, createdFrom },
    ...{ mentions, parts, readFrom, values, timedWorks, counters, reports, askedBy, lists, isTombstone, state, error },
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
  #facts: ReturnType<typeof searchedFactsOf> | undefined;
  #otherFacts: ReturnType<typeof otherFactsOf> | undefined;
  #related: Related | undefined;
  #reports: readonly Report[] | undefined;

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
    const told = toldTimes(this.#tree, this.#paths);
    if (told.length === 0) return timesOf(this.#open());
    const guessed = this.#open().filter(leaf => !isToldAt(told, leaf));
    return { ...timesOf(guessed), ...Object.fromEntries(told.flatMap(timeOfWork)) };
  }
  get timedWorks() {
    return Object.keys(this.#paths.times ?? {});
  }
  get counters() {
    return countersOf(this.#open());
  }
  get askedBy() {
    if (!mayNameAsker(this.#tree)) return [];
    return leaves(this.#tree, Array.isArray).flatMap(leaf =>
      leaf.path.length <= 2 && assumed.askedBy.test(leaf.key) && !isReported(leaf) ? (textAt(leaf) ?? []) : [],
    );
  }
  get reports() {
    this.#reports ??= reportsIn(this.#tree, this.id, this.#mapping).map(({ report }) => report);
    return this.#reports;
  }
  get given() {
    return { tree: this.#tree, mapping: this.#mapping };
  }
  get mentions() {
    const found = findMentions(this.#tree, this.id);
    const { snapshots } = this.#paths;
    const all = snapshots ? withSnapshots(found, this.#tree, this.id, snapshots, this.#mapping) : found;
    return all.map(mention => this.#called(mention) ?? mention);
  }
  get lists() {
    const lists = Object.entries(this.#tree).flatMap(([key, value]) =>
      Array.isArray(value) ? [[plainKey(key), value.length] as const] : [],
    );
    return Object.fromEntries(lists);
  }
  get parts() {
    return partsIn(this.#tree, this.id);
  }
  get readFrom() {
    const { name, state, error, port, created } = placesOf(this.#tree, this.#open(), this.id, this.#mapping);
    const { source, environment } = this.#readRelated();
    const places = {
      ...{ name: name?.shown, state: state?.path, error: error?.shown, port: port?.shown, createdAt: created?.shown },
      ...{ source: source?.path, environment: environment?.path },
    };
    return Object.fromEntries(Object.entries(places).filter(([, path]) => path !== undefined));
  }
  get values() {
    const told = toldTimes(this.#tree, this.#paths);
    const own = told.length === 0 ? this.#own() : this.#own().filter(leaf => !isToldAt(told, leaf));
    return [...own.map(leaf => ({ path: leaf.shown, value: String(leaf.value) })), ...told.map(valueOfWork)];
  }

  #read(): ReturnType<typeof searchedFactsOf> {
    this.#facts ??= searchedFactsOf(this.#tree, this.#open(), this.id, this.#mapping);
    return this.#facts;
  }
  #readOthers(): ReturnType<typeof otherFactsOf> {
    this.#otherFacts ??= otherFactsOf(this.#tree, this.#open(), this.id, this.#mapping);
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
  get #paths() {
    return pathsOf(this.#mapping, this.id.noun);
  }
  /** Those of its values that are open to a guess: what stands where the mapping has a report belongs to that. */
  #open(): readonly Leaf[] {
    const isInReport = inToldReports(this.#paths);
    return isInReport ? this.#own().filter(({ shown }) => !isInReport(shown)) : this.#own();
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

const isAsker = memoByKey(key => assumed.askedBy.test(plainKey(key)));

/** Whether the record, or an object in it, has a key for those who asked for it: most have none. */
function mayNameAsker(tree: Tree): boolean {
  return Object.entries(tree).some(
    ([key, value]) => isAsker(key) || (isTree(value) && Object.keys(value).some(isAsker)),
  );
}

/** The records around a record, as it mentions them. */
type Related = Readonly<Record<'source' | 'environment' | 'project', Mention | undefined>>;

/** The source, the environment and the project of a record. */
function relatedTo(tree: Tree, id: Identifier, mapping: Mapping): Related {
  const paths = pathsOf(mapping, id.noun);
  // A mention inside another record is that one's environment or source.
  const near = findMentions(tree, id, false)
    .filter(
      ({ of, path }) => (of === undefined || of === id.text) && !isInReport(path) && !inToldReports(paths)?.(path),
    )
    .sort((a, b) => a.depth - b.depth);
  const one: Choose = (nouns, keys) => {
    const fitting = near.filter(mention => mention.id.noun && nouns.includes(mention.id.noun));
    for (const key of keys) {
      const found = fitting.find(mention => key.test(mention.key));
      if (found) return found;
    }
    return undefined;
  };
  const mapped = (path: Path) => {
    const all = findMentions(tree, id);
    return pathsIn(path).flatMap(one => all.find(mention => mention.path === one) ?? [])[0];
  };
  const isDatabase = id.noun === 'live' || id.noun === 'clone';
  const place = () => (id.noun === 'environment' ? undefined : one(['environment'], assumed.environment));
  return {
    source: toldOr(paths.source, mapped, () => (isDatabase ? sourceOf(id, one) : undefined)),
    environment: toldOr(paths.environment, mapped, place),
    project: isDatabase ? one(['project'], [/./]) : undefined,
  };
}

/** Whether the dotted keys that lead to a mention lead through a report. */
const isInReport = memoByKey(path => isReported({ path: path.split('.').map(plainKey) }));

type Choose = (nouns: readonly Noun[], keys: readonly RegExp[]) => Mention | undefined;

/** The source of a database, under a key for sources; of a clone, else a live database under any key. */
function sourceOf(id: Identifier, one: Choose): Mention | undefined {
  const said = one(['live', 'clone'], [assumed.source]);
  return said ?? (id.noun === 'clone' ? one(['live'], [/./]) : undefined);
}
