import { expect, test } from 'vitest';
import { gather } from '../../../src/jobs/evidence/gather.ts';
import { lookWithoutRecord } from '../../../src/jobs/evidence/newRecords/withoutRecord.ts';
import { openVocabulary } from '../../../src/jobs/evidence/words/stateVocabulary.ts';
import { requestOf } from '../../../src/jobs/request.ts';
import { recordReader } from '../../../src/records/recordReader.ts';
import { learnedWordsIn } from '../../../src/store/tables/learnedWords.ts';
import { stateAnswersIn } from '../../../src/store/tables/stateAnswers.ts';
import { testClock } from '../../clock.ts';
import { folder, jobsOf, judgingIn, storeIn } from '../../store/folder.ts';
import { job } from '../rows.ts';

test('a clone that never came fails by the report at its source, and other jobs are read once for that', async () => {
  const store = await storeIn(folder());
  const mine = job({ state: 'running', login: 'ana', baseline: JSON.stringify({ ids: {} }) });
  const clock = testClock(mine.sentAt + 60_000);
  const failed = { id: 7, type: 'CLONE', status: 'FAILED', user: 'ana', error: 'disk full' };
  const source = { id: 'MYSQL_LIVE_SERVER-1', lastJob: { ...failed, startedAt: mine.sentAt + 1_000 } };
  const records = recordReader(async call => (call.path.endsWith('/list') ? [source] : source), {});
  const real = jobsOf(store);
  let reads = 0;
  const jobs = {
    ...real,
    overlapping: async (one: Parameters<typeof real.overlapping>[0]) => {
      reads += 1;
      return real.overlapping(one);
    },
  };
  const [words, stateAnswers] = [learnedWordsIn(store), stateAnswersIn(store, 'https://db.example')];
  const vocabulary = openVocabulary(words, 'https://db.example', {}, clock);
  const parts = { jobs, stateAnswers, clock, vocabulary, ...judgingIn(store) };
  const request = requestOf(mine);
  const { result } = await gather({ parts, records, team: mine.team, words: vocabulary.of(mine.team) }, reading =>
    lookWithoutRecord({ ...request, reading, job: mine, isWhole: true }, []),
  );
  expect(result.judgement).toEqual({ type: 'failed', reason: 'disk full' });
  expect(reads).toBe(1);
});
