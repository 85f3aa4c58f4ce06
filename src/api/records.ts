import { type Identifier, type Noun, parseIdentifier, type Vendor } from './identifiers.ts';
import { type Mapping, pathsOf } from './mapping.ts';
import { isYes, type State, stateOf } from './states.ts';
import { isTree, type Leaf, leaves, oneLine, plain, ranked, type Tree, words } from './tree.ts';

/*
 * What Dolly assumes about answers, which the specification does not show (spec §2, §3, §7). Names are compared without
 * case, underscores or dashes; the earlier in a list, the better. Structure decides where names do not help: an
 * identifier is whatever has the shape <KIND>-<integer>.
 */
const assumed = {
  /** Keys under which a record of any kind carries its own identifier. */
  plainId: words('id identifier reference ref self oid objectid key uid'),
  /** Keys under which it does so by what it is; in another record, they speak of this one. */
  id: words(
    'cloneid serverid databaseid dbid snapshotid environmentid hostid installid userid projectid clone server database snapshot environment host install user project',
  ),
  /** Keys of an answer under which the record stands that was asked for, beside what is said about the answer. */
  wrapper: words('object data result record item response payload body content value entity resource'),
  /** Keys under which a record speaks of another one. A key that begins with one of these does, too. */
  reference: words(
    'source parent origin clonedfrom createdfrom target from base owner createdby template master children dependents clones snapshots links',
  ),
  name: words(
    'name displayname databasename dbname servername clonename label title username login hostname dbuniquename instancename address sid host',
  ),
  /** A host is known by where it is, rather than by the name of what runs on it. */
  hostName: words('name displayname hostname environmentname label title address host ipaddress servername'),
  /** What else the name is called in a record of such a kind. */
  nounName: {
    project: words('projectname'),
    snapshot: words('snapshotname'),
    install: words('installname installationname'),
    environmentUser: words('environmentusername accountname osusername'),
  },
  /** What tells an installation from another one that has no name. */
  remainder: words('installpath oraclehome home path basedir version description'),
  error: words('error errormessage errortext failurereason failure lasterror fault problem errors exception'),
  /** What stands in an error's place where there is none. */
  noError: /^(none|no errors?|null|n\/?a|ok|success|0|-+)$/i,
  /** Keys whose inside is not about the record itself. */
  aside: words('state status lifecycle health error lasterror failure errors vendor type version os ssh lastjob job'),
  /** Said beside a state; counts as the error's text only where the state itself says failure. */
  remark: words('message errormessage statusmessage statetext text reason detail details description note'),
  port: words('port portnumber listenport serverport listenerport tcpport databaseport dbport'),
  time: words(
    'createdat created creationtime creationtimestamp creationdate createtime createddate createdtime createdon timestamp snapshottime snaptime takenat taken time date datetime',
  ),
  kindOfClone: words('clonetype clonekind kind type mode storage storagetype'),
  /** Keys of times at which something was done. */
  change: /refresh|reset|restor|recover|sync|backup|backedup|log|updat|modif|chang|discover|scan/,
  life: /seen|heartbeat|ping|alive|login|poll|check/,
  total: words('total totalcount totalelements totalitems totalrecords totalresults'),
  more: words(
    'hasmore more hasnext next nextpage nextcursor nextlink nextpagetoken continuation continuationtoken truncated istruncated incomplete partial',
  ),
} as const;

/** An identifier that a record mentions, with the best label at hand. */
export type Mention = Readonly<{
  id: Identifier;
  label: string | undefined;
  key: string;
  /** The dotted keys that lead to it. */
  path: string;
  inList: boolean;
  /** The identifier of the record around it, if that has one, and how deep it stands. */
  of: string | undefined;
  depth: number;
  time: number | undefined;
}>;

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

/** A list as read. `cut` tells that the answer itself says that there is more than it holds. */
export type RecordList = Readonly<{
  records: readonly RecordView[];
  cut: boolean;
}>;

/**
 * Reads the records of the given nouns out of a list answer of any shape: bare, wrapped, or keyed by identifier.
 * Never throws; what is no record is passed over.
 */
