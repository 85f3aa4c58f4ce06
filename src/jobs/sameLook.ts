import { LRUCache } from 'lru-cache';
import type { Answers, RecordReader } from '../records/recordReader.ts';
import type { Looked } from '../store/jobs/queue/looks.ts';
import type { Evidence } from '../store/jobs/rows/data.ts';
import type { RunningJob } from '../store/jobs/rows/job.ts';
import type { TakenLook } from '../store/jobs/rows/jobRow.ts';
import type { Credential } from '../store/tables/credentials.ts';
import { extension } from './afterLook.ts';
import { answerTo, type LookParts } from './evidence/gather.ts';
import type { LookQuestion, QuestionKind, Reading } from './evidence/reading.ts';
import { settles } from './evidence/settles.ts';
import { countsAt, type LookTime, nextTime } from './nextLook.ts';

/*
 * A look follows from what the service answers, from what the store and the learned words say, from the job, and from the
 * time. Where all of these are as they were at the last look, which showed nothing new, the next one shows nothing new,
 * either: then it is left out, before the job's row is read.
 */

/** What can be asked again at little cost, and what a look in vain that asked for it is not remembered for. */
const again = ['overlaps', 'claims', 'due', 'meaning', 'seen'] as const satisfies readonly QuestionKind[];
const open = ['overlapsOfAll', 'unclaimed', 'answers'] as const satisfies readonly QuestionKind[];

/**
 * A question and the answer to it, as data: a function made in a look would keep all that the look had at hand for as long
 * as the question is remembered, such as the rows of its whole batch (of 10,000 jobs 110 MB, rather than 35).
 */
type Remaining = Readonly<{ asked: LookQuestion<(typeof again)[number]>; answer: string }>;

/** A job as its last look in vain left it, in the memory of the process that looked. Times are milliseconds since the epoch. */
type Remembered = Readonly<
  Pick<RunningJob, 'id' | 'team' | 'person' | 'runsAs' | 'operation' | 'sentAt' | 'target' | 'deadlineAt'> & {
    fence: number;
    signInAt: number;
    /** The time of that look, and the one from which on the same records may mean something else. */
    at: number;
    until: number;
    evidence: Pick<Evidence, 'since' | 'isBusy' | 'pending'> | undefined;
    answers: Answers;
    questions: readonly Remaining[];
  }
>;

/** A look that was taken, at a job whose row was not read. */
export type KnownLook = Readonly<Looked['job'] & { state: 'known'; look: TakenLook }> & Remembered;

/** The memory of looks in vain, in bytes, and about what an entry and each of its questions and calls take there. */
const maxSize = 64 * 1024 * 1024;
const sizes: Readonly<Record<'entry' | 'each', number>> = { entry: 600, each: 300 };

/** What the looks in vain of this process showed. It may forget any of them: the next look then reads its job. */
export type LookMemory = Readonly<{
  /** A look at a job of which this process knows the last one, where nothing but that look has changed it since. */
  of(look: TakenLook): KnownLook | undefined;
  /** Keeps what a look in vain showed of a job that was taken by its look. */
  remember(job: RunningJob, shown: Pick<Remembered, 'at' | 'signInAt' | 'answers' | 'questions'>): void;
  /** Notes that a look was left out. */
  goOn(known: KnownLook): void;
}>;

export function openLookMemory(): LookMemory {
  const known = new LRUCache<string, Remembered>({
    maxSize,
    sizeCalculation: ({ questions, answers }) =>
      questions.reduce((sum, { answer }) => sum + sizes.each + answer.length, sizes.entry) +
      sizes.each * answers.given.length,
  });
  return {
    remember(job, { at, ...what }) {
      const { id, team, person, runsAs, operation, sentAt, target, deadlineAt, evidence, taken } = job;
      if (taken?.by !== 'look') return;
      const own = { id, team, person, runsAs, operation, sentAt, target, deadlineAt, fence: taken.fence };
      const seen = evidence && { since: evidence.since, isBusy: evidence.isBusy, pending: evidence.pending };
      known.set(id, { ...own, ...what, at, until: soonestChange(job, at), evidence: seen });
    },
    of(look) {
      const last = known.get(look.job);
      const { fence, looks } = look;
      if (!last || !look.isHere || fence !== last.fence + 1) return undefined;
      return { ...last, state: 'known', look, looks, taken: { by: 'look', fence } };
    },
    goOn({ id, look }) {
      const last = known.get(id);
      if (last) known.set(id, { ...last, fence: look.fence });
    },
  };
}

/** The soonest time after a look from which on the same records may mean something else, or are read anew in any case. */
function soonestChange({ sentAt, deadlineAt, evidence }: RunningJob, at: number): number {
  const begins = [{ since: sentAt }, ...(evidence ? [{ ...evidence, isBusy: false }] : [])];
  const times = begins.flatMap(shown => countsAt(shown, at));
  return Math.min(at + settles.unknown, ...[...times, deadlineAt].filter(time => time > at));
}

/** What a look asked beside the service, and was told; `undefined` where that cannot be asked again at little cost. */
export function questionsIn({ answered }: Pick<Reading, 'answered'>): readonly Remaining[] | undefined {
  if (open.some(kind => answered[kind].size > 0)) return undefined;
  const asked = again.flatMap(kind =>
    [...answered[kind].values()].map(({ about, answer }) => ({ kind, about, answer })),
  );
  return asked.map(({ kind, about, answer }) => ({ asked: { kind, about }, answer: JSON.stringify(answer) }));
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
  const { team } = known;
  const sources = { parts, records, team, words: parts.vocabulary.of(team) };
  for (const { asked, answer } of questions)
    if (JSON.stringify({ told: await answerTo(sources, asked) }) !== answer) return undefined;
  const now = parts.clock.now();
  return now >= at && now < until ? nextTime(known, moment) : undefined;
}
