import { type Identifier, identifiersAmong } from '../identifiers.ts';
import { assumed } from './assumptions.ts';
import { isTree, type Leaf, leaves, plainKey, type Tree, textAt } from './jsonTree.ts';
import { deniesErrors, outcomeOfAll, readOutcome, saysShare } from './outcomes.ts';
import { isOtherRecord } from './ownIdentifier.ts';
import { outcomeOf, plainly, type ReportOutcome } from './reportOutcome.ts';
import { isYes } from './states.ts';
import { usualClass } from './stateWords.ts';
import { isZoned, timeOf } from './times.ts';

/**
 * A record's report of present or past work on it (`lastJob`, `recentTasks`, `lastOperationStatus`; spec §6 shows
 * none). Texts are as they came, times are milliseconds since the epoch. `isZoned` tells whether the times name their
 * zone: others may be hours off.
 */
export type Report = Readonly<{
  /** Tells it from other reports of the same record. It stays the same while the work goes on. */
  identity: string;
  /**
   * Whether `identity` is only its place and kind, without a number or time of its own. The next report takes it over.
   */
  isPlace: boolean;
  kind: string | undefined;
  word: string | undefined;
  /** The text that decides its outcome, where `word` is another one: `state: "FINISHED", result: "PARTIAL"`. */
  told?: string | undefined;
  /** With warnings it is done, and its word says so; in part it is neither done nor failed. */
  outcome: ReportOutcome;
  error: string | undefined;
  by: string | undefined;
  beganAt: number | undefined;
  endedAt: number | undefined;
  isZoned: boolean;
  /** The identifiers that it mentions. */
  about: readonly Identifier[];
}>;

/**
 * The reports in the record `id` with the fields `tree`, down to a depth of eight, without those of other records
 * inside it.
 */
export function reportsOf(tree: Tree, id: Identifier): readonly Report[] {
  const found: Report[] = [];
  addReports(found, tree, { id, path: '', isReport: false, depth: 0 });
  return found;
}

/** A place in the record `id`. `isReport` says that it is inside of what a key calls a report. */
type Place = Readonly<{ id: Identifier; path: string; isReport: boolean; depth: number }>;

function addReports(found: Report[], node: Tree, { id, path, isReport: wasReport, depth }: Place): void {
  if (depth > 8) return;
  for (const [rawKey, value] of Object.entries(node)) {
    const key = plainKey(rawKey);
    const isReport = wasReport || assumed.report.test(key);
    for (const item of Array.isArray(value) ? endsOf(value) : [value]) {
      if (!isTree(item) || (!isReport && isOtherRecord(key, item, id))) continue;
      const here = below(path, key);
      const report = isReport ? (reportIn(item, here) ?? reportIn(workOfNow(key, item), here)) : undefined;
      if (report) found.push(report);
      else addReports(found, item, { id, path: here, isReport, depth: depth + 1 });
    }
  }
  for (const [work, facts] of flatReportsIn(node)) {
    const report = reportIn(Object.fromEntries(facts), below(path, work));
    if (report) found.push(report);
  }
  for (const [key, word] of stepsIn(node))
    found.push({ ...untold, identity: JSON.stringify([null, below(path, key)]), word });
}

/** The report of a word in the place for the work of now that says "well" of a record, and of work maybe a step: `OPEN`. */
const untold: Omit<Report, 'identity' | 'word'> = {
  ...{ isPlace: true, kind: undefined, outcome: 'unknown', error: undefined, by: undefined },
  ...{ beganAt: undefined, endedAt: undefined, isZoned: true, about: [] },
};

function stepsIn(node: Tree): readonly (readonly [key: string, word: string])[] {
  return Object.entries(node).flatMap(([rawKey, value]) => {
    const key = plainKey(rawKey);
    const isStep = typeof value === 'string' && isWorkText(key, value) && usualClass(value) === 'ok' && !saysHow(value);
    return isStep ? [[key, value] as const] : [];
  });
}

type Facts = readonly (readonly [key: string, value: unknown])[];