export function readList(body: unknown, nouns: readonly Noun[], mapping: Mapping = {}): RecordList {
  const records: RecordView[] = [];
  collect(body, { nouns, out: records, mapping }, false);
  const unique = new Map<string, RecordView>();
  for (const record of records) {
    // Where a record is spoken of in another one, less of it may be shown than in its own place.
    const before = unique.get(record.id.text);
    if (!before || before.values.length < record.values.length) unique.set(record.id.text, record);
  }
  return { records: [...unique.values()], cut: saysMore(body) };
}

/** Reads the answer to a GET of the record `id`, bare or wrapped. `undefined` where it holds no such record. */
export function readRecord(body: unknown, id: Identifier, mapping: Mapping = {}): RecordView | undefined {
  const found: RecordView[] = [];
  collect(body, { nouns: id.noun ? [id.noun] : undefined, out: found, mapping }, false);
  const exact = found.find(record => record.id.text === id.text);
  if (exact) return exact;
  // The record was asked for by its identifier, so an object that does not repeat it is still that record.
  const bare = unwrapped(body);
  return found.length === 0 && bare ? view(bare, id, mapping) : undefined;
}

/** Every identifier of the given noun anywhere in an answer, once each, with the best label found. */
export function mentionsIn(body: unknown, noun: Noun): readonly Mention[] {
  const found = new Map<string, Mention>();
  for (const mention of mentions(body)) {
    if (mention.id.noun !== noun) continue;
    const before = found.get(mention.id.text);
    if (!before || (!before.label && mention.label)) found.set(mention.id.text, mention);
  }
  return [...found.values()];
}

/** What is looked for, and where what is found goes. */
type Search = Readonly<{ nouns: readonly Noun[] | undefined; out: RecordView[]; mapping: Mapping }>;

/** Finds records from `node` downwards. `item` tells that the node is an element of a list, and so one record at most. */
function collect(node: unknown, search: Search, item: boolean, depth = 0): void {
  const { nouns, out, mapping } = search;
  if (depth > 12) return;
  if (Array.isArray(node)) {
    for (const element of node) {
      const id = typeof element === 'string' ? parseIdentifier(element) : undefined;
      if (id && fits(id, nouns)) out.push(view({}, id, mapping));
      else collect(element, search, true, depth + 1);
    }
    return;
  }
  if (!isTree(node)) return;
  const keyed = Object.entries(node).flatMap(([key, value]) => {
    const id = parseIdentifier(key);
    return id && fits(id, nouns) && isTree(value) ? [view(value, id, mapping)] : [];
  });
  if (keyed.length > 0) {
    out.push(...keyed);
    return;
  }
  const own = !item && innerOf(node) ? undefined : (ownId(node, nouns) ?? (item ? loneId(node, nouns) : undefined));
  if (own) {
    out.push(view(node, own, mapping));
    // A live database may hold the list of its clones, and they may stand nowhere else.
    for (const list of Object.values(node).filter(Array.isArray))
      collect(
        list.filter(element => isTree(element) && bestId(element, nouns)),
        search,
        true,
        depth + 1,
      );
    return;
  }
  for (const [key, value] of Object.entries(node)) {
    // In the entry of a list, `parent: {…}` only speaks of a record.
    if (!(item && isTree(value) && isReference(key))) collect(value, search, item && isTree(value), depth + 1);
  }
}

/**
 * The record inside an object that stands outside a list and says something about the answer, such as
 * `{status, object: {…}}`: that status is not the record's.
 */
function innerOf(tree: Tree): Tree | undefined {
  if (bestId(tree, undefined)) return undefined;
  const inner = Object.entries(tree).filter(([, value]) => typeof value === 'object' && value !== null);
  const named = inner.find(([key, value]) => assumed.wrapper.includes(plain(key)) && isTree(value))?.[1];
  const only = inner.length === 1 ? inner[0]?.[1] : undefined;
  return isTree(named) ? named : isTree(only) ? only : undefined;
}

