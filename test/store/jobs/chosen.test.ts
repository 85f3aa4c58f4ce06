import { describe, expect, test } from 'vitest';
import { awaited, jobsOf, stores, wish } from '../folder.ts';
import { moveJob } from '../steps.ts';

describe.each(stores)('in %s, jobs are chosen', (_, open) => {
  test('jobs are chosen by person, state, time, name and who may see them, the newest first', async () => {
    const store = await open();
    const jobs = jobsOf(store);
    const add = async (id: string, createdAt: number, change: Parameters<typeof wish>[0] = {}) =>
      (await jobs.add(wish({ id, requestKey: id, createdAt, ...change }))).job;
    const mine = await add('mine', 1_000, { person: 'U1' });
    await add('theirs', 2_000, { person: 'U2', target: 'MYSQL_CLONE_SERVER-9', targetName: 'crm-qa' });
    await add('elsewhere', 3_000, { person: 'U2', team: 'T2' });
    const { team } = mine;
    await moveJob(jobs, 'mine', 'new', 'failed', { reason: 'No room.', endedAt: 1_500, dueAt: null }, 1_500);
    await moveJob(jobs, 'theirs', 'new', 'awaiting', awaited, 2_000);
    const decisions = [
      { type: 'denied' as const, person: 'U3', login: 'cia', identity: { users: [], names: ['cia'] }, at: 1 },
    ];
    await moveJob(jobs, 'theirs', 'awaiting', 'denied', { decisions, reason: 'No.', endedAt: 2_500 }, 2_500);
    const idsOf = async (chosen: Parameters<typeof jobs.chosen>[1], max = 10) =>
      (await jobs.chosen(team, chosen, max)).map(({ id }) => id);
    expect(await idsOf({})).toEqual(['theirs', 'mine']);
    expect(await idsOf({}, 1)).toEqual(['theirs']);
    expect(await idsOf({ person: 'U1' })).toEqual(['mine']);
    expect(await idsOf({ states: ['denied', 'void'] })).toEqual(['theirs']);
    expect(await idsOf({ from: 1_500, to: 2_500 })).toEqual(['theirs']);
    expect(await idsOf({ to: 2_000 })).toEqual(['mine']);
    expect(await idsOf({ ids: ['mine', 'elsewhere'] })).toEqual(['mine']);
    expect(await idsOf({ seenBy: { person: 'U3', channel: 'C-none' } })).toEqual(['theirs']);
    expect(await idsOf({ seenBy: { person: 'U', channel: 'C-none' } })).toEqual([]);
    const [found, ...others] = await jobs.onRecord(team, 'MYSQL_CLONE_SERVER-9', 10);
    expect(others).toEqual([]);
    expect(found).toMatchObject({ job: { id: 'theirs' }, made: false, shown: { name: 'crm-qa' } });
    expect(await jobs.madeUnder(team, 'crm-qa', 10)).toEqual([]);
  });
});
