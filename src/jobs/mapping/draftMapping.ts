import { parseIdentifier } from '../../api/identifiers.ts';
import { pathsOf } from '../../api/reading/mappedPaths.ts';
import { Mapping, type Paths } from '../../api/reading/recordMapping.ts';
import { type RecordView, viewRecord } from '../../api/reading/recordView.ts';
import { inRow, withoutMeaning } from '../../ground/wording.ts';
import { ownSnapshots } from '../../records/snapshots.ts';
import { pathOfFact, pathsOfReports, pathsOfSnapshots, pathsOfTimes } from './draftPaths.ts';
import { asMapping, namesOfPeople, serviceWords, type WordsFound } from './draftWords.ts';

/** The kinds of records in a mapping. */
export const mappedKinds = ['database', 'environment', 'user', 'project'] as const;
export type MappedKind = (typeof mappedKinds)[number];

/** The records of each kind as one sign-in sees them; a record may stand there twice, as two answers show it. */
type Samples = Readonly<Record<MappedKind, readonly RecordView[]>>;

/** A line of the draft, and what it rests on. */
type DraftLine = Readonly<{ text: string; why?: string }>;

/**
 * Drafts a first RECORDS_FILE: the places and words by which these records read as they read now, each with what it rests on. What
 * the file in force tells is repeated, and what no path or word can tell stands as a remark.
 */
export function draftMapping(samples: Samples): string {
  const all = mappedKinds.flatMap(kind => samples[kind]);
  const inForce = all[0]?.given?.mapping ?? {};
  const kinds = mappedKinds.flatMap(kind => {
    const lines = samples[kind].length === 0 ? [] : linesOfKind(kind, samples[kind], inForce);
    return lines.length === 0 ? [] : [{ text: `${kind}:` }, ...lines.map(indented)];
  });
  const words = serviceWords(all);
  const tables = (['states', 'works', 'outcomes'] as const).flatMap(table =>
    linesOfWords(table, words[table], all, inForce),
  );
  const dates = inForce.dates === undefined ? [] : [{ text: `dates: ${inForce.dates}`, why: 'as RECORDS_FILE says' }];
  return [
    ...['# Nothing here takes effect until it is in RECORDS_FILE. I no longer guess what is set there,'],
    ...['# so check each line, and take out what is wrong.'],
    ...[...kinds, ...tables, ...dates].map(({ text, why }) =>
      why === undefined ? text : `${text.padEnd(38)} # ${why}`,
    ),
    '',
  ].join('\n');
}

const indented = ({ text, ...rest }: DraftLine): DraftLine => ({ ...rest, text: `  ${text}` });

function linesOfKind(kind: MappedKind, records: readonly RecordView[], inForce: Mapping): readonly DraftLine[] {
  const isOfPeople = namesOfPeople(records);
  const told = pathsOf(inForce, records[0]?.id.noun);
  const count = (has: (record: RecordView) => boolean) => new Set(records.filter(has).map(({ id }) => id.text)).size;
  const part = <Name extends keyof Paths>(name: Name, found: Paths[Name], has: (record: RecordView) => boolean) => {
    if (told[name] !== undefined) return yamlOf(name, told[name], 'as RECORDS_FILE says');
    if (count(has) === 0) return [];
    const isSure = found !== undefined && isPublic(found, isOfPeople);
    if (!isSure || !readsAlike(records, { ...inForce, [kind]: { ...told, [name]: found } }))
      return [{ text: `# ${name}: found as before, because no path gives it for each record` }];
    const words = name === 'state' ? wordsOf(records) : '';
    return yamlOf(name, found, `in ${count(has)} of ${count(() => true)} records${words}`);
  };
  const fact = (name: 'name' | 'state' | 'error' | 'source' | 'environment') =>
    part(name, pathOfFact(records, name), record => record.readFrom[name] !== undefined);
  const times = pathsOfTimes(records);
  return [
    ...(['name', 'state', 'error', 'source', 'environment'] as const).flatMap(fact),
    ...part('reports', pathsOfReports(records), record => record.reports.length > 0),
    ...(kind === 'database'
      ? part('snapshots', pathsOfSnapshots(records), record => ownSnapshots(record).length > 0)
      : []),
    ...part('times', times, record => Object.keys(times).length > 0 && Object.keys(record.times).length > 0),
  ];
}

function wordsOf(records: readonly RecordView[]): string {
  const { told, open } = serviceWords(records).states;
  const all = [...[...told.values()].flatMap(words => [...words]), ...open].map(([word, many]) => `${word} ${many}`);
  return all.length === 0 ? '' : `: ${inRow(all, 4)}`;
}

