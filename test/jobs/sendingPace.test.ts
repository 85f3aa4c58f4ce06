import { expect, test } from 'vitest';
import { parseIdentifier } from '../../src/api/identifiers.ts';
import { StoreTrouble } from '../../src/ground/failure.ts';
import { PolicyFile, policyOf } from '../../src/jobs/approval/policy/rules.ts';
import { send } from '../../src/jobs/send.ts';
import { openPace } from '../../src/jobs/sendingPace.ts';
import { recordReader } from '../../src/records/recordReader.ts';
import { testClock } from '../clock.ts';
import { folder, jobsOf, sent, storeIn, wish } from '../store/folder.ts';
import { board } from './deciding.ts';

/** A pace, and a service on which each database stands on the host of its number; all hosts have the same name. */
async function paced(pace: object) {
  const clock = testClock();
  const jobs = jobsOf(await storeIn(folder()));
  const { enter, entered } = openPace({ jobs, clock, policy: policyOf(PolicyFile.parse({ pace }), []) });
  let reads = 0;
  const read = async ({ path }: { path: string }) => {
    reads += 1;
    const number = path.slice(path.lastIndexOf('-') + 1);
    const place = { environment: `HOST_ENVIRONMENT-${number}`, environmentName: 'lab' };
    return { id: `MYSQL_LIVE_SERVER-${number}`, state: 'RUNNING', ...place };
  };
  return {
    /** Lets a job for this database in and has it sent, or gives what it waits for. */
    async asks(id: string, number: number) {
      const target = parseIdentifier(`MYSQL_LIVE_SERVER-${number}`);
      if (!target) throw new Error('this is no identifier');
      const full = await enter(id, target, recordReader(read, {}));
      if (full !== undefined) return full;
      const { job } = await jobs.add(wish({ id, requestKey: id, createdAt: clock.now() }));
      if (job.state === 'unreadable') throw new Error(job.why);
      await jobs.apply(job, { state: 'sending', changes: sent(clock.now()), news: false }, clock.now());
      return entered(id);
    },
    reads: () => reads,
  };
}

test('two hosts of the same name have a pace each', async () => {
  const { asks } = await paced({ host: 1 });
  expect(await asks('first', 1)).toBeUndefined();
  expect(await asks('other', 2)).toBeUndefined();
  expect(await asks('again', 1)).toContain('1 request is under way on lab');
});

test('a job that waits its turn has its record read once, however often it asks', async () => {
  const { asks, reads } = await paced({ service: 1 });
  await asks('first', 1);
  for (let time = 0; time < 5; time++)
    expect(await asks('waits', 2)).toContain('1 request is under way at the service');
  expect(reads()).toBe(2);
});

test('a job gives back its place among those under way where the store fails to note its sending', async () => {
  const { parts, approves, now } = await board(await storeIn(folder()));
  await approves('U0DEV');
  const job = await now();
  if (job.state !== 'approved') throw new Error(`it is ${job.state}`);
  const inside = new Set([job.id]);
  const pace = { enter: async () => undefined, entered: (id: string) => void inside.delete(id) };
  const apply = () => Promise.reject(new StoreTrouble('away'));
  await expect(send({ ...parts, jobs: { ...parts.jobs, apply } }, job, pace)).rejects.toThrow('away');
  expect([...inside]).toEqual([]);
});