/** The facts of reports in the object itself, by work: side by side (`lastJobState`, `lastJobError`), or in one word. */
function flatReportsIn(node: Tree): ReadonlyMap<string, Facts> {
  const works = new Map<string, Facts>();
  const add = (work: string, key: string, value: unknown) =>
    works.set(work, [...(works.get(work) ?? []), [key, value]]);
  for (const [rawKey, value] of Object.entries(node)) {
    const key = plainKey(rawKey);
    const [, work, fact] = (assumed.flatReport.exec(key) ?? []).filter(part => part !== undefined);
    if (work !== undefined && fact !== undefined) add(work, fact, value);
    // A number may stand for work, or measure it: nobody knows.
    else if (isNumberOfWork(key, value)) add(key, 'status', String(value));
    else if (assumed.underWay.test(key) && value === true) add(key, 'status', 'RUNNING');
    else if (typeof value !== 'string') continue;
    // `busyWith: "BACKUP"` and `lastJob: "FAILED"` are reports, too.
    else if (assumed.underWay.test(key) && !deniesErrors(value))
      works.set(key, Object.entries({ status: 'RUNNING', kind: value }));
    else if (assumed.report.test(key) && saysHow(value)) add(key, 'status', value);
    else if (isWorkOfNow(key, value)) works.set(key, Object.entries({ status: 'RUNNING', kind: value }));
  }
  return works;
}

/** Whether a number stands in the place for the work of now: `activity: 200`. A text there may name the work by its number. */
function isNumberOfWork(key: string, value: unknown): boolean {
  const isPlace = assumed.now.test(key) || (assumed.underWay.test(key) && typeof value === 'number');
  return isPlace && /^[1-9]\d*$/.test(String(value));
}

/** Whether a text that does not say how work goes names the work itself: `currentOperation: "BACKUP"`. */
function isWorkOfNow(key: string, value: string): boolean {
  return isWorkText(key, value) && ['busy', 'unknown'].includes(usualClass(value));
}

/** Whether a text stands in the place for the work of now, and says more than whether there is any. */
function isWorkText(key: string, value: string): boolean {
  return assumed.now.test(key) && isYes(value) === undefined && !deniesErrors(value) && !assumed.level.test(value);
}

/** The work that an object of now names, which has neither a state nor a time: `activity: {current: "BACKUP"}`. */
function workOfNow(key: string, item: Tree): Tree {
  const named = Object.entries(item).find(([name]) => assumed.workOfNow.includes(plainKey(name)))?.[1];
  return typeof named === 'string' && isWorkOfNow(key, named) ? { status: 'RUNNING', kind: named } : {};
}

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** The maximum number of entries that are read at each end of a list of reports. The newest stands at one of them. */
const maxAtEnd = 100;

function endsOf(list: readonly unknown[]): readonly unknown[] {
  return list.length <= 2 * maxAtEnd ? list : [...list.slice(0, maxAtEnd), ...list.slice(-maxAtEnd)];
}

function reportIn(tree: Tree, path: string): Report | undefined {
  const own = leaves(tree, (key, value) => Array.isArray(value) && !assumed.error.includes(key)).filter(
    ({ path: at }) => at.length <= 2,
  );
  const at = (names: readonly string[]) =>
    names.flatMap(name => own.filter(leaf => leaf.path[0] === name && isPlainly(leaf))).at(0);
  const said = own.filter(
    leaf => assumed.reported.state.includes(leaf.path[0] ?? '') && isPlainly(leaf) && textAt(leaf) !== undefined,
  );
  const kind = at(assumed.reported.kind);
  const began = at(assumed.reported.began);
  const ended = at(assumed.reported.ended);
  const entry = said.length === 0 && (began ?? ended) !== undefined ? logEntryIn(textAt(kind), own) : undefined;
  // An object with neither a state nor a kind and a time is no report, and a beginning in a log ends nowhere.
  if (said.length === 0 && !entry && (kind === undefined || (began ?? ended) === undefined)) return undefined;
  if (entry?.outcome === 'busy') return undefined;
  const number = at(assumed.reported.id);
  const named = entry?.kind ?? textAt(kind) ?? kindIn(path);
  const { outcome, told } = entry ?? outcomeOf(said, own, { kind: named, when: began ?? ended ?? number });
  // The one time of an entry is that of the end that it tells.
  const [beganAt, endedAt] = [
    timeOf(entry && !ended ? undefined : began?.value),
    timeOf((ended ?? (entry && began))?.value),
  ];
  const texts = [assumed.error, outcome === 'failed' ? assumed.explanation : []].flat();
  const error = own.find(
    leaf => texts.includes(leaf.path[0] ?? '') && typeof leaf.value === 'string' && !deniesErrors(leaf.value),
  );
  const identity = number?.value ?? began?.value;
  const isShare = said.some(leaf => saysShare(textAt(leaf) ?? ''));
  const word = entry?.kind ?? textAt(said.find(leaf => typeof leaf.value !== 'boolean'));
  return {
    identity: JSON.stringify([kind?.value ?? null, identity ?? path]),
    isPlace: identity === undefined,
    kind: named,
    ...{ word, told: told === word ? undefined : told },
    outcome: endOf(outcome, { isOver: endedAt !== undefined, hasError: error !== undefined, isShare }),
    error: entry?.error ?? textAt(error),
    by: textAt(at(assumed.reported.by)),
    ...{ beganAt, endedAt },
    isZoned: [began, ended].every(leaf => leaf === undefined || isZoned(leaf.value)),
    about: identifiersAmong(own.map(({ value }) => value)),
  };
}

