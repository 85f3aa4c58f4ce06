import { expect, onTestFinished, test } from 'vitest';
import { boundValues, membersIn } from '../../../src/features/schedules/run/membersOfRun.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { ana, scheduleBoard } from './scheduleBoard.ts';

/* A schedule for an environment on which none of its databases stands any more. */

test('a scheduled run on an environment without databases is left out, and the reason is told', async () => {
  const here = await scheduleBoard(await storeIn(folder()));
  onTestFinished(() => here.end());
  const { databases } = here.service.estate;
  const environment = [...databases.values()].find(({ name }) => name === 'billing')?.environment ?? '';
  const { records } = await here.parts.records.of(ana, here.clock.now()).list(['live']);
  const members = membersIn(records, environment);
  const values = { environment, ...boundValues(members) };
  const { id } = await here.asks({ name: 'database.backup.environment', labels: members, values });
  for (const gone of Object.keys(members)) databases.delete(gone);
  await here.goTo('2026-11-22T01:59:50Z');
  await here.works(async () => (await here.told()).length > 0);
  expect(await here.told()).toEqual(['skipped to C1']);
  const why = 'the records show none of its databases on it';
  expect((await here.events()).at(-1)).toBe(`run skipped: 2026-11-22T02:00Z: ${why}`);
  const [notice] = await here.store.selectFrom('outbox').select('data').execute();
  expect(JSON.parse(notice?.data ?? '{}')).toMatchObject({ what: 'skipped', why });
  expect(await here.runs(id)).toEqual([]);
});
