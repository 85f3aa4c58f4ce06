import type { RecordView } from '../../api/reading/recordView.ts';
import type { RecordReader } from '../../records/recordReader.ts';
import type { Session } from '../../records/records.ts';
import { unlessHidden } from '../../records/shown.ts';
import { holderOf } from '../../records/snapshotHolder.ts';
import type { Baseline } from '../../store/jobs/rows/data.ts';
import type { RunningJob } from '../../store/jobs/rows/job.ts';
import { areTwoPeople } from '../approval/people/identity.ts';
import type { Parts } from '../parts.ts';
import { type JobRequest, requestOf } from '../request.ts';
import { baselineOfList, beforeOf } from './baseline.ts';
import { lookForProof } from './lookForProof.ts';
import {
  type About,
  type AnswerOf,
  emptyReading,
  keyOfQuestion,
  type LookQuestion,
  NotReadYet,
  type QuestionKind,
  type Reading,
  type ToldOf,
  tellAtOnce,
} from './reading.ts';
import { againstEnd, type Ended } from './takenBack.ts';
import { groupsOf, mostLearnedFrom, withoutState } from './words/stateVocabulary.ts';

/* All that evidence reads: what a look asks for (reading.ts), and the records before a call. Nothing else here waits. */

/** What a look may ask beside the records. */
export type LookParts = Parts<'jobs' | 'vocabulary' | 'stateAnswers' | 'credentials' | 'policy' | 'clock'>;
/** Whom a look asks: the records as one person sees them, and what Dolly knows and learned. */
type Sources = Readonly<{ parts: LookParts; records: RecordReader; team: string; words: Reading['words'] }>;

type Teller<Kind extends QuestionKind> = (sources: Sources, about: About[Kind]) => Promise<ToldOf[Kind]> | ToldOf[Kind];
const tell: { [Kind in QuestionKind]: Teller<Kind> } = {
  ...tellAtOnce,
  list: ({ records }, noun) => records.list(noun),
  one: async ({ records }, { id, isWhole }) => {
    const record = await records.one(id, isWhole);
    return { record, isDenied: records.isDenied(id) };
  },
  part: ({ records }, { holder, id }) => records.part(holder, id),
  overlaps: ({ parts }, job) => parts.jobs.overlapping(job),
  overlapsOfAll: ({ parts }, jobs) => parts.jobs.overlappingAll(jobs),
  claims: ({ parts }, records) => parts.jobs.claimsOn(records),
  unclaimed: ({ parts }, { of, makingNothing, places }) => parts.jobs.unclaimed(of, makingNothing, places),
  answers: ({ parts }, word) => parts.stateAnswers.on(word),
  asker: ({ parts }, { job, ...word }) => parts.stateAnswers.askerOf(word, job, parts.clock.now()),
  areTwo: ({ parts, records, team }, two) => areTwoPeople(parts, { team, records }, two),
};

/** Asks one question of them. */
export async function answerTo<Kind extends QuestionKind>(sources: Sources, { kind, about }: LookQuestion<Kind>) {
  return tell[kind](sources, about);
}

/** Reads what a question is about into a reading. Gives whether that could be read. */
async function read<Kind extends QuestionKind>(
  sources: Sources,
  { answered }: Reading,
  { isWhole }: NotReadYet,
  question: LookQuestion<Kind>,
): Promise<boolean> {
  const { kind, about } = question;
  const answer: AnswerOf<Kind> = await answerTo(sources, question).then(
    told => ({ told }),
    (unread: unknown) => ({ unread }),
  );
  answered[kind].set(keyOfQuestion(isWhole, about), { about, answer });
  return 'told' in answer;
}

/** One try of a look: its result, or what it wants to be read. @throws what the look throws */
export function step<T>(
  look: (reading: Reading) => T,
  reading: Reading,
): Readonly<{ result: T } | { wants: NotReadYet }> {
  try {
    return { result: look(reading) };
  } catch (error) {
    if (error instanceof NotReadYet) return { wants: error };
    throw error;
  }
}

/** Reads what a look asks for until it has a result. @throws what it throws, such as the {Failure} of a read */
export async function gather<T>(sources: Sources, look: (reading: Reading) => T) {
  const begun = emptyReading(0, sources.words);
  for (;;) {
    const reading = { ...begun, now: sources.parts.clock.now() };
    const tried = step(look, reading);
    if ('result' in tried) return { ...tried, reading };
    for (const question of tried.wants.questions) if (!(await read(sources, reading, tried.wants, question))) break;
  }
}

