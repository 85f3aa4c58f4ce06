import { type Call, isListCall, listCall, nounsOf, recordCall } from '../api/call.ts';
import type { Identifier, Noun } from '../api/identifiers.ts';
import { digestOfAny, readAnyList } from '../api/longLists/listAnswer.ts';
import { type RecordList, readList, readRecord } from '../api/reading/recordList.ts';
import type { Mapping } from '../api/reading/recordMapping.ts';
import { type RecordView, withState } from '../api/reading/recordView.ts';
import { Failure, failureBut } from '../ground/failure.ts';
import { memoByObject } from '../ground/remembered.ts';
import type { ListDepth } from './listDepth.ts';
import { saysNoRecord, unlessHidden } from './shown.ts';

/** One look at the service's records with one person's token: each list is read at most once, however many jobs ask. */
export type RecordReader = {
  /** The number of answers so far: while it stays, nothing new was seen. */
  answers(): number;
  /**
   * What was asked for since this was called last, with what it answered; `undefined` where some of it was no good answer,
   * is not known by its bytes, or was there by chance.
   */
  used(): Answers | undefined;
  /** Whether all of this is answered as it was. What is read for that serves the look, too. @throws {Failure} where it is not read */
  answersAs(before: Answers): Promise<boolean>;
  /** The list that shows records of the noun. @throws {Failure} where it cannot be read */
  list(noun: Noun): Promise<RecordList>;
  /**
   * One record as fully as it can be had: from its own GET, else from the list. `undefined` where it does not exist: no
   * list shows it, and the service does not know it (or shows it as deleted). With `isWhole`, its own GET comes first
   * even where the list is known to tell as much. @throws {Failure} where neither can be read
   */
  one(id: Identifier, isWhole?: boolean): Promise<RecordView | undefined>;
  /**
   * A record as its own GET shows it; `undefined` where the answer holds no record. @throws {Failure} where it cannot
   * be read
   */
  alone(id: Identifier): Promise<RecordView | undefined>;
  /** Whether the service said of a record's own GET that there is no such record. A list that shows it may be late. */
  isDenied(id: Identifier): boolean;
  /** The records of the lists that were read so far. */
  listed(): Promise<readonly RecordView[]>;
  /**
   * The record of `id`, such as a snapshot, inside the record of `holder`; no more than its identifier where that is hidden or
   * shows no more. @throws {Failure} where `holder` was not read
   */
  part(holder: Identifier, id: Identifier): Promise<RecordView | undefined>;
};

/** Calls with the digests of their answers, and whether lists came first. */
export type Answers = Readonly<{ isFirst: boolean; given: readonly Readonly<{ call: Call; digest: string }>[] }>;

/**
 * How a reader uses lists: a list serves all records for which it is known to tell as much (`depth`). With `isFirst`,
 * which is for many jobs, it is read for that; else it serves only where it was read anyway, since it can be huge.
 */
type UseOfLists = Readonly<{ depth: ListDepth; isFirst: boolean }>;

