import { describe, expect, test } from 'vitest';
import { cloneAt, environmentAt, portAt, recordOf } from '../bench/estate.ts';
import { watched } from './watchedJobs.ts';

const minute = 60_000;

test('a look at a person’s jobs costs as few statements for forty of them as for eight', async () => {
  const costs: number[] = [];
  for (const jobsEach of [8, 40]) {
    // A report may be of another job on the same record, so that each look has to ask which ones there are.
    const lastJob = { id: 'JOB-1', type: 'REFRESH', status: 'SUCCESS', startTime: '2026-11-01T00:00:00Z' };
    const world = await watched({ people: 3, jobsEach }, minute, { beside: { lastJob } });
    await world.during(15);
    const { lists, statements } = await world.during(60);
    costs.push(statements / lists);
  }
  for (const cost of costs) expect(cost).toBeLessThanOrEqual(13);
});

describe('forty jobs of each of three people', () => {
  const crowd = { people: 3, jobsEach: 40 };

  test('a look at forty jobs of a person reads the list once, and writes once where nothing is new', async () => {
    const world = await watched(crowd, minute);
    // The first look at each keeps what the records show of it.
    expect((await world.during(15)).notes).toBe(3 * 20);
    const { lists, others, notes, inVain, told } = await world.during(60);
    expect(lists).toBeGreaterThanOrEqual(3 * 4);
    expect(lists).toBeLessThanOrEqual(3 * 8);
    expect({ others, notes, told }).toEqual({ others: 0, notes: 0, told: 0 });
    expect(inVain).toBeGreaterThan(0);
    expect(inVain).toBeLessThanOrEqual(lists);
  });

  test('looks read far fewer jobs from the store while the service answers as before', async () => {
    const [world, anew] = await Promise.all([
      watched(crowd, minute),
      watched(crowd, minute, { isKnownByBytes: false }),
    ]);
    for (const one of [world, anew]) await one.during(30);
    const [same, read] = [await world.during(60), await anew.during(60)];
    expect(read.read).toBeGreaterThanOrEqual(3 * 40 * 4);
    expect(same.lists).toBeGreaterThanOrEqual(3 * 4);
    // What a workspace learns of words is learned from one person's looks each half minute.
    expect(same.read).toBeLessThanOrEqual(read.read / 3);
  });

  test('jobs are not written anew at each look while nobody explains their record’s state word', async () => {
    const records = (person: number) =>
      Array.from({ length: 40 }, (_, job) =>
        recordOf(cloneAt(person, job), 'WOBBLY', portAt(job), environmentAt(person)),
      );
    const world = await watched(crowd, minute, { records, isKnownByBytes: false });
    await world.during(60);
    const { notes, lists } = await world.during(60);
    expect({ notes, areLooks: lists > 0 }).toEqual({ notes: 0, areLooks: true });
  });

  test('each look takes in all forty jobs of a person, so that all that ended are found within forty seconds', async () => {
    const world = await watched(crowd, minute);
    await world.during(15);
    for (const job of [0, 1, 38, 39]) world.done.add(job);
    // Each must stand as it is for ten seconds, from the look that saw it.
    await world.during(25);
    expect(await world.running()).toBeLessThanOrEqual(3 * 38);
    await world.during(15);
    expect(await world.running()).toBe(3 * 36);
  });

  test('a job is looked at about every ten seconds while young, and about every two minutes after two hours', async () => {
    const young = await watched(crowd, minute);
    const old = await watched(crowd, 2 * 60 * minute);
    await Promise.all([young.during(15), old.during(15)]);
    const [often, seldom] = await Promise.all([young.during(120), old.during(480)]);
    expect(often.lists / 3).toBeGreaterThanOrEqual(9);
    expect(seldom.lists / 3).toBeGreaterThanOrEqual(2);
    expect(seldom.lists / 3).toBeLessThanOrEqual(6);
  });
});

test('a list is read once for each person, though the jobs of many people fall due at the same moment', async () => {
  const people = 6;
  const world = await watched({ people, jobsEach: 40 }, minute);
  await world.during(15);
  const at = world.clock.now() + 20_000;
  await world.store.updateTable('looks').set({ dueAt: at, freeAt: at }).execute();
  expect(await world.during(20)).toMatchObject({ lists: people, others: 0 });
});

test('everybody’s jobs are looked at in time, though many fall due at once and some have just ended', async () => {
  const people = 9;
  const world = await watched({ people, jobsEach: 50, areVisible: true }, minute);
  await world.during(40);
  world.done.add(0);
  await world.during(25);
  expect(await world.running()).toBe(people * 49);
  // What ended still has its place in the queue of looks.
  const at = world.clock.now() + 6_000;
  await world.store.updateTable('looks').set({ dueAt: at, freeAt: at }).execute();
  await world.during(5);
  // Nobody waits for the search that each loop makes after five seconds.
  expect(await world.during(2)).toMatchObject({ lists: people });
});

test('a job that ends does not delay the next look at the other jobs of the same person', async () => {
  const world = await watched({ people: 1, jobsEach: 8, areVisible: true }, minute);
  await world.during(40);
  const at = world.clock.now() + 20_000;
  await world.store.deleteFrom('looks').execute();
  await world.store.updateTable('jobs').set({ looks: 0, dueAt: at }).execute();
  world.done.add(0);
  await world.during(19);
  // A job that is young is looked at after a second.
  expect(await world.during(3)).toMatchObject({ lists: 2 });
  await world.during(12);
  expect(await world.running()).toBe(7);
});
