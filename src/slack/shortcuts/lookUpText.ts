import type { Identifier } from '../../api/identifiers.ts';
import type { RecordList } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import { isSignedOut, sentence } from '../../ground/failure.ts';
import { mapInSlices, sortInSlices } from '../../ground/slices.ts';
import { byName, isOneOf, matches } from '../../records/find.ts';
import { identifiersIn, namedInText } from '../../records/inText.ts';
import type { PersonalRecords } from '../../records/personalRecords.ts';
import { isHolder, snapshotsOf } from '../../records/snapshots.ts';
import type { Owner } from '../../store/vault.ts';
import type { Desk, Seeker } from '../desk/desk.ts';

/** A record that a text names. `snapshot` is the snapshot of it that the text names instead. */
export type FoundRecord = Readonly<{ record: RecordView; snapshot?: string }>;

/** The result of looking up what a text names, with one person's sign-in. */
export type LookedUp = Readonly<{
  /** The records, in the order of the text. */
  found: readonly FoundRecord[];
  /** The number of records beyond those. */
  more: number;
  /** Identifiers of which the service shows the person no record. */
  unseen: readonly string[];
  /** Whether the service has more databases than its list shows. */
  isCut: boolean;
  /** The reason why no names could be looked up. */
  fault?: string;
}>;

/** Max records that are shown, and max identifiers that are looked up. */
const maxFound = 8;
const maxIdentifiers = 16;

const nothing: LookedUp = { found: [], more: 0, unseen: [], isCut: false };

/**
 * Looks up the identifiers of all kinds and the names of databases in a text, with the person's own sign-in.
 * @throws {Failure} `signed-out`, or where nothing at all could be looked up
 */
export async function lookUpText(desk: Seeker, owner: Owner, text: string): Promise<LookedUp> {
  if (!/[\p{L}\p{N}]/u.test(text)) return nothing;
  const records = desk.records.of(owner, desk.clock.now());
  const ids = identifiersIn(text);
  const { list, error } = await databasesOf(records);
  if (error !== undefined && ids.length === 0) throw error;
  const wanted = ids.slice(0, maxIdentifiers);
  const holders = await holdersOf(wanted, list.records);
  const [byId, named] = await Promise.all([
    Promise.all(wanted.map(id => holders.get(id.text) ?? recordOf(desk, records, id, list.records))),
    namedInText(text, list.records),
  ]);
  const seen = byId.flatMap(one => one ?? []);
  const all = [...seen, ...named.map(record => ({ record }))];
  const different = [...Map.groupBy(all, ({ record }) => record.id.text).values()].flatMap(([first]) => first ?? []);
  return {
    found: different.slice(0, maxFound),
    more: Math.max(0, different.length - maxFound) + ids.length - wanted.length,
    unseen: wanted.flatMap((id, at) => (byId[at] ? [] : [id.text])),
    isCut: list.cut,
    ...(error === undefined ? {} : { fault: sentence(error) }),
  };
}

/**
 * Looks up what a person typed into the search: the identifiers and whole names in it, else the databases that contain
 * all of its words. @throws {Failure} as {@link lookUpText} does
 */
export async function searchFor(desk: Seeker, owner: Owner, typed: string): Promise<LookedUp> {
  const exact = await lookUpText(desk, owner, typed);
  if (exact.found.length > 0 || exact.fault !== undefined) return exact;
  const words = typed.trim().split(/\s+/);
  const { records } = await desk.records.of(owner).list(['live', 'clone']);
  const fitting = await mapInSlices(records, record => (matches(record, words) ? [record] : []));
  const sorted = await sortInSlices(fitting.flat(), byName);
  const found = sorted.slice(0, maxFound).map(record => ({ record }));
  return { ...exact, found, more: Math.max(0, sorted.length - maxFound) };
}

/** All databases that the person sees. Without them, the identifiers can still be looked up. */
async function databasesOf(records: PersonalRecords): Promise<{ list: RecordList; error?: unknown }> {
  try {
    return { list: await records.list(['live', 'clone']) };
  } catch (error) {
    if (isSignedOut(error)) throw error;
    return { list: { records: [], cut: false }, error };
  }
}

/** The databases that hold the snapshots among these identifiers, by the identifier of the snapshot. */
async function holdersOf(ids: readonly Identifier[], listed: readonly RecordView[]) {
  const snapshots = ids.filter(id => isOneOf(id, ['snapshot']));
  if (snapshots.length === 0) return new Map();
  const found = await mapInSlices(listed, record => {
    const shown = new Set(snapshotsOf(record));
    const own = snapshots.filter(id => shown.has(id.text) && isHolder(record, id));
    return own.map(({ text: snapshot }) => [snapshot, { record, snapshot }] as const);
  });
  return new Map(found.flat());
}

/** The record of an identifier: out of the list where it stands there, else by its own GET. */
async function recordOf(desk: Desk<'log'>, records: PersonalRecords, id: Identifier, listed: readonly RecordView[]) {
  const known = listed.find(record => record.id.text === id.text);
  if (known) return { record: known };
  try {
    const record = await records.one(id);
    return record && { record };
  } catch (error) {
    if (isSignedOut(error)) throw error;
    desk.log.info({ error, record: id.text }, 'a record that a message names could not be read');
    return undefined;
  }
}
