import { isRecord } from '../../../src/sandbox/playground/json.ts';
import { isSingle } from './dialect.ts';
import type { Work } from './estate.ts';
import { excuseOfHabit, isWorkShown } from './habitExcuses.ts';
import type { Json } from './json.ts';
import { passingWord, stateOf } from './render.ts';
import { creates } from './service.ts';
import {
  besides,
  blamed,
  differs,
  isContested,
  isOutshone,
  isReported,
  isVisiblyAtWork,
  type Known,
  madeBy,
  namesWork,
  saysFailure,
  showsFailure,
  showsReason,
  showsSuccess,
} from './truth.ts';

/** What a job's message said, from a moment on (milliseconds since the epoch). */
export type Said = Readonly<{ at: number; word: string; text: string }>;

/** Something that the message should not have said. `excuse` tells why nobody could have known. */
export type Untruth = Readonly<{ what: string; said: Said; excuse?: string }>;

export const isEnd = (word: string): boolean => /^(Confirmed|Failed|Finished|Unconfirmed|Not asked)/.test(word);

/** The excuse of what Dolly told as the word of a person. */
export const somebodySaid = 'somebody said so';
const blank = 'what stands beside the word for rest is blank';
const sameDone = 'somebody else did the same, too';
const alike = 'the two records show no difference';
const wordOpen = 'no other clone shows what its word means';

/** How late a person may hear what the records show. Milliseconds. */
const patience = 10 * 60_000;

/** What is untrue in one thing that a message said at its time. */
export function untruthsIn(known: Known, said: Said): Untruth[] {
  const { work, bases, journey } = known;
  const isOver = said.at >= work.endsAt;
  const isPartial = work.ending === 'partial';
  const hasBegun = work.ending !== 'lost' && work.ending !== 'refused';
  const what = {
    runs: hasBegun ? 'it still runs' : 'it was never begun',
    failed: isPartial ? 'it was done in part alone' : hasBegun ? 'it had failed' : 'it was refused',
  };
  const isGood = work.ending === 'succeeded';
  const untruths: Untruth[] = [];
  // A wrong word of somebody's is told as theirs.
  const word = /\w+ says that it (is (ready|stopped|disabled)|failed)/.test(said.text) && somebodySaid;
  const tell = (what: string, excuse?: string | false) => {
    const found = word || excuse;
    untruths.push({ what, said, ...(found ? { excuse: found } : {}) });
  };
  const excuse = isExcused(known, said.at);

  if (said.word === 'Confirmed' && !isOver) tell(`confirmed, but ${what.runs}`, excuse);
  if (said.word === 'Confirmed' && isOver && !isGood) tell(`confirmed, but ${what.failed}`, excuse);
  const error =
    (isBlamed(known, said.at) && 'the record shows the error of somebody else’s job, and not whose it is') ||
    (hasTwin(known, said.at) && alike) ||
    (isContested(known) && known.dialect.reports?.byKey === undefined && sameDone);
  if (said.word === 'Failed' && !isOver && hasBegun) tell('failed, but it still runs', error);
  if (said.word === 'Failed' && isOver && (isGood || isPartial))
    tell(`failed, but it ${isPartial ? 'was done in part' : 'had succeeded'}`, error);
  if (said.word.startsWith('Finished') && hasBegun && !isOver && (isVisiblyAtWork(known, said.at) || isReported(known)))
    tell(
      'finished, but the record shows that it still runs',
      (isBlankBeside(known, said.at) && blank) || (isWordOpen(known) && wordOpen),
    );
  if (said.word === 'Finished in part' && isOver && isGood) tell('finished in part, but all of it was done');
  if (said.word.startsWith('Finished') && isOver && work.ending === 'refused') tell('finished, but it was refused');
  if (said.word.startsWith('Finished') && !hasBegun && !isOver && saysKind(known))
    tell(
      'finished, but it never began, and what was done says that it was something else',
      isContested(known) && sameDone,
    );
  if (
    said.word.startsWith('Finished') &&
    hasBegun &&
    isOver &&
    !isGood &&
    !isPartial &&
    saysFailure(known) &&
    !isHidden(known, said.at)
  )
    tell('finished without a result, but the records say that it failed');

  const record = /Record\*?\s+`?([A-Z_]+-\d+)/.exec(said.text)?.[1];
  if (creates(work.kind) && record !== undefined && record !== journey.on && record !== work.brings) {
    const others = [...bases].filter(({ id }) => id === record);
    const isAlike = others.some(other => !differs(known, other));
    tell(`tells of another record, ${record}`, isAlike && alike);
  }
  // What is told as a snapshot, or a failure, of nobody knows whom is not told of this job.
  const isUntold = /cannot tell/.test(said.text);
  const snapshot = isUntold ? undefined : /new snapshot, `?(\w+_SNAPSHOT-\d+)/.exec(said.text)?.[1];
  if (work.kind === 'backup' && snapshot !== undefined && snapshot !== work.brings)
    tell(`tells of another snapshot, ${snapshot}`, isContested(known) && 'somebody else made a backup, too');
  const told = isUntold ? undefined : /\bE-\d+: [\w ]+/.exec(said.text)?.[0];
  if (told !== undefined && told !== work.error && !work.attempts.some(one => told.startsWith(one.error)))
    tell(`tells the error of another job, ${told}`, error);
  if (work.kind.endsWith('delete') && isOver && isGood && /is still in the service/.test(said.text))
    tell('says that it is still there, but it is gone');
  return untruths;
}

