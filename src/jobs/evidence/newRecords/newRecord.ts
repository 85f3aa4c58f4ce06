import { type Identifier, parseIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import type { Report } from '../../../api/reading/reports.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { mayReport, namesItself, speaksOf, works } from '../../../operations/work.ts';
import { lineageOf } from '../../../records/lineage.ts';
import { unlessHidden } from '../../../records/shown.ts';
import { ownSnapshots } from '../../../records/snapshots.ts';
import type { Claim } from '../../../store/jobs/claims.ts';
import type { Unreadable } from '../../../store/jobs/rows/job.ts';
import { requestOf } from '../../request.ts';
import { atWork } from '../evidence.ts';
import { claimOn, freeClaims } from '../freeClaims.ts';
import { reportOf, sharedReport } from '../jobReport.ts';
import { hasStood, mayGoOn } from '../judgement.ts';
import { ask, askOr, wholeOf } from '../reading.ts';
import { judgeBy } from '../rows.ts';
import { settles } from '../settles.ts';
import { type Case, isOfJob, meaningInWords, nothing, seenOf, sightingOf } from '../sighting.ts';
import { describeSnapshot, originOf } from '../snapshotOfJob.ts';
import type { ShownEnd } from '../standingEnd.ts';
import { speaks, traceOf } from '../whose.ts';
import { settleDoubt } from '../words/stateDoubt.ts';
import {
  type Candidate,
  candidates,
  isEarly,
  likelyIn,
  likenessOf,
  ownerAgrees,
  reportsName,
  type WishedRecord,
  wishOf,
} from './likeness.ts';
import { newRecordRows } from './newRecordRows.ts';
import { lookWithoutRecord } from './withoutRecord.ts';

/** Looks for the proof of a job that makes a new record. */
export function lookForNewRecord(here: Case, proof: Appears): ShownEnd {
  const { job, target } = here;
  const { own, claim, unexplained = [] } = ownRecord(here, proof);
  if (!own) return { ...lookWithoutRecord(here, proof, unexplained), look: undefined };
  const { record, telling } = own;
  const isPassingState = isOfJob(here, record);
  const { work } = here.operation;
  // A word beside the state is of its making, whatever work it names; a report may be of the service's own.
  const busy = record.reports.find(
    ({ outcome, kind, isPlace }) => outcome === 'busy' && (isPlace || kind === undefined || mayReport(kind, work)),
  );
  const isPassing = isPassingState || busy !== undefined;
  const beside = busy ?? record.reports.find(one => mayGoOn(one, job.evidence)) ?? ownWord(here, record);
  // The kind of work in a report is no state.
  const busyWord = beside && !isPassingState ? `${atWork} (${beside.kind ?? beside.word})` : undefined;
  const seen = seenOf(here, record, { before: undefined, isPassing, busyWord });
  const { report, claims } = reportOf(here, nothing, record);
  const look = sightingOf(here, { seen, record, before: undefined, report });
  // While in doubt, a job takes only what shows that the call arrived.
  const arrived = telling > 0 || report !== undefined || claim !== undefined;
  const ruling = judgeBy(newRecordRows, proof, look);
  const { verdict, doubt, said } = settleDoubt(here, ruling.verdict, look);
  // A colleague may have made this one while nobody knows whether the call arrived.
  const isInDoubt = job.noAnswer !== null && !arrived;
  // A list that is late may show one that is gone again.
  const isWhole = here.isWhole || record.id.text !== job.claimed;
  const { isDenied } = ask(here, 'one', { id: record.id, isWhole });
  const isDoubtful = isInDoubt || (isDenied && !hasStood(seen, settles.turn));
  // People are told what the clone was made from. It is read once, at the end.
  const origin = verdict.type === 'proved' && !isDoubtful ? originOf(record) : undefined;
  const snapshot = origin && { snapshot: describeSnapshot(here, target, origin) };
  return {
    verdict: isDoubtful ? { type: 'waiting' } : verdict,
    basis: ruling.basis,
    seen: { ...seen, ...snapshot, ...(doubt && { doubt }) },
    claimed: record.id.text,
    claims: [...(claim ? [claim] : []), ...claims],
    arrived,
    look,
    said,
  };
}

/**
 * A word beside the state that says "well" of a record, such as `activity: "STARTED"`, where another record of the kind
 * does not show it: it may be a step of the work. Of the source nobody knows, since it may be at the same work.
 */
function ownWord(here: Case, record: RecordView): Report | undefined {
  const step = record.reports.find(one => mayGoOn(one, { wasBusy: '' }));
  if (!step) return undefined;
  const isOther = ({ id }: RecordView) =>
    id.noun === record.id.noun && id.text !== record.id.text && id.text !== here.target.text;
  const other = ask(here, 'list', 'live').records.find(isOther);
  const read = other && ask(here, 'one', { id: other.id, isWhole: true }).record;
  return read && !read.reports.some(({ identity, word }) => identity === step.identity && word === step.word)
    ? step
    : undefined;
}

/**
 * The new record that is this job's own: the one it has, unless what was typed stands in another one, else the likeliest
 * that can only be this job's. `unexplained` are those that may be another job's as well.
 */
function ownRecord(here: Case, proof: Appears) {
  const { job, target, reading } = here;
  const wish = wishOf(job, { proof, target, now: reading.now });
  const own = heldRecord(here, wish);
  if (!wish || isSettled(job, wish, own)) return { own };
  const listed = ask(here, 'list', 'live').records;
  // A list may show fewer facts than the record itself: one that contradicts may be missing.
  const likely = likelyIn(wish, listed).filter(record => record.id.text !== job.claimed);
  const found = wholeOf(here, likely).filter(one => !isLate(here, one, listed));
  // Where a record names no source, that one may list it as its clone.
  const isOpen = found.some(({ source }) => source === undefined);
  const source = isOpen ? askOr(here, 'one', { id: target, isWhole: true }, unlessHidden)?.record : undefined;
  const children = new Map(source ? childrenOf(here, source, found).map(id => [id, target] as const) : []);
  const all = candidates(wish, found, { all: listed, children });
  if (all.length === 0) return { own };
  const places = all.map(({ record }) => record.environment?.id.text);
  const rivals = { ...rivalsOf(here, places), children };
  const claims = freeClaims(
    here,
    all.map(({ record }) => claimOn(record)),
  );
  const claimOf = ({ record }: Candidate) => claims.find(claim => claim.record === record.id.text);
  const free = all.filter(claimOf).toSorted((a, b) => b.agreeing - a.agreeing);
  const isOfNobodyElse = (one: Candidate) =>
    !isEarly(wish, one) &&
    !isOfOthers(job, one, [...listed, ...found]) &&
    !isFromElsewhere(target, one, source) &&
    !isMadeOtherwise(here, one);
  const possible = free.filter(isOfNobodyElse);
  const unexplained: Candidate[] = [];
  for (const candidate of free.filter(one => !isForAnother(one, rivals))) {
    const { record } = candidate;
    // A job in doubt takes no record that another job may have made.
    const isUntold = job.noAnswer !== null && candidate.telling === 0 && !namesRequester(job, record, listed);
    const isUnsure = isUntold && !reportOf(here, nothing, record).report;
    if (isUnsure || !possible.includes(candidate) || !isForThis(here, candidate, possible, rivals))
      unexplained.push(candidate);
    else if (job.claimed === null) return { own: candidate, claim: claimOf(candidate) };
    else if (candidate.telling > 0) return { own: candidate, claim: withLeft(claimOf(candidate), job.claimed) };
  }
  return job.claimed === null ? { unexplained } : { own };
}

/** Whether only a list that is late shows a record: the service denies that there is one, and shows others by themselves. */
function isLate(here: Case, { id }: RecordView, listed: readonly RecordView[]): boolean {
  const { isDenied } = ask(here, 'one', { id, isWhole: true });
  const other = isDenied && listed.find(one => one.id.noun === id.noun && one.id.text !== id.text);
  const shown = other && ask(here, 'one', { id: other.id, isWhole: true });
  return shown ? shown.record !== undefined && !shown.isDenied : false;
}

/**
 * The records that a source lists as its clones, and those that show the same report of such work as the source does, by
 * its number.
 */
function childrenOf({ operation }: Case, source: RecordView, found: readonly RecordView[]): readonly string[] {
  const isMadeHere = (record: RecordView) => {
    const kind = sharedReport(record, source)?.kind;
    return kind !== undefined && mayReport(kind, operation.work);
  };
  return [...lineageOf(source).clones, ...found.filter(isMadeHere).map(({ id }) => id.text)];
}

const withLeft = (claim: Claim | undefined, leaves: string) => claim && { ...claim, leaves };

/** The record that a job took for its own at an earlier look, as it is now. */
function heldRecord(here: Case, wish: WishedRecord | undefined): Candidate | undefined {
  const { job, isWhole } = here;
  const id = job.claimed === null ? undefined : parseIdentifier(job.claimed);
  const record = id && ask(here, 'one', { id, isWhole }).record;
  return record && ((wish && likenessOf(wish, record)) ?? { record, agreeing: 0, telling: 0 });
}

/** Whether a job keeps the record that it has: it shows what was typed for this very one, or nothing was. */
function isSettled({ claimed }: Case['job'], wish: WishedRecord, own: Candidate | undefined): boolean {
  return claimed !== null && (!isTyped(wish) || (own !== undefined && own.telling > 0));
}

/** Whether somebody typed a port, names or a directory for the very record that a job waits for. */
function isTyped({ proof: { like } }: WishedRecord): boolean {
  return (like.port ?? like.names ?? like.mountBase) !== undefined;
}

/**
 * The wishes of other jobs that have no new record yet, and the jobs of another release, whose wishes are not known.
 * `children` are the records that the source lists as its clones.
 */
type Rivals = Readonly<{
  wishes: readonly WishedRecord[];
  strangers: readonly Unreadable[];
  children: ReadonlyMap<string, Identifier>;
}>;

function rivalsOf(here: Case, shown: readonly (string | undefined)[]) {
  const { job, reading } = here;
  // A record on one environment is for nobody who asked for another one.
  const places = shown.flatMap(place => place ?? []);
  const own = { id: job.id, sentAt: job.sentAt };
  const asked = { of: own, makingNothing, places: places.length === shown.length ? places : undefined };
  const others = ask(here, 'unclaimed', asked);
  const wishes = others.flatMap(other => {
    if (other.state === 'unreadable') return [];
    const { target, proof } = requestOf(other);
    return (proof.type === 'appears' && wishOf(other, { proof, target, now: reading.now })) || [];
  });
  return { wishes, strangers: others.filter(other => other.state === 'unreadable') };
}

/** The names of the operations that no new record proves. */
export const makingNothing = catalogue.flatMap(operation =>
  operation.type === 'write' && operation.proof.type !== 'appears' ? [operation.name] : [],
);

/** Whether a job of another release may wait for this record: nothing that the record shows speaks against it. */
function mayWaitFor({ target }: Unreadable, { vendor, source }: RecordView): boolean {
  const id = parseIdentifier(target);
  if (id === undefined) return true;
  // A clone of a clone may name the live database behind it as its source.
  const isOfOther = source !== undefined && id.noun === 'live' && source.id.text !== id.text;
  return id.vendor === vendor && !isOfOther;
}

/**
 * How well a record agrees with the wish of another job; `undefined` where it contradicts it, or shows what was typed for this
 * job's very own and nothing of what was typed for the other one's.
 */
function agreeingWith(rival: WishedRecord, { record, telling }: Candidate, { children }: Rivals): number | undefined {
  const [like] = candidates(rival, [record], { children });
  const isLess = like !== undefined && telling > 0 && like.telling === 0;
  return like && !isLess && !isEarly(rival, like) ? like.agreeing : undefined;
}

/** Whether a record agrees better with another job's wish: it belongs to that job. */
function isForAnother(one: Candidate, rivals: Rivals): boolean {
  return rivals.wishes.some(rival => (agreeingWith(rival, one, rivals) ?? 0) > one.agreeing);
}

/**
 * Whether this job may take a candidate that is for no other: it is the only one, once each other job has one that this
 * candidate cannot be. Among jobs with the same wish, it is taken only when all their records are there and rest: then it
 * makes no difference whose each one is.
 */
function isForThis(here: Case, one: Candidate, all: readonly Candidate[], rivals: Rivals): boolean {
  const { wishes, strangers } = rivals;
  const equals = [
    ...wishes.filter(rival => agreeingWith(rival, one, rivals) === one.agreeing),
    // A record with the port or the name that was typed for this very job is no other's.
    ...(one.telling > 0 ? [] : strangers.filter(stranger => mayWaitFor(stranger, one.record))),
  ];
  const alike = all.filter(({ agreeing }) => agreeing === one.agreeing);
  const ofOther = wishes.filter(rival => agreeingWith(rival, one, rivals) === undefined);
  const left = alike.filter(other => ofOther.some(rival => agreeingWith(rival, other, rivals) === other.agreeing));
  if (equals.length === 0 && alike.length - Math.min(left.length, ofOther.length) === 1) return true;
  return alike.length > equals.length && alike.every(({ record }) => mayRest(here, record));
}

/**
 * Whether the reports of a record name somebody else alone, where nothing was typed for this very record. They count where
 * reports of any record name this job's login: a service may do all work in one name.
 */
function isOfOthers({ login }: Case['job'], { record, telling }: Candidate, all: readonly RecordView[]): boolean {
  if (login === null || telling > 0 || reportsName(record, login) !== false) return false;
  return all.some(other => reportsName(other, login) === true);
}

/** Whether a record's reports name other work that makes one, such as a mount for a clone, and none that may be this work. */
function isMadeOtherwise({ operation: { work } }: Case, { record: { reports }, telling }: Candidate): boolean {
  const kinds = reports.filter(one => speaks(traceOf(one), work) !== 'open').flatMap(({ kind }) => kind ?? []);
  const isMaking = (kind: string) => making.some(one => namesItself(kind, one));
  return telling === 0 && kinds.some(isMaking) && !kinds.some(kind => speaksOf(kind, work) !== 'no' && isMaking(kind));
}

const making = [works.clone, works.share, works.mount];

/** Whether a record names the person who asked, at a service whose records name others, too. */
function namesRequester({ login }: Case['job'], record: RecordView, all: readonly RecordView[]): boolean {
  if (login === null || ownerAgrees(record, login) !== true) return false;
  return all.some(other => ownerAgrees(other, login) === false);
}

/** Whether a record names no source but a snapshot that the job's one, which shows its own, does not have. */
function isFromElsewhere(target: Identifier, { record, telling }: Candidate, source: RecordView | undefined): boolean {
  const origin = originOf(record);
  if (telling > 0 || record.source || target.noun !== 'live' || !origin) return false;
  const own = source ? ownSnapshots(source) : [];
  return own.length > 0 && !own.some(({ id }) => id.text === origin.text);
}

function mayRest(here: Case, record: RecordView): boolean {
  const meaning = meaningInWords(here, record);
  const isAtWork = meaning === 'passing' || record.reports.some(({ outcome }) => outcome === 'busy');
  return record.state?.class !== 'failed' && record.error === undefined && !isAtWork && meaning !== 'doubtful';
}
