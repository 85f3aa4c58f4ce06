import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { type Call, listOf, recordOf } from '../api/call.ts';
import { type Identifier, type Noun, parseIdentifier } from '../api/identifiers.ts';
import type { Mapping } from '../api/reading/mapping.ts';
import type { Mention } from '../api/reading/mentions.ts';
import { type RecordList, readList, readLongList, readRecord } from '../api/reading/records.ts';
import { inState, type RecordView } from '../api/reading/recordView.ts';
import type { Clock } from '../ground/clock.ts';
import { Failure } from '../ground/failure.ts';
import type { Values } from '../operations/operation.ts';
import { snapshotsOf } from './evidence/baseline.ts';

/** One look at the service's records with one person's token: each list is read at most once, however many jobs ask. */
export type Reader = {
  /** The list that shows records of the noun. @throws {Failure} where it cannot be read */
  list(noun: Noun): Promise<RecordList>;
  /**
   * One record as fully as it can be had: from its own GET, else from the list. `undefined` where it is not there: in no
   * list, and the service does not know it on its own (or shows it as deleted). With `isWhole`, what the list shows does
   * not stand in for it. @throws {Failure} where neither can be read
   */
  record(id: Identifier, isWhole?: boolean): Promise<RecordView | undefined>;
  /** The records of the lists that were read so far. */
  listed(): Promise<readonly RecordView[]>;
  /** What stands of `id`, such as a snapshot, inside the record of `holder`; it may be no more than its identifier. */
  part(holder: Identifier, id: Identifier): Promise<RecordView | undefined>;
};

/** What stands in the place of a state where a service keeps the records of what was deleted. */
const deleted = /^(is[ _-]?)?(deleted|removed|dropped|destroyed|purged)$/i;

/** How an answer says that there is no such record, whatever its status is (spec §7 shows none). */
const notFound =
  /\bnot (be )?(found|known|exist\w*)\b|\b(does|do|did)(n.t| not) exist\b|\bno (such|longer)\b|\bno \w+ (with|for|found)\b|\bunknown\b|\bnon-?existent\b|\bnicht gefunden\b|\b404\b/i;

/** Whether lists show all of their records that tells how a job ends, as far as that was compared. */
export type Depth = {
  /** Whether a record of the noun should be read on its own, to compare. */
  isToCompare(noun: Noun): boolean;
  /** Whether its place in the list was found to tell as much as the record alone. */
  isEnough(noun: Noun): boolean;
  compare(noun: Noun, listed: RecordView, alone: RecordView): void;
};

/** How long a comparison holds, in milliseconds: what records show may depend on what was done to them last. */
const comparedFor = minutesToMilliseconds(5);

/** Learns how much the lists of a service show. */
export function openDepth(clock: Clock): Depth {
  const known = new Map<Noun, { isEnough: boolean; at: number }>();
  return {
    isToCompare(noun) {
      const last = known.get(noun);
      return !last || Math.abs(clock.now() - last.at) >= comparedFor;
    },
    isEnough: noun => known.get(noun)?.isEnough === true,
    compare(noun, listed, alone) {
      // What one record showed alone, others will, too.
      const isEnough = known.get(noun)?.isEnough !== false && tellsAsMuch(listed, alone);
      known.set(noun, { isEnough, at: clock.now() });
    },
  };
}

function tellsAsMuch(listed: RecordView, alone: RecordView): boolean {
  const signs = (record: RecordView) => [
    ...snapshotsOf(record),
    ...Object.keys(record.times),
    ...Object.keys(record.counters),
    ...record.reports.map(({ identity }) => identity),
    ...(record.state ? ['state'] : []),
    ...(record.error === undefined ? [] : ['error']),
    ...(record.isPhysical === undefined ? [] : ['kind']),
  ];
  const shown = new Set(signs(listed));
  return signs(alone).every(sign => shown.has(sign));
}

/**
 * A reader over one person's `fetch`. Where many jobs are looked for, the list serves them all as far as `depth` knows that
 * it tells as much; without `depth`, records are looked up one by one, since a list can be huge.
 */
