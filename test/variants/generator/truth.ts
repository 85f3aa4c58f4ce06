import { type Dialect, type Fact, facts, isSingle, type Reports } from './dialect.ts';
import type { Base, Work } from './estate.ts';
import type { Journey } from './journeys.ts';
import { stateOf } from './render.ts';
import { creates, type Service } from './service.ts';

/** Whether reports say of a job what it does, in words that are known. */
export const namesWork = ({ reports, habit }: Dialect): boolean =>
  reports?.types !== undefined && habit?.foreshows !== true;

/** All that is known of one journey: what was asked, what became of it, and which records there ever were. */
export type Known = Readonly<{
  dialect: Dialect;
  service: Service;
  journey: Journey;
  work: Work;
  /** Every record that there ever was, as it was last. Several may have had one number. */
  bases: ReadonlySet<Base>;
  /** All jobs that the service ever had. */
  works: readonly Work[];
  /** Whether its person said what a word means. */
  isAnswered: boolean;
  /** When people can first read what the service shows from `at` on: reads may fail for a while. */
  readableFrom: (at: number) => number;
}>;

const settling = 10 * 60_000;
/** Times that are no further apart tell nothing of which comes first. */
const rounding = 2_000;
/** What was sent and may wait for its turn. */
const turn = 60_000;
/** What lasts so long is seen by whoever looks now and then. */
const seen = 20_000;

/** The record that a job made. */
export const madeBy = ({ bases }: Pick<Known, 'bases'>, work: Work): Base | undefined =>
  bases.values().find(({ works: [maker] }) => maker === work);

/** The record on which the outcome shows: the new one, or the target. */
const subject = (known: Known): Base | undefined => {
  const { work, bases } = known;
  if (creates(work.kind)) return madeBy(known, work);
  const called = [...bases].filter(({ id }) => id === work.on);
  return called.find(({ works }) => works.includes(work)) ?? called[0];
};

/** Whether the record still is there, and no other under its number. */
const stands = ({ service }: Known, record: Base): boolean => service.records.get(record.id) === record;

const overlaps = (a: Work, b: Work) =>
  a !== b && a.acceptedAt <= b.endsAt + settling && b.acceptedAt <= a.endsAt + settling;

/** Other jobs that show on the same record at about the same time. */
export const besides = ({ work, works, dialect }: Known): Work[] =>
  works.filter(
    other =>
      overlaps(work, other) &&
      (other.on === work.on || other.on === work.brings) &&
      (!creates(work.kind) || other.on === work.brings) &&
      (!creates(other.kind) || dialect.sourceWorks || dialect.reports !== undefined) &&
      other.kind !== 'discovery' &&
      Number.isFinite(other.beginsAt),
  );

/** Other jobs whose errors may stand on the same record: a discovery shows nothing else there. */
export const blamed = (known: Known): Work[] => [
  ...besides(known),
  ...known.works.filter(
    other => other.kind === 'discovery' && overlaps(known.work, other) && other.on === known.work.on,
  ),
];

/** Whether another job stands before the state of the record until long after this one, or until it broke the record. */
const isMasked = (known: Known): boolean => {
  const { endsAt } = known.work;
  const breaks = (other: Work) => other.ending === 'broken' && other.beginsAt < endsAt + seen && other.endsAt > endsAt;
  return known.dialect.showsWork && besides(known).some(other => other.endsAt > endsAt + settling / 2 || breaks(other));
};

const isTimed = ({ times }: Reports) => times === 'ISO' || times === 'milliseconds' || times === 'seconds';

/** Whether somebody else's job looks the same in its effect. */
export function isContested(known: Known): boolean {
  const { work, works } = known;
  return works.some(
    other =>
      overlaps(work, other) &&
      // What is gone again may never have been seen by anybody.
      (creates(work.kind) && other.ending !== 'vanishes' && madeBy(known, other)
        ? !differs(known, madeBy(known, other))
        : other.kind === work.kind && other.on === work.on),
  );
}

/** Whether somebody else's job had the very effect by then that was wished for. */
export const isOutshone = (known: Known, at: number): boolean =>
  known.works.some(
    other =>
      other.kind === known.work.kind &&
      other.ending === 'succeeded' &&
      other.endsAt <= at &&
      isContested({ ...known, works: [other] }),
  );

/** Whether the record of a snapshot that was asked for can be found at all. */
const isFound = ({ journey, dialect }: Known): boolean =>
  journey.kind !== 'snapshot delete' ||
  journey.line.includes('database=') ||
  (dialect.children !== undefined && dialect.children.as !== 'count');

