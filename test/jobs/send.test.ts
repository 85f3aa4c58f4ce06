import { afterEach, expect, test } from 'vitest';
import { second } from '../../src/ground/durations.ts';
import { StoreTrouble } from '../../src/ground/failure.ts';
import { send } from '../../src/jobs/send.ts';
import { folder, storeIn, wish } from '../store/folder.ts';
import { board } from './deciding.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

test('a request that did not leave because the store failed right before waits, and is not in doubt', async () => {
  const here = await board(await storeIn(folder()), {}, () => undefined);
  ends.push(here.end);
  const { jobs, records } = here.parts;
  const { job } = await jobs.add(
    wish({
      ...{ id: 'one', team: 'T1', person: 'U0ANA', createdAt: here.clock.now() },
      ...{ operation: 'database.backup', values: { database: 'MYSQL_LIVE_SERVER-1' } },
    }),
  );
  if (job.state !== 'new') throw new Error('it is not new');
  const trouble = new StoreTrouble('The store does not answer.');
  const slow = async (...given: Parameters<typeof records.session>) => {
    const session = await records.session(...given);
    if (!session) return undefined;
    return {
      ...session,
      async submit(...asked: Parameters<typeof session.submit>) {
        // Others' requests hang with the same sign-in.
        await here.clock.advance(15 * second);
        return session.submit(...asked);
      },
    };
  };
  const parts = {
    ...here.parts,
    records: { ...records, session: slow },
    jobs: { ...jobs, renewDue: () => Promise.reject(trouble) },
  };
  await send(parts, job);
  expect(await jobs.find('one')).toMatchObject({ state: 'new', hold: 'busy', reason: trouble.message, noAnswer: null });
  expect(here.service.requests.filter(({ method, path }) => method !== 'GET' && !path.includes('/user/'))).toEqual([]);
});
