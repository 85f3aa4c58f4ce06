import type { Logger } from 'pino';
import { type Call, listCall, lists, recordCall } from '../api/call.ts';
import type { Identifier, Noun } from '../api/identifiers.ts';
import { isCut, mentionsInAny, readAnyList } from '../api/longLists/listAnswer.ts';
import type { Names } from '../api/reading/labels.ts';
import { pathsOf } from '../api/reading/mappedPaths.ts';
import { bestOf, mentionsIn } from '../api/reading/mentions.ts';
import { type RecordList, readRecord } from '../api/reading/recordList.ts';
import type { Mapping } from '../api/reading/recordMapping.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { Clock } from '../ground/clock.ts';
import { notedIn } from '../ground/failure.ts';
import { mapInSlices } from '../ground/slices.ts';
import { within } from '../ground/within.ts';
import { type Found, find, type NamedList, type PartsInside, partsAsList } from './find.ts';

/**
 * Records as one person sees them in pickers, lists and Home: with the names of the records that they mention, and a
 * few seconds old unless newer ones are asked for. All methods throw {@link Failure}, `signed-out` where the person has
 * no sign-in.
 */
export type PersonalRecords = Readonly<{
  /** The records of these nouns, which stand in one list of the service. */
  list(nouns: readonly Noun[]): Promise<RecordList>;
  /** A record by its own GET, else from its place in the list; `undefined` where neither shows it. */
  one(id: Identifier): Promise<RecordView | undefined>;
  /**
   * A record by its own GET alone, with the given names for the records that it mentions; `undefined` where the answer
   * holds no record.
   */
  alone(id: Identifier, names?: Promise<Names>): Promise<RecordView | undefined>;
  /**
   * Finds a record by a typed name or identifier. A name that is not in a remembered list is searched in a new one,
   * since the record may be new.
   */
  find(typed: string, nouns: readonly Noun[]): Promise<Found>;
  /**
   * The records among which a name is searched: the whole list that shows these nouns, so that a name of another noun
   * is told from one that does not exist. Nouns without a list are found inside databases (snapshots) or environments.
   */
  named(nouns: readonly Noun[]): Promise<NamedList>;
  /**
   * The parts inside a record: the snapshots of a database, the installations and users of an environment. `cut` where
   * its own GET shows none: then there may be more than these.
   */
  parts(id: Identifier, noun: Noun): Promise<PartsInside>;
  /** The names of environments and projects by identifier: records of databases may show identifiers alone. */
  placeNames(): Promise<Names>;
}>;

/**
 * The answers from which one person's records are read, asked for no earlier than `notBefore` (milliseconds since the
 * epoch).
 */
export type Source = Readonly<{
  answer(call: Call, notBefore: number): Promise<unknown>;
  notBefore: number;
  mapping: Mapping;
  clock: Clock;
  /** Names the person in each entry. */
  log: Logger;
}>;

const databases: readonly Noun[] = ['live', 'clone'];

/** The longest wait for the names of the records that a list mentions, in milliseconds. */
const namesPatience = 2_000;

