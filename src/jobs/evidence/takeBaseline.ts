import type { Identifier } from '../../api/identifiers.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import type { Session } from '../../records/records.ts';
import { unlessHidden } from '../../records/shown.ts';
import { holderOf } from '../../records/snapshotHolder.ts';
import { snapshotsOf } from '../../records/snapshots.ts';
import type { Baseline } from '../../store/jobs/rows/data.ts';
import type { Parts } from '../parts.ts';
import type { JobRequest } from '../request.ts';
import { beforeOf, newestOf, packIdentifiers } from './baseline.ts';
import { mostLearnedFrom, wordGroupOf } from './words/stateVocabulary.ts';

/** The baseline, and the target's name in the records. */
type Taken = Readonly<{ baseline: Baseline | undefined; name?: string | undefined }>;
type Look = Taken & Readonly<{ baseline: Baseline }>;

/**
 * Reads the records before the call: the list of those that exist for an operation that makes one, else the target. Then
 * it learns in which words such records rest. There is no baseline where the person may not read them: such a person may
 * still ask, but nothing can be confirmed.
 * @throws {Failure} where the records cannot be read now
 */
export async function takeBaseline(
  parts: Parts<'jobs' | 'vocabulary'>,
  team: string,
  { records, ahead }: Pick<Session, 'records' | 'ahead'>,
  request: JobRequest,
): Promise<Taken> {
  const taken = await readBaseline(records, request);
  const apart = ahead();
  await learnWords(parts, team, request, records);
  if (!taken) return { baseline: undefined };
  return { baseline: { ...taken.baseline, ...(apart === 0 ? {} : { ahead: apart }) }, name: taken.name };
}

async function readBaseline(records: RecordReader, request: JobRequest): Promise<Look | undefined> {
  const look = request.proof.type === 'appears' ? listBefore : targetBefore;
  return look(records, request).catch(unlessHidden);
}

async function listBefore(records: RecordReader, { target, proof }: JobRequest): Promise<Look> {
  const { records: known, cut } = await records.list('live');
  const own = known.filter(record => record.vendor === target.vendor);
  const newest = newestOf(own);
  const source = known.find(record => record.id.text === target.text);
  // What is made beside its source is known by that place, which a list may leave out.
  const isBeside = proof.type === 'appears' && proof.like.isBesideSource === true;
  const alone = isBeside && !source?.environment ? await records.alone(target) : undefined;
  const environment = (source?.environment ?? alone?.environment)?.id.text;
  const snapshots = [source, alone].flatMap(record => (record ? snapshotsOf(record) : []));
  return {
    baseline: {
      ids: packIdentifiers(own),
      ...(cut ? { cut } : {}),
      ...(newest === undefined ? {} : { newest }),
      ...(environment === undefined ? {} : { environment }),
      ...(snapshots.length === 0 ? {} : { snapshots }),
    },
    name: source?.name,
  };
}

async function targetBefore(records: RecordReader, { target, values }: JobRequest): Promise<Look> {
  const holder = target.noun === 'snapshot' ? await holderOf(records, target, values) : target;
  const record = holder && (await records.one(holder));
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const part = holder && mention && holder !== target ? await records.part(holder, target) : undefined;
  return {
    baseline: {
      ids: {},
      ...(holder ? { holder: holder.text } : {}),
      ...(record ? { target: beforeOf(record) } : {}),
      ...(part ? { part: beforeOf(part) } : {}),
    },
    name: holder === target ? record?.name : mention?.label,
  };
}

/** Max records that are read one by one for their words. */
const readAlone = 5;

/** Learns in which words such records rest, before anything is done to them. It reads a list only if it knows too little. */
async function learnWords(
  parts: Parts<'jobs' | 'vocabulary'>,
  team: string,
  { target, proof }: JobRequest,
  records: RecordReader,
): Promise<void> {
  const isAboutWords = target.noun === 'live' || target.noun === 'clone' || target.noun === 'environment';
  if (!isAboutWords || !target.noun || proof.type === 'gone') return;
  const words = parts.vocabulary.of(team);
  const groups = groupsOf(target, proof);
  const isNew = groups.some(words.isNewTo);
  if (!isNew && !words.isDue()) return;
  // A list that cannot be read stops nothing: then the dictionary decides.
  if (isNew) await records.list(target.noun).catch(() => undefined);
  const listed = await records.listed().catch(() => []);
  const alone = groups.flatMap(group => (words.isNewTo(group) ? withoutState(listed, group) : []));
  const read = await Promise.all(alone.map(({ id }) => records.alone(id).catch(() => undefined)));
  await learnFrom(parts, team, [...listed, ...read.flatMap(record => record ?? [])]);
}

/** The groups of records whose words a job hangs on: its target's, and that of what it makes. */
function groupsOf(target: Identifier, proof: JobRequest['proof']): readonly string[] {
  const made = proof.type === 'appears' ? proof.nouns.map(noun => ({ ...target, noun })) : [];
  return [target, ...made].map(id => wordGroupOf({ id }));
}

/** Some records of a group that its list shows without their states: they are read alone. */
function withoutState(listed: readonly RecordView[], group: string): readonly RecordView[] {
  const own = listed.filter(record => wordGroupOf(record) === group);
  return own.some(({ state }) => state) ? [] : own.slice(0, readAlone);
}

/** Learns the state words of records that were read together, and keeps what was learned. */
export async function learnFrom(
  { vocabulary, jobs }: Parts<'jobs' | 'vocabulary'>,
  team: string,
  records: readonly RecordView[],
): Promise<void> {
  const words = vocabulary.of(team);
  if (records.length > 0) {
    const some = records.slice(0, mostLearnedFrom);
    const inHand = await jobs.inHand(some.map(({ id }) => id.text));
    words.observe(some, ({ id }) => inHand.has(id.text));
  }
  await words.keep();
}
