import type { RecordView } from '../../../api/reading/recordView.ts';
import type { Report } from '../../../api/reading/reports.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { lineageOf } from '../../../records/lineage.ts';
import { rounding } from '../../../store/jobs/claims.ts';
import { wasThereBefore } from '../baseline.ts';
import { evidenceOfAbsence } from '../evidence.ts';
import { reportOf, sharedReport } from '../jobReport.ts';
import { isWorkedOn, type LookResult } from '../judgement.ts';
import { distanceTo } from '../madeBefore.ts';
import { ask, askOr, wholeOf } from '../reading.ts';
import { settles } from '../settles.ts';
import { type Case, meaningOf } from '../sighting.ts';
import { type Candidate, isEarly, likenessOf, wishOf } from './likeness.ts';
import { failureAtSource } from './newRecordRows.ts';

/** Looks for news of a record that is not there, or not any more. */
export function lookWithoutRecord(here: Case, proof: Appears, unexplained: readonly Candidate[]): LookResult {
  const { reading, job } = here;
  const last = job.evidence;
  if (job.claimed !== null && last) {
    const reason = `${last.name ?? last.id} was there, but its record is gone again.`;
    const seen = evidenceOfAbsence(last.id, last.name ?? null, reading.now);
    return { verdict: { type: 'failed', reason }, seen, arrived: true };
  }
  const { report, claims } = reportAtSource(here, proof);
  const isAtWork = unexplained.some(
    ({ record }) => isWorkedOn(record) || meaningOf(here, record, undefined) === 'passing',
  );
  const goesOn = isAtWork ? ({ goesOn: true } as const) : {};
  const untold = unexplained.length > 0 ? { atLast: unexplainedNews(unexplained), ...goesOn } : {};
  const verdict = (report && failureAtSource(report, here.operation.work, proof)) ?? { type: 'waiting', ...untold };
  return { verdict, seen: undefined, claims, arrived: report !== undefined };
}

/** The report of this job on its source, which may tell of a clone that never came to be. */
function reportAtSource(here: Case, proof: Appears) {
  const { reading, job, target, isWhole } = here;
  const source = askOr(here, 'one', { id: target, isWhole }, () => undefined)?.record;
  const first = source ? reportOf(here, undefined, source) : undefined;
  if (!source || !first?.report) return { report: undefined, claims: first?.claims ?? [] };
  // Others are looked at only where a report is there that may be of what they made.
  const made = madeByOthers(here, proof, source, first.report);
  const found = made.length > 0 ? reportOf(here, undefined, source, { strangers: made }) : first;
  const { report } = found;
  if (!report || report.by !== undefined || (job.noAnswer === null && report.kind !== undefined)) return found;
  // A list may be late to show what somebody made of whom the report names nobody, and the record of this very job.
  const ahead = job.baseline?.ahead ?? 0;
  const told = report.isZoned ? (report.endedAt ?? report.beganAt) : undefined;
  const age = reading.now + ahead - (told ?? job.sentAt + ahead);
  return age < settles.long ? { report: undefined, claims: [] } : found;
}

/**
 * The records of whose making the source may tell, too: those that show a report of the source by its number or time, and the new
 * ones from the same source that cannot be this job's, and that no job of Dolly's has. `report` is the one in question.
 */
function madeByOthers(here: Case, proof: Appears, source: RecordView, report: Report): readonly RecordView[] {
  const { reading, job, target } = here;
  const wish = wishOf(job, { proof, target, now: reading.now });
  if (!wish) return [];
  const wasBefore = wasThereBefore(wish.baseline);
  const isOfKind = ({ vendor, id: { noun } }: RecordView) =>
    vendor === wish.vendor && noun !== undefined && proof.nouns.includes(noun);
  const known = ask(here, 'list', 'live').records.filter(isOfKind);
  const isNear = (record: RecordView) =>
    distanceTo(record, report) <= rounding || sharedReport(record, source) !== undefined;
  const near = known.filter(record => record.id.text !== target.text && (!wasBefore(record) || isNear(record)));
  const texts = near.map(({ id }) => id.text);
  const held = ask(here, 'claims', texts);
  const clones = new Set(lineageOf(source).clones);
  return wholeOf(here, near).filter(record => {
    const isFromHere = record.source ? record.source.id.text === target.text : clones.has(record.id.text);
    const like = likenessOf(wish, record, { inBrief: true });
    const isOfOthers = isFromHere && !wasBefore(record) && (!like || isEarly(wish, like));
    const isHeld = held.some(({ record: id, sign }) => id === record.id.text && sign === '');
    return (isOfOthers && !isHeld) || sharedReport(record, source) !== undefined;
  });
}

function unexplainedNews(some: readonly Candidate[]): string {
  const named = some.slice(0, maxNamed).map(({ record: { id, name } }) => (name ? `${name} (${id.text})` : id.text));
  const [are, were, theyAre] = named.length === 1 ? ['is', 'was', 'it is'] : ['are', 'were', 'they are'];
  const there = `There ${are} ${named.join(', ')}, which ${were} not there before, and may be of somebody else`;
  return `${there}: I cannot tell whose ${theyAre}.`;
}

/** Max new records that one sentence names. */
const maxNamed = 3;
