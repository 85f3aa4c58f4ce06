import { type Identifier, parseIdentifier } from '../../../api/identifiers.ts';
import { isMountBase, plainKey } from '../../../api/reading/jsonTree.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { memoByObject } from '../../../ground/remembered.ts';
import type { Appears, Likeness } from '../../../operations/proofs.ts';
import { agreement } from '../../../records/sameRecord.ts';
import type { Baseline } from '../../../store/jobs/rows/data.ts';
import type { JobIn } from '../../../store/jobs/rows/job.ts';
import { requestOf } from '../../request.ts';
import { wasThereBefore } from '../baseline.ts';
import { type SentJob, wasMadeBefore } from '../madeBefore.ts';
import { namesPerson } from '../whose.ts';

/** A record that may be the one that was asked for. */
export type Candidate = Readonly<{
  record: RecordView;
  /** The number of facts that agree with the request. */
  agreeing: number;
  /** The number of those that agree by intent: a name, a port, a directory that was typed for this very clone. */
  telling: number;
}>;

/** The new record that a job waits for: `vendor` and `login`, the service's user in whose name it was asked, may be unknown. */
export type WishedRecord = SentJob &
  Readonly<{ proof: Appears; vendor: string | undefined; baseline: Baseline; login: string | null }>;

/** The new record that a job waits for; `undefined` where it waits for none, or nothing is known from before its call. */
export function wishOf(job: JobIn<'sending' | 'running' | 'unconfirmed'>, now: number): WishedRecord | undefined {
  const { sentAt, login, baseline } = job;
  const { proof, target } = requestOf(job);
  if (proof.type !== 'appears' || !baseline) return undefined;
  return { proof, vendor: target.vendor, baseline, login, sentAt, now };
}

/**
 * Knowledge from beside a record: all records of the list, which may leave out (`inBrief`) that a record was made, and the
 * sources that list records, by the identifiers of those, as their clones.
 */
export type Around = Readonly<{ all?: readonly RecordView[]; inBrief?: boolean; children?: Children }>;
export type Children = ReadonlyMap<string, Identifier>;

/** How well a record fits: one fact that was typed for this very record says more than all others together. */
export function strengthOf({ agreeing, telling }: Candidate): number {
  return 1_000 * telling + agreeing;
}

/**
 * The records that may be the one that a wish waits for, the likeliest first. They are new since the baseline, of the
 * right vendor, and show nothing that contradicts the request.
 */
export function candidates(wish: WishedRecord, records: readonly RecordView[], around: Around = {}): Candidate[] {
  const wasBefore = wasThereBefore(wish.baseline);
  const nouns: readonly RecordView['id']['noun'][] = wish.proof.nouns;
  const rank = ({ id }: RecordView) => nouns.indexOf(id.noun);
  return records
    .filter(record => rank(record) >= 0 && record.vendor === wish.vendor && !wasBefore(record))
    .flatMap(record => likenessOf(wish, record, { all: records, ...around }) ?? [])
    .sort(
      (a, b) =>
        strengthOf(b) - strengthOf(a) ||
        rank(a.record) - rank(b.record) ||
        Number(BigInt(a.record.id.number) - BigInt(b.record.id.number)),
    );
}

/** A record as it fits a wish; `undefined` where it cannot be the one, or was made before it and shows nothing that was typed. */
export function fitOf(wish: WishedRecord, record: RecordView, around: Around): Candidate | undefined {
  return candidates(wish, [record], around).find(({ telling }) => telling > 0 || !wasMadeBefore(record, wish));
}

const likely = memoByObject((_: readonly RecordView[]) => new WeakMap<Baseline, readonly RecordView[]>());

/** The records of a list that may be the one, which a list shows in brief. A look that begins anew has the same ones. */
export function likelyIn(wish: WishedRecord, listed: readonly RecordView[]): readonly RecordView[] {
  const known = likely(listed);
  const found = known.get(wish.baseline) ?? candidates(wish, listed, { inBrief: true }).map(({ record }) => record);
  known.set(wish.baseline, found);
  return found;
}

/**
 * Counts the facts in which a record agrees with a wish; `undefined` if one contradicts, or if nothing shows that the
 * record was made: a new live database can be there for other reasons, such as a discovery.
 */
export function likenessOf(wish: WishedRecord, record: RecordView, around: Around = {}): Candidate | undefined {
  const agreeing = new Set<string>();
  for (const [fact, compare] of Object.entries(facts)) {
    const agrees = compare(wish, record, around);
    if (agrees === false) return undefined;
    if (agrees) agreeing.add(fact);
  }
  const isKnownAsMade = wish.proof.nouns[0] === record.id.noun || around.inBrief;
  if (!isKnownAsMade && !signsOfMaking.some(sign => sign.every(fact => agreeing.has(fact)))) return undefined;
  return { record, agreeing: agreeing.size, telling: Object.keys(typed).filter(fact => agreeing.has(fact)).length };
}

/** Whether anything was typed for this very clone. */
export const isTyped = (like: Likeness) => Object.values(typed).some(place => like[place] !== undefined);

/** Whether a record agrees with a wish in one fact; `undefined` where either does not tell. */
type Compare = (wish: WishedRecord, record: RecordView, around: Around) => boolean | undefined;

/**
 * The facts that are compared. Each job compares each record, and most records differ in one of the first: what takes
 * longer stands last.
 */
