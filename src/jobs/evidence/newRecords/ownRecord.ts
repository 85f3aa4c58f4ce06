import { parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import { mayReport, namesItself, works } from '../../../operations/work.ts';
import { lineageOf } from '../../../records/lineage.ts';
import { unlessHidden } from '../../../records/shown.ts';
import { ownSnapshots } from '../../../records/snapshots.ts';
import type { Claim } from '../../../store/jobs/recordClaims.ts';
import { type Case, meaningInWords, nothing } from '../case.ts';
import { claimOn, freeClaims } from '../freeClaims.ts';
import { isWorkedOn } from '../goingOn.ts';
import { reportOf, sharedReport } from '../jobReport.ts';
import { makingOf } from '../madeBefore.ts';
import { originOf } from '../newSnapshot.ts';
import { ask, askOr, wholeOf } from '../reading.ts';
import { askedBy, brokenBy, namesPerson, speaks, traceOf } from '../whose.ts';
import {
  type Around,
  type Candidate,
  type Children,
  candidates,
  fitOf,
  isTyped,
  likelyIn,
  likenessOf,
  strengthOf,
  type WishedRecord,
  wishOf,
} from './likeness.ts';

/* Whose a new record is: of this job, of another one of Dolly's, or of somebody else. */

/** The record of a job, with the claims on it that are still to be written, else those that may be another one's as well. */
type Owned = Readonly<{ own?: Candidate | undefined; taken?: readonly Claim[]; unexplained?: readonly Candidate[] }>;

/**
 * The new record that is this job's own: the one it has, unless what was typed stands in another one, else the likeliest
 * that can only be this job's.
 */
export function ownRecord(here: Case): Owned {
  const { job, target, reading } = here;
  const wish = wishOf(job, reading.now);
  if (!wish) return {};
  const own = heldRecord(here, wish);
  if (isSettled(job, wish, own)) return { own };
  const listed = ask(here, 'list', 'live').records;
  // A list may show fewer facts than the record itself: one that contradicts may be missing.
  const likely = likelyIn(wish, listed).filter(record => record.id.text !== job.claimed);
  const found = wholeOf(here, likely).filter(one => !isLate(here, one, listed));
  // Where a record names no source, that one may list it as its clone.
  const isOpen = found.some(({ source }) => source === undefined);
  const source = isOpen ? askOr(here, 'one', { id: target, isWhole: true }, unlessHidden)?.record : undefined;
  const known = { here, wish, source, all: [...listed, ...found], children: childrenOf(here, source, found) };
  const all = candidates(wish, found, known);
  if (all.length === 0) return { own };
  const wanted = all.map(({ record }) => claimOn(record));
  const claims = freeClaims(here, wanted);
  const free = all.flatMap(one =>
    claims.filter(({ record }) => record === one.record.id.text).map(claim => ({ ...one, claim })),
  );
  const rivals = rivalsOf(here, all, known);
  const possible = free.filter(one => mayBeOurs(known, one));
  const isOurs = (one: Candidate) => !isForAnother(one, rivals) && isForThis(here, one, possible, rivals);
  const next = possible.find(one => (job.claimed === null || one.telling > 0) && isOurs(one));
  if (!next) return { own, unexplained: free.filter(one => !isForAnother(one, rivals)) };
  const leaves = job.claimed === null ? {} : { leaves: job.claimed };
  return { own: next, taken: [{ ...next.claim, ...leaves }] };
}

/** The record that a job took for its own at an earlier look, as it is now. */
function heldRecord(here: Case, wish: WishedRecord): Candidate | undefined {
  const id = parseIdentifier(here.job.claimed ?? '');
  const record = id && ask(here, 'one', { id, isWhole: here.isWhole }).record;
  return record && (likenessOf(wish, record) ?? { record, agreeing: 0, telling: 0 });
}

/** Whether a job keeps the record that it has: it shows what was typed for this very one, or nothing was. */
function isSettled({ claimed }: Case['job'], { proof: { like } }: WishedRecord, own: Candidate | undefined): boolean {
  return claimed !== null && (!isTyped(like) || (own !== undefined && own.telling > 0));
}

/** Whether only a list that is late shows a record: the service denies that there is one, and shows others by themselves. */
function isLate(here: Case, { id }: RecordView, listed: readonly RecordView[]): boolean {
  if (!ask(here, 'one', { id, isWhole: true }).isDenied) return false;
  const other = listed.find(one => one.id.noun === id.noun && one.id.text !== id.text);
  return other !== undefined && !ask(here, 'one', { id: other.id, isWhole: true }).isDenied;
}

/**
 * The records that a source lists as its clones, and those that show the same report of such work as the source does, by
 * its number: each with its source.
 */
function childrenOf(
  { operation, target }: Case,
  source: RecordView | undefined,
  found: readonly RecordView[],
): Children {
  if (!source) return new Map();
  const isMadeHere = (record: RecordView) => {
    const kind = sharedReport(record, source)?.kind;
    return kind !== undefined && mayReport(kind, operation.work);
  };
  const children = [...lineageOf(source).clones, ...found.filter(isMadeHere).map(({ id }) => id.text)];
  return new Map(children.map(id => [id, target]));
}

/** What is known beside a new record: the job and its wish, the source as it is by itself, and all records. */
type Known = Readonly<{ here: Case; wish: WishedRecord; source: RecordView | undefined; all: readonly RecordView[] }>;

/** What may speak against it that a new record is of a job, where it shows nothing that was typed for this very one. */
const signsOfOthers = {
  isOfAnother: ({ here }, record) => brokenBy({ at: makingOf(record) }, askedBy(here)) !== undefined,
  /** Its reports name somebody else alone, where some name this login: a service may do all work in one name. */
  reportsNameOthers: ({ wish: { login }, all }, record) =>
    namesPerson(reportersOf(record), login) === false &&
    all.some(other => namesPerson(reportersOf(other), login) === true),
  /** It names no source but a snapshot that the job's one, which shows its own, does not have. */
  isFromElsewhere: ({ source }, record) => {
    const own = source ? ownSnapshots(source) : [];
    const origin = originOf(record)?.text;
    return !record.source && origin !== undefined && own.length > 0 && !own.some(({ id }) => id.text === origin);
  },
  /** Its reports name other work that makes one, such as a mount for a clone, and none that may be this work. */
  isMadeOtherwise: ({ here: { operation } }, { reports }) => {
    const told = reports.filter(({ kind = '' }) => making.some(work => namesItself(kind, work)));
    const spoken = new Set(told.map(one => speaks(traceOf(one), operation.work)));
    return spoken.has('no') && !spoken.has('yes');
  },
  /** Nobody answered the request, and it neither names who asked, where others name others, nor shows the job's report. */
  isUntold: ({ here, wish: { login }, all }, record) => {
    const names = ({ askedBy }: RecordView) => namesPerson({ by: askedBy }, login);
    const isNamed = names(record) === true && all.some(other => names(other) === false);
    return here.job.noAnswer !== null && !isNamed && !reportOf(here, nothing, record).report;
  },
} as const satisfies Record<string, (known: Known, record: RecordView) => boolean>;

const reportersOf = ({ reports }: RecordView) => ({ by: reports.flatMap(({ by }) => by ?? []) });
const making = [works.clone, works.share, works.mount];

function mayBeOurs(known: Known, { record, telling }: Candidate): boolean {
  return telling > 0 || !Object.values(signsOfOthers).some(speaksAgainst => speaksAgainst(known, record));
}

/** The wishes of other jobs that have no new record yet, and the number of jobs of another release, whose wishes are not known. */
type Rivals = Readonly<{ wishes: readonly WishedRecord[]; strangers: number; around: Around }>;

function rivalsOf(here: Case, all: readonly Candidate[], around: Around): Rivals {
  const { job, reading } = here;
  // A record on one environment is for nobody who asked for another one.
  const places = all.flatMap(({ record }) => record.environment?.id.text ?? []);
  const asked = { of: { id: job.id, sentAt: job.sentAt }, makingNothing };
  const others = ask(here, 'unclaimed', { ...asked, places: places.length === all.length ? places : undefined });
  const readable = others.filter(other => other.state !== 'unreadable');
  const wishes = readable.flatMap(other => wishOf(other, reading.now) ?? []);
  return { wishes, strangers: others.length - readable.length, around };
}

/** The names of the operations that no new record proves. */
const makingNothing = catalogue.flatMap(operation =>
  operation.type === 'write' && operation.proof.type !== 'appears' ? [operation.name] : [],
);

/** By how much a record fits another job's wish better than this job's: below 0 where less, or where it cannot be that one's. */
function leadOf(rival: WishedRecord, one: Candidate, { around }: Rivals): number {
  const like = fitOf(rival, one.record, around);
  return like ? strengthOf(like) - strengthOf(one) : Number.NEGATIVE_INFINITY;
}

/** Whether a record fits another job's wish better: it belongs to that job. */
function isForAnother(one: Candidate, rivals: Rivals): boolean {
  return rivals.wishes.some(rival => leadOf(rival, one, rivals) > 0);
}

/**
 * Whether this job may take a candidate that is for no other: it is the only one, once each other job has one that fits this
 * job no better. Among jobs with the same wish, it is taken only when all their records are there and rest: then it
 * makes no difference whose each one is.
 */
function isForThis(here: Case, one: Candidate, all: readonly Candidate[], rivals: Rivals): boolean {
  const { wishes, strangers } = rivals;
  // A record that shows what was typed for this very job is not of a job of which nobody knows more.
  const open = one.telling > 0 ? 0 : strangers;
  const equals = wishes.filter(rival => leadOf(rival, one, rivals) === 0).length + open;
  const alike = all.filter(other => strengthOf(other) === strengthOf(one));
  const ofOther = wishes.filter(rival => leadOf(rival, one, rivals) < 0);
  const left = alike.filter(other => ofOther.some(rival => leadOf(rival, other, rivals) === 0));
  if (equals === 0 && alike.length - Math.min(left.length, ofOther.length) === 1) return true;
  return alike.length > equals && alike.every(({ record }) => mayRest(here, record));
}

function mayRest(here: Case, record: RecordView): boolean {
  const isSound = record.state?.class !== 'failed' && record.error === undefined;
  return isSound && !isWorkedOn(record) && !['passing', 'doubtful'].includes(meaningInWords(here, record));
}