/** The identifier that belongs to the object itself: the shallowest, under the best key, never one under a reference key. */
function ownId(tree: Tree, nouns: readonly Noun[] | undefined): Identifier | undefined {
  let level: Tree[] = [tree];
  for (let depth = 0; depth < 4 && level.length > 0; depth++) {
    const found = level.flatMap(object => bestId(object, nouns) ?? []);
    if (found.length === 1) return found[0];
    if (found.length > 1) {
      // Several records side by side are a collection, save a clone that stands beside its live database.
      const clones = found.filter(id => id.noun === 'clone');
      return clones.length === 1 && found.length === 2 ? clones[0] : undefined;
    }
    level = level.flatMap(object =>
      Object.entries(object).flatMap(([key, value]) => (isTree(value) && !isReference(key) ? [value] : [])),
    );
  }
  return undefined;
}

function bestId(object: Tree, nouns: readonly Noun[] | undefined): Identifier | undefined {
  return bestEntry(object, nouns)?.id;
}

function bestEntry(object: Tree, nouns: readonly Noun[] | undefined): { id: Identifier; key: string } | undefined {
  const entries = Object.entries(object)
    .flatMap(([rawKey, value]) => {
      const id = typeof value === 'string' ? parseIdentifier(value) : undefined;
      const key = plain(rawKey);
      return id && idKeys.includes(key) && !isReference(key) ? [{ id, key }] : [];
    })
    .sort((a, b) => idKeys.indexOf(a.key) - idKeys.indexOf(b.key));
  const [first] = entries;
  // A snapshot that names its database is no database.
  if (first && assumed.plainId.includes(first.key) && first.id.noun && !fits(first.id, nouns)) return undefined;
  return entries.find(({ id }) => fits(id, nouns));
}

/**
 * The identifier of an object that stands under `key` in another one. `{environment: "…", port: 1}` is an environment
 * only where the key says so: in a record it may group what is known of that record.
 */
function innerId(object: Tree, key: string): Identifier | undefined {
  const best = bestEntry(object, undefined);
  const isOwn = best && (assumed.plainId.includes(best.key) || key.includes(best.key.replace(/id$/, '')));
  return isOwn ? best.id : undefined;
}

const idKeys = [...assumed.plainId, ...assumed.id];