export function reader(fetch: (call: Call) => Promise<unknown>, mapping: Mapping, depth?: Depth): Reader {
  const lists = new Map<string, Promise<RecordList>>();
  const indexes = new Map<RecordList, ReadonlyMap<string, RecordView>>();
  const answers = new Map<string, Promise<unknown>>();
  const single = (call: Call): Promise<unknown> => {
    const answer = answers.get(call.path) ?? fetch(call);
    answers.set(call.path, answer);
    return answer;
  };
  const list = (noun: Noun): Promise<RecordList> => {
    const call = listOf(noun);
    if (!call) throw new Error(`the service has no list of ${noun}`);
    const known = lists.get(call.path) ?? fetch(call).then(body => readLongList(body, nounsOf(call), mapping));
    lists.set(call.path, known);
    return known;
  };
  /** A record out of the list, which many jobs look into. */
  const placeOf = async (id: Identifier): Promise<RecordView | undefined> => {
    const known = await list(id.noun ?? 'live');
    const index = indexes.get(known) ?? new Map(known.records.map(record => [record.id.text, record]));
    indexes.set(known, index);
    return index.get(id.text);
  };
  const readAlone = (call: Call, id: Identifier): Promise<RecordView | Failure | undefined> =>
    single(call).then(
      body => readRecord(body, id, mapping),
      (error: unknown) => {
        if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
        return error;
      },
    );
  return {
    list,
    listed: async () => (await Promise.all(lists.values())).flatMap(({ records }) => records),
    async record(id, isWhole = false) {
      const call = recordOf(id);
      if (!call || !id.noun) return undefined;
      const known = depth && !isWhole ? await placeOf(id) : undefined;
      if (depth && known?.state && depth.isEnough(id.noun) && !depth.isToCompare(id.noun))
        return isDeleted(known) ? undefined : known;
      const alone = await readAlone(call, id);
      if (alone && !(alone instanceof Failure)) {
        if (known) depth?.compare(id.noun, known, alone);
        if (alone.state) return isDeleted(alone) ? undefined : alone;
        const place = await placeOf(id);
        return place ? inState(alone, place.state, alone.error ?? place.error) : alone;
      }
      const place = await placeOf(id);
      if (place) return isDeleted(place) ? undefined : place;
      // Out of the list, and the service says that it does not have it.
      if (alone === undefined || alone.kind === 'missing' || notFound.test(alone.message)) return undefined;
      throw alone;
    },
    async part(holder, id) {
      const call = recordOf(holder);
      if (!call || !id.noun) return undefined;
      const body = await single(call).catch((error: unknown) => {
        if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
      });
      const inside = [body, [id.text]].flatMap(place => readList(place, id.noun ? [id.noun] : [], mapping).records);
      return inside.find(record => record.id.text === id.text);
    },
  };
}

/** So many records are read one by one at most to find whose snapshot it is. */
const mostRead = 100;

/**
 * The database in whose record a snapshot stands: the one that was chosen beside it if it is its own there, else the one
 * that mentions it, such as its clone; where none does, the chosen one.
 */
export async function holderOf(records: Reader, snapshot: Identifier, values: Values): Promise<Identifier | undefined> {
  const chosen = typeof values.database === 'string' ? parseIdentifier(values.database) : undefined;
  const own = chosen && (await records.record(chosen));
  if (chosen && own && isHolder(own, snapshot)) return chosen;
  const { records: listed } = await records.list('live');
  const all = listed.filter(record => record.id.noun === 'live' || record.id.noun === 'clone');
  const mentioning = all.filter(record => snapshotsOf(record).includes(snapshot.text));
  // A list that shows no snapshots proves nothing about them: the records themselves may.
  const showsNone = all.every(record => record.id.noun !== 'live' || snapshotsOf(record).length === 0);
  if (mentioning.length === 0 && showsNone)
    for (const { id } of all
      .filter(({ id, vendor }) => id.noun === 'live' && vendor === snapshot.vendor)
      .slice(0, mostRead)) {
      const record = await records.record(id, true);
      if (record && isHolder(record, snapshot)) return id;
    }
  const holder = mentioning.find(record => isHolder(record, snapshot)) ?? mentioning[0];
  return holder?.id ?? chosen;
}

/**
 * Whether a snapshot is a record's own: it stands among its snapshots, or is a live database's latest. What a clone was made
 * from, or a database was restored to, is another one's.
 */
export function isHolder(record: RecordView, snapshot: Identifier): boolean {
  return record.mentions.some(mention => mention.id.text === snapshot.text && isOwnSnapshot(record.id, mention));
}

/** Whether a snapshot that the record `holder` mentions so is its own. */
export function isOwnSnapshot(holder: Identifier, { key, inList }: Mention): boolean {
  return inList || (holder.noun === 'live' && !/restor|source|parent|orig|from/.test(key));
}

/** Whether a record is that of something deleted, which some services keep. */
export function isDeleted(record: RecordView): boolean {
  return record.state !== undefined && deleted.test(record.state.word);
}

function nounsOf(call: Call): readonly Noun[] {
  const all: readonly Noun[] = ['live', 'clone', 'environment', 'user', 'project'];
  return all.filter(noun => listOf(noun) === call);
}