/** Whether the outcome stands in a report of the job that whoever reads the records cannot take for another's. */
export function isReported(known: Known): boolean {
  const { dialect, work } = known;
  const { reports } = dialect;
  const record = subject(known);
  if (!reports || reports.forgets || !record || !stands(known, record) || !isFound(known)) return false;
  // The next check of the service takes its place.
  if (isSingle(reports) && dialect.checks) return false;
  const others = besides(known);
  if (isSingle(reports) && others.length > 0) return false;
  if (!namesWork(dialect) && others.length > 0) return false;
  if (isContested(known) || !isNamed(known)) return false;
  return isTimed(reports) || reports.numbered || !isSingle(reports) || work.endsAt - work.beginsAt > seen;
}

/**
 * Whether the records say whose work is under way, or which. Where nobody knows if a request arrived, that somebody is at
 * work says nothing of it.
 */
const isNamed = ({ journey, dialect }: Known): boolean =>
  !journey.losesAnswer || namesWork(dialect) || dialect.reports?.byKey !== undefined;

/** Whether records of this service show the effect of such a job at all. */
export function showsEffect(known: Known): boolean {
  const { dialect, work, journey } = known;
  const { vocabulary, children, shows, times } = dialect;
  switch (journey.kind) {
    case 'stop':
      return isStateKnown(known, vocabulary, 'down') && !isMasked(known);
    case 'disable':
      return isStateKnown(known, dialect.liveVocabulary, 'disabled') && !isMasked(known);
    case 'enable': {
      const rests = dialect.liveVocabulary;
      const isKnown = journey.course.arrives === 'up' ? rests !== undefined : isStateKnown(known, rests, 'down');
      return isKnown && !isMasked(known);
    }
    case 'start':
      return vocabulary !== undefined && !isMasked(known);
    case 'backup':
      return children !== undefined;
    case 'convert':
      return shows.kind;
    case 'delete':
      return isSeenGone(known);
    case 'snapshot delete':
      return children !== undefined && children.as !== 'count';
    case 'restore':
      return times.own || times.counters;
    case 'backup logs':
    case 'refresh':
    case 'reset':
      return times.own;
    case 'virtual clone':
    case 'physical clone':
    case 'share':
    case 'mount':
      return vocabulary !== undefined && dialect.showsWork && work.brings !== undefined && isWordKnown(known);
  }
}

/** Whether a deleted record is told from another one that got its number. */
function isSeenGone(known: Known): boolean {
  const { work, bases, dialect } = known;
  const next = bases.values().find(({ id, createdAt }) => id === work.on && createdAt >= work.endsAt);
  return !next || dialect.shows.name || next.createdAt - work.endsAt > 2 * seen;
}

/** Whether a person knows the word in which a new record rests: other records rest in it, or it is a usual one. */
function isWordKnown({ dialect, journey, work }: Known): boolean {
  const { hasClones, vocabulary, liveVocabulary, physicalIs } = dialect;
  const isLive = work.kind === 'physical clone' && physicalIs === 'live';
  // A clone that stands still may be so by intent, or because it could not be started.
  if (work.ending === 'succeeded' && journey.course.arrives !== 'up') return false;
  if (hasClones || isLive || vocabulary === 'flags' || vocabulary === undefined) return true;
  const isShared = typeof liveVocabulary === 'object' && liveVocabulary.up === vocabulary.up;
  return isShared || usualWords.test(String(vocabulary.up));
}

/** Whether a person knows this word: too few records rest in it to tell from them. Whoever answers knows it. */
function isStateKnown({ isAnswered }: Known, vocabulary: Dialect['vocabulary'], rest: 'down' | 'disabled'): boolean {
  if (vocabulary === undefined || vocabulary === 'flags') return vocabulary === 'flags';
  return isAnswered || stillWords.test(String(vocabulary[rest]));
}

const stillWords =
  /stopped|shut|down|off|inactive|suspended|disabled|locked|close|halted|paused|not (started|enabled)/i;
const usualWords = /^(running|active|read write|open|online|ok|available|ready|up|normal|open for business)$/i;

/** Whether a person who reads the records now and then could know that the job succeeded. */
export function showsSuccess(known: Known): boolean {
  return isReported(known) || (showsEffect(known) && !isContested(known));
}

/** Whether the records show the reason of a failure in words. */
export function showsReason(known: Known): boolean {
  const { work, dialect } = known;
  if (work.ending === 'refused') return true;
  const record = subject(known);
  if (!['error', 'broken'].includes(work.ending) || !record || !stands(known, record)) return false;
  return isReported(known) || (dialect.errorKey !== undefined && record.error === work.error);
}

const brokenWords = /fail|error|broken|crash|corrupt|invalid|not ok|nok|fault|erreur|fehler/i;

/** Whether a request for the record, or for one that may look like it, was lost: it may have been done, for all that is known. */
const hasLost = ({ work, works, dialect }: Known): boolean => {
  const isAlike = (other: Work) => creates(work.kind) && creates(other.kind) && !dialect.shows.source;
  return works.some(other => other !== work && other.ending === 'lost' && (other.on === work.on || isAlike(other)));
};

