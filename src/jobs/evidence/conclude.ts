import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { Report } from '../../api/reading/reports.ts';
import { catalogue } from '../../operations/catalogue.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import type { Appears, Proof } from '../../operations/proofs.ts';
import { stateSpeaksOf } from '../../operations/work.ts';
import type { Job } from '../../store/tables/job.ts';
import { asked, type Parts, targetOf } from '../parts.ts';
import type { Reader } from '../records.ts';
import { type Candidate, candidates, likenessOf, type Wish } from './candidates.ts';
import {
  absence,
  type Baseline,
  type Before,
  baselineIn,
  type Evidence,
  evidenceIn,
  evidenceOf,
  isAsBefore,
  snapshotsOf,
} from './evidence.ts';
import { judgeNew, judgeTarget, type Look, type Verdict } from './judge.ts';
import { ownReports } from './ownReport.ts';
import type { Meaning } from './vocabulary.ts';

/** What one look tells of a job. */
export type Conclusion = Readonly<{
  verdict: Verdict;
  /** `undefined` where the record that the job is to make is not there yet. */
  seen: Evidence | undefined;
  /** The new record that is the job's own. */
  claimed?: string;
  /** Whether the records show that the service accepted the call. */
  arrived: boolean;
}>;

/**
 * Holds the records against what a `running` job waits for. What ends a job is read from the record itself, however many
 * jobs the list serves.
 * @throws {Failure} where the records cannot be read
 */
export async function conclude(parts: Parts, job: Job, records: Reader): Promise<Conclusion> {
  const listed = await lookAt(parts, job, records, false);
  // What the words of other records tell may be all that is missing.
  const { noun } = targetOf(job);
  const hangs = listed.verdict.type === 'waiting' && listed.seen?.state !== undefined && !listed.seen.isBusy;
  if (hangs && noun && noun !== 'snapshot' && parts.vocabulary.isDue()) await records.list(noun).catch(() => undefined);
  return listed.verdict.type === 'waiting' ? listed : lookAt(parts, job, records, true);
}

function lookAt(parts: Parts, job: Job, records: Reader, isWhole: boolean): Promise<Conclusion> {
  const { operation, values } = asked(job);
  const target = targetOf(job);
  const proof = operation.proof(target, values);
  const here: Case = { parts, job, operation, target, records, isWhole, baseline: baselineIn(job) };
  if (proof.type === 'appears') return concludeNew(here, proof);
  return target.noun === 'snapshot' ? concludePart(here, proof) : concludeTarget(here, proof);
}

type Case = Readonly<{
  parts: Parts;
  job: Job;
  operation: WriteOperation;
  target: Identifier;
  records: Reader;
  isWhole: boolean;
  baseline: Baseline | undefined;
}>;

/** What a record showed that was not there. */
const nothing: Before = { snapshots: [], times: {}, counters: {}, reports: {} };

/** A job that is proved by a new record. */
async function concludeNew(here: Case, proof: Appears): Promise<Conclusion> {
  const { parts, job, target, records, isWhole } = here;
  const last = evidenceIn(job);
  const own = await ownRecord(here, proof);
  if (!own) {
    if (job.claimed !== null && last) {
      const reason = `${last.name ?? last.id} was there, but its record is gone again.`;
      const seen = absence(last.id, last.name ?? null, parts.clock.now());
      // One empty answer may be a hiccup of the service.
      return last.gone
        ? { verdict: { type: 'failed', reason }, seen: { ...seen, since: last.since }, arrived: true }
        : { verdict: { type: 'waiting' }, seen, arrived: true };
    }
    // The source may tell of a clone that never came to be.
    const source = await records.record(target, isWhole).catch(() => undefined);
    const report = source && (await reportOf(here, undefined, source.reports, undefined));
    const verdict: Verdict =
      report?.outcome === 'failed' && report.beganAt !== undefined
        ? { type: 'failed', reason: report.error ?? `The source's report of it says ${report.word}.` }
        : { type: 'waiting' };
    return { verdict, seen: undefined, arrived: report !== undefined };
  }
  const { record, telling } = own;
  const seen = seenOf(here, record, last, undefined, await isOfJob(here, record));
  const report = await reportOf(here, nothing, record.reports, record.id.text);
  const look = await lookOf(here, seen, record, undefined, report);
  const arrived = telling > 0 || report !== undefined;
  const verdict = judgeNew(proof, look);
  // A colleague may have made this one while nobody knows whether the call arrived.
  const isDoubtful = job.inDoubt === 1 && !arrived;
  return { verdict: isDoubtful ? { type: 'waiting' } : verdict, seen, claimed: record.id.text, arrived };
}