function linesOfWords(
  table: 'states' | 'works' | 'outcomes',
  found: WordsFound,
  records: readonly RecordView[],
  inForce: Mapping,
): readonly DraftLine[] {
  const told = new Map(Object.entries(inForce[table] ?? {}));
  const seen = new Map(Object.entries(asMapping(found)));
  const wordsFor = (name: string) => [...new Set([told, seen].flatMap(words => words.get(name) ?? []))];
  const words = new Map([...told.keys(), ...seen.keys()].map(name => [name, wordsFor(name)] as const));
  const isAlike = readsAlike(records, Mapping.safeParse({ ...inForce, [table]: Object.fromEntries(words) }).data);
  const open = [...found.open].map(([word, many]) => `${word} ${many}`);
  const lines = [...words].map(([name, all]) => {
    const counts = found.told.get(name);
    const why = inRow(
      [...(counts ?? [])].map(([word, many]) => `${word} ${many}`),
      6,
    );
    return {
      text: `  ${name}: [${all.map(scalar).join(', ')}]`,
      why: why === '' ? 'as RECORDS_FILE says' : `seen: ${why}`,
    };
  });
  return [
    ...(lines.length === 0
      ? []
      : isAlike
        ? [{ text: `${table}:` }, ...lines]
        : [{ text: `# ${table}: what they mean depends on what stands beside them` }]),
    ...(open.length === 0 ? [] : [{ text: `# words for ${table} that I did not understand: ${inRow(open, 12)}` }]),
  ];
}

/** Whether what stands in these paths is of the service, and not of people: no key is an identifier or somebody's name. */
function isPublic(paths: unknown, isOfPeople: (text: string) => boolean): boolean {
  if (paths === undefined) return true;
  if (typeof paths === 'object' && paths !== null) return Object.values(paths).every(one => isPublic(one, isOfPeople));
  const isKey = (key: string) => parseIdentifier(key) === undefined && !isOfPeople(key);
  return /^[\p{L}\p{N}_.@$ -]{1,120}$/u.test(String(paths)) && String(paths).split('.').every(isKey);
}

/** Whether records read alike by a mapping as they did. */
function readsAlike(records: readonly RecordView[], mapping: Mapping | undefined): boolean {
  return (
    mapping !== undefined &&
    records.every(
      record =>
        record.given === undefined ||
        comparableFacts(viewRecord(record.given.tree, record.id, mapping)) === comparableFacts(record),
    )
  );
}

/** All that a mapping can tell of a record, in a form to compare. */
export function comparableFacts(record: RecordView): string {
  const { name, state, error, source, environment, reports, times } = record;
  const bare = (text: string | undefined) => text && withoutMeaning(text);
  return JSON.stringify([
    ...[name, state && [bare(state.word), state.class], error, source?.id.text, environment?.id.text],
    reports.map(({ kind, word, told, outcome, error, by, beganAt, endedAt, number }) => [
      ...[bare(kind), bare(told ?? word), outcome, error, by, beganAt, endedAt, number],
    ]),
    ownSnapshots(record).map(({ id, label, time, condition }) => [id.text, label, time, condition]),
    Object.entries(times)
      .map(([path, at]) => [bare(path), at])
      .toSorted(),
  ]);
}

/** A value of the mapping as YAML, with a remark at its first line. */
function yamlOf(name: string, value: unknown, why: string): readonly DraftLine[] {
  if (Array.isArray(value) && value.length > 0 && value.every(one => typeof one === 'object')) {
    const items = value.flatMap(one =>
      yamlOf('', one, '')
        .slice(1)
        .map(({ text }, nth) => ({ text: `${nth === 0 ? '  - ' : '    '}${text.trimStart()}` })),
    );
    return [{ text: `${name}:`, why }, ...items];
  }
  if (Array.isArray(value)) return [{ text: `${name}: [${value.map(scalar).join(', ')}]`, why }];
  if (typeof value !== 'object' || value === null) return [{ text: `${name}: ${scalar(value)}`, why }];
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined);
  const lines = given.flatMap(([key, inner]) => yamlOf(key, inner, '').map(({ text }) => indented({ text })));
  return [{ text: `${name}:`, why }, ...lines];
}

/** A text as YAML reads it back: in quotes where it might be taken for something else. */
function scalar(value: unknown): string {
  const text = String(value);
  return /^[A-Za-z_][\w.]*$/.test(text) && !/^(true|false|null|yes|no|on|off|y|n)$/i.test(text)
    ? text
    : JSON.stringify(text);
}
