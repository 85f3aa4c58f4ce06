import type { Logger } from 'pino';
import { type Call, listCall, lists, recordCall } from '../api/call.ts';
import type { Identifier, Noun } from '../api/identifiers.ts';
import type { Names } from '../api/reading/labels.ts';
import { type Mention, mentionsIn } from '../api/reading/mentions.ts';
import { type RecordList, readLongList, readRecord } from '../api/reading/recordList.ts';
import type { Mapping } from '../api/reading/recordMapping.ts';
import type { RecordView } from '../api/reading/recordView.ts';
import type { Clock } from '../ground/clock.ts';
import { within } from '../ground/remembered.ts';
import { mapInSlices } from '../ground/slices.ts';
import { type Found, find, type Named } from './find.ts';

/**
 * Records as one person sees them in pickers, lists and Home: with the names of what they speak of, and a few seconds old
 * where nobody asks for newer ones. All of them throw {@link Failure}, `signed-out` where the person has no sign-in.
 */
export type PersonalRecords = {
  /** The records of these nouns, which stand in one list of the service. */
  list(nouns: readonly Noun[]): Promise<RecordList>;
  /** A record by its own GET, else from its place in the list; `undefined` where neither shows it. */
  one(id: Identifier): Promise<RecordView | undefined>;
  /** A record by its own GET alone, which speaks of others by the names that come meanwhile; `undefined` where the answer holds no record. */
  alone(id: Identifier, names?: Promise<Names>): Promise<RecordView | undefined>;
  /** What stands inside a record: the snapshots of a database, the installations and users of an environment. */
  parts(id: Identifier, noun: Noun): Promise<readonly Mention[]>;
  /**
   * The records among which a name is looked for: those of the whole list in which these nouns stand, so that a name of
   * another noun can be told from one that is not there; or snapshots, which stand inside databases only.
   */
  named(nouns: readonly Noun[]): Promise<readonly Named[]>;
  /** What a typed name stands for. A name that a remembered list has not is looked for in a new one: it may have come since. */
  find(typed: string, nouns: readonly Noun[]): Promise<Found>;
  /** What environments and projects are called, by identifier: records of databases may show no more than that. */
  placeNames(): Promise<Map<string, string>>;
};

/** What one person's records are read with: their answers, no older than `notBefore` (milliseconds since the epoch). */
export type Source = Readonly<{
  answer(call: Call, notBefore: number): Promise<unknown>;
  notBefore: number;
  mapping: Mapping;
  clock: Clock;
  /** Names the person in each entry. */
  log: Logger;
}>;

const databases: readonly Noun[] = ['live', 'clone'];

/** The longest wait of a list for the names of what its records speak of, in milliseconds. */
const namesPatience = 2_000;

/** Reads one person's records from `source`. */
export function personalRecords(source: Source): PersonalRecords {
  const { notBefore, mapping, clock, log } = source;
  const answerTo = (call: Call) => source.answer(call, notBefore);

  async function list(nouns: readonly Noun[]): Promise<RecordList> {
    const [noun] = nouns;
    const call = listCall(noun);
    if (!call) return { records: [], cut: false };
    const isDatabase = noun === 'live' || noun === 'clone';
    const [answer, names] = await Promise.all([answerTo(call), isDatabase ? placeNames() : new Map<string, string>()]);
    const { records, cut } = await readOnce(answer, isDatabase ? databases : nouns, mapping, names);
    return { records: records.filter(({ id }) => id.noun && nouns.includes(id.noun)), cut };
  }

  async function placeNames(): Promise<Map<string, string>> {
    const found = await Promise.all(
      (['environment', 'project'] as const).map(noun =>
        within(clock, namesPatience, list([noun])).catch((error: unknown) => {
          log.info({ error, noun }, 'names could not be read');
        }),
      ),
    );
    const named = found.flatMap(one => one?.records ?? []);
    return new Map(named.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name] as const])));
  }

  async function inList(id: Identifier): Promise<RecordView | undefined> {
    return id.noun && (await list([id.noun])).records.find(record => record.id.text === id.text);
  }

  /** The answer to a record's own GET, for what its place in the list may stand in. */
  async function answerOf(id: Identifier): Promise<unknown> {
    const call = recordCall(id);
    return (
      call &&
      (await answerTo(call).catch((error: unknown) => {
        log.info({ error, record: id.text }, 'a record could not be read on its own');
      }))
    );
  }

  async function named([noun]: readonly Noun[]): Promise<readonly Named[]> {
    if (noun === undefined) return [];
    if (listCall(noun)) return (await list(databases.includes(noun) ? databases : [noun])).records;
    const outer = noun === 'snapshot' ? lists.databases : lists.environments;
    return mentionsIn(await answerTo(outer), noun).map(({ id, label }) => ({
      id,
      name: label,
      environment: undefined,
    }));
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
      const own = new Set(readRecord(answer, id)?.mentions.map(mention => mention.id.text));
      const labelled = mentionsIn(answer, noun).filter(mention => own.has(mention.id.text));
      if (labelled.length > 0) return labelled;
      const listed = (await inList(id))?.mentions.filter(mention => mention.id.noun === noun) ?? [];
      if (listed.length > 0 || id.noun !== 'environment') return listed;
      // An environment that shows none has at least those that databases on it use; another one's are never among them.
      const answers = await answerTo(lists.databases).catch(() => undefined);
      const { records } = await list(databases).catch(() => ({ records: [] }));
      const here = records.filter(({ environment }) => environment?.id.text === id.text);
      const used = new Set(here.flatMap(({ mentions }) => mentions.map(mention => mention.id.text)));
      return mentionsIn(answers, noun).filter(mention => used.has(mention.id.text));
    },
    async find(typed, nouns) {
      const asked = clock.now();
      const found = find(typed, nouns, await named(nouns));
      if (found.type !== 'none' || notBefore >= asked) return found;
      return find(typed, nouns, await personalRecords({ ...source, notBefore: asked }).named(nouns));
    },
  };
}

/** The records that were read out of an answer, as long as that is remembered: a huge list is not read anew for each letter typed. */
const readings = new WeakMap<object, Promise<RecordList>>();

function readOnce(
  answer: unknown,
  nouns: readonly Noun[],
  mapping: Mapping,
  names: Map<string, string>,
): Promise<RecordList> {
  const key = typeof answer === 'object' && answer !== null ? answer : {};
  const list = readings.get(key) ?? readWhole(answer, nouns, mapping, names);
  readings.set(key, list);
  return list;
}

/** Reads what pickers, lists and Home ask of every record, in slices: later it would keep others waiting. */
async function readWhole(
  answer: unknown,
  nouns: readonly Noun[],
  mapping: Mapping,
  names: Map<string, string>,
): Promise<RecordList> {
  const list = await readLongList(answer, nouns, mapping, names);
  await mapInSlices(list.records, ({ id, name, state, environment }) => {
    // A clone speaks of its source, which stands in the same list.
    if (name !== undefined) names.set(id.text, name);
    return { state, environment };
  });
  return list;
}
