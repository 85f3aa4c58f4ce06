import { meaningIn } from '../../ground/wording.ts';
import { type Identifier, identifiersAmong } from '../identifiers.ts';
import { assumed } from './assumedKeys.ts';
import { flatReportsIn, stepsIn, workOfNow } from './flatReports.ts';
import { isTree, type Leaf, leaves, plainKey, type Tree, textAt } from './jsonTree.ts';
import { logEntryIn } from './logEntry.ts';
import { pathsOf } from './mappedPaths.ts';
import { type Attempts, attemptPlaces, attemptsIn } from './moreToCome.ts';
import { deniesErrors, saysShare } from './outcomes.ts';
import { isOtherRecord } from './ownIdentifier.ts';
import type { Mapping, ReportPaths } from './recordMapping.ts';
import { outcomeOf, type ReportOutcome } from './reportOutcome.ts';
import { isZoned, timeOf } from './times.ts';
import { endsOf, pathsIn, valuesAt, withTold } from './toldFacts.ts';
import { factsOfReport } from './toldReports.ts';

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
  /** Its number as it came, and which try it tells of where none has succeeded, with the most of them. */
  number?: string | undefined;
  attempts?: Attempts | undefined;
}>;

type PlacesOfReport = Readonly<Partial<Record<keyof Omit<ReportPaths, 'at' | 'work'>, string>>>;

/**
 * A report with the object in which it stands, as dotted keys, and the place of each fact in that. Those of one `sort` stand in
 * one place, or have their facts side by side there.
 */
export type PlacedReport = Readonly<{
  report: Report;
  at: string;
  sort: string;
  /** `undefined` where a fact was put together from a key and what stands there: no path leads to it. */
  from: (() => PlacesOfReport) | undefined;
}>;

/**
 * The reports in the record `id` with the fields `tree`: at the places of the mapping where it has any for such records, else
 * down to a depth of eight, without those of other records inside it.
 */
export function reportsIn(tree: Tree, id: Identifier, mapping: Mapping): readonly PlacedReport[] {
  const { reports } = pathsOf(mapping, id.noun);
  if (reports) return reports.flatMap(paths => toldReports(tree, paths, mapping));
  const found: PlacedReport[] = [];
  addReports(found, tree, { id, mapping, path: '', shown: '', isReport: false, depth: 0 });
  return found;
}

/** The reports at the places that the mapping gives for one sort of them. */
function toldReports(tree: Tree, paths: ReportPaths, mapping: Mapping): readonly PlacedReport[] {
  const { at, work, outcome, kind } = paths;
  const places = at === undefined ? [{ path: '', value: tree }] : valuesAt(tree, at);
  return places.flatMap(({ path: shown, value }) => {
    // Reports whose facts stand in the record itself are told apart by the first of these.
    const path = (shown || pathsIn(outcome ?? kind ?? '')[0] || '').split('.').map(plainKey).join('.');
    return (Array.isArray(value) ? endsOf(value) : [value]).flatMap(item => {
      if (!isTree(item)) return [];
      const facts = factsOfReport(item, paths);
      const read = readReport(facts, { path, mapping, work, whole: at === undefined ? facts : item });
      return read ? { ...read, at: shown, sort: path, from: undefined } : [];
    });
  });
}

/** A place in the record `id`, by its plain keys and as it is `shown`. `isReport`: inside of what a key calls a report. */
type ReportPlace = Readonly<{
  id: Identifier;
  mapping: Mapping;
  path: string;
  shown: string;
  isReport: boolean;
  depth: number;
}>;

