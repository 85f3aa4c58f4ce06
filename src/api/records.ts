import { type Identifier, type Noun, parseIdentifier, type Vendor } from './identifiers.ts';
import { isTree, type Leaf, leaves, oneLine, plain, ranked, type Tree, words } from './tree.ts';

/*
 * What Dolly assumes about answers, which the specification does not show (spec §2, §3, §7). Names are compared without
 * case, underscores or dashes; the earlier in a list, the better. Structure decides where names do not help: an
 * identifier is whatever has the shape <KIND>-<integer>.
 */
const assumed = {
  /** Keys under which a record carries its own identifier. */
  id: words(
    'id identifier reference ref oid objectid key uid cloneid serverid databaseid snapshotid environmentid hostid installid userid projectid clone server database snapshot environment host install user project',
  ),
  /** Keys under which a record speaks of another one. A key that begins with one of these does, too. */
  reference: words(
    'source parent origin clonedfrom createdfrom target from base owner createdby template master children dependents clones snapshots links',
  ),
  name: words(
    'name displayname databasename dbname servername clonename hostname label title username login dbuniquename instancename address sid host',
  ),
  state: words(
    'state status lifecyclestate runstate runstatus databasestate databasestatus dbstate phase lifecycle condition operationalstatus availability health',
  ),
  /** Inside a state that is an object. */
  stateWord: words('name value label text state status word code id'),
  error: words('error errormessage errortext failurereason failure lasterror fault problem errors exception reason'),
  /** Keys whose inside is not about the record itself. */
  aside: words('state status lifecycle health error lasterror failure errors vendor type version lastjob job'),
  /** Said beside a state; counts as the error's text only where the state itself says failure. */
  remark: words('message errormessage statusmessage statetext text reason detail details description note'),
  port: words('port listenport serverport listenerport tcpport'),
  time: words('createdat created creationtime createtime createdon timestamp snapshottime takenat time date datetime'),
  total: words('total totalcount totalelements totalitems totalrecords totalresults'),
  more: words('hasmore hasnext next nextpage nextcursor nextlink nextpagetoken continuation continuationtoken'),
} as const;

/** How a state word is understood. The first row with a word that occurs decides. */
const stateWords = [
  ['failed', words('failed failure error errored broken crashed aborted corrupt corrupted invalid faulted fatal')],
  ['disabled', words('disabled disable inactive deactivated suspended blocked')],
  ['stopped', words('stopped down offline shutdown closed terminated halted off notrunning dormant')],
  [
    'busy',
    words(
      'creating provisioning cloning pending queued waiting starting stopping running_job inprogress progress processing preparing initializing initialising building copying restoring recovering refreshing resetting converting switching sharing mounting deleting disabling enabling backingup syncing synchronizing scheduled submitted working busy notready loading updating new accepted',
    ),
  ],
  [
    'ok',
    words(
      'running active online up ready open opened available ok okay enabled healthy normal started mounted completed complete done success successful succeeded finished created live good green valid connected',
    ),
  ],
] as const;

/** Yes-or-no keys that say a state where no word does, or that add "disabled" to one. */
const stateFlags = [
  ['failed', true, 'failed'],
  ['iserror', true, 'failed'],
  ['disabled', true, 'disabled'],
  ['isdisabled', true, 'disabled'],
  ['enabled', false, 'disabled'],
  ['isenabled', false, 'disabled'],
  ['inprogress', true, 'busy'],
  ['busy', true, 'busy'],
  ['running', false, 'stopped'],
  ['isrunning', false, 'stopped'],
  ['online', false, 'stopped'],
  ['active', false, 'stopped'],
  ['running', true, 'ok'],
  ['isrunning', true, 'ok'],
  ['online', true, 'ok'],
  ['active', true, 'ok'],
  ['isactive', true, 'ok'],
  ['ready', true, 'ok'],
  ['enabled', true, 'ok'],
  ['isenabled', true, 'ok'],
  ['disabled', false, 'ok'],
] as const;

export type StateClass = 'ok' | 'busy' | 'failed' | 'stopped' | 'disabled' | 'unknown';
/** A state as the record says it, and how it is understood. */
export type State = Readonly<{ word: string; class: StateClass }>;

