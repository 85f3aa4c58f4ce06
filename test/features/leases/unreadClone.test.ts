import { expect, onTestFinished, test } from 'vitest';
import { minute } from '../../../src/ground/durations.ts';
import { crossing } from '../../journeys/crossing.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { clone, leaseBoard } from './leaseBoard.ts';

test('a lease waits while its clone’s own record cannot be read, although the list shows the clone', async () => {
  const road = crossing();
  const here = await leaseBoard(await storeIn(folder()), road.middleware);
  onTestFinished(() => here.end());
  road.meets('/database/list', () =>
    Response.json([...here.service.estate.databases.values()].map(({ id, state }) => ({ id, state, name: 'a clone' }))),
  );
  const met = road.meets(`/database/${clone}`, () => new Response('', { status: 502 }));
  const before = await here.lease();
  await here.clock.leap((before.dueAt ?? 0) - here.clock.now());
  const end = here.clock.now() + 10 * minute;
  await here.works(async () => here.clock.now() >= end);
  expect(await here.lease()).toMatchObject({ state: before.state, warned: before.warned });
  met.leave();
  await here.works(async () => (await here.lease()).warned !== before.warned);
  expect(await here.lease()).toMatchObject({ state: 'kept' });
});
