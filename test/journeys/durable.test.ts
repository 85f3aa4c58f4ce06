import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type DurableCommits, watchDurableCommits } from '../durableCommits.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { ends, quickClone, quickLine, refusedClone } from './clones.ts';

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
async function commitsOf(job: () => Promise<unknown>): Promise<string[]> {
  const before = watched.commits.length;
  await job();
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
/** A look that shows nothing new says when the next one comes. There may be one while an end stands: looks are spread by chance. */
const look = 'update jobs + insert looks';
/** The new record is this job's alone from then on, by the same commit that notes that it was seen. */
const claim = 'update jobs + insert claims';
/** An end that can be taken back is looked at again later; the look notes when the next one comes. */
const end = 'update jobs + insert things + insert due + insert audit';
const secondLook = 'update things + update due';
describe('a job waits for the disk only where a lost commit would be wrong:', () => {
  test('a confirmed job makes ten durable commits, each for what must not be lost, and at most one more for a look', async () => {
    const commits = await commitsOf(async () => ends(earth, await quickClone(earth, ana, 3501), 'Confirmed'));
    const others = commits.filter(commit => commit !== look && commit !== secondLook);
    expect(others).toEqual([form, note, note, note, note, note, step, step, claim, end].toSorted());
    expect(commits.filter(commit => commit === look).length).toBeLessThanOrEqual(1);
  });

  test('a job that the service refuses at once makes five durable commits', async () => {
    // Its person alone is told, by one post: the intent before it and its place after it.
    const refused = () => refusedClone(earth, ana, quickLine(3501, '/mnt/c3502'));
    expect(await commitsOf(refused)).toEqual([form, note, note, step, step]);
  });
});
