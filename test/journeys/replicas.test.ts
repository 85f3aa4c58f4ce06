import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { comesToAnEnd } from './asking.ts';

let earth: World;
let ana: Someone;
let dev: Someone;
beforeAll(async () => {
  earth = await world({ store: 'PostgreSQL', environment: approvalKeys });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

test('a deletion is approved on PostgreSQL as it is on the embedded store', async () => {
  const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
  expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
  expect(await comesToAnEnd(earth, own)).toContain('· Confirmed');
  expect(earth.writes()).toHaveLength(1);
});
