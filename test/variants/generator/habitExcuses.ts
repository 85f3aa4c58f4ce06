import { isSingle } from './dialect.ts';
import { passingWord, stateOf } from './render.ts';
import { besides, isReported, isVisiblyAtWork, type Known } from './truth.ts';

/** So long whoever reads with care lets a sign stand before they believe it, in milliseconds. */
const stands = 10_000;

/** Why nobody could know, at a service with a habit, that work was not done when its effect was shown; `undefined` where they could. */
export function excuseOfHabit(known: Known, at: number): string | undefined {
  const { work, dialect } = known;
  const { early, hides, foreshows } = dialect.habit ?? {};
  const isUnderWay = work.beginsAt <= at && at < work.endsAt;
  if (early && work.kind === 'backup' && isUnderWay) {
    const isStateShown = early.making !== undefined && dialect.children?.as === 'objects';
    if (!isStateShown && !isWorkShown(known, at))
      return 'the snapshot is listed while it is made, and nothing tells that';
  }
  if (foreshows && isUnderWay && !isWorkShown(known, at))
    return 'the effect is shown during the work, and nothing tells that';
  if (work.ending === 'partial' && at >= work.endsAt && !isReported(known))
    return 'no report stays there that tells that a part alone was done';
  const isDeletion = work.kind === 'delete' || work.kind === 'snapshot delete';
  return hides && isDeletion && isUnderWay && at >= work.beginsAt + stands
    ? 'what is being deleted is hidden, and nothing tells whether it comes back'
    : undefined;
}

/** Whether the record shows by a word or a report that somebody is at work, who may be so for this job. */
export function isWorkShown(known: Known, at: number): boolean {
  const { work, dialect } = known;
  if (isReported(known) || isReportShown(known, at)) return true;
  if (!isVisiblyAtWork(known, at)) return false;
  const record = known.service.records.get(work.on);
  const { vocabulary, liveVocabulary, besideKey } = dialect;
  const spoken = record?.isClone ? vocabulary : liveVocabulary;
  const shown = record && stateOf(record, dialect, at).work;
  // A blank beside the word for rest tells nothing.
  return typeof spoken !== 'object' || besideKey === undefined || !shown || passingWord(spoken, shown, at) !== '';
}

/** Whether a report of the job stands in the record while it runs: among others, or alone where none began later. */
function isReportShown(known: Known, at: number): boolean {
  const { work, dialect } = known;
  const { reports, checks } = dialect;
  if (!reports || at < work.beginsAt || at >= work.endsAt) return false;
  if (!isSingle(reports)) return true;
  return !checks && !besides(known).some(({ beginsAt }) => beginsAt >= work.beginsAt && beginsAt <= at);
}
