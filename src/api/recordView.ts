import { assumed } from './assumptions.ts';
import type { Identifier, Noun, Vendor } from './identifiers.ts';
import { type Mapping, pathsOf } from './mapping.ts';
import { type Mention, mentions } from './mentions.ts';
import { nameOf } from './names.ts';
import { isOtherRecord, isReference } from './ownIdentifier.ts';
import { isYes, type State, stateOf } from './states.ts';
import { timeOf, timesOf } from './times.ts';
import { type Leaf, leaves, ranked, type Tree, textAt } from './tree.ts';

/** What Dolly understands of one record (spec §2: "fields … not shown"). `createdAt` is milliseconds since the epoch. */
export type RecordView = Readonly<{
  id: Identifier;
  name: string | undefined;
  vendor: Vendor | undefined;
  state: State | undefined;
  error: string | undefined;
  source: Mention | undefined;
  environment: Mention | undefined;
  port: number | undefined;
  /** Whether a clone is physical; `undefined` where the record does not say. */
  isPhysical: boolean | undefined;
  /** Its times of change (refreshed, restored, backed up, …) by path, milliseconds since the epoch. */
  times: Readonly<Record<string, number>>;
  createdAt: number | undefined;
  /** Every other identifier that stands in the record. */
  mentions: readonly Mention[];
  /** Where each fact was read, as dotted keys. */
  readFrom: Readonly<
    Partial<Record<'name' | 'state' | 'error' | 'source' | 'environment' | 'port' | 'createdAt', string>>
  >;
  /** Every plain value of the record itself, with its path, as it came. */
  values: readonly Readonly<{ path: string; value: string }>[];
}>;

/**
 * What is understood of one record. Each fact is read when it is asked for, and once: of a list of fifty thousand records,
 * most are asked for no more than their identifier.
 */
export function viewOf(tree: Tree, id: Identifier, mapping: Mapping): RecordView {
  const paths = pathsOf(mapping, id.noun);
  const isDatabase = id.noun === 'live' || id.noun === 'clone';
  const own = once(() => [
    ...leaves(tree, (key, value) => {
      if (Array.isArray(value)) return !assumed.error.includes(key);
      return isReference(key) || isOtherRecord(key, value, id);
    }),
  ]);
  // What stands inside a state or an error (`state: {name}`) is no fact of the record itself.
  const facts = once(() => own().filter(leaf => !leaf.path.slice(0, -1).some(part => assumed.aside.includes(part))));
  const all = once(() => mentions(tree, id, true));
  // What stands inside another record is that one's environment or source.
  const near = once(() =>
    mentions(tree, id, false)
      .filter(mention => mention.of === undefined || mention.of === id.text)
      .sort((a, b) => a.depth - b.depth),
  );
  const one: Choose = (nouns, keys) => {
    const fitting = near().filter(mention => mention.id.noun && nouns.includes(mention.id.noun));
    return keys.map(key => fitting.find(mention => key.test(mention.key))).find(mention => mention !== undefined);
  };
  const at = (path: string | undefined) => (path === undefined ? undefined : own().find(leaf => leaf.shown === path));
  const mapped = (path: string | undefined) =>
    path === undefined ? undefined : all().find(mention => mention.path === path);
  const name = once(() => at(paths.name) ?? nameOf(facts(), id));
  const state = once(() => stateOf(own(), mapping, paths.state));
  const error = once(() => {
    const remark = () => (state()?.state.class === 'failed' ? textOf(own(), assumed.remark) : undefined);
    return at(paths.error) ?? textOf(own(), assumed.error) ?? remark();
  });
  const source = once(() => mapped(paths.source) ?? (isDatabase ? sourceOf(id, one) : undefined));
  const environment = once(() => {
    const place = () => one(['environment'], assumed.environment);
    return mapped(paths.environment) ?? (id.noun === 'environment' ? undefined : place());
  });
  const port = once(() => ranked(facts(), assumed.port)[0]);
  const created = once(() => ranked(facts(), assumed.time)[0]);
  return {
    id,
    vendor: id.vendor,
    get name() {
      return textAt(name());
    },
    get state() {
      return state()?.state;
    },
    get error() {
      return textAt(error());
    },
    get source() {
      return source();
    },
    get environment() {
      return environment();
    },
    get port() {
      const number = Number(port()?.value);
      return Number.isInteger(number) && number > 0 ? number : undefined;
    },
    get isPhysical() {
      return isPhysical(facts());
    },
    get times() {
      return timesOf(own());
    },
    get createdAt() {
      return timeOf(created()?.value);
    },
    get mentions() {
      return all();
    },
    get readFrom() {
      const places = {
        name: name()?.shown,
        state: state()?.path,
        error: error()?.shown,
        source: source()?.path,
        environment: environment()?.path,
        port: port()?.shown,
        createdAt: created()?.shown,
      };
      return Object.fromEntries(Object.entries(places).filter(([, path]) => path !== undefined));
    },
    get values() {
      return own().map(leaf => ({ path: leaf.shown, value: String(leaf.value) }));
    },
  };
}

/** Makes something when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Said with a word (`cloneType: "PHYSICAL"`) or as yes or no (`isVirtual: false`). */
function isPhysical(facts: readonly Leaf[]): boolean | undefined {
  for (const { key, value } of facts) {
    const yes = isYes(value);
    if (yes !== undefined && assumed.isVirtual.test(key)) return !yes;
    if (yes !== undefined && assumed.isPhysical.test(key)) return yes;
    if (assumed.kindOfClone.includes(key) && assumed.virtual.test(String(value))) return false;
    if (assumed.kindOfClone.includes(key) && assumed.physical.test(String(value))) return true;
  }
  return undefined;
}

type Choose = (nouns: readonly Noun[], keys: readonly RegExp[]) => Mention | undefined;

/** What a database was made from, by the key that says so; a clone that names a live database says it with any key. */
function sourceOf(id: Identifier, one: Choose): Mention | undefined {
  const said = one(['live', 'clone'], [assumed.source]);
  return said ?? (id.noun === 'clone' ? one(['live'], [/./]) : undefined);
}

/** The text at the best of the names, directly or as the message inside an object of that name. */
function textOf(own: readonly Leaf[], names: readonly string[]): Leaf | undefined {
  const texts = own.filter(
    leaf => typeof leaf.value === 'string' && leaf.value.trim() !== '' && !assumed.noError.test(leaf.value.trim()),
  );
  const inside = texts.filter(leaf => leaf.path.slice(0, -1).some(part => names.includes(part)));
  return ranked(texts, names)[0] ?? ranked(inside, assumed.remark)[0];
}