const facts = {
  source: ({ proof: { like } }, record, around) => sourceAgrees(parseIdentifier(like.source), sourceOf(record, around)),
  environment: ({ proof: { like }, baseline }, { environment }) =>
    agreement(environment?.id.text, like.environment ?? (like.isBesideSource ? baseline.environment : undefined)),
  kind: ({ proof: { like } }, { isPhysical }) => agreement(isPhysical, like.isPhysical),
  snapshot: mentions('snapshot'),
  project: mentions('project'),
  environmentUser: mentions('environmentUser'),
  install: mentions('install'),
  // One that is made from the latest snapshot may name one that is newer than the baseline.
  known: ({ baseline: { snapshots = [] } }, record) =>
    snapshots.some(text => mentionAgrees(record, 'snapshot', text)) || undefined,
  requester: ({ login }, { askedBy }) => namesPerson({ by: askedBy }, login),
  port: ({ proof: { like } }, { port }) => agreement(port, like.port),
  name: ({ proof: { like } }, record) => nameAgrees(record, like.names),
  directory: ({ proof: { like } }, record) => directoryAgrees(record, like.mountBase),
  ownName: nameSpeaks,
} as const satisfies Record<string, Compare>;

/** The facts that are typed for one very clone, each with its place in a request. */
const typed = { port: 'port', name: 'names', directory: 'mountBase' } as const;
/** The facts that show together that a record was made as it was asked for: each server has a port. */
const signsOfMaking = [['source'], ['name'], ['directory'], ['port', 'environment']] as const;

/** The source of a record, as it says, or as that source lists it. */
export function sourceOf({ id, source }: RecordView, { children }: Around): Identifier | undefined {
  return source?.id ?? children?.get(id.text);
}

/** A clone of a clone may name the live database behind it; a clone of a live database names no clone. */
function sourceAgrees(asked: Identifier | undefined, shown: Identifier | undefined): boolean | undefined {
  if (!asked || !shown || (asked.noun === 'clone' && shown.noun === 'live')) return undefined;
  return asked.noun === shown.noun && asked.number === shown.number;
}

/**
 * Whether a name that the service made up, such as `orders-3310`, speaks of the source (`true`) or of another live
 * database (`false`). It counts only where nothing says more.
 */
function nameSpeaks({ proof: { like } }: WishedRecord, record: RecordView, around: Around): boolean | undefined {
  const [source, { all = [] }, { name = '' }] = [parseIdentifier(like.source), around, record];
  if (like.names || source?.noun !== 'live' || sourceOf(record, around)) return undefined;
  const own = name.toLowerCase();
  const begins = (other = '') => own.startsWith(other.toLowerCase()) && /^[^a-z0-9]/.test(own.slice(other.length));
  const meant = all.filter(other => other.id.noun === 'live' && begins(other.name));
  return meant.length > 0 ? meant.some(({ id }) => id.text === source.text) : undefined;
}

type Mentioned = 'snapshot' | 'project' | 'environmentUser' | 'install';
function mentions(noun: Mentioned): Compare {
  return ({ proof: { like } }, record) => mentionAgrees(record, noun, like[noun]);
}

/**
 * Whether a record names what was asked for: the snapshot that it was made from, its project, and so on. Lists do not
 * count: the record's own snapshots stand in them.
 */
function mentionAgrees({ id: own, mentions: all }: RecordView, noun: Mentioned, asked: string | undefined) {
  if (asked === undefined) return undefined;
  const shown = all.filter(
    ({ id, inList, of, key }) =>
      id.noun === noun && !inList && [undefined, own.text].includes(of) && !/^(last|latest|current)/.test(key),
  );
  return shown.length === 0 ? undefined : shown.some(({ id }) => id.text === asked);
}

/**
 * Compares each name with the value under its own key, whatever the case of letters. Where a record has none of these
 * keys, any plain value that is one of the names agrees. If none does, a record that has a name contradicts.
 */
function nameAgrees(record: RecordView, names: Likeness['names'] = {}): boolean | undefined {
  const wanted = Object.entries(names).map(([field, name]) => [plainKey(field), name.toLowerCase()] as const);
  if (wanted.length === 0) return undefined;
  const values = record.values.map(
    ({ path, value }) => [plainKey(path.slice(path.lastIndexOf('.') + 1)), value.toLowerCase()] as const,
  );
  const own = wanted.flatMap(([field, name]) =>
    values.filter(([key]) => key === field).map(([, value]) => value === name),
  );
  if (own.length > 0) return !own.includes(false);
  const isThere = values.some(([, value]) => wanted.some(([, name]) => name === value));
  return isThere || (record.name === undefined ? undefined : false);
}

/** A service may put the clone's own folder below the mount base. Nobody knows here what a variable in it stands for. */
function directoryAgrees(record: RecordView, asked = ''): boolean | undefined {
  const shown = /^$|[$%]/.test(asked) ? [] : record.values.filter(isMountBase);
  const base = `${folderAt(asked)}/`;
  return shown.length === 0 ? undefined : shown.some(({ value }) => `${folderAt(value)}/`.startsWith(base));
}

/** A folder for comparison. Windows and disk groups know no case, and Windows has two signs between the parts of a path. */
function folderAt(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  return plain.startsWith('/') ? plain : plain.toLowerCase();
}
