import type { RecordView } from '../../../api/reading/recordView.ts';
import type { Appears } from '../../../operations/proofs.ts';
import { mayReport } from '../../../operations/work.ts';
import { type Case, nothing } from '../case.ts';
import { atWork } from '../evidence.ts';
import { hasStood, mayTellOfWork } from '../goingOn.ts';
import { reportOf } from '../jobReport.ts';
import { waiting } from '../judgement.ts';
import { describeSnapshot, originOf } from '../newSnapshot.ts';
import { isOfJob } from '../others.ts';
import { ask } from '../reading.ts';
import { judgeBy } from '../rows.ts';
import { settles } from '../settles.ts';
import { seenOf, sightingOf } from '../sighting.ts';
import type { ShownEnd } from '../standingEnd.ts';
import { settleDoubt } from '../words/stateDoubt.ts';
import { newRecordRows } from './newRecordRows.ts';
import { ownRecord } from './ownRecord.ts';
import { lookWithoutRecord } from './withoutRecord.ts';

/** Looks for the proof of a job that makes a new record. */
export function lookForNewRecord(here: Case, proof: Appears): ShownEnd {
  const { own, taken = [], unexplained = [] } = ownRecord(here);
  if (!own) return { ...lookWithoutRecord(here, unexplained), look: undefined };
  const { record } = own;
  const shown = seenOf(here, record, { before: undefined, ...workOn(here, record) });
  const { report, claims } = reportOf(here, nothing, record);
  const look = sightingOf(here, { seen: shown, record, before: undefined, report });
  const ruling = judgeBy(newRecordRows, proof, look);
  const { judgement: judged, doubt, said } = settleDoubt(here, ruling.judgement, look);
  // A list that is late may show one that is gone again.
  const { isDenied } = ask(here, 'one', { id: record.id, isWhole: here.isWhole });
  const judgement = isDenied && !hasStood(shown, settles.turn) ? waiting : judged;
  // People are told what the clone was made from. It is read once, at the end.
  const origin = judgement.type === 'proved' ? originOf(record) : undefined;
  const snapshot = origin && { snapshot: describeSnapshot(here, here.target, origin) };
  return {
    judgement,
    basis: ruling.basis,
    seen: { ...shown, ...snapshot, ...(doubt && { doubt }) },
    claimed: record.id.text,
    claims: [...taken, ...claims],
    // While in doubt, a job takes only what shows that the call arrived.
    arrived: true,
    look,
    said,
  };
}

/**
 * Whether a new record is at work, and the word that says so beside its state: the kind of work in a report is no state. A word
 * in a place is of its making, whatever work it names; a report may be of the service's own.
 */
function workOn(here: Case, record: RecordView): Readonly<{ isAtJob: boolean; busyWord?: string | undefined }> {
  if (isOfJob(here, record)) return { isAtJob: true };
  const { work } = here.operation;
  const busy = record.reports.find(
    ({ outcome, kind = '', isPlace }) => outcome === 'busy' && (isPlace || mayReport(kind, work)),
  );
  // A word that says "well" of a record, such as `activity: "STARTED"`, may be a step of its making.
  const beside = busy ?? record.reports.find(one => mayTellOfWork(one, { wasBusy: '' }));
  return { isAtJob: busy !== undefined, busyWord: beside && `${atWork} (${beside.kind ?? beside.word})` };
}
