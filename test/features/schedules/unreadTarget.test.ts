import { expect, onTestFinished, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import { crossing } from '../../journeys/crossing.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { database, scheduleBoard } from './scheduleBoard.ts';

test('a schedule waits while its target’s own record cannot be read, and runs once it can', async () => {
  const road = crossing();
  const here = await scheduleBoard(await storeIn(folder()), { middleware: road.middleware });
  onTestFinished(() => here.end());
  const { id } = await here.asks();
  road.meets('/database/list', () =>
    Response.json([...here.service.estate.databases.values()].map(one => ({ id: one.id, state: one.state }))),
  );
  const met = road.meets(`/database/${database}`, () => new Response('', { status: 502 }));
  await here.goTo('2026-11-22T02:00:00Z');
  const end = here.clock.now() + 5 * minute;
  await here.works(async () => here.clock.now() >= end);
  expect(await here.runs(id)).toEqual([]);
  expect(await here.told()).toEqual([]);
  expect((await here.schedule(id)).state).toBe('on');
  met.leave();
  await here.works(async () => (await here.runs(id)).length === 1);
});