function addReports(found: PlacedReport[], node: Tree, place: ReportPlace): void {
  const { id, mapping, path, isReport: wasReport, depth } = place;
  if (depth > 8) return;
  for (const [rawKey, value] of Object.entries(node)) {
    const key = plainKey(rawKey);
    const isReport = wasReport || assumed.report.test(key);
    for (const item of Array.isArray(value) ? endsOf(value) : [value]) {
      if (!isTree(item) || (!isReport && isOtherRecord(key, item, id))) continue;
      const here = placeOf(below(path, key), mapping);
      const at = below(place.shown, rawKey);
      const read = isReport ? (readReport(item, here) ?? readNow(key, item, here)) : undefined;
      if (read) found.push({ ...read, at, sort: here.path });
      else addReports(found, item, { id, mapping, path: here.path, shown: at, isReport, depth: depth + 1 });
    }
  }
  addFlatReports(found, node, place);
}

function placeOf(path: string, mapping: Mapping): HowToRead {
  return { path, mapping, work: kindIn(path) };
}

function readNow(key: string, item: Tree, here: HowToRead): ReadReport | undefined {
  const read = readReport(workOfNow(key, item), here);
  return read && { ...read, from: undefined };
}

function addFlatReports(found: PlacedReport[], node: Tree, { mapping, path, shown }: ReportPlace): void {
  for (const [work, facts] of flatReportsIn(node)) {
    const sort = below(path, work);
    const read = readReport(Object.fromEntries(facts), placeOf(sort, mapping));
    const keyOf = new Map(facts.map(([fact, , rawKey]) => [fact, rawKey] as const));
    const from = () =>
      Object.fromEntries(Object.entries(read?.from?.() ?? {}).map(([fact, key]) => [fact, keyOf.get(key)]));
    const isPlaced = facts.every(([, , rawKey]) => rawKey !== undefined);
    if (read) found.push({ report: read.report, at: shown, sort, from: isPlaced ? from : undefined });
  }
  for (const [key, word] of stepsIn(node)) {
    const report = { ...untold, identity: JSON.stringify([null, below(path, key)]), word };
    found.push({ report, at: shown, sort: below(path, key), from: undefined });
  }
}

/** The report of a word in the place for the work of now that says "well" of a record, and of work maybe a step: `OPEN`. */
const untold: Omit<Report, 'identity' | 'word'> = {
  ...{ isPlace: true, kind: undefined, outcome: 'unknown', error: undefined, by: undefined },
  ...{ beganAt: undefined, endedAt: undefined, isZoned: true, about: [] },
};

function below(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}

/** How an object is read as a report: the work that its `path` names, and the `whole` object where the mapping chose its facts. */
type HowToRead = Readonly<{ path: string; mapping: Mapping; work: string | undefined; whole?: Tree }>;

type ReadReport = Omit<PlacedReport, 'at' | 'sort'>;

function readReport(tree: Tree, { path, mapping, work, whole = tree }: HowToRead): ReadReport | undefined {
  const own = factsOf(tree);
  const at = (names: readonly string[]) =>
    names.flatMap(name => own.filter(leaf => leaf.path[0] === name && isPlainly(leaf))).at(0);
  const said = saidIn(own, mapping);
  const { kind: kinds, began: beginnings, ended: ends, id: numbers, by: people } = assumed.reported;
  const [kind, began, ended, number, by] = [at(kinds), at(beginnings), at(ends), at(numbers), at(people)];
  const entry = said.length > 0 ? undefined : logEntryIn(textAt(kind), own, began ?? ended);
  // An object with neither a state nor a kind and a time is no report, and a beginning in a log ends nowhere.
  if (said.length === 0 && !entry && (kind === undefined || (began ?? ended) === undefined)) return undefined;
  if (entry?.outcome === 'busy') return undefined;
  const named = entry?.kind ?? textAt(kind) ?? work;
  const read = entry ?? outcomeOf(said, own, { kind: named, when: began ?? ended ?? number });
  // The one time of an entry is that of the end that it tells.
  const beganAt = timeOf(entry && !ended ? undefined : began?.value);
  const endedAt = timeOf((ended ?? (entry && began))?.value);
  const error = errorIn(own, read);
  const identity = number?.value ?? began?.value;
  const isShare = said.some(leaf => saysShare(textAt(leaf) ?? ''));
  const word = entry?.kind ?? textAt(said.find(leaf => typeof leaf.value !== 'boolean'));
  const report: Report = {
    identity: JSON.stringify([kind?.value ?? null, identity ?? path]),
    isPlace: identity === undefined,
    kind: named === undefined ? undefined : withTold('works', named, mapping),
    ...{ word, told: read.told === word ? undefined : read.told },
    outcome: endOf(read, { isOver: endedAt !== undefined, hasError: error !== undefined, isShare }),
    error: entry?.error ?? textAt(error),
    by: textAt(by),
    ...{ beganAt, endedAt },
    isZoned: [began, ended].every(leaf => leaf === undefined || isZoned(leaf.value)),
    about: identifiersAmong((whole === tree ? own : factsOf(whole)).map(({ value }) => value)),
    ...(number && { number: textAt(number) }),
    ...attemptsIn(own, read.outcome),
  };
  return {
    report,
    from: () =>
      placesOfFacts({
        ...{ kind, begin: began, end: ended, number, person: by, error, outcome: bestOf(said) },
        ...attemptPlaces(own),
      }),
  };
}

