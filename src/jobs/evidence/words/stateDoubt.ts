import { minute } from '../../../ground/durations.ts';
import type { Proof } from '../../../operations/proofs.ts';
import type { Evidence } from '../../../store/jobs/rows/data.ts';
import type { RunningJob } from '../../../store/jobs/rows/job.ts';
import { kindOfCopy, type StateAnswer } from '../../../store/tables/stateAnswers.ts';
import type { Case } from '../case.ts';
import { hasStood, isUnseenCopy, mayTellOfWork } from '../goingOn.ts';
import { type Judgement, type Sighting, waiting } from '../judgement.ts';
import { ask } from '../reading.ts';
import { seenName } from '../sentences.ts';
import { settles } from '../settles.ts';
import { mayMeanRest } from './stateMeaning.ts';
import { wordGroupOf } from './stateVocabulary.ts';

/*
 * What stays in doubt is asked, once: nobody but people knows whether an unknown word means that the work is over. The
 * requester answers for the job, an approver for the workspace; an answer is never taken for more than that.
 */

/** The answers that people can give. */
export const stateAnswers = ['ready', 'working', 'failed'] as const;
export type Said = (typeof stateAnswers)[number];

/** The time for which a record stands still before Dolly asks, in milliseconds. */
const asksAfter = settles.long;
/**
 * The time after which Dolly asks again where somebody said that the work goes on, in milliseconds: as long as the job had
 * run by then. So the end is told late by no more than the time that the work took, and few questions are asked.
 */
const asksAgain = { soonest: minute, latest: 10 * minute } as const;

/** What a record may be meant to be at the end of a job, by the class of its state: people are asked whether it is so. */
const wishes = { ok: 'ready', stopped: 'stopped', disabled: 'disabled' } as const;
type WishedStates = (typeof wishes)[keyof typeof wishes];

function wishedState(proof: Proof): WishedStates {
  const classes = proof.type === 'reaches' ? proof.classes : (['ok'] as const);
  return wishes[(['ok', 'stopped'] as const).find(one => classes.includes(one)) ?? 'disabled'];
}

/** The records that a word is asked about: it may say that those are stopped that were to be, and not that others are ready. */
const asWished = (group: string, wish: WishedStates) => (wish === 'ready' ? group : `${group} that are to be ${wish}`);

/** The wish about which people are asked, by the records that the question is about. */
export function wishIn(kind: string): WishedStates {
  return (['stopped', 'disabled'] as const).find(wish => kind.endsWith(asWished('', wish))) ?? 'ready';
}

type Waiting = Extract<Judgement, { type: 'waiting' }>;

/** Whether the word of a record that is waited for may mean that the work is over, and nothing tells. */
export function isInDoubt(proof: Proof, { contradiction }: Waiting, look: Sighting): boolean {
  const { seen, learned, report, inDoubt, before } = look;
  if ((proof.type !== 'appears' && proof.type !== 'reaches') || contradiction !== undefined || inDoubt) return false;
  // What is as before may not have begun.
  if (!mayMeanRest(seen.stateClass) || seen.state === before?.state || report?.outcome === 'busy') return false;
  const isUnknown = learned === 'doubtful' || learned === 'unseen';
  const isUntold = learned === 'resting' && seen.stateClass === 'unknown';
  const isBeside = isUntold || besideState(look) !== undefined || isOfCopy(proof, look);
  // A word that nobody knows counts as one that may pass.
  return (isUnknown || (isBeside && !seen.isBusy)) && hasStood(seen, asksAfter);
}

/** Whether the doubt is about one copy, and not about its word: what is said of it holds for no other. */
function isOfCopy(proof: Proof, look: Sighting): boolean {
  return proof.type === 'appears' && isUnseenCopy(proof, look);
}

/** A word beside the state of a new record that may say that work goes on: `jobStatus: "P"`. */
function besideState({ record, before, seen }: Sighting): string | undefined {
  return before === undefined ? record?.reports.find(one => mayTellOfWork(one, seen))?.word : undefined;
}

/** Tells whether two answers were given by two people. */
type AreTwo = (answers: readonly [StateAnswer, StateAnswer]) => boolean;

