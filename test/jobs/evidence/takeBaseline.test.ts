import { expect, test } from 'vitest';
import { takeBaseline } from '../../../src/jobs/evidence/gather.ts';
import { openVocabulary } from '../../../src/jobs/evidence/words/stateVocabulary.ts';
import { requestOf } from '../../../src/jobs/request.ts';
import { changes } from '../../../src/operations/proofs.ts';
import { recordReader } from '../../../src/records/recordReader.ts';
import { learnedWordsIn } from '../../../src/store/tables/learnedWords.ts';
import { testClock } from '../../clock.ts';
import { folder, jobsOf, storeIn } from '../../store/folder.ts';
import { job } from '../rows.ts';

test('a baseline keeps the counts and times under the keys that an operation’s proof names', async () => {
  const store = await storeIn(folder());
  const sent = job({ state: 'running', operation: 'database.refresh', target: 'MYSQL_LIVE_SERVER-1' });
  const clock = testClock(sent.sentAt);
  const vocabulary = openVocabulary(learnedWordsIn(store), 'https://db.example', {}, clock);
  const shown = { id: sent.target, state: 'RUNNING', check: { passes: 5, verifiedAt: '2026-11-20T10:00:00Z' } };
  const records = recordReader(async call => (call.path.endsWith('/list') ? [shown] : shown), {});
  const proof = changes('short', { by: ['check.passes', 'verifiedAt'] });
  const session = { records, ahead: () => 0 };
  const request = { ...requestOf(sent), proof };
  const { baseline } = await takeBaseline({ jobs: jobsOf(store), vocabulary }, sent.team, session, request);
  expect(baseline?.target).toMatchObject({
    counters: { 'check.passes': 5 },
    times: { 'check.verifiedAt': Date.UTC(2026, 10, 20, 10) },
  });
});
