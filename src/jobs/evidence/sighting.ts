import type { RecordView } from '../../api/reading/recordView.ts';
import { stateSpeaksOf } from '../../operations/work.ts';
import type { Before, Evidence } from '../../store/jobs/rows/data.ts';
import { isAsBefore } from './baseline.ts';
import { type Case, hasSeen, meaningInWords, meaningOf } from './case.ts';
import { evidenceOf } from './evidence.ts';
import { isWorkedOn } from './goingOn.ts';
import type { Sighting } from './judgement.ts';
import { mayBeOfColleague, othersWork, otherWorkOn, sharesFailure, wordOfNext } from './others.ts';

/** The record's baseline, whether its state is a passing one of this job, and the word of the job's report for that. */
type Noticed = Readonly<{ before: Before | undefined; isAtJob: boolean; busyWord?: string | undefined }>;

/** Makes the evidence of this look. */
export function seenOf(here: Case, record: RecordView, { before, isAtJob, busyWord }: Noticed): Evidence {
  const last = here.job.evidence;
  const { now } = here.reading;
  const others = othersWork(here, record, before);
  const next = wordOfNext(here, record, before);
  return evidenceOf(record, last, now, {
    ...{ ...others, isAtJob, busyWord, errorBefore: before?.error },
    otherWork: others.kind ?? next ?? (isAtJob ? undefined : otherWorkOn(here, record, before)),
    mayHaveBegun: mayHaveBegun(here, record, before),
  });
}

/** Whether work that may be that of a request in doubt is seen: nothing says that it is other work, or a colleague's. */
function mayHaveBegun(here: Case, record: RecordView, before: Before | undefined): boolean {
  const { job, operation } = here;
  if (job.noAnswer === null || !before || mayBeOfColleague(here, record)) return false;
  const isMoved = isWorkedOn(record) || !isAsBefore(before, record);
  return isMoved && stateSpeaksOf(record.state?.word ?? '', operation.work) !== 'no';
}

/**
 * The word that a record left by itself since the look before. It rests in the word that it showed before the call, and may
 * have rested in the one that it left as it failed.
 */
function leftWord({ job, left }: Case, { id, state, error }: RecordView, before: Before | undefined) {
  const { evidence: last } = job;
  if (last?.id !== id.text || last.state === undefined) return left;
  const isLeft = last.state !== state?.word && last.state !== before?.state;
  return isLeft && (error === undefined || error === last.error) ? { record: { id, state }, word: last.state } : left;
}

/** Collects the facts of one look for the pure rules of judgement. */
export function sightingOf(
  here: Case,
  facts: Pick<
    Sighting,
    | 'seen'
    | 'record'
    | 'before'
    | 'report'
    | 'ofOther'
    | 'made'
    | 'mayBeAnother'
    | 'isWorkedOn'
    | 'isDenied'
    | 'mayBeLate'
  >,
): Sighting {
  const { operation, job, proof } = here;
  const { record, before, seen } = facts;
  const left = record && leftWord(here, record, before);
  const after = { ...here, left };
  return {
    ...{ work: operation.work, left },
    isWorkedOn: isWorkedOn(record, before),
    ...facts,
    meaning: record ? meaningOf(after, record, before) : 'unseen',
    learned: record ? meaningInWords(after, record) : 'unseen',
    showsWanted: record !== undefined && proof.type === 'reaches' && hasSeen(after, record, proof.classes),
    showsWork: record !== undefined && hasSeen(after, record, ['busy']),
    inDoubt: job.noAnswer !== null,
    login: job.login,
    records: [job.target, ...(record ? [record.id.text] : [])],
    isShared: sharesFailure(here, seen),
    sentAt: job.sentAt,
    isLast: here.reading.now >= job.deadlineAt,
    ahead: job.baseline?.ahead ?? 0,
  };
}
