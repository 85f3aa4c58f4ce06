import { assumed } from '../../api/reading/assumedKeys.ts';
import { isTree, leaves, ranked } from '../../api/reading/jsonTree.ts';
import { nameIn } from '../../api/reading/labels.ts';
import { isOwnSnapshot } from '../../api/reading/mentions.ts';
import { isRecord } from '../../api/reading/ownIdentifier.ts';
import { type Path, type Paths, type ReportPaths, workNames } from '../../api/reading/recordMapping.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { type PlacedReport, reportsIn } from '../../api/reading/reports.ts';
import { conditionIn } from '../../api/reading/snapshotCondition.ts';
import { findState } from '../../api/reading/states.ts';
import { endsOf, valuesAt } from '../../api/reading/toldFacts.ts';
import { keysOf } from '../../ground/keys.ts';
import { isOwnSignOn, type Work, works } from '../../operations/work.ts';

/* The places in which the guesses found what they found, as a mapping names them. */

/** A place in which something was found once, and whether something stands at another place beside it. */
type FoundPlace = Readonly<{ path: string; has(path: string): boolean }>;

/** The places of one fact, the first of which counts that a record has; `undefined` where there is none. */
function pathOf(found: readonly FoundPlace[]): Path | undefined {
  const groups = [...Map.groupBy(found, ({ path }) => path)].toSorted(
    ([, one], [, other]) => other.length - one.length,
  );
  const paths = groups
    .toSorted(
      ([one, ofOne], [other, ofOther]) =>
        Number(ofOther.some(({ has }) => has(one))) - Number(ofOne.some(({ has }) => has(other))),
    )
    .map(([path]) => path);
  return paths.length > 1 ? paths : paths[0];
}

const nothingBeside = () => false;

/** The places of a plain fact. */
export function pathOfFact(
  records: readonly RecordView[],
  fact: 'name' | 'state' | 'error' | 'source' | 'environment',
) {
  const found = records.flatMap(({ readFrom, given }) => {
    const path = readFrom[fact];
    return path === undefined ? [] : [{ path, has: (other: string) => valuesAt(given?.tree, other).length > 0 }];
  });
  return pathOf(found);
}

/** The places of times by work, for those works whose name is in their keys. */
export function pathsOfTimes(records: readonly RecordView[]): NonNullable<Paths['times']> {
  const timesIn = (work: Work) =>
    records.flatMap(record => {
      const path = Object.keys(record.times).find(path => isOwnSignOn(record, path, work));
      return path === undefined ? [] : [{ path, has: nothingBeside }];
    });
  const all = keysOf(works).map(name => [works[name].name, pathOf(timesIn(works[name]))] as const);
  return Object.fromEntries(all.filter(([, path]) => path !== undefined));
}

/** The places of reports; `undefined` where no path leads to a fact of one. */
export function pathsOfReports(records: readonly RecordView[]): ReportPaths[] | undefined {
  const placed = records.flatMap(({ id, given }) => (given ? reportsIn(given.tree, id, {}) : []));
  const sorts = [...Map.groupBy(placed, ({ sort }) => sort).values()].map(pathsOfSort);
  return sorts.every(paths => paths !== undefined) ? sorts : undefined;
}

function pathsOfSort(placed: readonly PlacedReport[]): ReportPaths | undefined {
  const [first] = placed;
  const facts = placed.map(({ from }) => from?.());
  if (!first || facts.includes(undefined)) return undefined;
  const placeOf = (fact: keyof NonNullable<(typeof facts)[number]>) =>
    pathOf(facts.flatMap(places => (places?.[fact] === undefined ? [] : [{ path: places[fact], has: nothingBeside }])));
  const paths = {
    ...{ kind: placeOf('kind'), person: placeOf('person'), number: placeOf('number'), begin: placeOf('begin') },
    ...{ end: placeOf('end'), outcome: placeOf('outcome'), error: placeOf('error'), attempt: placeOf('attempt') },
    attempts: placeOf('attempts'),
  };
  const { kind } = first.report;
  const work =
    paths.kind === undefined && kind !== undefined ? workNames.find(name => name in works && kind === name) : undefined;
  if (paths.kind === undefined && kind !== work) return undefined;
  if (paths.outcome === undefined && (paths.kind === undefined || (paths.begin ?? paths.end) === undefined))
    return undefined;
  const at = first.at === '' ? {} : { at: first.at };
  return { ...at, ...paths, work };
}

/** The places of the snapshots of databases. */
export function pathsOfSnapshots(records: readonly RecordView[]): Paths['snapshots'] {
  const own = records.flatMap(({ id: holder, mentions, given: from }) =>
    mentions.flatMap(mention => {
      const { id, path, inList } = mention;
      const isOwn = id.noun === 'snapshot' && inList && isOwnSnapshot(holder, mention);
      return isOwn && from ? [{ tree: from.tree, id, path }] : [];
    }),
  );
  const [first] = own;
  if (!first) return undefined;
  const isBare = valuesAt(first.tree, first.path).some(({ value }) => Array.isArray(value) || isTree(value));
  const key = first.path.slice(first.path.lastIndexOf('.') + 1);
  const at = isBare ? first.path : first.path.slice(0, -key.length - 1);
  if (at === '') return undefined;
  const entries = own.flatMap(({ tree, id, path }) => {
    if (!path.startsWith(at)) return [];
    const all = valuesAt(tree, at).flatMap(({ value }) =>
      Array.isArray(value) ? endsOf(value) : isBare && isTree(value) ? Object.values(value) : [value],
    );
    return all.filter(isTree).map(entry => ({ id, facts: leaves(entry, isRecord) }));
  });
  const placeOf = (find: (entry: (typeof entries)[number]) => string | undefined) =>
    pathOf(
      entries.flatMap(entry => {
        const path = find(entry);
        return path === undefined ? [] : [{ path, has: nothingBeside }];
      }),
    );
  return {
    at,
    id: isBare ? undefined : key,
    name: placeOf(({ id, facts }) => nameIn(facts, id)?.shown),
    time: placeOf(({ facts }) => ranked(facts, assumed.time)[0]?.shown),
    state: placeOf(({ facts }) => findState(facts, {})?.path),
    expires: placeOf(({ facts }) => facts.find(leaf => conditionIn([leaf])?.expires)?.shown),
  };
}
