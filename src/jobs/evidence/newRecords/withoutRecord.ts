import type { RecordView } from '../../../api/reading/recordView.ts';
import { lineageOf } from '../../../records/lineage.ts';
import { wasThereBefore } from '../baseline.ts';
import { type Case, meaningOf } from '../case.ts';
import { evidenceOfAbsence } from '../evidence.ts';
import { isWorkedOn } from '../goingOn.ts';
import { type FoundReport, noReport, reportOf, sharedReport } from '../jobReport.ts';
import { type Judgement, type LookResult, waiting } from '../judgement.ts';
import { ask, askOr, wholeOf } from '../reading.ts';
import { settles } from '../settles.ts';
import { type Candidate, fitOf, sourceOf, wishOf } from './likeness.ts';
import { failureAtSource } from './newRecordRows.ts';

/** Looks for news of a record that is not there, or not any more. */
export function lookWithoutRecord(here: Case, unexplained: readonly Candidate[]): LookResult {
  const { reading, job, operation } = here;
  if (job.claimed !== null) {
    const { name = null } = job.evidence ?? {};
    const reason = `${name ?? job.claimed} was there, but its record is gone again.`;
    const seen = evidenceOfAbsence(job.claimed, name, reading.now);
    return { judgement: { type: 'failed', reason }, seen, arrived: true };
  }
  const { report, claims } = reportAtSource(here);
  const failure = report && failureAtSource(report, operation.work);
  const judgement = failure ?? newsOf(here, unexplained);
  return { judgement, seen: undefined, claims, arrived: report !== undefined };
}

/** The report of this job on its source, which may tell of a clone that never came to be. */
function reportAtSource(here: Case): FoundReport {
  const { reading, job, target, isWhole } = here;
  const source = askOr(here, 'one', { id: target, isWhole }, () => undefined)?.record;
  const found = source ? reportOf(here, undefined, source) : noReport;
  const { report } = found;
  if (!source || !report || report.by !== undefined) return found;
  // It may tell of what somebody else made from that source. Others are looked at only where a report is there.
  if (isMadeByOthers(here, source)) return noReport;
  if (job.noAnswer === null && report.kind !== undefined) return found;
  // A list may be late to show what somebody made of whom the report names nobody, and the record of this very job.
  const ahead = job.baseline?.ahead ?? 0;
  const { isZoned, beganAt, endedAt = beganAt } = report;
  const toldAt = (isZoned ? endedAt : undefined) ?? job.sentAt + ahead;
  return reading.now + ahead - toldAt < settles.long ? noReport : found;
}

/** Whether a new record is from the source and cannot be this job's. */
function isMadeByOthers(here: Case, source: RecordView): boolean {
  const { reading, job, target } = here;
  const wish = wishOf(job, reading.now);
  if (!wish) return false;
  const wasBefore = wasThereBefore(wish.baseline);
  const made = ask(here, 'list', 'live').records.filter(
    record => record.vendor === wish.vendor && record.id.text !== target.text && !wasBefore(record),
  );
  const children = new Map(lineageOf(source).clones.map(id => [id, target]));
  return wholeOf(here, made).some(
    record =>
      sharedReport(record, source) !== undefined ||
      (sourceOf(record, { children })?.text === target.text && !fitOf(wish, record, { inBrief: true })),
  );
}

/** Says which new records may be of the job or of somebody else, and whether work goes on on one. */
function newsOf(here: Case, some: readonly Candidate[]): Judgement {
  if (some.length === 0) return waiting;
  const isAtWork = ({ record }: Candidate) => isWorkedOn(record) || meaningOf(here, record, undefined) === 'passing';
  const named = some.slice(0, maxNamed).map(({ record: { id, name } }) => (name ? `${name} (${id.text})` : id.text));
  const [are, were, theyAre] = named.length === 1 ? ['is', 'was', 'it is'] : ['are', 'were', 'they are'];
  const there = `There ${are} ${named.join(', ')}, which ${were} not there before, and may be somebody else’s`;
  const atLast = `${there}: I cannot tell whose ${theyAre}.`;
  return { type: 'waiting', atLast, ...(some.some(isAtWork) && ({ goesOn: true } as const)) };
}

/** Max new records that one sentence names. */
const maxNamed = 3;