/** What people say of a word, as it holds for a job, and the one whose word it is; `undefined` where it is open. */
export function wordOn(
  job: Pick<RunningJob, 'id' | 'sentAt'>,
  answers: readonly StateAnswer[],
  now: number,
  areTwo: AreTwo,
): StateAnswer | undefined {
  const [own] = answers.filter(answer => answer.job === job.id);
  const [approved] = answers.filter(({ approves }) => approves === 1);
  const found = approved ?? own ?? sharedWord(answers, areTwo);
  if (found?.says !== 'working') return found;
  const pause = Math.min(Math.max(found.at - job.sentAt, asksAgain.soonest), asksAgain.latest);
  return Math.abs(now - found.at) >= pause ? undefined : found;
}

/** The name under which 0.2.0 kept what people said who were signed out: it tells nothing of them. */
const unnamed = 'Somebody';

/** Max people of whom any two are compared: a word that more have answered alike has long been settled. */
const mostCompared = 20;

/** The word of two people about two records, where everybody says the same: of any two who surely are two. */
function sharedWord(answers: readonly StateAnswer[], areTwo: AreTwo): StateAnswer | undefined {
  if (new Set(answers.map(({ says }) => says)).size > 1) return undefined;
  const named = answers.filter(({ login }) => login !== unnamed);
  const speakers = [...Map.groupBy(named, ({ person, login }) => JSON.stringify([person, login])).values()];
  const pairOf = (own: readonly StateAnswer[], others: readonly StateAnswer[]) =>
    own.flatMap(one => others.filter(({ record }) => record !== one.record).map(other => [one, other] as const));
  const some = speakers.slice(0, mostCompared);
  const pairs = some.flatMap((own, at) => some.slice(at + 1).flatMap(others => pairOf(own, others).slice(0, 1)));
  return pairs.find(areTwo)?.[0];
}

/** What became of a doubt. `said` is the word by which the job was told, which is to stand with it. */
type Settled = Readonly<{ judgement: Judgement; doubt?: Evidence['doubt']; said?: StateAnswer | undefined }>;

/** Settles a doubtful word by what people said of it, or notes the doubt in the evidence, so that they are asked. */
export function settleDoubt(
  here: Pick<Case, 'proof' | 'job' | 'reading' | 'isWhole'>,
  judgement: Judgement,
  look: Sighting,
): Settled {
  const { proof, job, reading } = here;
  const { record, seen } = look;
  const open: Judgement = judgement.type === 'finished' ? { type: 'waiting', atLast: judgement.by } : judgement;
  if (!record || open.type !== 'waiting' || !isInDoubt(proof, open, look)) return { judgement };
  const isCopy = isOfCopy(proof, look);
  const kind = isCopy ? kindOfCopy(seen.id) : asWished(wordGroupOf(record), wishedState(proof));
  const asked = { team: job.team, kind, word: [seen.state, besideState(look)].filter(Boolean).join(', ') };
  const answers = ask(here, 'answers', asked);
  const own = answers.filter(answer => answer.job === job.id);
  const word = wordOn(job, isCopy ? own : answers, reading.now, two => ask(here, 'areTwo', two));
  if (word) {
    // What a job was told by stands with it, so that whoever takes the word back sees the jobs.
    const isNew = word.job !== job.id && word.says !== 'working';
    const said = isNew ? { ...word, job: job.id, record: seen.id, approves: 0 } : undefined;
    return { judgement: judgementBy(word, seen, here), said };
  }
  // The time for a question that nobody answers is over, but somebody did, and is asked again.
  const isWorking = own.some(({ says }) => says === 'working');
  if (judgement.type === 'finished' && !isWorking) return { judgement };
  const doubt = { kind, word: asked.word, askedIn: ask(here, 'asker', { ...asked, job: job.id }) };
  // At the deadline, too, their word says that work goes on.
  return { judgement: isWorking ? { ...open, goesOn: true } : open, doubt };
}

/** The judgement on a word by what somebody says of it. A step of a plan lets nothing further begin by itself. */
function judgementBy(
  { says, login }: StateAnswer,
  seen: Evidence,
  { job, proof }: Pick<Case, 'job' | 'proof'>,
): Judgement {
  const there = `${seenName(seen)} is there and its state is ${seen.state}`;
  if (says === 'working') return waiting;
  if (says === 'failed') return { type: 'failed', reason: `${there}. ${login} says that it failed.`, isSaid: true };
  const by = `${there}. ${login} says that it is ${wishedState(proof)}.`;
  return { type: job.plan === null ? 'proved' : 'finished', by, isSaid: true };
}
