import { type Identifier, parseIdentifier } from '../../../api/identifiers.ts';
import { isMountBase, plainKey } from '../../../api/reading/jsonTree.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { memoByObject } from '../../../ground/remembered.ts';
import type { Appears } from '../../../operations/proofs.ts';
import type { Baseline } from '../../../store/jobs/rows/data.ts';
import type { JobIn } from '../../../store/jobs/rows/job.ts';
import { wasThereBefore } from '../baseline.ts';
import { agreesWithLogin, isAccountName } from '../login.ts';
import { type SentJob, wasMadeBefore } from '../madeBefore.ts';

/** A record that may be the one that was asked for. */
export type Candidate = Readonly<{
  record: RecordView;
  /** The number of facts that agree with the request. */
  agreeing: number;
  /** The number of those that agree by intent: a name, a port, a directory that was typed for this very clone. */
  telling: number;
}>;

/** The new record that a job asked for, and the knowledge from before the call. */
export type WantedRecord = Readonly<{
  proof: Appears;
  vendor: string | undefined;
  baseline: Baseline;
  /** The service's user in whose name it was asked. */
  login: string | null;
  /** The name of the source. */
  sourceName: string | null;
}>;

/** A record that a job waits for, and when it was sent. */
export type WishedRecord = WantedRecord & SentJob;

/** What a job waits for; `undefined` where nothing is known from before its call. */
export function wishOf(
  job: Pick<JobIn<'sending' | 'running' | 'unconfirmed'>, 'sentAt' | 'login' | 'targetName' | 'baseline'>,
  { proof, target: { vendor }, now }: Readonly<{ proof: Appears; target: Identifier; now: number }>,
): WishedRecord | undefined {
  const { sentAt, login, targetName: sourceName, baseline } = job;
  return baseline && { proof, vendor, baseline, login, sourceName, sentAt, now };
}

/** Whether a record was made before a job was sent: it is of somebody else then, unless something was typed for this very one. */
export function isEarly(sent: SentJob, { record, telling }: Candidate): boolean {
  return telling === 0 && wasMadeBefore(record, sent);
}

/**
 * Knowledge from beside a record: all records of the list, which may leave out (`inBrief`) that a record was made, and the
 * sources that list records, by the identifiers of those, as their clones.
 */
type Around = Readonly<{
  all?: readonly RecordView[];
  inBrief?: boolean;
  children?: ReadonlyMap<string, Identifier>;
}>;

/**
 * The records that may be the one that a wish waits for, the likeliest first. They are new since the baseline, of the
 * right vendor, and show nothing that contradicts the request.
 */
export function candidates(wish: WantedRecord, records: readonly RecordView[], around: Around = {}): Candidate[] {
  const wasBefore = wasThereBefore(wish.baseline);
  const rank = ({ id }: RecordView) => (id.noun ? wish.proof.nouns.indexOf(id.noun) : -1);
  return records
    .filter(record => rank(record) >= 0 && record.vendor === wish.vendor && !wasBefore(record))
    .flatMap(record => likenessOf(wish, record, { all: records, ...around }) ?? [])
    .sort((a, b) => b.agreeing - a.agreeing || rank(a.record) - rank(b.record) || compareNumbers(a.record, b.record));
}

const likely = memoByObject((_: readonly RecordView[]) => new WeakMap<Baseline, readonly RecordView[]>());

/** The records of a list that may be the one, which a list shows in brief. A look that begins anew has the same ones. */
export function likelyIn(wish: WantedRecord, listed: readonly RecordView[]): readonly RecordView[] {
  const known = likely(listed);
  const found = known.get(wish.baseline) ?? candidates(wish, listed, { inBrief: true }).map(({ record }) => record);
  known.set(wish.baseline, found);
  return found;
}

/**
 * Counts the facts in which a record agrees with a wish; `undefined` if one contradicts, or if nothing shows that the
 * record was made.
 */
export function likenessOf(
  wish: WantedRecord,
  record: RecordView,
  { all = [], inBrief = false, children }: Around = {},
): Candidate | undefined {
  const { login, baseline } = wish;
  const { like, nouns } = wish.proof;
  const source = parseIdentifier(like.source);
  const shownSource = record.source?.id ?? children?.get(record.id.text);
  const environment = like.environment ?? (like.isBesideSource ? baseline.environment : undefined);
  const facts: (boolean | undefined)[] = [
    source && shownSource ? sourceAgrees(source, shownSource) : undefined,
    record.environment && environment ? record.environment.id.text === environment : undefined,
    record.isPhysical !== undefined && like.isPhysical !== undefined
      ? record.isPhysical === like.isPhysical
      : undefined,
    ...(['snapshot', 'project', 'environmentUser', 'install'] as const).map(noun =>
      mentionAgrees(record, noun, like[noun]),
    ),
    // One that is made from the latest snapshot may name one that is newer than the baseline.
    like.snapshot === undefined && baseline.snapshots?.some(text => mentionAgrees(record, 'snapshot', text))
      ? true
      : undefined,
    login === null ? undefined : ownerAgrees(record, login),
  ];
  if (facts.includes(false)) return undefined;
  // These are compared last, since each job compares each record, and most records differ in one of the facts above.
  const typed = [
    record.port !== undefined && like.port !== undefined ? record.port === like.port : undefined,
    nameAgrees(record, like.names ?? {}),
    directoryAgrees(record, like.mountBase),
  ];
  if (typed.includes(false)) return undefined;
  const named = facts[0] || like.names ? undefined : nameSpeaks(wish, record, all);
  if (named === false) return undefined;
  const agreeing = [...facts, ...typed, named].filter(agrees => agrees).length;
  const telling = typed.filter(agrees => agrees).length;
  // A new live database can be there for other reasons, such as a discovery: it must show that it was made.
  const isMade =
    facts[0] === true || typed[1] === true || typed[2] === true || (typed[0] === true && facts[1] !== undefined);
  if (nouns[0] !== record.id.noun && !isMade && !inBrief) return undefined;
  return { record, agreeing, telling };
}