/** The new record that is this job's own: the one it has, else the likeliest that can only be this job's. */
async function ownRecord(here: Case, proof: Appears): Promise<Candidate | undefined> {
  const { parts, job, target, records, baseline, isWhole } = here;
  const own = job.claimed === null ? undefined : parseIdentifier(job.claimed);
  const wish = baseline && wishOf(job, proof, target, baseline);
  if (own) {
    const record = await records.record(own, isWhole);
    return record && ((wish && likenessOf(wish, record, [])) ?? { record, agreeing: 0, telling: 0 });
  }
  if (!wish) return undefined;
  const listed = (await records.list('live')).records;
  // A list may show less than the record itself does, and nothing that contradicts.
  const all: Candidate[] = [];
  for (const { record } of candidates(wish, listed))
    all.push(...candidates(wish, [(await records.record(record.id, true)) ?? record], listed));
  if (all.length === 0) return undefined;
  const rivals = await rivalsOf(parts, job);
  const taken = await parts.jobs.taken(
    job,
    all.map(({ record }) => record.id.text),
  );
  const free = all.filter(({ record }) => !taken.has(record.id.text)).toSorted((a, b) => b.agreeing - a.agreeing);
  for (const candidate of free) {
    const { record } = candidate;
    if (!isForThis(here, candidate, free, rivals)) continue;
    // Who is in doubt takes nothing that another may have made.
    if (job.inDoubt === 1 && candidate.telling === 0 && !(await hasOwnReport(here, record))) continue;
    if (await parts.jobs.claim(job, record.id.text)) return candidate;
  }
  return undefined;
}

function wishOf(job: Job, proof: Appears, target: Identifier, baseline: Baseline): Wish {
  return { proof, vendor: target.vendor, baseline, login: job.login, sourceName: job.targetName };
}

/** What other jobs wait for that have no new record yet. */
async function rivalsOf(parts: Parts, job: Job): Promise<readonly Wish[]> {
  const others = await parts.jobs.unclaimed(job, makers);
  return others.flatMap(other => {
    const { operation, values } = asked(other);
    const target = targetOf(other);
    const proof: Proof = operation.proof(target, values);
    const baseline = baselineIn(other);
    return proof.type === 'appears' && baseline ? [wishOf(other, proof, target, baseline)] : [];
  });
}

const makers = catalogue.flatMap(operation =>
  operation.type === 'write' && ['clone', 'share', 'mount'].includes(operation.work) ? [operation.name] : [],
);

/**
 * Whether a candidate can be given to this job: what another job asked for more closely is that job's. Between equals it
 * is given only when all of them are there and rest, since then it makes no difference which is whose.
 */
function isForThis(here: Case, one: Candidate, all: readonly Candidate[], rivals: readonly Wish[]): boolean {
  const { parts } = here;
  const wish = ({ record }: Candidate, rival: Wish) => candidates(rival, [record])[0]?.agreeing;
  const others = rivals.flatMap(rival => wish(one, rival) ?? []);
  if (others.some(agreeing => agreeing > one.agreeing)) return false;
  const equals = rivals.filter(rival => wish(one, rival) === one.agreeing);
  const alike = all.filter(({ agreeing }) => agreeing === one.agreeing);
  if (equals.length === 0 && alike.length === 1) return true;
  return alike.length > equals.length && alike.every(({ record }) => mayRest(parts, record));
}

function mayRest({ vocabulary }: Parts, record: RecordView): boolean {
  const meaning = vocabulary.meaningOf(record);
  return record.state?.class !== 'failed' && meaning !== 'passing' && meaning !== 'doubtful';
}

async function hasOwnReport(here: Case, record: RecordView): Promise<boolean> {
  return (await reportOf(here, nothing, record.reports, record.id.text)) !== undefined;
}

