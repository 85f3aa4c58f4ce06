import type { RecordView } from '../../../api/reading/recordView.ts';
import type { Report } from '../../../api/reading/reports.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { lineageOf } from '../../../records/lineage.ts';
import { rounding } from '../../../store/jobs/claims.ts';
import { wasThereBefore } from '../baseline.ts';
import { evidenceOfAbsence } from '../evidence.ts';
import { isWorkedOn, type LookResult } from '../judgement.ts';
import { distanceTo } from '../madeBefore.ts';
import { settles } from '../settles.ts';
import { type Case, meaningOf } from '../sighting.ts';
import { reportOf, sharedReport } from '../whoseReport.ts';
import { type Candidate, isEarly, likenessOf, wishOf } from './likeness.ts';
import { failureAtSource } from './newRecordProof.ts';

/** Looks for news of a record that is not there, or not any more. */
export async function lookWithoutRecord(
  here: Case,
  proof: Appears,
  unexplained: readonly Candidate[],
): Promise<LookResult> {
  const { parts, job } = here;
  const last = job.evidence;
  if (job.claimed !== null && last) {
    const reason = `${last.name ?? last.id} was there, but its record is gone again.`;
    const seen = evidenceOfAbsence(last.id, last.name ?? null, parts.clock.now());
    return { verdict: { type: 'failed', reason }, seen, arrived: true };
  }
  const { report, claims } = await reportAtSource(here, proof);
  const words = parts.vocabulary.of(job.team);
  const isAtWork = unexplained.some(
    ({ record }) => isWorkedOn(record) || meaningOf(words, record, undefined) === 'passing',
  );
  const goesOn = isAtWork ? ({ goesOn: true } as const) : {};
  const untold = unexplained.length > 0 ? { atLast: unexplainedNews(unexplained), ...goesOn } : {};
  const verdict = (report && failureAtSource(report, here.operation.work, proof)) ?? { type: 'waiting', ...untold };
  return { verdict, seen: undefined, claims, arrived: report !== undefined };
}

/** The report of this job on its source, which may tell of a clone that never came to be. */
async function reportAtSource(here: Case, proof: Appears) {
  const { parts, job, records, target, isWhole } = here;
  const source = await records.one(target, isWhole).catch(() => undefined);
  const first = source ? await reportOf(here, undefined, source) : undefined;
  if (!source || !first?.report) return { report: undefined, claims: first?.claims ?? [] };
  // Others are looked at only where a report is there that may be of what they made.
  const made = await madeByOthers(here, proof, source, first.report);
  const found = made.length > 0 ? await reportOf(here, undefined, source, { strangers: made }) : first;
  const { report } = found;
  if (!report || report.by !== undefined || (job.noAnswer === null && report.kind !== undefined)) return found;
  // A list may be late to show what somebody made of whom the report names nobody, and the record of this very job.
  const ahead = job.baseline?.ahead ?? 0;
  const told = report.isZoned ? (report.endedAt ?? report.beganAt) : undefined;
  const age = parts.clock.now() + ahead - (told ?? job.sentAt + ahead);
  return age < settles.long ? { report: undefined, claims: [] } : found;
}

/**
 * The records of whose making the source may tell, too: those that show a report of the source by its number or time, and the new
 * ones from the same source that cannot be this job's, and that no job of Dolly's has. `report` is the one in question.
 */
async function madeByOthers(
  here: Case,
  proof: Appears,
  source: RecordView,
  report: Report,
): Promise<readonly RecordView[]> {
  const { parts, job, target, records } = here;
  const { baseline } = job;
  if (!baseline) return [];
  const wish = wishOf(job, { proof, target, baseline, now: parts.clock.now() });
  const wasBefore = wasThereBefore(baseline);
  const isOfKind = ({ vendor, id: { noun } }: RecordView) =>
    vendor === wish.vendor && noun !== undefined && proof.nouns.includes(noun);
  const known = (await records.list('live')).records.filter(isOfKind);
  const isNear = (record: RecordView) =>
    distanceTo(record, report) <= rounding || sharedReport(record, source) !== undefined;
  const near = known.filter(record => record.id.text !== target.text && (!wasBefore(record) || isNear(record)));
  const held = await parts.jobs.claimsOn(near.map(({ id }) => id.text));
  const clones = new Set(lineageOf(source).clones);
  const made: RecordView[] = [];
  for (const listed of near) {
    const record = (await records.one(listed.id, true)) ?? listed;
    const isFromHere = record.source ? record.source.id.text === target.text : clones.has(record.id.text);
    const like = likenessOf(wish, record, { inBrief: true });
    const isOfOthers = isFromHere && !wasBefore(record) && (!like || isEarly(wish, like));
    const isHeld = held.some(({ record: id, sign }) => id === record.id.text && sign === '');
    if ((isOfOthers && !isHeld) || sharedReport(record, source)) made.push(record);
  }
  return made;
}

function unexplainedNews(some: readonly Candidate[]): string {
  const named = some.slice(0, maxNamed).map(({ record: { id, name } }) => (name ? `${name} (${id.text})` : id.text));
  const [are, were, theyAre] = named.length === 1 ? ['is', 'was', 'it is'] : ['are', 'were', 'they are'];
  const there = `There ${are} ${named.join(', ')}, which ${were} not there before, and may be of somebody else`;
  return `${there}: I cannot tell whose ${theyAre}.`;
}

/** Max new records that one sentence names. */
const maxNamed = 3;
