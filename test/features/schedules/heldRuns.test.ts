import { expect, test } from 'vitest';
import { brakeId, brakes, pulled, released } from '../../../src/features/brake/brake.ts';
import { brakeFeature } from '../../../src/features/brake/feature.ts';
import { minute } from '../../../src/ground/durations.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { ana, scheduleBoard } from './scheduleBoard.ts';

test('a scheduled run that the emergency brake holds is looked at seldom, and begins at its release', async () => {
  const here = await scheduleBoard(await storeIn(folder()));
  const { parts, clock, runs } = here;
  let asked = 0;
  const heldBy = async (team: string) => {
    asked += 1;
    return brakeFeature.permission.heldBy(parts, team);
  };
  const at = [{ ...parts, heldBy }];
  const { id } = await here.asks();
  await parts.things.act(brakes, brakeId('T1'), () => ({ as: pulled(ana, 'no more', clock.now()) }), clock.now());
  await here.goTo('2026-11-22T02:00:00Z');
  const end = clock.now() + 25 * minute;
  await here.works(async () => clock.now() >= end, { at });
  expect(await runs(id)).toHaveLength(0);
  expect(asked).toBeGreaterThan(0);
  expect(asked).toBeLessThan(6);
  const now = clock.now();
  await parts.things.act(brakes, brakeId('T1'), one => one && released(now), now);
  await here.works(async () => (await runs(id)).length === 1, { at });
  expect(clock.now() - now).toBeLessThan(minute);
});
