import { expect, test } from 'vitest';
import { transitionOf } from '../../../src/jobs/advance.ts';
import { jobsOf, sent, stores, wish } from '../../store/folder.ts';
import { lookInVain, moveJob, noteJob } from '../../store/steps.ts';

test.each(stores)('the store moves many jobs at once just as the state machine moves each, in %s', async (_, open) => {
  const jobs = jobsOf(await open());
  const { job } = await jobs.add(wish());
  const held = await noteJob(jobs, job.id, 'new', { hold: 'sign-in', reason: 'wait', dueAt: 99_000 }, false, 1_000);
  const signedIn = held && transitionOf(held, { type: 'signedIn' }, 2_000);
  await jobs.resume(job, 2_000);
  expect(await jobs.find(job.id)).toMatchObject({ state: signedIn?.state, ...signedIn?.changes, revision: 2 });

  await moveJob(jobs, job.id, 'new', 'sending', sent(3_000), 3_000);
  const running = await moveJob(jobs, job.id, 'sending', 'running', { looks: 3, hold: 'busy' }, 3_000);
  const looked = running && transitionOf(running, { type: 'noChange', nextAt: 9_000 }, 4_000);
  await lookInVain(jobs, 4_000, 9_000);
  const taken = await jobs.takeDue(9_000, 1_000, 1);
  expect(taken).toMatchObject([{ state: 'running', ...looked?.changes, revision: running?.revision }]);
  expect(looked?.changes).toEqual({ looks: 4, dueAt: 9_000, hold: null });
});
