import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DurableCommits, watchDurableCommits } from '../durableCommits.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { ends, quickClone } from './clones.ts';

let watched: DurableCommits;
let earth: World;
let ana: Someone;

beforeAll(async () => {
  watched = watchDurableCommits();
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterAll(async () => {
  await earth.close();
  watched.end();
});

/** The durable commits of a job, from its form until a minute after its end was told. */
async function commitsOf(mountBase: string, end: string): Promise<string[]> {
  const before = watched.commits.length;
  const card = await quickClone(earth, ana, 3501, mountBase);
  await ends(earth, card, end);
  await earth.clock.advance(60_000);
  // The index of the trail is made in the background, of many jobs' entries at once.
  return watched.commits
    .slice(before)
    .filter(commit => !commit.includes('audit_blocks'))
    .toSorted();
}

// The list stands in src/store/drivers/sqlite.ts.
const form = 'insert jobs + insert audit';
const step = 'update jobs + insert audit';
const note = 'update jobs';
describe('a job waits for the disk only where a lost commit would be wrong:', () => {
  test('for its form, three steps, what was seen of it, and twice for each of its two posts', async () => {
    const commits = await commitsOf('/mnt/c3501', 'Confirmed');
    expect(commits).toEqual([form, note, note, note, note, note, step, step, step]);
  });

  test('seven times if the service refuses it at once', async () => {
    expect(await commitsOf('/mnt/c3502', 'Failed')).toEqual([form, note, note, note, note, step, step]);
  });
});