/** The plain values of an object, and those one level deeper. */
function factsOf(tree: Tree): readonly Leaf[] {
  const all = leaves(tree, (key, value) => Array.isArray(value) && !assumed.error.includes(key));
  return all.filter(({ path }) => path.length <= 2);
}

/** The words of a report about how its work goes, each with the outcome that it has by the mapping. */
function saidIn(own: readonly Leaf[], mapping: Mapping): readonly Leaf[] {
  const said = own.filter(
    leaf => assumed.reported.state.includes(leaf.path[0] ?? '') && isPlainly(leaf) && textAt(leaf) !== undefined,
  );
  return said.map(leaf => {
    const value = withTold('outcomes', String(leaf.value), mapping);
    return value === String(leaf.value) ? leaf : { ...leaf, value };
  });
}

type OutcomeRead = Readonly<{ outcome: ReportOutcome; told?: string | undefined }>;

function errorIn(own: readonly Leaf[], { outcome, told = '' }: OutcomeRead): Leaf | undefined {
  if (outcome === 'done' && meaningIn(told) !== undefined) return undefined;
  const texts = [assumed.error, outcome === 'failed' ? assumed.explanation : []].flat();
  return own.find(
    leaf => texts.includes(leaf.path[0] ?? '') && typeof leaf.value === 'string' && !deniesErrors(leaf.value),
  );
}

/** Of several words about the state of one work, the one that says how it ended. */
function bestOf(said: readonly Leaf[]): Leaf | undefined {
  return said.find(({ path }) => assumed.reported.result.includes(path[0] ?? '')) ?? said[0];
}

function placesOfFacts(facts: Readonly<Record<string, Leaf | undefined>>) {
  return Object.fromEntries(Object.entries(facts).flatMap(([fact, leaf]) => (leaf ? [[fact, leaf.shown]] : [])));
}

/** How the facts beside its outcome, such as the time of its end, let work have ended. */
function endOf(
  { outcome, told = '' }: OutcomeRead,
  { isOver, hasError, isShare }: Readonly<Record<'isOver' | 'hasError' | 'isShare', boolean>>,
): ReportOutcome {
  if (meaningIn(told) !== undefined) return outcome;
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

/** The kind of work that a key names, as in `lastRestore: {state: "FAILED"}`. */
function kindIn(path: string): string | undefined {
  const [, kind] = /(?:^|\.)(?:last|latest|current)([a-z]+?)(?:info|details?)?$/.exec(path) ?? [];
  return kind === undefined || assumed.report.test(kind) ? undefined : kind;
}

/**
 * Whether a leaf is a fact itself or the word inside it: `status: "OK"` or `status: {name: "OK"}`, but not
 * `status: {error: "no"}`.
 */
function isPlainly({ path, key }: Leaf): boolean {
  return path.length === 1 || assumed.stateWord.includes(key);
}
