import { nounNames } from '../../api/identifiers.ts';
import { plainKey } from '../../api/reading/jsonTree.ts';
import { pathsOf } from '../../api/reading/mappedPaths.ts';
import type { Mapping } from '../../api/reading/recordMapping.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isReported } from '../../api/reading/reportKeys.ts';
import { type PlacedReport, reportsIn } from '../../api/reading/reports.ts';
import { maskPasswords } from '../../api/secrets/passwords.ts';
import { counted, inRow, withoutMeaning } from '../../ground/wording.ts';
import { isCheck, isOwnSignOn, speaksOf, works } from '../../operations/work.ts';
import { ownSnapshots, unfitAt, unfitWords } from '../../records/snapshots.ts';

/* What Dolly understands of records, in sentences for whoever writes RECORDS_FILE. */

/** The facts whose places a mapping may name, as they are called there. */
const factNames = ['name', 'state', 'error', 'source', 'environment'] as const;

/** What is understood of one record at the time `now`, a line each, and from where it was read. */
export function describeRecord(record: RecordView, mapping: Mapping, now: number): readonly string[] {
  const { id } = record;
  const paths = pathsOf(mapping, id.noun);
  const by = (isTold: boolean) => (isTold ? 'by RECORDS_FILE' : 'guessed');
  const reports = placedIn(record).map(
    ({ report, at }) => `report${at === '' ? '' : ` at ${at}`}: ${describeReport(report)}`,
  );
  const snapshots = ownSnapshots(record);
  return [
    `${id.text}${id.noun ? `, ${nounNames[id.noun].one}` : ''}`,
    ...factNames.flatMap(fact => {
      const place = record.readFrom[fact];
      if (place !== undefined)
        return `${fact}: ${factOf(record, fact)} (${by(paths[fact] !== undefined)}, from ${place})`;
      if (paths[fact] === undefined) return fact === 'name' || fact === 'state' ? `${fact}: none found` : [];
      return `${fact}: none; RECORDS_FILE places it at ${[paths[fact]].flat().join(' or ')}, where I found nothing that fits`;
    }),
    ...reports.map(line => `${line} (${by(paths.reports !== undefined)})`),
    ...(reports.length === 0 && paths.reports !== undefined ? ['report: none at the places of RECORDS_FILE'] : []),
    ...snapshots.slice(0, 3).map(one => {
      const why = unfitAt(one, now);
      const label = one.label === undefined ? '' : ` “${one.label}”`;
      return `snapshot: ${one.id.text}${label}${timed(' of', one.time)}${why ? `, which ${unfitWords[why].says}` : ''} (${by(paths.snapshots !== undefined)})`;
    }),
    ...(snapshots.length > 3 ? [`snapshot: ${counted(snapshots.length - 3, 'more', 'more')}`] : []),
    ...Object.entries(record.times).map(([path, at]) => {
      const isTold = path !== withoutMeaning(path);
      return `time: ${path}${timed(',', at)}, ${worksOf(record, path)} (${by(isTold)})`;
    }),
  ].map((line, nth) => inPlain(nth === 0 ? line : `  ${line}`));
}

/** A line without passwords, and without what a terminal would obey. */
function inPlain(line: string): string {
  return maskPasswords(line).replace(/\p{Cc}/gu, ' ');
}

function placedIn({ id, given }: RecordView): readonly PlacedReport[] {
  return given ? reportsIn(given.tree, id, given.mapping) : [];
}

function factOf(record: RecordView, fact: (typeof factNames)[number]): string {
  if (fact === 'state') return `${record.state?.word ?? ''}, which is ${classOf(record)}`;
  const value = record[fact];
  return typeof value === 'string' ? value : [value?.id.text, value?.label].filter(Boolean).join(' ');
}

function classOf({ state }: RecordView): string {
  return state === undefined || state.class === 'unknown' ? 'not understood' : state.class;
}

function timed(before: string, at: number | undefined): string {
  return at === undefined ? '' : `${before} ${new Date(at).toISOString()}`;
}

