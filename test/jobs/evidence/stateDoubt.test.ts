import { describe, expect, test } from 'vitest';
import { minute, second } from '../../../src/ground/durations.ts';
import { evidenceOf } from '../../../src/jobs/evidence/evidence.ts';
import { gather } from '../../../src/jobs/evidence/gather.ts';
import type { Sighting } from '../../../src/jobs/evidence/judgement.ts';
import { isInDoubt, settleDoubt, wishIn, wordOn } from '../../../src/jobs/evidence/words/stateDoubt.ts';
import { openVocabulary } from '../../../src/jobs/evidence/words/stateVocabulary.ts';
import { newRecord, type Proof, reaches } from '../../../src/operations/proofs.ts';
import { works } from '../../../src/operations/work.ts';
import { recordReader } from '../../../src/records/recordReader.ts';
import type { Before } from '../../../src/store/jobs/rows/data.ts';
import { learnedWordsIn } from '../../../src/store/tables/learnedWords.ts';
import { kindOfCopy, type StateAnswer, stateAnswersIn } from '../../../src/store/tables/stateAnswers.ts';
import { testClock } from '../../clock.ts';
import { folder, jobsOf, judgingIn, storeIn } from '../../store/folder.ts';
import { job, recordOf } from '../rows.ts';

const id = 'MYSQL_CLONE_SERVER-2';
const sentAt = 1_000_000;
const waits = { type: 'waiting' } as const;
const was: Before = { state: 'RUNNING', stateClass: 'ok', snapshots: [], times: {}, counters: {}, reports: {} };

/** A look at a record that has stood still for 20 seconds. */
function look(fields: object, change: Partial<Sighting> = {}): Sighting {
  const record = recordOf(id, fields);
  const seen = { ...evidenceOf(record, undefined, sentAt + 30 * second), since: sentAt + 10 * second };
  return {
    ...{ work: works.stop, seen, record, before: undefined, report: undefined },
    ...{ meaning: 'unseen', learned: change.meaning ?? 'unseen' },
    ...{ showsWanted: true, showsWork: true, inDoubt: false, isShared: false, sentAt, ahead: 0 },
    ...change,
  };
}

const atWork = (one: Sighting): Sighting => ({ ...one, seen: { ...one.seen, isBusy: true } });

describe('people are asked', () => {
  const clone = newRecord(['clone'], { source: 'MYSQL_LIVE_SERVER-1' }, 'instant');
  test.each<readonly [string, Proof, Sighting]>([
    ['whether a new record is ready in a word that nobody knows', clone, look({ state: 'TEAL' })],
    [
      'whether it is ready in a usual word, beside a word that nobody knows',
      clone,
      look({ state: 'RUNNING', jobStatus: 'P' }, { meaning: 'usual' }),
    ],
    [
      'whether a copy is ready that was never seen at work, where nothing ever was',
      newRecord(['clone'], { source: 'MYSQL_LIVE_SERVER-1' }, 'long'),
      look({ state: 'RUNNING' }, { meaning: 'usual', showsWork: false, sentAt: sentAt + 9 * second }),
    ],
    ['whether a start has ended', reaches(['ok']), look({ state: 'TEAL' }, { before: was })],
    [
      'whether a start has ended in a word that counts as one that may pass, since nobody knows it',
      reaches(['ok']),
      atWork(look({ state: 'TEAL' }, { before: was, meaning: 'doubtful' })),
    ],
    ['whether a stop has ended', reaches(['stopped', 'disabled']), look({ state: 'TEAL' }, { before: was })],
    ['whether a disabling has ended', reaches(['disabled']), look({ state: 'TEAL' }, { before: was })],
  ])('People are asked about a record whose state has stood still: %s', (_, proof, seen) => {
    expect(isInDoubt(proof, waits, seen)).toBe(true);
    expect(isInDoubt(proof, waits, { ...seen, seen: { ...seen.seen, since: sentAt + 11 * second } })).toBe(false);
    expect(isInDoubt(proof, { ...waits, contradiction: 'It is as it was.' }, seen)).toBe(false);
  });
  test.each<readonly [string, Proof, Sighting]>([
    ['in a word that says that work goes on', clone, look({ state: 'CREATING' })],
    [
      'in a word that records leave',
      reaches(['ok']),
      atWork(look({ state: 'TEAL' }, { before: was, meaning: 'passing' })),
    ],
    ['in a word that says that it failed', clone, look({ state: 'FAILED' })],
    [
      'of a copy that was never seen at work, where others were',
      newRecord(['clone'], { source: 'MYSQL_LIVE_SERVER-1' }, 'long'),
      look({ state: 'RUNNING' }, { meaning: 'usual' }),
    ],
    ['of a stop whose record is as before', reaches(['stopped']), look({ state: 'RUNNING' }, { before: was })],
    [
      'of a start whose record is as before, in a word that nobody knows',
      reaches(['ok']),
      look({ state: 'RUNNING' }, { before: was, meaning: 'usual', learned: 'doubtful' }),
    ],
    ['while nobody knows whether the call arrived', clone, look({ state: 'TEAL' }, { inDoubt: true })],
  ])('People are not asked how a job ended %s', (_, proof, seen) => {
    expect(isInDoubt(proof, waits, seen)).toBe(false);
  });
  test('a question about a state says whether records are to be ready, stopped or disabled', () => {
    expect(['MySQL clones', 'MySQL clones that are to be stopped', 'live that are to be disabled'].map(wishIn)).toEqual(
      ['ready', 'stopped', 'disabled'],
    );
  });
});