/** Whether the records say what kind of work is done to them. */
const saysKind = ({ dialect }: Known): boolean => namesWork(dialect);

/** Whether another job made a record by then that shows nothing by which to tell it from the one that was asked for. */
function hasTwin(known: Known, at: number): boolean {
  const { work, works } = known;
  if (!creates(work.kind)) return false;
  const made = works.flatMap(other => (other === work ? [] : (madeBy(known, other) ?? [])));
  return made.some(twin => twin.createdAt <= at && !differs(known, twin));
}

/** Whether the record shows an error, or a failed state, of another job that nobody could tell from one of this job. */
function isBlamed(known: Known, at: number): boolean {
  const { work, dialect } = known;
  const { reports } = dialect;
  const tellsOfBoth = reports && isSingle(reports) && reports.byKey === undefined && !namesWork(dialect);
  const wasPlain = (other: Work) =>
    showsSuccess(known) && work.ending === 'succeeded' && other.endsAt > work.endsAt + 60_000;
  const shows = ({ ending }: Work) =>
    ending === 'broken' ||
    (ending === 'error' && dialect.errorKey !== undefined) ||
    (tellsOfBoth && (ending === 'error' || ending === 'silent'));
  return !isReported(known) && blamed(known).some(other => other.endsAt <= at && shows(other) && !wasPlain(other));
}

function isExcused(known: Known, at: number): string | undefined {
  const { work, dialect } = known;
  const isForeshown = dialect.habit?.foreshows === true && isWorkShown(known, at);
  if (isReached(known, at) && !isForeshown)
    return 'the record is in the state that was wished for, whoever brought it there';
  const { reports } = dialect;
  // One report at a time that names nobody may be of either.
  const isBare = reports && isSingle(reports) && reports.byKey === undefined;
  // Nor do reports that name nobody tell whose the work of this kind is, where this request was lost or has not begun.
  const hasBegun = work.ending !== 'lost' && at >= work.beginsAt;
  const isNamed = hasBegun || reports?.byKey !== undefined;
  // The next check takes the place of a report that stands alone.
  const isLeft = reports && !reports.forgets && !(isSingle(reports) && dialect.checks);
  const isTold = isLeft && !isBare && isNamed;
  if (isOutshone(known, at) && !isTold) return sameDone;
  const others = besides(known).filter(({ ending, endsAt }) => ending === 'succeeded' && endsAt <= at);
  if (isBare && !namesWork(dialect) && others.length > 0)
    return 'a report of somebody else’s job names no kind of work';
  const habitual = excuseOfHabit(known, at);
  if (habitual !== undefined) return habitual;
  if (!creates(work.kind) || isReported(known)) return undefined;
  if (hasTwin(known, at)) return alike;
  const own = madeBy(known, work);
  if (own?.restsUntil !== undefined && at < own.restsUntil + 3_000)
    return 'the record showed the word for rest at first';
  const atWork = own && stateOf(own, dialect, at).work;
  const word = atWork && typeof dialect.vocabulary === 'object' ? passingWord(dialect.vocabulary, atWork, at) : '';
  if (!dialect.hasClones && /^(started|open|running|active)$/i.test(String(word)))
    return 'no other clone shows that the word does not mean that it is ready';
  if (isBlankBeside(known, at)) return blank;
  if (isWordOpen(known)) return wordOpen;
  return dialect.vocabulary !== undefined && !dialect.showsWork && !isForeshown && at < work.endsAt
    ? 'the record shows the word for rest from the beginning'
    : undefined;
}

/** Whether a new record stands in a word of which nothing tells whether it means work: there are no other clones. */
function isWordOpen({ work, dialect: { hasClones, states } }: Known): boolean {
  return creates(work.kind) && !hasClones && /^(numbers|letters|made up)/.test(states);
}