/** The only fitting identifier that stands in the object itself, whatever its key is called. */
function loneId(object: Tree, nouns: readonly Noun[] | undefined): Identifier | undefined {
  if (bestId(object, undefined)) return undefined;
  const found = Object.entries(object).flatMap(([key, value]) => {
    const id = typeof value === 'string' && !isReference(key) ? parseIdentifier(value) : undefined;
    return id && fits(id, nouns) ? [id] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

/**
 * What is understood of one record. Each fact is read when it is asked for, and once: of a list of fifty thousand records,
 * most are asked for no more than their identifier.
 */
function view(tree: Tree, id: Identifier, mapping: Mapping): RecordView {
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
    const place = () => one(['environment'], [/^target/, /^(?!source|parent|origin)/, /./]);
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

function textAt(leaf: Leaf | undefined): string | undefined {
  return leaf && oneLine(String(leaf.value));
}

/** Said with a word (`cloneType: "PHYSICAL"`) or as yes or no (`isVirtual: false`). */
function isPhysical(facts: readonly Leaf[]): boolean | undefined {
  for (const { key, value } of facts) {
    const yes = isYes(value);
    if (yes !== undefined && /^(is)?virtual(clone)?$/.test(key)) return !yes;
    if (yes !== undefined && /^(is)?physical(clone)?$/.test(key)) return yes;
    if (assumed.kindOfClone.includes(key) && /virtual|thin/i.test(String(value))) return false;
    if (assumed.kindOfClone.includes(key) && /physical|full|thick/i.test(String(value))) return true;
  }
  return undefined;
}

/** The times at which something was done to the record; those of a mere sign of life say nothing. */
function timesOf(own: readonly Leaf[]): Record<string, number> {
  const times = own.flatMap(({ key, shown, value }) => {
    const time = assumed.change.test(key) && !assumed.life.test(key) ? timeOf(value) : undefined;
    return time === undefined ? [] : [[shown, time] as const];
  });
  return Object.fromEntries(times);
}

type Choose = (nouns: readonly Noun[], keys: readonly RegExp[]) => Mention | undefined;

/** What a database was made from, by the key that says so; a clone that names a live database says it with any key. */
function sourceOf(id: Identifier, one: Choose): Mention | undefined {
  const said = one(['live', 'clone'], [/source|parent|origin|from|container/]);
  return said ?? (id.noun === 'clone' ? one(['live'], [/./]) : undefined);
}

/** Something that can be seen: a name of blanks and marks is none. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

function nameOf(facts: readonly Leaf[], id: Identifier): Leaf | undefined {
  const names = id.noun === 'environment' ? assumed.hostName : assumed.name;
  const more: Partial<Record<Noun, readonly string[]>> = assumed.nounName;
  const own = (id.noun && more[id.noun]) ?? [];
  return ranked(facts, own.length > 0 ? [...own, ...names] : names).find(
    ({ value }) => typeof value === 'string' && visible.test(value) && !parseIdentifier(value)?.noun,
  );
}

/** A name, or what tells a record without one from others. */
function labelOf(tree: Tree, id: Identifier): string | undefined {
  const facts = [...leaves(tree, isRecord)];
  return textAt(nameOf(facts, id) ?? ranked(facts, assumed.remainder)[0]);
}

/** The text at the best of the names, directly or as the message inside an object of that name. */
function textOf(own: readonly Leaf[], names: readonly string[]): Leaf | undefined {
  const texts = own.filter(
    leaf => typeof leaf.value === 'string' && leaf.value.trim() !== '' && !assumed.noError.test(leaf.value.trim()),
  );
  const inside = texts.filter(leaf => leaf.path.slice(0, -1).some(part => names.includes(part)));
  return ranked(texts, names)[0] ?? ranked(inside, assumed.remark)[0];
}

/** Where `mentions` is: under which key, in which object, and whose object that is. */
type Place = Readonly<{
  key: string;
  path: string;
  inList: boolean;
  depth: number;
  holder?: Tree | undefined;
  holderId?: string | undefined;
  /** The entry of a list that the holder stands in: it may name itself apart from its identifier. */
  entry?: Readonly<{ tree: Tree; id: Identifier }> | undefined;
  /** The record around the holder. */
  of?: string | undefined;
}>;

/** Every identifier below `body`, other than that of the record `root` which it may be; in its lists, too, `withLists`. */
function mentions(body: unknown, root?: Identifier, withLists = true): Mention[] {
  const out: Mention[] = [];
  const visit = (node: unknown, place: Place): void => {
    const { key, path, inList, depth, holder, holderId, entry, of } = place;
    if (depth > 14) return;
    if (typeof node === 'string') {
      const id = parseIdentifier(node);
      if (!id || id.text === root?.text) return;
      const own = holder !== undefined && holderId === id.text;
      const whole = own && entry?.id.text === id.text ? entry.tree : undefined;
      const label = own ? (labelOf(holder, id) ?? (whole && labelOf(whole, id))) : holder && nameBeside(key, holder);
      const time = own ? (timeIn(holder) ?? (whole && timeIn(whole))) : undefined;
      out.push({ id, label, key, path, inList, of, depth, time });
    } else if (Array.isArray(node)) {
      if (!withLists) return;
      for (const item of node) visit(item, { key, path, inList: true, depth: depth + 1, of });
    } else if (isTree(node)) {
      const isRoot = node === body && root !== undefined;
      const id = isRoot || holder ? undefined : (ownId(node, undefined) ?? loneId(node, undefined));
      const own = isRoot ? root.text : (holder ? innerId(node, key) : id)?.text;
      for (const [rawKey, value] of Object.entries(node)) {
        const inner = {
          path: path === '' ? rawKey : `${path}.${rawKey}`,
          inList,
          holder: node,
          holderId: own,
          entry: id ? { tree: node, id } : entry,
        };
        const keyed = isTree(value) ? parseIdentifier(rawKey) : undefined;
        if (keyed && isTree(value)) {
          // Keyed by identifier is a list, too.
          if (!withLists) continue;
          const [label, time] = [labelOf(value, keyed), timeIn(value)];
          out.push({ id: keyed, label, key, path, inList: true, of, depth, time });
        }
        // `environment: {id: "…"}` speaks of the environment just as `environment: "…"` does.
        if (value === own && key !== '') visit(value, { ...inner, key, depth, of });
        else visit(value, { ...inner, key: plain(rawKey), depth: depth + 1, of: keyed?.text ?? own ?? of });
      }
    }
  };
  visit(body, { key: '', path: '', inList: false, depth: 0 });
  return out;
}

/** `environmentName` beside `environment` or `environmentId`. */
function nameBeside(key: string, holder: Tree): string | undefined {
  const stem = key.replace(/(id|ref|reference)$/, '');
  const beside = Object.entries(holder).find(([other]) =>
    ['name', 'label', 'title'].some(end => plain(other) === stem + end),
  );
  return typeof beside?.[1] === 'string' ? oneLine(beside[1]) : undefined;
}

function isRecord(key: string, value: unknown): boolean {
  return Array.isArray(value) || (isTree(value) && innerId(value, key) !== undefined);
}

function isOtherRecord(key: string, value: unknown, own: Identifier): boolean {
  const id = isTree(value) ? innerId(value, key) : undefined;
  return id !== undefined && id.text !== own.text;
}

function timeIn(tree: Tree): number | undefined {
  return timeOf(ranked([...leaves(tree, isRecord)], assumed.time)[0]?.value);
}

/** Milliseconds since the epoch from ISO text, seconds or milliseconds. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{9,13}$/.test(value)) return timeOf(Number(value));
  if (typeof value === 'number') return value < 1e8 || value > 1e14 ? undefined : value > 1e11 ? value : value * 1000;
  // A time without a zone is taken as UTC, so that it does not depend on where Dolly runs.
  const zoned = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ][\d:.]+$/.test(value) ? `${value}Z` : value;
  const time = typeof zoned === 'string' && /\d{4}/.test(zoned) ? Date.parse(zoned) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Whether the answer speaks of more than it holds. */
function saysMore(body: unknown): boolean {
  if (isTree(body) && bestId(body, undefined)) return false;
  const here = sizeOf(body);
  const keyed = isTree(body) && isKeyed(body);
  const isContent = (key: string, value: unknown) =>
    isRecord(key, value) || (isTree(value) && (keyed || isKeyed(value)));
  return [...leaves(body, isContent)].some(({ key, path, value }) => {
    if (assumed.total.includes(key)) return Number(value) > here;
    if (key === 'totalpages') return Number(value) > 1;
    const more = path.some(part => assumed.more.includes(part));
    return more && value !== false && !['', 'false', '0'].includes(String(value));
  });
}
/** How many entries an answer has: those of its outermost lists, and those that are keyed by identifier. */
function sizeOf(node: unknown, depth = 0): number {
  if (Array.isArray(node)) return node.length;
  if (!isTree(node) || depth > 6) return 0;
  if (isKeyed(node)) return Object.keys(node).filter(key => parseIdentifier(key)).length;
  return Object.values(node).reduce((sum: number, value) => sum + sizeOf(value, depth + 1), 0);
}

/** The innermost object of a chain of envelopes. */
function unwrapped(body: unknown): Tree | undefined {
  let node = isTree(body) ? body : undefined;
  for (let inner = node && innerOf(node); inner; inner = innerOf(inner)) node = inner;
  return node && Object.keys(node).length > 0 ? node : undefined;
}

function isKeyed(tree: Tree): boolean {
  return Object.keys(tree).some(key => parseIdentifier(key));
}

function fits(id: Identifier, nouns: readonly Noun[] | undefined): boolean {
  return nouns === undefined || (id.noun !== undefined && nouns.includes(id.noun));
}

const references = new RegExp(`^(?:${assumed.reference.join('|')})`);

function isReference(key: string): boolean {
  return references.test(plain(key));
}