/** Makes a reader over one person's `fetch`. Without `use`, records are read one by one. */
export function recordReader(
  fetch: (call: Call) => Promise<unknown>,
  mapping: Mapping,
  use?: UseOfLists,
): RecordReader {
  const { depth, isFirst = false } = use ?? {};
  let answered = 0;
  const counted = (call: Call): Promise<unknown> =>
    fetch(call).finally(() => {
      answered += 1;
    });
  const lists = new Map<string, Promise<RecordList>>();
  /** The paths of the lists that were read well. */
  const atHand = new Set<string>();
  const indexOf = memoByObject(({ records }: RecordList) => new Map(records.map(record => [record.id.text, record])));
  const answers = new Map<string, Promise<unknown>>();
  const digests = new Map<string, string | undefined>();
  const calls = new Map<string, Call>();
  const used = new Map<string, Call>();
  const denied = new Set<string>();
  /** Whether a list was used that another look had asked for. */
  let byChance = false;
  const single = (call: Call): Promise<unknown> => {
    used.set(call.path, call);
    const known = answers.get(call.path);
    if (known) return known;
    const answer = counted(call).then(body => {
      digests.set(call.path, digestOfAny(body));
      return body;
    });
    answers.set(call.path, answer);
    calls.set(call.path, call);
    return answer;
  };
  const list = (noun: Noun): Promise<RecordList> => {
    const call = listCall(noun);
    if (!call) throw new Error(`the service has no list of ${noun}`);
    const answer = single(call);
    const known = lists.get(call.path) ?? answer.then(body => readAnyList(body, nounsOf(call), mapping));
    lists.set(call.path, known);
    known.then(
      () => atHand.add(call.path),
      () => undefined,
    );
    return known;
  };
  /** A record out of the list, by an index, since many jobs look into it. */
  const placeOf = async (id: Identifier): Promise<RecordView | undefined> => {
    return indexOf(await list(id.noun ?? 'live')).get(id.text);
  };
  /** The record as a list shows it that serves as well, or that is compared with it. */
  const listedBefore = async (id: Identifier, noun: Noun): Promise<RecordView | undefined> => {
    const path = listCall(noun)?.path ?? '';
    const isListed = isFirst || atHand.has(path);
    byChance ||= isListed && !isFirst && !used.has(path);
    return depth && isListed ? placeOf(id) : undefined;
  };
  /** A record that its own GET does not show, out of the list. */
  const onlyListed = async (id: Identifier, failure: Failure | undefined): Promise<RecordView | undefined> => {
    const isDenied = !failure || saysNoRecord(failure);
    if (isDenied) denied.add(id.text);
    const place = await placeOf(id);
    if (place) return unlessDeleted(place);
    // No list shows it, and the service says that there is no such record.
    if (isDenied) return undefined;
    throw failure;
  };
  const readAlone = (call: Call, id: Identifier): Promise<RecordView | Failure | undefined> =>
    single(call).then(body => readRecord(body, id, mapping), failureBut('signed-out'));
  return {
    answers: () => answered,
    used() {
      const given = [...used].map(([path, call]) => ({ call, digest: digests.get(path) ?? '' }));
      const isKnown = !byChance && given.every(({ digest }) => digest !== '');
      used.clear();
      byChance = false;
      return isKnown ? { isFirst, given } : undefined;
    },
    async answersAs(before) {
      if (before.isFirst !== isFirst) return false;
      await Promise.all(before.given.map(({ call }) => single(call)));
      return before.given.every(({ call, digest }) => digests.get(call.path) === digest);
    },
    list,
    async alone(id) {
      const call = recordCall(id);
      return call && readRecord(await single(call), id, mapping);
    },
    isDenied: id => denied.has(id.text),
    async listed() {
      const nouns = [...calls.values()].flatMap(call => (isListCall(call) ? nounsOf(call).slice(0, 1) : []));
      return (await Promise.all(nouns.map(list))).flatMap(({ records }) => records);
    },
    async one(id, isWhole = false) {
      const call = recordCall(id);
      if (!call || !id.noun) return undefined;
      const known = isWhole ? undefined : await listedBefore(id, id.noun);
      if (known?.state && depth?.isEnough(id.noun) && !depth.isToCompare(id.noun)) return unlessDeleted(known);
      const alone = await readAlone(call, id);
      if (!alone || alone instanceof Failure) return onlyListed(id, alone);
      if (known?.state) depth?.compare(id.noun, known, alone);
      if (alone.state || isDeleted(alone)) return unlessDeleted(alone);
      const place = await placeOf(id);
      // What is blank where the list shows a state is none: the list may be late.
      const isBlank = alone.values.some(one => one.path === place?.readFrom.state && one.value.trim() === '');
      return place && !isBlank ? withState(alone, place.state, alone.error ?? place.error) : alone;
    },
    async part(holder, id) {
      const call = recordCall(holder);
      if (!call || !id.noun) return undefined;
      const body = await single(call).catch(unlessHidden);
      const inside = [body, [id.text]].flatMap(place => readList(place, id.noun ? [id.noun] : [], mapping).records);
      return inside.find(record => record.id.text === id.text);
    },
  };
}

/** Whether a record stands for a deleted resource; some services keep such records. */
export function isDeleted({ isTombstone }: RecordView): boolean {
  return isTombstone;
}

function unlessDeleted(record: RecordView): RecordView | undefined {
  return isDeleted(record) ? undefined : record;
}
