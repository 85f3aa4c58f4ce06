import { type Call, listCall, lists } from '../../api/call.ts';
import type { Noun } from '../../api/identifiers.ts';
import { mentionsIn } from '../../api/reading/mentions.ts';
import { type RecordList, readLongList } from '../../api/reading/recordList.ts';
import { isSignedOut } from '../../ground/failure.ts';
import { within } from '../../ground/remembered.ts';
import { mapInSlices } from '../../ground/slices.ts';
import { type Found, find, type Named } from '../../records/find.ts';
import type { Credential } from '../../store/tables/credentials.ts';
import type { Owner } from '../../store/vault.ts';
import { notSignedIn } from '../desk/admission.ts';
import type { Desk } from '../desk/desk.ts';

/** A person's credential. @throws {Failure} `signed-out` where there is none. */
async function signedIn(desk: Desk, owner: Owner): Promise<Credential> {
  const credential = await desk.credentials.find(owner);
  if (!credential) throw notSignedIn();
  return credential;
}

/**
 * A recent answer of the service for this person: no older than `notBefore`, and no older than what a job of theirs last
 * changed, since they were told of that. A token that the service refuses is forgotten.
 */
export async function read(desk: Desk, owner: Owner, call: Call, notBefore = 0): Promise<unknown> {
  const [credential, lastEnd] = await Promise.all([signedIn(desk, owner), desk.jobs.lastEnd(owner)]);
  try {
    return await desk.library.read(owner, credential, call, Math.max(notBefore, lastEnd));
  } catch (error) {
    if (isSignedOut(error)) await desk.credentials.drop(owner, credential.token, desk.clock.now());
    throw error;
  }
}

/** The list that shows records of these nouns, as this person may see it, and as it is since `notBefore`. */
export async function readRecords(
  desk: Desk,
  owner: Owner,
  nouns: readonly Noun[],
  notBefore?: number,
): Promise<RecordList> {
  const [noun] = nouns;
  const call = listCall(noun);
  if (!call) return { records: [], cut: false };
  const isDatabase = noun === 'live' || noun === 'clone';
  const [answer, names] = await Promise.all([
    read(desk, owner, call, notBefore),
    isDatabase ? namesOfPlaces(desk, owner, notBefore) : new Map<string, string>(),
  ]);
  const { records, cut } = await readOnce(desk, answer, isDatabase ? databases : nouns, names);
  return { records: records.filter(({ id }) => id.noun && nouns.includes(id.noun)), cut };
}

const databases: readonly Noun[] = ['live', 'clone'];

/** What was read of an answer, for as long as the library keeps that: a huge list is not read anew for each letter typed. */
const readings = new WeakMap<object, Promise<RecordList>>();

function readOnce(
  desk: Desk,
  answer: unknown,
  nouns: readonly Noun[],
  names: Map<string, string>,
): Promise<RecordList> {
  const kept = typeof answer === 'object' && answer !== null ? answer : {};
  const list = readings.get(kept) ?? readWhole(desk, answer, nouns, names);
  readings.set(kept, list);
  return list;
}

/** Reads what pickers, lists and Home ask of every record at once, since nobody else is kept waiting here. */
async function readWhole(
  { mapping }: Desk,
  answer: unknown,
  nouns: readonly Noun[],
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

/** So long a list waits for the names of what its records speak of, in milliseconds. */
const namesPatience = 2_000;

/** What environments and projects are called, by identifier: records of databases may show no more than that. */
export async function namesOfPlaces(desk: Desk, owner: Owner, notBefore?: number): Promise<Map<string, string>> {
  const lists = await Promise.all(
    (['environment', 'project'] as const).map(noun =>
      within(desk.clock, namesPatience, readRecords(desk, owner, [noun], notBefore)).catch((error: unknown) => {
        desk.log.info({ error, noun, person: owner.person }, 'names could not be read');
      }),
    ),
  );
  const named = lists.flatMap(list => list?.records ?? []);
  return new Map(named.flatMap(({ id, name }) => (name === undefined ? [] : [[id.text, name] as const])));
}

/**
 * What a typed name stands for, in a list that is as it is since `notBefore`. One that a list of a moment ago has not is
 * looked for in a new one: it may have come since.
 * @throws {Failure} where the list cannot be read
 */
export async function findNamed(
  desk: Desk,
  owner: Owner,
  typed: string,
  nouns: readonly Noun[],
  notBefore?: number,
): Promise<Found> {
  const asked = desk.clock.now();
  const found = find(typed, nouns, await readNamed(desk, owner, nouns, notBefore));
  return found.type === 'none' ? find(typed, nouns, await readNamed(desk, owner, nouns, asked)) : found;
}

/**
 * What a name may stand for: the records of the list in which these nouns stand (of others, too, so that they can be told
 * from what is not there), or snapshots, which stand inside databases only.
 */
async function readNamed(
  desk: Desk,
  owner: Owner,
  nouns: readonly Noun[],
  notBefore?: number,
): Promise<readonly Named[]> {
  const [noun] = nouns;
  if (noun === 'live' || noun === 'clone') return (await readRecords(desk, owner, databases, notBefore)).records;
  if (listCall(noun)) return (await readRecords(desk, owner, nouns, notBefore)).records;
  if (noun === undefined) return [];
  const outer = noun === 'snapshot' ? lists.databases : lists.environments;
  return mentionsIn(await read(desk, owner, outer, notBefore), noun).map(({ id, label }) => ({
    id,
    name: label,
    environment: undefined,
  }));
}