test('a person who says that the work goes on is asked again one to ten minutes later', () => {
  const job = { id: 'job-1', sentAt };
  const said = (after: number): StateAnswer => ({
    ...{ team: 'T1', kind: 'MySQL clones', word: 'TEAL', person: 'U1', login: 'ana', job: job.id, record: id },
    ...{ says: 'working', approves: 0, at: sentAt + after },
  });
  const holds = (after: number, later: number) =>
    wordOn(job, [said(after)], sentAt + after + later, () => true) !== undefined;
  const last = (after: number, pause: number) => [holds(after, pause - 1), holds(after, pause)];
  expect(last(20 * second, minute)).toEqual([true, false]);
  expect(last(4 * minute, 4 * minute)).toEqual([true, false]);
  expect(last(60 * minute, 10 * minute)).toEqual([true, false]);
});

test('two people’s answers teach a state word, unless an older release kept no name of one of them', () => {
  const said = (person: string, login: string): StateAnswer => ({
    ...{
      team: 'T1',
      kind: 'MySQL clones',
      word: 'TEAL',
      person,
      login,
      job: `job of ${person}`,
      record: `of ${person}`,
    },
    ...{ says: 'ready', approves: 0, at: sentAt },
  });
  const teach = (...answers: readonly StateAnswer[]) =>
    wordOn({ id: 'job-3', sentAt }, answers, sentAt, () => true) !== undefined;
  expect(teach(said('U1', 'ana'), said('U2', 'ben'))).toBe(true);
  expect(teach(said('U1', 'ana'), said('U2', 'Somebody'))).toBe(false);
});

test('the answers of any two people who surely are two teach a state word, whoever answered first', () => {
  const said = (person: string, record: string): StateAnswer => ({
    ...{ team: 'T1', kind: 'MySQL clones', word: 'TEAL', person, login: person, job: `job of ${person} ${record}` },
    ...{ record, says: 'ready', approves: 0, at: sentAt },
  });
  const teach = (areTwo: (pair: string) => boolean, ...answers: readonly StateAnswer[]) =>
    wordOn({ id: 'job-9', sentAt }, answers, sentAt, pair => areTwo(pair.map(({ person }) => person).join(' '))) !==
    undefined;
  const unsure = said('U0', 'a');
  expect(teach(pair => pair === 'U1 U2', unsure, said('U1', 'b'), said('U2', 'c'))).toBe(true);
  expect(teach(pair => pair === 'U0 U1', said('U0', 'a'), said('U1', 'a'), said('U0', 'b'))).toBe(true);
  expect(teach(() => true, said('U0', 'a'), said('U1', 'a'))).toBe(false);
  expect(teach(() => false, unsure, said('U1', 'b'), said('U2', 'c'))).toBe(false);
});

test('a person’s answer about a physical clone that was never seen at work holds for their job alone', async () => {
  const store = await storeIn(folder());
  const stateAnswers = stateAnswersIn(store, 'https://db.example');
  const clock = testClock(sentAt + 30 * second);
  const proof = newRecord(['clone'], { source: 'MYSQL_LIVE_SERVER-1' }, 'long');
  const copy = look({ state: 'RUNNING' }, { meaning: 'usual', showsWork: false, sentAt: sentAt + 9 * second });
  const vocabulary = openVocabulary(learnedWordsIn(store), 'https://db.example', {}, clock);
  const parts = { stateAnswers, clock, vocabulary, jobs: jobsOf(store), ...judgingIn(store) };
  const sources = { parts, records: recordReader(async () => [], {}), team: 'T1', words: vocabulary.of('T1') };
  const verdictFor = async (of: string) => {
    const mine = job({ id: of, state: 'running' });
    const settled = await gather(sources, reading =>
      settleDoubt({ proof, job: mine, reading, isWhole: true }, waits, copy),
    );
    return settled.result.judgement.type;
  };
  await stateAnswers.add({
    ...{ team: 'T1', kind: kindOfCopy(id), word: 'RUNNING', person: 'U9', login: 'bob', job: 'job-1', record: id },
    ...{ says: 'failed', approves: 1, at: sentAt },
  });
  expect(await verdictFor('job-1')).toBe('failed');
  // Another clone, made later, has got the identifier.
  expect(await verdictFor('job-2')).toBe('waiting');
});