/** A deleted snapshot, which stands in its database's record. */
async function concludePart(here: Case, proof: Exclude<Proof, Appears>): Promise<Conclusion> {
  const { parts, job, target, records, baseline } = here;
  const holder = parseIdentifier(baseline?.holder ?? job.target);
  const record = holder?.noun ? await records.record(holder, here.isWhole) : undefined;
  const isThere = record !== undefined && snapshotsOf(record).includes(target.text);
  const part = holder && isThere ? await records.part(holder, target) : undefined;
  const report = record && (await reportOf(here, baseline?.target, record.reports, holder?.text));
  const isBusy = record !== undefined && (await isOfJob(here, record, baseline?.target));
  // It may have stood there as no more than an identifier.
  const before = baseline?.part ?? (baseline?.target?.snapshots.includes(target.text) ? nothing : undefined);
  // Why a snapshot is still there may stand at its database.
  const error = record?.error === baseline?.target?.error ? undefined : record?.error;
  const isOurs = !record?.reports.some(other => other.error === error && other.identity !== report?.identity);
  const known = part && evidenceOf(part, evidenceIn(job), parts.clock.now(), before, isBusy, record?.state?.word);
  const seen = known
    ? { ...known, error: known.error ?? (isOurs ? error : undefined) }
    : absence(target.text, job.targetName, parts.clock.now());
  const verdict = judgeTarget(proof, await lookOf(here, seen, part, before, report));
  const arrived = seen.wasBusy !== undefined || report !== undefined;
  // Nobody is told that something is gone which was never seen.
  return { verdict, seen: part || before ? seen : undefined, arrived };
}

/** A job that is proved by what its target's record shows. */
async function concludeTarget(here: Case, proof: Exclude<Proof, Appears>): Promise<Conclusion> {
  const { parts, job, target, records, baseline, isWhole } = here;
  const before = baseline?.target;
  const record = target.noun ? await records.record(target, isWhole) : undefined;
  const last = evidenceIn(job);
  if (!record) {
    const seen = absence(target.text, job.targetName, parts.clock.now());
    const verdict = judgeTarget(proof, await lookOf(here, seen, undefined, before, undefined));
    // One empty answer may be a hiccup of the service.
    const isSure = last?.gone === true || verdict.type !== 'failed';
    return { verdict: isSure ? verdict : { type: 'waiting' }, seen, arrived: false };
  }
  const report = await reportOf(here, before, record.reports, target.text);
  const isBusy = report?.outcome === 'busy';
  const isPassing = isBusy || (await isOfJob(here, record, before));
  const seen = seenOf(here, record, last, before, isPassing, isBusy ? (report.kind ?? report.word) : undefined);
  const look = await lookOf(here, report ? { ...seen, report: kept(report) } : seen, record, before, report);
  const made = proof.type === 'changes' && proof.makes ? await newSnapshot(here, record) : undefined;
  const verdict = await claimed(here, made && isAtRest(look) ? await judgeMade(here, made) : judgeTarget(proof, look));
  return { verdict, seen: look.seen, arrived: seen.wasBusy !== undefined || report !== undefined };
}

const kept = ({ identity, isPlace, word }: Report) => ({ identity, isPlace, ...(word === undefined ? {} : { word }) });

function isAtRest({ seen, meaning }: Look): boolean {
  return seen.stateClass !== 'failed' && meaning !== 'passing';
}

/** A time or a counter that moved proves one job only. */
async function claimed({ parts, job }: Case, verdict: Verdict): Promise<Verdict> {
  if (verdict.type !== 'proved' || verdict.sign === undefined) return verdict;
  return (await parts.jobs.claimSign(job, `${job.target} ${verdict.sign}`)) ? verdict : { type: 'waiting' };
}

/** A new snapshot may have a state of its own. */
async function judgeMade({ target, records, parts }: Case, id: string): Promise<Verdict> {
  const snapshot = parseIdentifier(id);
  const part = snapshot && (await records.part(target, snapshot));
  if (part?.state?.class === 'failed') return { type: 'failed', reason: part.error ?? `${id} is ${part.state.word}.` };
  if (part?.state && meaningOf(parts, part, undefined) === 'passing') return { type: 'waiting' };
  return { type: 'proved', by: `There is a new snapshot, ${id}.` };
}

