import { LRUCache } from 'lru-cache';
import type { StateClass } from '../api/reading/stateWords.ts';
import type { Answers, RecordReader } from '../records/recordReader.ts';
import type { Targeted } from '../store/jobs/claims.ts';
import type { Looked } from '../store/jobs/queue/looks.ts';
import type { Evidence } from '../store/jobs/rows/data.ts';
import type { JobIn } from '../store/jobs/rows/job.ts';
import type { TakenLook } from '../store/jobs/rows/jobRow.ts';
import type { Credential } from '../store/tables/credentials.ts';
import { settles } from './evidence/settles.ts';
import type { Case } from './evidence/sighting.ts';
import type { Worded } from './evidence/words/stateVocabulary.ts';
import { countsAt, extension, type LookTime, nextTime } from './lookEvent.ts';

/*
 * A look follows from what the service answers, from what the store and the learned words say, from the job, and from the
 * time. Where all of these are as they were at the last look, which showed nothing new, the next one shows nothing new,
 * either: then it is left out, before the job's row is read.
 */

type Running = JobIn<'running'>;
/** What a look may ask beside the service. */
export type LookParts = Case['parts'];

/** What each kind of question is about. */
type About = Readonly<{
  others: Targeted;
  claims: readonly string[];
  due: { team: string };
  meaning: Worded & { team: string };
  seen: Worded & { team: string; classes: readonly StateClass[] };
}>;
type Asked<Kind extends keyof About = keyof About> = { [K in Kind]: Readonly<{ kind: K; about: About[K] }> }[Kind];
/**
 * A question and the answer to it, as data: a function made in a look would keep all that the look had at hand for as long
 * as the question is remembered, such as the rows of its whole batch (of 10,000 jobs 110 MB, rather than 35).
 */
type Question = Asked & Readonly<{ answer: string }>;

const ask: { [Kind in keyof About]: (parts: LookParts, about: About[Kind]) => unknown } = {
  others: ({ jobs }, job) => jobs.overlapping(job),
  claims: ({ jobs }, records) => jobs.claimsOn(records),
  due: ({ vocabulary }, { team }) => vocabulary.of(team).isDue(),
  meaning: ({ vocabulary }, { team, ...record }) => vocabulary.of(team).meaningOf(record),
  seen: ({ vocabulary }, { team, classes, ...record }) => vocabulary.of(team).hasSeen(record, classes),
};

async function answerTo<Kind extends keyof About>(parts: LookParts, { kind, about }: Asked<Kind>): Promise<string> {
  return JSON.stringify(await ask[kind](parts, about));
}

/** A job as its last look in vain left it, in the memory of the process that looked. Times are milliseconds since the epoch. */
type Remembered = Readonly<
  Pick<Running, 'id' | 'team' | 'person' | 'runsAs' | 'operation' | 'sentAt' | 'target' | 'deadlineAt'> & {
    fence: number;
    signInAt: number;
    /** The time of that look, and the one from which on the same records may mean something else. */
    at: number;
    until: number;
    evidence: Pick<Evidence, 'since' | 'isBusy' | 'pending'> | undefined;
    answers: Answers;
    questions: readonly Question[];
  }
>;

/** A look that was taken, at a job whose row was not read. */
export type KnownLook = Readonly<Looked['job'] & { state: 'known'; look: TakenLook }> & Remembered;

/** The memory of looks in vain, in bytes, and about what an entry and each of its questions and calls take there. */
const maxSize = 64 * 1024 * 1024;
const sizes: Readonly<Record<'entry' | 'each', number>> = { entry: 600, each: 300 };