/**
 * Whether a name that the service made up, such as `orders-3310`, speaks of the source (`true`) or of another live
 * database (`false`). It counts only where nothing says more.
 */
function nameSpeaks({ proof, sourceName }: WantedRecord, { id, name }: RecordView, all: readonly RecordView[]) {
  if (name === undefined || sourceName === null || parseIdentifier(proof.like.source)?.noun !== 'live')
    return undefined;
  const own = name.toLowerCase();
  const begins = (other: string) => own.startsWith(other.toLowerCase()) && /^[^a-z0-9]/.test(own.slice(other.length));
  if (begins(sourceName)) return true;
  const isOther = all.some(
    other => other.id.noun === 'live' && other.id.text !== id.text && other.name !== undefined && begins(other.name),
  );
  return isOther ? false : undefined;
}

/** A clone of a clone may name the live database behind it; a clone of a live database names no clone. */
function sourceAgrees(asked: Identifier, shown: Identifier): boolean | undefined {
  if (asked.noun === 'clone' && shown.noun === 'live') return undefined;
  return asked.noun === shown.noun && asked.number === shown.number;
}

/**
 * Whether a record names what was asked for: the snapshot that it was made from, its project, and so on. Lists do not
 * count: the record's own snapshots stand in them.
 */
function mentionAgrees(
  record: RecordView,
  noun: 'snapshot' | 'project' | 'environmentUser' | 'install',
  asked: string | undefined,
): boolean | undefined {
  if (asked === undefined) return undefined;
  const shown = record.mentions.filter(
    ({ id, inList, of, key }) =>
      id.noun === noun && !inList && (of === undefined || of === record.id.text) && !/^(last|latest|current)/.test(key),
  );
  return shown.length === 0 ? undefined : shown.some(({ id }) => id.text === asked);
}

/**
 * Whether the record names the requester; `undefined` where it names nobody. Accounts of a host or a database own files,
 * and request nothing.
 */
export function ownerAgrees({ askedBy }: Pick<RecordView, 'askedBy'>, login: string): boolean | undefined {
  const shown = askedBy.filter(name => !isAccountName(name)).flatMap(name => agreesWithLogin(name, login) ?? []);
  return shown.length === 0 ? undefined : shown.includes(true);
}

/** Whether the reports of a record name this login (`true`), or somebody else alone (`false`). */
export function reportsName({ reports }: Pick<RecordView, 'reports'>, login: string): boolean | undefined {
  return ownerAgrees({ askedBy: reports.flatMap(({ by }) => by ?? []) }, login);
}

/**
 * Compares each name with the value under its own key, whatever the case of letters. Where a record has none of these
 * keys, any plain value that is one of the names agrees. If none does, a record that has a name contradicts.
 */
function nameAgrees(record: RecordView, names: Readonly<Record<string, string>>): boolean | undefined {
  const wanted = Object.entries(names).map(([field, name]) => [plainKey(field), name.toLowerCase()] as const);
  if (wanted.length === 0) return undefined;
  const values = record.values.map(
    ({ path, value }) => [plainKey(path.split('.').at(-1) ?? ''), value.toLowerCase()] as const,
  );
  const own = wanted.flatMap(([field, name]) =>
    values.filter(([key]) => key === field).map(([, value]) => value === name),
  );
  if (own.includes(false)) return false;
  if (own.includes(true)) return true;
  const isThere = values.some(([, value]) => wanted.some(([, name]) => name === value));
  return isThere ? true : record.name === undefined ? undefined : false;
}

/** A service may put the clone's own folder below the mount base. Nobody knows here what a variable in it stands for. */
function directoryAgrees(record: RecordView, asked: string | undefined): boolean | undefined {
  const shown = asked === undefined || /[$%]/.test(asked) ? [] : record.values.filter(isMountBase);
  if (asked === undefined || shown.length === 0) return undefined;
  const base = folderAt(asked);
  return shown.some(({ value }) => `${folderAt(value)}/`.startsWith(`${base}/`));
}

/** A folder for comparison. Windows and disk groups know no case, and Windows has two signs between the parts of a path. */
function folderAt(path: string): string {
  const plain = path.replaceAll('\\', '/').replace(/(?<!\/)\/+$/, '');
  return plain.startsWith('/') ? plain : plain.toLowerCase();
}

function compareNumbers(a: RecordView, b: RecordView): number {
  const [left, right] = [BigInt(a.id.number), BigInt(b.id.number)];
  return left < right ? -1 : left > right ? 1 : 0;
}
