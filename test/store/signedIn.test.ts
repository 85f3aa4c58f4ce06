import { describe, expect, test } from 'vitest';
import { accountOwner } from '../../src/store/serviceOwner.ts';
import { credentialsIn, type TakingUp } from '../../src/store/tables/credentials.ts';
import { signInOf } from '../../src/store/things/kind.ts';
import { takeUpSignedIn } from '../../src/store/things/takeUpSignedIn.ts';
import { openVault } from '../../src/store/vault.ts';
import { ben, jobsOf, stores, wish } from './folder.ts';
import { noteJob } from './steps.ts';

describe.each(stores)('a sign-in that is kept, in %s,', (_, open) => {
  /** A store in which a job and a thing wait for the sign-in of an owner, until far from now. */
  const begin = async (owner: typeof ben, takeUp: TakingUp = takeUpSignedIn) => {
    const store = await open();
    const jobs = jobsOf(store);
    await jobs.add(wish({ id: 'waits', ...(owner === ben ? {} : { runsAs: 'service' }) }));
    await noteJob(jobs, 'waits', 'new', { hold: 'sign-in', dueAt: 99_000 }, false, 1_000);
    const thing = { kind: 'lease', id: 'L1', team: ben.team, person: ben.person, state: 'kept', body: '{}' };
    const waiting = { channel: null, subject: null, revision: 1, plannedAt: null, createdAt: 1, endedAt: null };
    await store
      .insertInto('things')
      .values({ ...thing, ...waiting, waitsFor: signInOf(owner) })
      .execute();
    const due = { kind: 'lease', id: 'L1', team: ben.team, dueAt: null, setAt: 1, lockedUntil: 0, fence: 0, tries: 0 };
    await store.insertInto('due').values(due).execute();
    const credentials = credentialsIn(store, openVault([Buffer.alloc(32, 1)]), undefined, takeUp);
    const times = async () => {
      const of = (table: 'jobs' | 'due') => store.selectFrom(table).select('dueAt').executeTakeFirst();
      return [(await of('jobs'))?.dueAt, (await of('due'))?.dueAt];
    };
    return { credentials, times };
  };

  test.each([
    ['a person', ben],
    ['the service account', accountOwner(ben.team)],
  ])('a sign-in of %s that is kept makes due, in the same transaction, what waits for it', async (_whose, owner) => {
    const { credentials, times } = await begin(owner);
    await credentials.keep(owner, 'ben', 'token', 5_000);
    expect(await times()).toEqual([5_000, 5_000]);
  });

  test('a sign-in is not kept where what waits for it cannot be made due', async () => {
    const { credentials, times } = await begin(ben, async (...given) => {
      await takeUpSignedIn(...given);
      throw new Error('killed');
    });
    await expect(credentials.keep(ben, 'ben', 'token', 5_000)).rejects.toThrow('killed');
    expect(await credentials.has(ben)).toBe(false);
    expect(await times()).toEqual([99_000, null]);
  });
});