/** The snapshot that this job made: one that was not there before, and that no other job has. */
async function newSnapshot({ parts, job, baseline }: Case, record: RecordView): Promise<string | undefined> {
  if (job.claimed !== null) return job.claimed;
  if (!baseline?.target) return undefined;
  const known = new Set(baseline.target.snapshots);
  for (const id of snapshotsOf(record)) if (!known.has(id) && (await parts.jobs.claim(job, id))) return id;
  return undefined;
}

function seenOf(
  { parts, job, isWhole }: Case,
  record: RecordView,
  last: Evidence | undefined,
  before: Before | undefined,
  isPassing: boolean,
  busyWord?: string,
): Evidence {
  const seen = evidenceOf(record, last, parts.clock.now(), before, isPassing, busyWord);
  const wasIn = last?.id === seen.id && last.state !== undefined && last.state !== seen.state ? last : undefined;
  // What the record stood in before is where it rests.
  if (!isWhole && wasIn?.state !== undefined && wasIn.state !== before?.state && wasIn.seenAt >= (job.sentAt ?? 0))
    parts.vocabulary.pass(record, wasIn.state);
  return seen;
}

async function lookOf(
  { parts, operation, job }: Case,
  seen: Evidence,
  record: RecordView | undefined,
  before: Before | undefined,
  report: Report | undefined,
): Promise<Look> {
  return {
    work: operation.work,
    ...{ seen, record, before, report },
    meaning: record ? meaningOf(parts, record, before) : 'unseen',
    inDoubt: job.inDoubt === 1,
    sentAt: job.sentAt ?? 0,
  };
}

/** A record that is as it was before the call is where it rests, unless it was busy then. */
function meaningOf({ vocabulary }: Parts, record: RecordView, before: Before | undefined): Meaning {
  const isBack = before !== undefined && isAsBefore(before, record) && record.state?.class !== 'busy';
  return isBack && record.state ? 'usual' : vocabulary.meaningOf(record);
}

/**
 * Whether the record is in a passing state that can be of this job: its word speaks of no other work, and no job of
 * Dolly's that was sent before explains it. While the sending is in doubt, the word must speak of this very work.
 */
async function isOfJob(here: Case, record: RecordView, before?: Before): Promise<boolean> {
  const { parts, job, operation } = here;
  const { state } = record;
  if (!state || (before && isAsBefore(before, record))) return false;
  const meaning = meaningOf(parts, record, before);
  const rests = meaning === 'resting' || meaning === 'usual';
  const passes = state.class === 'busy' ? !rests : meaning === 'passing';
  // A word in which no other record rests may be one that passes.
  const mayPass = before !== undefined && !rests && (state.class === 'unknown' || state.class === 'ok');
  if (!passes && !mayPass) return false;
  const speaks = stateSpeaksOf(state.word, operation.work);
  if (speaks === 'no' || (speaks === 'open' && job.inDoubt === 1)) return false;
  if (!before) return true;
  const others = await parts.jobs.overlapping(job);
  return !others.some(
    other =>
      other.endedAt === null &&
      (other.sentAt ?? 0) <= (job.sentAt ?? 0) &&
      stateSpeaksOf(state.word, asked(other).operation.work) === speaks,
  );
}

/** The record's own report of this job, if it has one that no other job of Dolly's has. */
async function reportOf(
  { parts, job, operation, target }: Case,
  before: Before | undefined,
  reports: readonly Report[],
  record: string | undefined,
): Promise<Report | undefined> {
  if (reports.length === 0) return undefined;
  const others = (await parts.jobs.overlapping(job)).filter(other => asked(other).operation.work === operation.work);
  const records = [target.text, ...(record === undefined ? [] : [record])];
  const own = ownReports(
    {
      ...{ work: operation.work, records, login: job.login, sentAt: job.sentAt ?? 0 },
      sentAgain: others.flatMap(({ sentAt }) => sentAt ?? []),
    },
    before,
    reports,
  );
  // Once a report was this job's, no other is; one that had no time yet may have got it since.
  const known = evidenceIn(job)?.report;
  const same = known && reports.find(({ identity }) => identity === known.identity);
  if (same || (known && !known.isPlace)) return same;
  if (others.length === 0) return own[0];
  for (const report of own)
    if (await parts.jobs.claimSign(job, `${record ?? target.text} ${report.identity}`)) return report;
  return undefined;
}
