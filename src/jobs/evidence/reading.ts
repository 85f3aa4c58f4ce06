import type { Identifier, Noun } from '../../api/identifiers.ts';
import type { RecordList } from '../../api/reading/recordList.ts';
import type { RecordView } from '../../api/reading/recordView.ts';
import type { StateClass } from '../../api/reading/stateWords.ts';
import type { HeldClaim, JobClaims, Overlap, Targeted } from '../../store/jobs/recordClaims.ts';
import type { AskedWord, StateAnswer } from '../../store/tables/stateAnswers.ts';
import type { StateMeaning } from './words/stateMeaning.ts';
import type { LearnedVocabulary, LeftWord, Worded } from './words/stateVocabulary.ts';

/*
 * A look is a fold: what a job remembers and what was read make the judgement, and nothing else does. All that a look may ask
 * stands here, as data. It asks for what it needs, and breaks off where that is not read yet; gather.ts reads it then, and
 * looks anew. So the judge waits for nothing, and the same reading gives the same judgement.
 */

/** What each kind of question is about. */
export type About = Readonly<{
  list: Noun;
  one: Readonly<{ id: Identifier; isWhole: boolean }>;
  part: Readonly<{ holder: Identifier; id: Identifier }>;
  overlaps: Targeted;
  overlapsOfAll: readonly Targeted[];
  claims: readonly string[];
  unclaimed: Readonly<{ of: Pick<Targeted, 'id' | 'sentAt'>; makingNothing: readonly string[]; places: PlacesRead }>;
  answers: AskedWord;
  asker: AskedWord & Readonly<{ job: string }>;
  areTwo: readonly [StateAnswer, StateAnswer];
  due: undefined;
  meaning: Worded & Leaving;
  seen: Worded & Leaving & Readonly<{ classes: readonly StateClass[] }>;
}>;
type PlacesRead = readonly string[] | undefined;
/** The word that this very look saw a record leave, which counts as learned. */
type Leaving = Readonly<{ left: LeftWord | undefined }>;

/** What is told of each. A record that the service denies by its own GET may stand in a list that is late. */
export type ToldOf = Readonly<{
  list: RecordList;
  one: Readonly<{ record: RecordView | undefined; isDenied: boolean }>;
  part: RecordView | undefined;
  overlaps: readonly Overlap[];
  overlapsOfAll: ReadonlyMap<string, readonly Overlap[]>;
  claims: readonly HeldClaim[];
  unclaimed: Awaited<ReturnType<JobClaims['unclaimed']>>;
  answers: readonly StateAnswer[];
  asker: string;
  areTwo: boolean;
  due: boolean;
  meaning: StateMeaning;
  seen: boolean;
}>;

export type QuestionKind = keyof About;
/** What is learned is in memory: it is told at once. */
type Learnable = 'due' | 'meaning' | 'seen';
export type LookQuestion<Kind extends QuestionKind = QuestionKind> = Readonly<{ kind: Kind; about: About[Kind] }>;

/** What was told, or why it could not be read. */
export type AnswerOf<Kind extends QuestionKind> = Readonly<{ told: ToldOf[Kind] } | { unread: unknown }>;

/** All that one look was told so far, the time of that, in milliseconds since the epoch, and the words that were learned. */
export type Reading = Readonly<{
  now: number;
  words: Pick<LearnedVocabulary, 'isDue' | 'meaningOf' | 'hasSeen'>;
  answered: { [Kind in QuestionKind]: Map<string, Readonly<{ about: About[Kind]; answer: AnswerOf<Kind> }>> };
}>;

/** A reading of nothing. */
export function emptyReading(now: number, words: Reading['words']): Reading {
  const answered = {
    ...{ list: new Map(), one: new Map(), part: new Map() },
    ...{ overlaps: new Map(), overlapsOfAll: new Map(), claims: new Map(), unclaimed: new Map() },
    ...{ answers: new Map(), asker: new Map(), areTwo: new Map(), due: new Map(), meaning: new Map(), seen: new Map() },
  };
  return { now, words, answered };
}

/** A look that asks. With `isWhole`, each record is read by itself, and what the store says is asked anew. */
export type Asking = Readonly<{ reading: Reading; isWhole: boolean }>;

/** Breaks off a look that asks for what was not read yet. It is no error: to make one takes longer than most answers. */
export class NotReadYet {
  readonly isWhole: boolean;
  readonly questions: readonly LookQuestion[];
  constructor({ isWhole }: Asking, questions: readonly LookQuestion[]) {
    this.isWhole = isWhole;
    this.questions = questions;
  }
}

/** The key under which a reading has the answer to a question. */
export function keyOfQuestion(isWhole: boolean, about: About[QuestionKind]): string {
  return `${isWhole} ${JSON.stringify(about)}`;
}

function known<Kind extends QuestionKind>({ reading, isWhole }: Asking, kind: Kind, about: About[Kind]) {
  return reading.answered[kind].get(keyOfQuestion(isWhole, about))?.answer;
}

/** What was told of something. @throws {NotReadYet} where it was not read yet, and what the read threw where that failed */
export function ask<Kind extends QuestionKind>(here: Asking, kind: Kind, about: About[Kind]): ToldOf[Kind] {
  const answer = known(here, kind, about);
  if (!answer) throw new NotReadYet(here, [{ kind, about }]);
  if ('unread' in answer) throw answer.unread;
  return answer.told;
}

/** The same of several things, which are read one after the other, and none of them after one that could not be read. */
export function askAll<Kind extends QuestionKind>(
  here: Asking,
  kind: Kind,
  abouts: readonly About[Kind][],
): ToldOf[Kind][] {
  const first = abouts.findIndex(about => !known(here, kind, about));
  const told = abouts.slice(0, first < 0 ? abouts.length : first).map(about => ask(here, kind, about));
  const wanted = abouts.slice(told.length).map(about => ({ kind, about }));
  if (wanted.length > 0) throw new NotReadYet(here, wanted);
  return told;
}

/** The same, where a read may fail: `unread` says what that means. @throws {NotReadYet} and what `unread` throws */
export function askOr<Kind extends QuestionKind, T>(
  here: Asking,
  kind: Kind,
  about: About[Kind],
  unread: (error: unknown) => T,
): ToldOf[Kind] | T {
  const answer = known(here, kind, about);
  return answer && 'unread' in answer ? unread(answer.unread) : ask(here, kind, about);
}

/** Some records as each is by itself; one that is not there by itself, as it was listed. */
export function wholeOf(here: Asking, listed: readonly RecordView[]): readonly RecordView[] {
  const asked = listed.map(({ id }) => ({ id, isWhole: true }));
  return askAll(here, 'one', asked).flatMap(({ record }, at) => record ?? listed[at] ?? []);
}

type WordsRead = Pick<Reading, 'words'>;

/** What the learned words tell. */
export const tellAtOnce: { [Kind in Learnable]: (from: WordsRead, about: About[Kind]) => ToldOf[Kind] } = {
  due: ({ words }) => words.isDue(),
  meaning: ({ words }, { left, ...record }) => words.meaningOf(record, left),
  seen: ({ words }, { left, classes, ...record }) => words.hasSeen(record, classes, left),
};

/** What the learned words tell. It is noted, since a later look that is told the same is the same. */
export function askWords<Kind extends Learnable>(here: Asking, kind: Kind, about: About[Kind]): ToldOf[Kind] {
  const before = known(here, kind, about);
  if (before && 'told' in before) return before.told;
  const told = tellAtOnce[kind](here.reading, about);
  here.reading.answered[kind].set(keyOfQuestion(here.isWhole, about), { about, answer: { told } });
  return told;
}
