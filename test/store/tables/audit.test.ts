import { describe, expect, test } from 'vitest';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { type Audit, auditIn } from '../../../src/store/tables/audit/audit.ts';
import type { EntriesFound, Entry } from '../../../src/store/tables/audit/auditSearch.ts';
import { credentialsIn } from '../../../src/store/tables/credentials.ts';
import { openVault } from '../../../src/store/vault.ts';
import { ben, folder, jobsOf, storeIn, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

async function begin(): Promise<{ store: Store; audit: Audit; told: Entry[] }> {
  const store = await storeIn(folder());
  const told: Entry[] = [];
  return { store, audit: auditIn(store, entry => told.push(entry)), told };
}

const entry = { team: 'T1', actor: 'U1', event: 'asked' };
const all = { words: [] };
const day = 86_400_000;

describe('the trail', () => {
  test('the audit trail gives its entries the newest first, and goes on from any of them both ways', async () => {
    const { audit } = await begin();
    for (let at = 1; at <= 7; at++) await audit.add({ ...entry, at, detail: `entry ${at}` });
    const ats = ({ entries }: EntriesFound) => entries.map(({ at }) => at);
    const [first, , third] = (await audit.read('T1', all, 3)).entries;
    expect([first?.at, third?.at]).toEqual([7, 5]);
    expect(ats(await audit.read('T1', all, 3, { before: third?.id ?? '' }))).toEqual([4, 3, 2]);
    expect(ats(await audit.read('T1', all, 1, { after: third?.id ?? '' }))).toEqual([6]);
    expect(ats(await audit.read('T1', all, 9, { after: third?.id ?? '' }))).toEqual([7, 6]);
  });

  test('the audit trail is searched by words, times and people, within one workspace', async () => {
    const { audit } = await begin();
    await audit.add({ ...entry, at: 10, targetName: 'Orders 100%', login: 'ana' });
    await audit.add({ ...entry, at: 20, actor: 'U2', detail: 'orders_1' });
    await audit.add({ ...entry, at: 30, team: 'T2', detail: 'orders' });
    const ats = async (filter: Parameters<Audit['read']>[1]) =>
      (await audit.read('T1', filter, 9)).entries.map(({ at }) => at);
    expect(await ats(all)).toEqual([20, 10]);
    expect(await ats({ words: ['ORDERS'] })).toEqual([20, 10]);
    expect(await ats({ words: ['orders', 'ana'] })).toEqual([10]);
    expect(await ats({ words: [], since: 20 })).toEqual([20]);
    expect(await ats({ words: [], until: 20 })).toEqual([10]);
    expect(await ats({ words: [], by: 'U2' })).toEqual([20]);
    expect(await ats({ words: [], by: 'ana' })).toEqual([10]);
  });

  test('the audit trail loses entries that are older than its time once, and says so to every workspace', async () => {
    const { audit } = await begin();
    for (const at of [1, 2, day]) await audit.add({ ...entry, at });
    const swept = await Promise.all([audit.sweep(day, 2 * day), audit.sweep(day, 2 * day)]);
    expect(swept.toSorted()).toEqual([0, 2]);
    const { entries: left } = await audit.read('T1', all, 9);
    expect(left.map(({ event, at }) => [event, at])).toEqual([
      ['swept', 2 * day],
      ['asked', day],
    ]);
    expect(left[0]?.detail).toContain('2 entries from before 1970-01-02');
    expect(await audit.sweep(day, 3 * day)).toBe(0);
    expect((await audit.read('T1', all, 9)).entries).toHaveLength(2);
  });
});

describe('what happens and its entry stand or fall together:', () => {
  /** The trail cannot be written any more. */
  async function broken() {
    const world = await begin();
    const tell = (one: Entry) => void world.told.push(one);
    const jobs = jobsIn(world.store, { knows: () => true, told: tell });
    const credentials = credentialsIn(world.store, openVault([new Uint8Array(32)]), tell);
    const { job } = await jobs.add(wish());
    await credentials.keep(ben, 'ben', 'a token', 1);
    world.told.length = 0;
    await world.store.schema.dropTable('audit').execute();
    return { ...world, jobs, credentials, job };
  }

  test('a job does not move, and no new one is kept, where the audit trail cannot be written', async () => {
    const { jobs, job, told } = await broken();
    await expect(moveJob(jobs, job.id, 'new', 'withdrawn', { endedAt: 2_000 }, 2_000)).rejects.toThrow('audit');
    await expect(jobs.add(wish({ id: 'another' }))).rejects.toThrow('audit');
    expect(await jobs.find(job.id)).toEqual(job);
    expect(await jobs.find('another')).toBeUndefined();
    expect(told).toEqual([]);
  });

  test('a sign-in is neither kept nor forgotten where the audit trail cannot be written', async () => {
    const { credentials, told } = await broken();
    await expect(credentials.keep(ben, 'benjamin', 'another', 2)).rejects.toThrow('audit');
    await expect(credentials.forget(ben, 2)).rejects.toThrow('audit');
    await expect(credentials.drop(ben, 'a token', 2)).rejects.toThrow('audit');
    expect(await credentials.find(ben)).toMatchObject({ username: 'ben', token: 'a token' });
    expect(told).toEqual([]);
  });

  test('a click that comes second leaves no entry in the audit trail', async () => {
    const { store, audit } = await begin();
    const jobs = jobsOf(store);
    const { job } = await jobs.add(wish());
    await moveJob(jobs, job.id, 'new', 'withdrawn', { endedAt: 2_000 }, 2_000);
    expect(await moveJob(jobs, job.id, 'new', 'withdrawn', { endedAt: 2_000 }, 3_000)).toBeUndefined();
    expect((await audit.read('T1', all, 9)).entries.map(({ event }) => event)).toEqual(['withdrawn', 'asked']);
  });
});

test('the audit trail says who signed in and out, and from where, and never has the token', async () => {
  const { store, audit, told } = await begin();
  const credentials = credentialsIn(store, openVault([new Uint8Array(32)]), one => told.push(one));
  await credentials.keep(ben, 'ben', 'secret-1', 1, 'page');
  await credentials.drop(ben, 'secret-0', 2);
  await credentials.drop(ben, 'secret-1', 3);
  await credentials.keep(ben, 'ben', 'secret-2', 4, 'C1');
  await credentials.forget(ben, 5, 'C1');
  await credentials.forget(ben, 6, 'C1');
  const { entries } = await audit.read('T1', all, 9);
  expect(entries.map(({ event, actor, person, login, channel }) => [event, actor, person, login, channel])).toEqual([
    ['signed out', 'U1', 'U1', 'ben', 'C1'],
    ['signed in', 'U1', 'U1', 'ben', 'C1'],
    ['token refused', 'dolly', 'U1', 'ben', null],
    ['signed in', 'U1', 'U1', 'ben', 'page'],
  ]);
  expect(told.map(({ id }) => id).toReversed()).toEqual(entries.map(({ id }) => id));
  expect(JSON.stringify(entries)).not.toContain('secret');
});