/** Opens what the looks in vain of this process showed. It may forget any of them: the next look then reads its job. */
export function openLookMemory() {
  const known = new LRUCache<string, Remembered>({
    maxSize,
    sizeCalculation: ({ questions, answers }) =>
      questions.reduce((sum, { answer }) => sum + sizes.each + answer.length, sizes.entry) +
      sizes.each * answers.given.length,
  });
  return {
    remember(job: Running, { at, ...what }: Pick<Remembered, 'at' | 'signInAt' | 'answers' | 'questions'>) {
      const { id, team, person, runsAs, operation, sentAt, target, deadlineAt, evidence, taken } = job;
      if (taken?.by !== 'look') return;
      const own = { id, team, person, runsAs, operation, sentAt, target, deadlineAt, fence: taken.fence };
      const seen = evidence && { since: evidence.since, isBusy: evidence.isBusy, pending: evidence.pending };
      known.set(id, { ...own, ...what, at, until: soonestChange(job, at), evidence: seen });
    },
    /** A look at a job of which this process knows the last one, where nothing but that look has changed it since. */
    of(look: TakenLook): KnownLook | undefined {
      const last = known.get(look.job);
      const { fence, looks } = look;
      if (!last || !look.isHere || fence !== last.fence + 1) return undefined;
      return { ...last, state: 'known', look, looks, taken: { by: 'look', fence } };
    },
    /** Notes that a look was left out. */
    goOn({ id, look }: KnownLook) {
      const last = known.get(id);
      if (last) known.set(id, { ...last, fence: look.fence });
    },
  };
}

export type LookMemory = ReturnType<typeof openLookMemory>;

/** The soonest time after a look from which on the same records may mean something else, or are read anew in any case. */
function soonestChange({ sentAt, deadlineAt, evidence }: Running, at: number): number {
  const begins = [{ since: sentAt }, ...(evidence ? [{ ...evidence, isBusy: false }] : [])];
  const times = begins.flatMap(shown => countsAt(shown, at));
  return Math.min(at + settles.unknown, ...[...times, deadlineAt].filter(time => time > at));
}

/** Lets one look ask, and notes what it asks; `undefined` where that cannot be asked again at little cost. */
export function noteQuestions(
  parts: LookParts,
): Readonly<{ parts: LookParts; questions(): readonly Question[] | undefined }> {
  const questions = new Map<string, Question>();
  let isClosed = true;
  const note = <T>(asked: Asked, answer: T): T => {
    questions.set(JSON.stringify(asked), { ...asked, answer: JSON.stringify(answer) });
    return answer;
  };
  const openly = <Given extends readonly unknown[], T>(ask: (...given: Given) => T) => {
    return (...given: Given): T => {
      isClosed = false;
      return ask(...given);
    };
  };
  const { jobs, vocabulary, stateAnswers } = parts;
  return {
    questions: () => (isClosed ? [...questions.values()] : undefined),
    parts: {
      ...parts,
      stateAnswers: { ...stateAnswers, on: openly(stateAnswers.on) },
      jobs: {
        ...jobs,
        unclaimed: openly(jobs.unclaimed),
        overlappingAll: openly(jobs.overlappingAll),
        async overlapping({ id, sentAt, target }) {
          const about = { id, sentAt, target };
          return note({ kind: 'others', about }, await jobs.overlapping(about));
        },
        claimsOn: async about => note({ kind: 'claims', about }, await jobs.claimsOn(about)),
      },
      vocabulary: {
        ...vocabulary,
        of(team) {
          const words = vocabulary.of(team);
          return {
            ...words,
            isDue: () => note({ kind: 'due', about: { team } }, words.isDue()),
            meaningOf: ({ id, state }) =>
              note({ kind: 'meaning', about: { team, id, state } }, words.meaningOf({ id, state })),
            hasSeen: ({ id, state }, classes) =>
              note({ kind: 'seen', about: { team, id, state, classes } }, words.hasSeen({ id, state }, classes)),
          };
        },
      },
    },
  };
}

/**
 * The time of the next look at a job of which all is as it was; `undefined` where it must be looked at.
 * @throws {Failure} where the records cannot be read
 */
export async function nextOfSame(
  parts: LookParts,
  { credential, records, ...moment }: LookTime & Readonly<{ credential: Credential; records: RecordReader }>,
  known: KnownLook,
): Promise<number | undefined> {
  const { look, at, until, signInAt, answers, questions } = known;
  const isLate = extension({ dueAt: look.dueAt, deadlineAt: known.deadlineAt }, moment.at) !== undefined;
  if (isLate || signInAt !== credential.since) return undefined;
  if (!(await records.answersAs(answers))) return undefined;
  for (const question of questions) if ((await answerTo(parts, question)) !== question.answer) return undefined;
  const now = parts.clock.now();
  return now >= at && now < until ? nextTime(known, moment) : undefined;
}