/** How the facts beside its outcome, such as the time of its end, let work have ended. */
function endOf(
  outcome: ReportOutcome,
  { isOver, hasError, isShare }: Readonly<Record<'isOver' | 'hasError' | 'isShare', boolean>>,
): ReportOutcome {
  // Work that has ended and shows an error has failed, even if its state says otherwise.
  if (hasError && outcome !== 'busy' && (outcome === 'done' || isOver)) return 'failed';
  return outcome === 'unknown' && isOver && isShare ? 'partial' : outcome;
}

/** The kind of work of a report, by its identity; `undefined` where that holds none that is plain text. */
export function kindInIdentity(identity: string): string | undefined {
  return /^\["([^"\\]+)"/.exec(identity)?.[1];
}

/** Whether only the place of a report, such as `lastBackup`, names its work: it tells no more than the time in it. */
export function isSummary({ kind, identity }: Report): boolean {
  return kind !== undefined && kindInIdentity(identity) === undefined;
}

/** Whether the identity of a report holds a number or a time, and not only its place, where the next one follows it. */
export function isNumbered(identity: string): boolean {
  return /\d/.test(placeIn(identity));
}

const placeIn = (identity: string) => identity.slice(identity.lastIndexOf(','));

/** Whether two reports without numbers and times, by their identities, stand in one place, where one follows the other. */
export function isSamePlace(one: string, other: string): boolean {
  return placeIn(one) === placeIn(other);
}

/** What the entry of a log tells in one text: `event: "BACKUP_COMPLETED"`, `text: "BACKUP failed: disk full"`. */
type LogEntry = Readonly<{ kind: string; outcome: Report['outcome']; error: string | undefined; told?: undefined }>;

function logEntryIn(kind: string | undefined, own: readonly Leaf[]): LogEntry | undefined {
  const remarks = own
    .filter(({ path }) => path.length === 1 && assumed.explanation.includes(path[0] ?? ''))
    .map(textAt);
  for (const text of kind !== undefined && readOutcome(kind) !== 'unknown' ? [kind] : remarks) {
    const [, head = '', rest] = /^([^:]{1,100})(?:: *(.*))?$/s.exec(text ?? '') ?? [];
    const first = readOutcome(head);
    if (first === 'unknown') continue;
    // “Backup finished: FAILED”.
    const outcome = plainly(outcomeOfAll([first, readOutcome(rest ?? '')]));
    const words = text === kind || kind === undefined ? head : `${kind} ${head}`;
    return { kind: words, outcome, error: outcome === 'failed' ? (rest ?? head) : undefined };
  }
  return undefined;
}

/** The kind of work that a key names, as in `lastRestore: {state: "FAILED"}`. */
function kindIn(path: string): string | undefined {
  const [, kind] = /(?:^|\.)(?:last|latest|current)([a-z]+?)(?:info|details?)?$/.exec(path) ?? [];
  return kind === undefined || assumed.report.test(kind) ? undefined : kind;
}

/** Whether a text is the state of work, as `FAILED` is and `RESTORE` is not. */
function saysHow(word: string): boolean {
  const outcome = readOutcome(word);
  return outcome === 'busy' ? /ing\b|progress|pending|queued/i.test(word) : outcome !== 'unknown';
}

/**
 * Whether a leaf is a fact itself or the word inside it: `status: "OK"` or `status: {name: "OK"}`, but not
 * `status: {error: "no"}`.
 */
function isPlainly({ path, key }: Leaf): boolean {
  return path.length === 1 || assumed.stateWord.includes(key);
}
