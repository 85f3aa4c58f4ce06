import { expect, test } from 'vitest';
import { run } from './generator/run.ts';
import { follow } from './recorded/follow.ts';
import type { Recording } from './recorded/recording.ts';
import { codeIn, treeOf } from './recorded/tree.ts';

test('a replay with the code that recorded a service tells the same ends for the same reasons', async () => {
  const recorded: Recording[] = [];
  await run(61_002, { habit: 'any', records: one => recorded.push(JSON.parse(JSON.stringify(one))) });
  const [recording] = recorded;
  if (!recording) throw new Error('nothing was recorded');
  const ends = await follow(recording, await codeIn(treeOf('.')));
  expect(ends.length).toBeGreaterThan(5);
  expect(recording.jobs.every(({ truth }) => truth !== undefined)).toBe(true);
  const told = ends.map(({ job, state, reason }) => [job, state, reason]);
  expect(told).toEqual(recording.jobs.map(({ row, end }) => [row.id, end?.state, end?.reason]));
}, 120_000);
