import { type Call, listOf, recordOf } from '../api/call.ts';
import { type Identifier, type Noun, parseIdentifier } from '../api/identifiers.ts';
import type { Mapping } from '../api/mapping.ts';
import type { Mention } from '../api/mentions.ts';
import { type RecordList, readList, readLongList, readRecord } from '../api/records.ts';
import { inState, type RecordView } from '../api/recordView.ts';
import { Failure } from '../failure.ts';
import type { Values } from '../operations/operation.ts';
import { snapshotsOf } from './evidence.ts';

/** One look at the service's records with one person's token: each list is read at most once, however many jobs ask. */
export type Reader = {
  /** The list that shows records of the noun. @throws {Failure} where it cannot be read */
  list(noun: Noun): Promise<RecordList>;
  /**
   * One record as fully as it can be had: from its own GET, else from the list. `undefined` where it is not there: in no
   * list, and 404 (or as good as deleted) on its own. @throws {Failure} where neither can be read
   */
  record(id: Identifier): Promise<RecordView | undefined>;
  /** What stands of `id`, such as a snapshot, inside the record of `holder`; it may be no more than its identifier. */
  part(holder: Identifier, id: Identifier): Promise<RecordView | undefined>;
};

/** What stands in the place of a state where a service keeps the records of what was deleted. */
const deleted = /^(is[ _-]?)?(deleted|removed|dropped|destroyed|purged)$/i;

/**
 * A reader over one person's `fetch`. With `many` jobs to look for, the list serves them all; few are looked up one by
 * one, since a list can be huge.
 */
export function reader(fetch: (call: Call) => Promise<unknown>, mapping: Mapping, many = false): Reader {
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
  const listed = async (id: Identifier): Promise<RecordView | undefined> => {
    const known = await list(id.noun ?? 'live');
    const index = indexes.get(known) ?? new Map(known.records.map(record => [record.id.text, record]));
    indexes.set(known, index);
    return index.get(id.text);
  };
  return {
    list,
    async record(id) {
      const call = recordOf(id);
      if (!call || !id.noun) return undefined;
      if (many) {
        const known = await listed(id);
        if (known?.state) return isDeleted(known) ? undefined : known;
      }
      const alone = await single(call).then(
        body => readRecord(body, id, mapping),
        (error: unknown) => {
          if (!(error instanceof Failure) || error.kind === 'signed-out') throw error;
          return error;
        },
      );
      if (alone && !(alone instanceof Failure) && alone.state) return isDeleted(alone) ? undefined : alone;
      const known = await listed(id);
      if (alone && !(alone instanceof Failure))
        return known ? inState(alone, known.state, alone.error ?? known.error) : alone;
      if (known) return isDeleted(known) ? undefined : known;
      // Out of the list, and the service does not say that it has it.
      if (alone === undefined || alone.kind === 'missing' || alone.kind === 'refused') return undefined;
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

/**
 * The database in whose record a snapshot stands: the one that was chosen beside it if it is its own there, else the one
 * that mentions it, such as its clone; where none does, the chosen one.
 */
export async function holderOf(records: Reader, snapshot: Identifier, values: Values): Promise<Identifier | undefined> {
  const chosen = typeof values.database === 'string' ? parseIdentifier(values.database) : undefined;
  const own = chosen && (await records.record(chosen));
  if (chosen && own && isHolder(own, snapshot)) return chosen;
  const mentioning = (await records.list('live')).records.filter(record => snapshotsOf(record).includes(snapshot.text));
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
