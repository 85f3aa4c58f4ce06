import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/database.ts';
import { type Installation, installationsIn } from '../../../src/store/tables/installations.ts';
import { openVault } from '../../../src/store/vault.ts';
import { folder, jobsOf, storeIn, stores, wish } from '../folder.ts';

const [first, second] = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
const rotating = { token: 'xoxe.xoxb-1-secret', renewal: 'xoxe-1-renewal', expiresAt: 5_000 };
const made: Installation = {
  ...{ team: 'T1', name: 'Acme', app: 'A1', bot: 'B1', botUser: 'UBOT', person: 'UANA', createdAt: 1_000 },
};
const used = (state: string) => ({ state, expiresAt: 600_000 });
const within = (store: Store, keys = [first]) => installationsIn(store, openVault(keys));

test('a bot token is found again for its workspace, and no secret of it stands in the files', async () => {
  const dataDir = folder();
  const installations = within(await storeIn(dataDir));
  expect(await installations.keep(made, rotating, used('one'))).toBe(true);
  expect(await installations.find('T1')).toMatchObject({ ...made, ...rotating });
  expect(await installations.find('T2')).toBeUndefined();
  const bytes = readdirSync(dataDir)
    .map(file => readFileSync(join(dataDir, file), 'latin1'))
    .join('');
  expect(bytes).toContain('eyJ');
  for (const secret of [rotating.token, rotating.renewal]) expect(bytes).not.toContain(secret);
});

test('a bot token that is put into the row of another workspace does not open there', async () => {
  const store = await storeIn(folder());
  const installations = within(store);
  await installations.keep(made, { token: 'xoxb-1' }, used('one'));
  await installations.keep({ ...made, team: 'T2' }, { token: 'xoxb-2' }, used('two'));
  const { token } = await store
    .selectFrom('installations')
    .select('token')
    .where('team', '=', 'T1')
    .executeTakeFirstOrThrow();
  await store.updateTable('installations').set({ token }).where('team', '=', 'T2').execute();
  expect(await installations.find('T2')).toBeUndefined();
  expect(await installations.find('T1')).toMatchObject({ token: 'xoxb-1' });
});

test('bot tokens that an older key sealed are sealed anew, and then need that key no more', async () => {
  const store = await storeIn(folder());
  await within(store).keep(made, rotating, used('one'));
  const both = within(store, [second, first]);
  expect([await both.sealAnew(), await both.sealAnew()]).toEqual([1, 0]);
  expect(await within(store, [second]).find('T1')).toMatchObject(rotating);
});

describe.each(stores)('installations in %s', (_name, open) => {
  test('an installation is kept once for each state of Slack’s page, however many processes try', async () => {
    const store = await open();
    const [one, other] = [within(store), within(store)];
    const both = await Promise.all([
      one.keep(made, { token: 'xoxb-1' }, used('same')),
      other.keep({ ...made, team: 'T2' }, { token: 'xoxb-2' }, used('same')),
    ]);
    expect(both.toSorted()).toEqual([false, true]);
    expect(await one.teams()).toHaveLength(1);
    // A state that is over is forgotten, since it is refused by its time.
    expect(await one.keep({ ...made, createdAt: 600_000 }, { token: 'xoxb-3' }, used('later'))).toBe(true);
    expect(await store.selectFrom('usedStates').select('expiresAt').execute()).toHaveLength(1);
  });

  test('the token of an installation is renewed by one process at a time, and never over a newer installation', async () => {
    const store = await open();
    const [one, other] = [within(store), within(store)];
    await one.keep(made, rotating, used('one'));
    const found = await one.find('T1');
    if (!found) throw new Error('it was kept');
    const locks = await Promise.all([one.lock(found, 2_000), other.lock(found, 2_000)]);
    expect(locks.toSorted()).toEqual([false, true]);
    await one.unlock(found);
    expect(await other.lock(found, 2_000)).toBe(true);
    // The lock of a process that is gone ends.
    expect(await one.lock(found, 60_000)).toBe(true);
    expect(await one.renew(found, { token: 'fresh', renewal: 'next', expiresAt: 90_000 })).toBe(true);
    expect(await other.find('T1')).toMatchObject({ token: 'fresh', renewal: 'next', expiresAt: 90_000 });
    expect([await one.renew(found, { token: 'late' }), await one.lock(found, 99_000)]).toEqual([false, false]);
  });

  test('an installation ends once with its token, and waiting news is due when the workspace installs again', async () => {
    const store = await open();
    const installations = within(store);
    const jobs = jobsOf(store);
    await installations.keep(made, { token: 'xoxb-1' }, used('one'));
    const { job } = await jobs.add(wish({ team: 'T1', createdAt: 1_000 }));
    const { job: theirs } = await jobs.add(wish({ team: 'T2', createdAt: 1_000 }));
    const later = { dueAt: 90_000, tellAt: 90_000 };
    await store.updateTable('jobs').set(later).execute();
    const found = await installations.find('T1');
    if (!found) throw new Error('it was kept');
    expect(await installations.hasEnded('T1')).toBe(false);
    expect(await installations.end(found, 'gone', 2_000)).toBe(true);
    expect(await installations.end(found, 'gone', 2_000)).toBe(false);
    expect([await installations.hasEnded('T1'), await installations.find('T1')]).toEqual([true, undefined]);
    expect(await installations.hasEnded('T9')).toBe(false);
    const times = () => store.selectFrom('jobs').select(['id', 'dueAt', 'tellAt']).orderBy('id').execute();
    const timesOf = async (id: string) => {
      const row = (await times()).find(one => one.id === id);
      return row && { dueAt: Number(row.dueAt), tellAt: Number(row.tellAt) };
    };
    expect(await timesOf(job.id)).toEqual({ dueAt: 2_000, tellAt: 90_000 });
    expect(await timesOf(theirs.id)).toEqual(later);
    await installations.keep({ ...made, createdAt: 3_000 }, { token: 'xoxb-2' }, used('two'));
    expect(await installations.find('T1')).toMatchObject({ token: 'xoxb-2', createdAt: 3_000 });
    expect(await installations.hasEnded('T1')).toBe(false);
    expect(await timesOf(job.id)).toEqual({ dueAt: 2_000, tellAt: 3_000 });
    expect(await timesOf(theirs.id)).toEqual(later);
    // News of the end before come late: they are of another token.
    expect(await installations.end(found, 'late', 4_000)).toBe(false);
  });
});