export function personalRecords(source: Source): PersonalRecords {
  const { notBefore, mapping, clock, log } = source;
  const answerTo = (call: Call) => source.answer(call, notBefore);

  async function list(nouns: readonly Noun[]): Promise<RecordList> {
    const [noun] = nouns;
    const call = listCall(noun);
    if (!call) return { records: [], cut: false };
    const isDatabase = noun === 'live' || noun === 'clone';
    const [answer, names] = await Promise.all([answerTo(call), isDatabase ? placeNames() : new Map<string, string>()]);
    const { records, cut } = await readOnce(answer, { nouns: isDatabase ? databases : nouns, mapping, names });
    return { records: records.filter(({ id }) => id.noun && nouns.includes(id.noun)), cut };
  }

  async function placeNames(): Promise<Map<string, string>> {
    const found = await Promise.all(
      (['environment', 'project'] as const).map(noun =>
        within(clock, namesPatience, list([noun])).catch(notedIn(log, 'names could not be read', { noun })),
      ),
    );
    const named = found.flatMap(one => one?.records ?? []);
    return new Map(named.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name] as const])));
  }

  async function inList(id: Identifier): Promise<RecordView | undefined> {
    return id.noun && (await list([id.noun])).records.find(record => record.id.text === id.text);
  }

  /** The answer to a record's own GET; `undefined` where that fails, since the list may show the record. */
  async function answerOf(id: Identifier): Promise<unknown> {
    const call = recordCall(id);
    return call && answerTo(call).catch(notedIn(log, 'a record could not be read on its own', { record: id.text }));
  }

  async function named([noun]: readonly Noun[]): Promise<NamedList> {
    if (noun === undefined) return { records: [], cut: false };
    if (listCall(noun)) return list(databases.includes(noun) ? databases : [noun]);
    const outer = await answerTo(noun === 'snapshot' ? lists.databases : lists.environments);
    return partsAsList({ parts: await mentionsInAny(outer, noun), cut: isCut(outer) });
  }

  return {
    list,
    placeNames,
    named,
    async one(id) {
      const answer = await answerOf(id);
      const alone = answer === undefined ? undefined : readRecord(answer, id, mapping);
      return alone ?? inList(id);
    },
    async alone(id, names) {
      const call = recordCall(id);
      if (!call) return undefined;
      const [answer, called] = await Promise.all([answerTo(call), names]);
      return readRecord(answer, id, mapping, called);
    },
    async parts(id, noun) {
      const answer = await answerOf(id);
      const { mentions = [] } = readRecord(answer, id, mapping) ?? {};
      const isTold = noun === 'snapshot' && pathsOf(mapping, id.noun).snapshots !== undefined;
      if (isTold) return { parts: bestOf(mentions.filter(mention => mention.id.noun === noun)), cut: false };
      const own = new Set(mentions.map(mention => mention.id.text));
      const labelled = mentionsIn(answer, noun).filter(mention => own.has(mention.id.text));
      if (labelled.length > 0) return { parts: labelled, cut: false };
      const listed = (await inList(id))?.mentions.filter(mention => mention.id.noun === noun) ?? [];
      if (listed.length > 0 || id.noun !== 'environment') return { parts: listed, cut: true };
      // An environment that shows none has at least those that databases on it use, and never those of another
      // environment.
      const answers = await answerTo(lists.databases).catch(() => undefined);
      const { records } = await list(databases).catch(() => ({ records: [] }));
      const here = records.filter(({ environment }) => environment?.id.text === id.text);
      const used = new Set(here.flatMap(({ mentions }) => mentions.map(mention => mention.id.text)));
      const all = await mentionsInAny(answers, noun);
      return { parts: all.filter(mention => used.has(mention.id.text)), cut: true };
    },
    async find(typed, nouns) {
      const asked = clock.now();
      const found = find(typed, nouns, await named(nouns));
      if (found.type !== 'none' || notBefore >= asked) return found;
      return find(typed, nouns, await personalRecords({ ...source, notBefore: asked }).named(nouns));
    },
  };
}

/**
 * The records that were read out of each remembered answer, with the names of others by which they were: a huge list is
 * not read anew for each letter typed.
 */
const readings = new WeakMap<object, Readonly<{ names: Names; list: Promise<RecordList> }>>();

type Reading = Readonly<{ nouns: readonly Noun[]; mapping: Mapping; names: ReadonlyMap<string, string> }>;

function readOnce(answer: unknown, how: Reading): Promise<RecordList> {
  const key = typeof answer === 'object' && answer !== null ? answer : {};
  const known = readings.get(key);
  if (known && areEqual(known.names, how.names)) return known.list;
  const list = readWhole(answer, how);
  readings.set(key, { names: how.names, list });
  return list;
}

function areEqual(some: Names, others: Names): boolean {
  return some.size === others.size && some.entries().every(([id, name]) => others.get(id) === name);
}

/**
 * Reads, in slices, the facts of every record that pickers, lists and Home show. If read later, they would keep other
 * work waiting.
 */
async function readWhole(answer: unknown, { nouns, mapping, names }: Reading): Promise<RecordList> {
  const all = new Map(names);
  const list = await readAnyList(answer, nouns, mapping, all);
  await mapInSlices(list.records, ({ id, name, state, environment }) => {
    // A clone mentions its source, which stands in the same list.
    if (name !== undefined) all.set(id.text, name);
    return { state, environment };
  });
  return list;
}