/**
 * Whether the error of the job stood long enough: other work may take it away as it begins. Before a minute is over since
 * the sending, it may be of a colleague's work while this job waits for its turn (docs/jobs.md).
 */
function hasErrorStood({ work, works, dialect }: Known, { id }: Base): boolean {
  const until = Math.max(work.endsAt, work.acceptedAt + turn) + seen;
  const isSoon = ({ beginsAt }: Work) => beginsAt >= work.endsAt && beginsAt < until;
  return dialect.errorStays || !works.some(other => other !== work && other.on === id && isSoon(other));
}

/** Whether the record itself says that the job failed, in words. */
export function saysFailure(known: Known): boolean {
  const { dialect, journey, work, isAnswered } = known;
  const record = subject(known);
  if (!record || !stands(known, record)) return false;
  const others = besides(known);
  const isAlone =
    isFound(known) && others.length === 0 && !isContested(known) && !journey.losesAnswer && !hasLost(known);
  // The error of a discovery that failed as well may be of this job, for all that the record shows.
  // Of two errors one after the other nothing but a report tells that both are of tries of one job.
  const isOnlyError =
    work.attempts.length === 0 && !blamed(known).some(({ ending }) => ending === 'error' || ending === 'broken');
  const hasError =
    dialect.errorKey !== undefined &&
    ['error', 'broken'].includes(work.ending) &&
    isAlone &&
    isOnlyError &&
    hasErrorStood(known, record);
  const vocabulary = record.isClone ? dialect.vocabulary : dialect.liveVocabulary;
  const isBroken =
    typeof vocabulary === 'object' &&
    work.ending === 'broken' &&
    !journey.losesAnswer &&
    !hasLost(known) &&
    !isContested(known) &&
    // A state names nobody who brought the record there.
    others.length === 0 &&
    record.rest === 'broken' &&
    (isAnswered || brokenWords.test(String(vocabulary.broken)));
  return isReported(known) || hasError || isBroken;
}

/** Whether a person who reads the records now and then could know that the job failed. */
export function showsFailure(known: Known): boolean {
  if (saysFailure(known)) return true;
  const { dialect, work, journey } = known;
  const lasts = work.endsAt - work.beginsAt;
  if (creates(work.kind))
    return work.ending === 'vanishes' && journey.course.appears === 0 && lasts > seen * 2 && !isContested(known);
  // An unknown word or a number beside the state tells nobody of work, and neither does a blank.
  const word = typeof dialect.vocabulary === 'object' ? JSON.stringify(dialect.vocabulary.passing.other) : '';
  const isRead =
    (dialect.besideKey === undefined && word !== '""') || /ing\b|progress|under way|arbeit|cours/i.test(word);
  const isWorkSeen = dialect.vocabulary !== undefined && dialect.showsWork && lasts > seen && isRead;
  // A time that was never shown before is missed by nobody.
  const isMissed = !['restore', 'reset', 'backup logs'].includes(journey.kind);
  const isAlone = besides(known).length === 0 && !hasLost(known);
  return isWorkSeen && isMissed && !journey.losesAnswer && showsEffect(known) && isAlone;
}

/** Whether the record visibly is at work for this job. */
export function isVisiblyAtWork(known: Known, now: number): boolean {
  const { dialect } = known;
  const record = subject(known);
  if (!record || !stands(known, record) || dialect.vocabulary === undefined) return false;
  return stateOf(record, dialect, now).work === known.work;
}

/** Whether a record shows that it is not the one that was asked for. */
export function differs({ dialect, journey, work }: Known, other: Base | undefined): boolean {
  if (!other) return true;
  const own = other.works.find(({ brings }) => brings === other.id);
  // The clock of a service is known to a second, and so is that of whoever reads it.
  if (!own || own.beginsAt < work.acceptedAt - rounding) return true;
  const { mark } = journey;
  const asked: Readonly<Record<Fact, unknown>> = {
    kind: work.kind === 'physical clone',
    owner: work.by,
    source: work.on,
    environment: mark.targetEnvironment ?? mark.environment,
    port: mark.port,
    mountBase: mark.mountBase,
    project: mark.project,
    snapshot: mark.snapshot,
    name: mark.databaseName,
  };
  const has: Readonly<Record<Fact, unknown>> = {
    kind: other.isPhysical,
    owner: other.owner,
    source: other.source,
    environment: other.environment,
    port: other.port,
    mountBase: other.mountBase,
    project: other.project,
    snapshot: other.snapshot,
    name: other.name,
  };
  const always: readonly Fact[] = ['environment', 'port', 'name', 'source'];
  const isShown = (fact: Fact) =>
    fact === 'kind'
      ? other.isClone && dialect.shows.kind
      : dialect.shows[fact] || (!other.isClone && always.includes(fact));
  if (namesWork(dialect) && own.kind !== work.kind) return true;
  return facts.some(fact => asked[fact] !== undefined && has[fact] !== asked[fact] && isShown(fact));
}