function describeReport(report: PlacedReport['report']): string {
  const { kind, word, told = word, outcome, by, number, beganAt, endedAt, attempts, error } = report;
  const tries = attempts && `try ${attempts.now}${attempts.most === undefined ? '' : ` of ${attempts.most}`}`;
  const facts = [
    kind ?? 'no kind',
    `${told === undefined ? '' : `${told}, which is `}${outcome === 'unknown' ? 'not understood' : outcome}`,
    ...[by && `by ${by}`, number && `number ${number}`, timed('from', beganAt), timed('to', endedAt), tries],
    error && `error: ${error}`,
  ];
  return facts.filter(Boolean).join('; ');
}

/** The works whose time a path is. */
function worksOf(record: RecordView, path: string): string {
  const names = Object.values(works).flatMap(work => (isOwnSignOn(record, path, work) ? [work.name] : []));
  return names.length === 0 ? 'a time of no work' : `a time of ${names.join(' or ')}`;
}

/** Words of one sort with how often each stands in records. */
type Count = ReadonlyMap<string, number>;

/** The words by which records tell of states and work, and the paths from which nothing is read. */
type WordsSeen = Readonly<
  Record<'states' | 'unknownStates' | 'kinds' | 'unknownKinds' | 'outcomes' | 'unknownOutcomes' | 'unread', Count>
>;

/** Counts the words of records. */
export function countWords(records: readonly RecordView[]): WordsSeen {
  const states = records.flatMap(({ state }) => (state ? [state] : []));
  const reports = records.flatMap(record => record.reports);
  const said = reports.flatMap(({ told, word, outcome }) => {
    const text = told ?? word;
    return text === undefined ? [] : [{ text, outcome }];
  });
  const kinds = reports.flatMap(({ kind }) => kind ?? []);
  const count = (words: readonly string[]): Count =>
    new Map([...Map.groupBy(words, word => maskPasswords(word))].map(([word, { length }]) => [word, length]));
  return {
    states: count(states.flatMap(({ word, class: found }) => (found === 'unknown' ? [] : `${word} (${found})`))),
    unknownStates: count(states.flatMap(({ word, class: found }) => (found === 'unknown' ? word : []))),
    kinds: count(kinds.filter(namesWork)),
    unknownKinds: count(kinds.filter(kind => !namesWork(kind) && !isCheck(kind))),
    outcomes: count(said.flatMap(({ text, outcome }) => (outcome === 'unknown' ? [] : `${text} (${outcome})`))),
    unknownOutcomes: count(said.flatMap(({ text, outcome }) => (outcome === 'unknown' ? text : []))),
    unread: count(records.flatMap(unreadIn)),
  };
}

function namesWork(kind: string): boolean {
  return Object.values(works).some(work => speaksOf(kind, work) === 'yes');
}

/** The paths of a record's own values that are no fact, time, counter, reference or part of a report. */
function unreadIn(record: RecordView): readonly string[] {
  const places = placedIn(record).map(({ at }) => `${at}.`);
  const read = new Set([
    ...Object.values(record.readFrom),
    ...[...Object.keys(record.times), ...Object.keys(record.counters), ...record.mentions.map(({ path }) => path)],
  ]);
  return record.values.flatMap(({ path, value }) => {
    const isOfReport =
      places.some(place => place !== '.' && path.startsWith(place)) ||
      isReported({ path: path.split('.').map(plainKey) });
    return read.has(path) || isOfReport || value === record.id.text ? [] : path;
  });
}

/** The counts in sentences, each where there is anything to say. */
export function describeWords(seen: WordsSeen): readonly string[] {
  const line = (what: string, words: Count, most = 20): readonly string[] => {
    const all = [...words].toSorted(([, one], [, other]) => other - one).map(([word, many]) => `${word} ${many}`);
    return all.length === 0 ? [] : [inPlain(`${what}: ${inRow(all, most)}.`)];
  };
  return [
    ...line('States', seen.states),
    ...line('States that I did not understand (name them under states, or under works)', seen.unknownStates),
    ...line('Kinds of reports', seen.kinds),
    ...line('Kinds of reports that name no work (name them under works)', seen.unknownKinds),
    ...line('Outcomes of reports', seen.outcomes),
    ...line('Outcomes that I did not understand (name them under outcomes)', seen.unknownOutcomes),
    ...line('Values from which nothing is read stand at', seen.unread, 40),
  ];
}