/** An identifier that a record mentions, with the best label at hand. */
export type Mention = Readonly<{
  id: Identifier;
  label: string | undefined;
  key: string;
  inList: boolean;
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
  createdAt: number | undefined;
  /** Every other identifier that stands in the record. */
  mentions: readonly Mention[];
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
export function readList(body: unknown, nouns: readonly Noun[]): RecordList {
  const records: RecordView[] = [];
  collect(body, nouns, records, false);
  const unique = [...new Map(records.map(record => [record.id.text, record])).values()];
  return { records: unique, cut: saysMore(body, unique.length) };
}

/** Reads the answer to a GET of the record `id`, bare or wrapped. `undefined` where it holds no such record. */
export function readRecord(body: unknown, id: Identifier): RecordView | undefined {
  const found: RecordView[] = [];
  collect(body, id.noun ? [id.noun] : undefined, found, false);
  const exact = found.find(record => record.id.text === id.text);
  if (exact) return exact;
  // The record was asked for by its identifier, so an object that does not repeat it is still that record.
  const bare = unwrapped(body);
  return found.length === 0 && bare ? view(bare, id) : undefined;
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

/** How a state word is understood: `RUNNING` is ok, `CREATE_FAILED` is failed; unknown words stay unknown. */
export function stateClass(word: string): StateClass {
  const parts = word
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter(Boolean);
  // "NOT RUNNING" and "un-available" are words of their own, not the word behind them.
  const joined = parts.flatMap((part, at) =>
    part === 'not' ? [`not${parts[at + 1] ?? ''}`] : parts[at - 1] === 'not' ? [] : [part],
  );
  const all = new Set([...joined, parts.join('')]);
  return stateWords.find(([, known]) => known.some(entry => all.has(entry)))?.[0] ?? 'unknown';
}

/** Finds records from `node` downwards. `item` tells that the node is an element of a list, and so one record at most. */
function collect(node: unknown, nouns: readonly Noun[] | undefined, out: RecordView[], item: boolean, depth = 0): void {
  if (depth > 12) return;
  if (Array.isArray(node)) {
    for (const element of node) {
      const id = typeof element === 'string' ? parseIdentifier(element) : undefined;
      if (id && fits(id, nouns)) out.push(view({}, id));
      else collect(element, nouns, out, true, depth + 1);
    }
    return;
  }
  if (!isTree(node)) return;
  const keyed = Object.entries(node).flatMap(([key, value]) => {
    const id = parseIdentifier(key);
    return id && fits(id, nouns) && isTree(value) ? [view(value, id)] : [];
  });
  if (keyed.length > 0) {
    out.push(...keyed);
    return;
  }
  const own = isEnvelope(node, item) ? undefined : ownId(node, nouns);
  if (own) out.push(view(node, own));
  else for (const value of Object.values(node)) collect(value, nouns, out, item && !Array.isArray(value), depth + 1);
}

/** An object outside a list that holds one object and otherwise plain values, such as `{status, object: {…}}`: its status is not the record's. */
function isEnvelope(tree: Tree, item: boolean): boolean {
  if (item || bestId(tree, undefined)) return false;
  const inner = Object.values(tree).filter(value => typeof value === 'object' && value !== null);
  return inner.length === 1 && isTree(inner[0]);
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
  const candidates = Object.entries(object).flatMap(([rawKey, value]) => {
    const id = typeof value === 'string' ? parseIdentifier(value) : undefined;
    const rank = assumed.id.indexOf(plain(rawKey));
    return id && rank >= 0 && fits(id, nouns) && !isReference(rawKey) ? [{ id, rank }] : [];
  });
  return candidates.sort((a, b) => a.rank - b.rank)[0]?.id;
}

function view(tree: Tree, id: Identifier): RecordView {
  const own = [
    ...leaves(tree, (key, value) => {
      if (Array.isArray(value)) return !assumed.error.includes(key);
      return isReference(key) || isOtherRecord(value, id);
    }),
  ];
  // What stands inside a state or an error (`state: {name}`) is no fact of the record itself.
  const facts = own.filter(leaf => !leaf.path.slice(0, -1).some(part => assumed.aside.includes(part)));
  const others = mentions(tree).filter(mention => mention.id.text !== id.text);
  const state = stateOf(own);
  const one = (nouns: readonly Noun[], keys: RegExp) => {
    const fitting = others.filter(mention => !mention.inList && mention.id.noun && nouns.includes(mention.id.noun));
    return fitting.find(mention => keys.test(mention.key)) ?? fitting[0];
  };
  const isDatabase = id.noun === 'live' || id.noun === 'clone';
  const port = Number(ranked(facts, assumed.port)[0]?.value);
  return {
    id,
    name: nameOf(facts),
    vendor: id.vendor,
    state,
    error: textOf(own, assumed.error) ?? (state?.class === 'failed' ? textOf(own, assumed.remark) : undefined),
    source: isDatabase ? one(['live', 'clone'], /source|parent|origin|from/) : undefined,
    environment: id.noun === 'environment' ? undefined : one(['environment'], /target|environment|host/),
    port: Number.isInteger(port) && port > 0 ? port : undefined,
    createdAt: timeOf(ranked(facts, assumed.time)[0]?.value),
    mentions: others,
    values: own.map(leaf => ({
      path: leaf.path.join('.'),
      value: String(leaf.value),
    })),
  };
}

function nameOf(facts: readonly Leaf[]): string | undefined {
  const named = facts.filter(
    leaf => typeof leaf.value === 'string' && leaf.value.trim() && !parseIdentifier(leaf.value),
  );
  return oneLine(String(ranked(named, assumed.name)[0]?.value ?? ''));
}

/** The text at the best of the names, directly or as the message inside an object of that name. */
function textOf(own: readonly Leaf[], names: readonly string[]): string | undefined {
  const texts = own.filter(leaf => typeof leaf.value === 'string' && leaf.value.trim() !== '');
  const inside = texts.filter(leaf => leaf.path.slice(0, -1).some(part => names.includes(part)));
  const leaf = ranked(texts, names)[0] ?? ranked(inside, assumed.remark)[0];
  return leaf && oneLine(String(leaf.value));
}

function stateOf(own: readonly Leaf[]): State | undefined {
  const flag = stateFlags.find(([name, value]) => own.some(leaf => leaf.key === name && leaf.value === value));
  const candidates = own.filter(
    leaf =>
      typeof leaf.value !== 'boolean' &&
      String(leaf.value).trim() &&
      !leaf.path.slice(0, -1).some(part => assumed.error.includes(part)),
  );
  const direct = ranked(candidates, assumed.state)[0];
  // `state: {name: "RUNNING", code: 3}`: the word inside stands for the state, one level deeper.
  const inside = ranked(
    candidates.filter(leaf => assumed.state.includes(leaf.path.at(-2) ?? '')),
    assumed.stateWord,
  )[0];
  const leaf = direct && inside ? (inside.path.length <= direct.path.length ? inside : direct) : (direct ?? inside);
  if (!leaf) return flag && { word: `${flag[0]}: ${flag[1]}`, class: flag[2] };
  const word = oneLine(String(leaf.value)) ?? '';
  const found = stateClass(word);
  const disabled = flag?.[2] === 'disabled' && found !== 'failed' && found !== 'busy';
  return { word, class: disabled ? 'disabled' : found };
}

function mentions(body: unknown): Mention[] {
  const out: Mention[] = [];
  const visit = (node: unknown, key: string, inList: boolean, holder: Tree | undefined, depth: number): void => {
    if (depth > 14) return;
    if (typeof node === 'string') {
      const id = parseIdentifier(node);
      if (!id) return;
      const own = holder !== undefined && bestId(holder, undefined)?.text === id.text;
      const label = own ? nameOf([...leaves(holder, isRecord)]) : holder && nameBeside(key, holder);
      out.push({
        id,
        label,
        key,
        inList,
        time: own ? timeIn(holder) : undefined,
      });
    } else if (Array.isArray(node)) {
      for (const item of node) visit(item, key, true, undefined, depth + 1);
    } else if (isTree(node)) {
      const own = bestId(node, undefined)?.text;
      for (const [rawKey, value] of Object.entries(node)) {
        const id = parseIdentifier(rawKey);
        if (id && isTree(value)) {
          out.push({
            id,
            label: nameOf([...leaves(value, isRecord)]),
            key,
            inList: true,
            time: timeIn(value),
          });
        }
        // `environment: {id: "…"}` speaks of the environment just as `environment: "…"` does.
        visit(value, value === own && key !== '' ? key : plain(rawKey), inList, node, depth + 1);
      }
    }
  };
  visit(body, '', false, undefined, 0);
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

function isRecord(_key: string, value: unknown): boolean {
  return Array.isArray(value) || (isTree(value) && bestId(value, undefined) !== undefined);
}

function isOtherRecord(value: unknown, own: Identifier): boolean {
  const id = isTree(value) ? bestId(value, undefined) : undefined;
  return id !== undefined && id.text !== own.text;
}

function timeIn(tree: Tree): number | undefined {
  return timeOf(ranked([...leaves(tree, isRecord)], assumed.time)[0]?.value);
}

/** Milliseconds since the epoch from ISO text, seconds or milliseconds. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && /^\d{9,13}$/.test(value)) return timeOf(Number(value));
  if (typeof value === 'number') return value < 1e8 || value > 1e14 ? undefined : value > 1e11 ? value : value * 1000;
  const time = typeof value === 'string' && /\d{4}/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

function saysMore(body: unknown, length: number): boolean {
  return [...leaves(body, (_key, value) => Array.isArray(value))].some(({ key, value }) => {
    if (assumed.total.includes(key)) return Number(value) > length;
    return assumed.more.includes(key) && value !== false && !['', 'false', '0'].includes(String(value));
  });
}

/** The innermost object of a chain of envelopes. */
function unwrapped(body: unknown): Tree | undefined {
  let node = body;
  while (isTree(node) && isEnvelope(node, false)) node = Object.values(node).find(isTree);
  return isTree(node) && Object.keys(node).length > 0 ? node : undefined;
}

function fits(id: Identifier, nouns: readonly Noun[] | undefined): boolean {
  return nouns === undefined || (id.noun !== undefined && nouns.includes(id.noun));
}

function isReference(key: string): boolean {
  const name = plain(key);
  return assumed.reference.some(word => name.startsWith(word));
}