/**
 * Looks at the records for a `running` job, and learns what the look teaches.
 * @throws {Failure} where the records cannot be read
 */
export async function lookAtRecords(parts: LookParts, job: RunningJob, records: RecordReader) {
  const { team } = job;
  const request = requestOf(job);
  const words = parts.vocabulary.of(team);
  const looked = await gather({ parts, records, team, words }, reading => lookForProof(job, request, reading));
  const { left, rests, said } = looked.result;
  if (left) words.pass(left);
  if (rests) words.leave(rests);
  if (said) await parts.stateAnswers.add(said);
  return looked;
}

/**
 * Looks at the records for a job that has ended, and says in a sentence what speaks against that end now. `running` is the job as
 * it was before. @throws {Failure} where the records cannot be read
 */
export async function lookAfterEnd(
  parts: LookParts,
  end: Ended,
  running: RunningJob,
  records: RecordReader,
): Promise<string | undefined> {
  const { team } = running;
  const request = requestOf(running);
  const sources = { parts, records, team, words: parts.vocabulary.of(team) };
  return (await gather(sources, reading => againstEnd(end, running, request, reading))).result;
}

/** The baseline, and the target's name in the records. */
type Taken = Readonly<{ baseline: Baseline | undefined; name?: string | undefined }>;
type TakenBefore = Taken & Readonly<{ baseline: Baseline }>;

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
  const look = request.proof.type === 'appears' ? listBefore : targetBefore;
  const taken = await look(records, request).catch(unlessHidden);
  const apart = ahead();
  await learnWords(parts, team, request, records);
  return taken ? { baseline: { ...taken.baseline, ahead: apart }, name: taken.name } : { baseline: undefined };
}

async function listBefore(records: RecordReader, { target, proof }: JobRequest): Promise<TakenBefore> {
  const list = await records.list('live');
  const source = list.records.find(record => record.id.text === target.text);
  // What is made beside its source is known by that place, which a list may leave out.
  const isBeside = proof.type === 'appears' && proof.like.isBesideSource === true;
  const alone = isBeside && !source?.environment ? await records.alone(target) : undefined;
  const sources = [source, alone].filter(one => one !== undefined);
  return { baseline: baselineOfList(list, target, sources), name: source?.name };
}

async function targetBefore(records: RecordReader, { target, values, proof }: JobRequest): Promise<TakenBefore> {
  if (target.noun !== 'snapshot') {
    const record = await records.one(target);
    const before = record && beforeOf(record, proof.type === 'changes' ? proof.by : 'work');
    return { baseline: { ids: {}, holder: target.text, target: before }, name: record?.name };
  }
  const holder = await holderOf(records, target, values);
  const record = holder && (await records.one(holder));
  const mention = record?.mentions.find(({ id }) => id.text === target.text);
  const part = holder && mention && (await records.part(holder, target));
  const [around, own] = [record, part].map(one => one && beforeOf(one));
  return { baseline: { ids: {}, holder: holder?.text, target: around, part: own }, name: mention?.label };
}

/** Learns in which words such records rest, before anything is done to them. It reads a list only if it knows too little. */
async function learnWords(
  parts: Parts<'jobs' | 'vocabulary'>,
  team: string,
  { target, proof }: JobRequest,
  records: RecordReader,
): Promise<void> {
  const { noun } = target;
  const isAboutWords = noun === 'live' || noun === 'clone' || noun === 'environment';
  if (!isAboutWords || proof.type === 'gone') return;
  const words = parts.vocabulary.of(team);
  const groups = groupsOf(target, proof.type === 'appears' ? proof.nouns : []);
  const isNew = groups.some(words.isNewTo);
  if (!isNew && !words.isDue()) return;
  // A list that cannot be read stops nothing: then the dictionary decides.
  if (isNew) await records.list(noun).catch(() => undefined);
  const listed = await records.listed().catch(() => []);
  const alone = groups.filter(words.isNewTo).flatMap(group => withoutState(listed, group));
  const read = await Promise.all(alone.map(({ id }) => records.alone(id).catch(() => undefined)));
  await learnFrom(parts, team, [...listed, ...read.filter(record => record !== undefined)]);
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