/** Whether the new record shows the word for rest, and a blank beside it where another word would tell of the work. */
function isBlankBeside(known: Known, at: number): boolean {
  const { work, dialect } = known;
  const own = creates(work.kind) ? madeBy(known, work) : undefined;
  const atWork = own && stateOf(own, dialect, at).work;
  if (!atWork || dialect.besideKey === undefined || typeof dialect.vocabulary !== 'object') return false;
  return passingWord(dialect.vocabulary, atWork, at) === '';
}

/** Whether the record shows the work of somebody else before its own state. */
function isHidden(known: Known, at: number): boolean {
  return known.dialect.showsWork && besides(known).some(({ beginsAt, endsAt }) => beginsAt <= at && endsAt > at);
}

/** Whether the record rests in the state to which the job was to lead it: a state names nobody who brought it there. */
function isReached({ work, bases, dialect, journey }: Known, at: number): boolean {
  const wished = { start: journey.course.arrives, enable: journey.course.arrives, stop: 'down', disable: 'disabled' };
  const wish = Object.entries(wished).find(([kind]) => kind === work.kind)?.[1];
  const record = bases.values().find(({ id }) => id === work.on);
  if (!wish || !record) return false;
  const shown = stateOf(record, dialect, at);
  return shown.work === undefined && record.rest === wish;
}

/** What a message calls the state of the record though the record never showed it there; `undefined` where nothing. */
export function misreadIn({ dialect }: Known, said: Said, shown: readonly Json[]): string | undefined {
  const word = /\*State\*\s+([^\n]+)/.exec(said.text)?.[1];
  const { besideKey, statePath, vocabulary } = dialect;
  if (word === undefined || ['gone', 'not shown'].includes(word) || typeof vocabulary !== 'object') return undefined;
  const [outer, inner] = statePath;
  const states = shown.flatMap(record => {
    const at = record[outer];
    const state = inner !== undefined && isRecord(at) ? at[inner] : at;
    return [state, ...(besideKey === undefined ? [] : [record[besideKey]])].map(String);
  });
  return states.includes(word) ? undefined : `shows ${word} as its state, which it never was`;
}

/** Whether the record's own GET shows how the job ended, to whoever reads it now and then. */
export function isShown(known: Known): boolean {
  const { work } = known;
  if (work.ending === 'refused' || !Number.isFinite(work.beginsAt + work.endsAt)) return false;
  if (work.ending === 'partial') return isReported(known);
  return work.ending === 'succeeded' ? showsSuccess(known) : showsFailure(known);
}

/** The time for which records stand still before they count (docs/jobs.md), in milliseconds. */
const settling = 20_000;
/** The longest pauses between two looks, by the age of the job (`upTo`), in milliseconds. */
const pauses = [
  { upTo: 5 * 60_000, pause: 12_000 },
  { upTo: 20 * 60_000, pause: 36_000 },
  { upTo: 60 * 60_000, pause: 72_000 },
  { upTo: Number.POSITIVE_INFINITY, pause: 144_000 },
] as const;

/** How long after the records showed it, settling and one pause the end was told: milliseconds. */
export function delayOf({ work, readableFrom }: Known, said: readonly Said[]): number | undefined {
  const told = said.find(({ word, at }) => isDecided(word, work) && at >= work.endsAt);
  if (!told) return undefined;
  const from = readableFrom(work.endsAt);
  const pause = pauses.find(({ upTo }) => told.at - work.acceptedAt < upTo)?.pause ?? 0;
  return Math.max(0, told.at - from - settling - pause);
}

/** Whether a word says how a job ended; of one that was done in part, that it was. */
export const isDecided = (word: string, { ending }: Pick<Work, 'ending'>): boolean =>
  /^(Confirmed|Failed)/.test(word) || (ending === 'partial' && word === 'Finished in part');

/** What the message could have said better, though it said nothing untrue; `undefined` where nothing. */
export function weaknessOf(known: Known, said: readonly Said[]): string | undefined {
  const { work } = known;
  const last = said.at(-1);
  if (!last) return undefined;
  if (last.word === 'Failed' && showsReason(known) && !last.text.includes(work.error))
    return 'Failed, without the reason that can be read';
  if (work.ending === 'refused' && last.word !== 'Failed') return `${last.word}, though it was refused`;
  if (!isShown(known)) return undefined;
  const isGood = work.ending === 'succeeded';
  if (/^(Unconfirmed|Finished)/.test(last.word) && !isDecided(last.word, work))
    return `${last.word}, though the records show that it ${isGood ? 'succeeded' : work.ending === 'partial' ? 'was done in part' : 'failed'}`;
  const told = said.find(({ word }) => isEnd(word));
  return told && told.at > work.endsAt + patience
    ? `late: told ${Math.round((told.at - work.endsAt) / 60_000)} minutes after the records showed it`
    : undefined;
}
