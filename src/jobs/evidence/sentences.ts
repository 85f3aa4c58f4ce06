import type { Report } from '../../api/reading/reports.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import { mayTellOfWork } from './goingOn.ts';
import type { Sighting } from './judgement.ts';

/* What jobs' messages say of what the records show. */

export const untoldResult = 'The records do not say whether it worked.';
export const untoldWork = 'I cannot tell whose work it was.';
export const newWord = 'a state that I have not seen at this service before';

/** A failure in the words of a report on a record. */
export function wordsOf({ error, word, told = word }: Report, whose = "The record's own"): string {
  return error ?? `${whose} report of it says ${told ?? 'that it failed'}.`;
}

/** What the record's own report says of the end of its work: one sentence. */
export function saysOf({ kind, word, told = word }: Report): string {
  // The entry of a log tells both in one text.
  if (kind !== undefined && kind === told) return `The record's own report says ${told}.`;
  return `The record's own report of ${kind ?? 'the job'} says ${told ?? 'that it is done'}.`;
}

/** What a job's own report says in a word that nobody knows, '' where it says none. A bare word may be a step of the work. */
export function unknownWord({ report, seen }: Pick<Sighting, 'report' | 'seen'>): string {
  const isUnknown = report?.outcome === 'unknown' && report.word !== undefined && !mayTellOfWork(report, seen);
  return isUnknown && report.kind !== undefined ? `${saysOf(report)} I do not know what that means.` : '';
}

/** The name by which a person knows the record; its identifier where it shows none. */
export function seenName(seen: Evidence): string {
  return seen.name ?? seen.id;
}
