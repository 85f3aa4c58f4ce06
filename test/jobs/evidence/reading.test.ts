import { expect, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { eventOfLook } from '../../../src/jobs/afterLook.ts';
import { gather, step } from '../../../src/jobs/evidence/gather.ts';
import { lookForProof } from '../../../src/jobs/evidence/lookForProof.ts';
import { ask, askAll, askOr, emptyReading } from '../../../src/jobs/evidence/reading.ts';
import { openVocabulary } from '../../../src/jobs/evidence/words/stateVocabulary.ts';
import { requestOf } from '../../../src/jobs/request.ts';
import { recordReader } from '../../../src/records/recordReader.ts';
import { Evidence } from '../../../src/store/jobs/rows/data.ts';
import { learnedWordsIn } from '../../../src/store/tables/learnedWords.ts';
import { stateAnswersIn } from '../../../src/store/tables/stateAnswers.ts';
import { testClock } from '../../clock.ts';
import { folder, jobsOf, judgingIn, storeIn } from '../../store/folder.ts';
import { jobIn, now } from '../jobIn.ts';

const url = 'https://db.example';
const clone = 'MYSQL_CLONE_SERVER-7';

/** What a look asks, at a service with these records by their paths; `asked` has the paths of all GETs. */
async function sourcesOf(records: Readonly<Record<string, unknown>>) {
  const store = await storeIn(folder());
  const clock = testClock(now);
  const asked: string[] = [];
  const vocabulary = openVocabulary(learnedWordsIn(store), url, {}, clock);
  const parts = {
    jobs: jobsOf(store),
    stateAnswers: stateAnswersIn(store, url),
    clock,
    vocabulary,
    ...judgingIn(store),
  };
  const reader = recordReader(async ({ path }) => {
    asked.push(path);
    if (!(path in records)) throw new Failure('busy', `${path} is not read`);
    return records[path];
  }, {});
  return { asked, sources: { parts, records: reader, team: 'T1', words: vocabulary.of('T1') } };
}

const was = { state: 'RUNNING', stateClass: 'ok', name: 'qa', snapshots: [], times: {}, counters: {}, reports: {} };
const stop = {
  ...{ operation: 'clone.stop', target: clone, inputs: JSON.stringify({ database: clone }) },
  baseline: JSON.stringify({ ids: {}, target: was }),
};

test('a look that is repeated on the same answers gives the same result, and asks for nothing else', async () => {
  const { sources } = await sourcesOf({ [`/database/${clone}`]: { id: clone, name: 'qa', state: 'STOPPING' } });
  const job = jobIn('running', stop);
  const request = requestOf(job);
  const { result, reading } = await gather(sources, given => lookForProof(job, request, given));
  expect(result.judgement.type).toBe('waiting');
  expect(result.seen?.wasBusy).toBe('STOPPING');
  const closed = () => {
    throw new Error('nobody is asked');
  };
  const words = { isDue: closed, meaningOf: closed, hasSeen: closed };
  const again = step(given => lookForProof(job, request, given), { ...reading, words });
  expect(again).toEqual({ result });
});

test('a look that shows what the last one did is no news, and leaves the stored evidence as it is', async () => {
  const { sources } = await sourcesOf({ [`/database/${clone}`]: { id: clone, name: 'qa', state: 'STOPPING' } });
  const first = jobIn('running', stop);
  const { result, reading } = await gather(sources, given => lookForProof(first, requestOf(first), given));
  const evidence = JSON.stringify(result.seen);
  const job = jobIn('running', { ...stop, evidence });
  const later = { ...reading, now: reading.now + 5_000 };
  const tried = step(given => lookForProof(job, requestOf(job), given), later);
  if (!('result' in tried)) throw new Error('all of it was read');
  expect(eventOfLook(job, tried.result, { at: later.now, spread: 1 }).type).toBe('noChange');
  expect(JSON.stringify(Evidence.parse({ ...tried.result.seen, seenAt: reading.now }))).toBe(evidence);
});

test('records that a look still needs are read together, and none after one that could not be read', async () => {
  const { asked, sources } = await sourcesOf({
    '/database/MYSQL_CLONE_SERVER-1': { id: 'MYSQL_CLONE_SERVER-1', state: 'UP' },
  });
  const wanted = [1, 2, 3].flatMap(number => {
    const id = parseIdentifier(`MYSQL_CLONE_SERVER-${number}`);
    return id ? [{ id, isWhole: true }] : [];
  });
  const tried = step(reading => askAll({ reading, isWhole: true }, 'one', wanted), emptyReading(now, sources.words));
  expect('wants' in tried && tried.wants.questions).toEqual(wanted.map(about => ({ kind: 'one', about })));
  await expect(gather(sources, reading => askAll({ reading, isWhole: true }, 'one', wanted))).rejects.toThrow(
    'not read',
  );
  expect(asked).not.toContain('/database/MYSQL_CLONE_SERVER-3');
});

test('a failed read fails a look that needs the answer, and not one that can do without it', async () => {
  const { sources } = await sourcesOf({});
  const lists = gather(sources, reading => ask({ reading, isWhole: true }, 'list', 'live'));
  await expect(lists).rejects.toThrow('/database/list is not read');
  const without = await gather(sources, reading => askOr({ reading, isWhole: true }, 'list', 'live', () => 'none'));
  expect(without.result).toBe('none');
});
