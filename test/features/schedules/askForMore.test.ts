import { expect, onTestFinished, test } from 'vitest';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { boundValues, membersIn } from '../../../src/features/schedules/run/membersOfRun.ts';
import { approve, deny } from '../../../src/jobs/approval/decide.ts';
import { nextIdentifier } from '../../../src/sandbox/service/estate.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { ana, scheduleBoard } from './scheduleBoard.ts';

/* A schedule for an environment that runs with the service account, and more new databases than it may have. */

/** Such a schedule of Ana’s, which Dev has approved. */
async function approved() {
  const here = await scheduleBoard(await storeIn(folder()), { file: { approvers: ['U0DEV'], lifetime: '7d' } });
  onTestFinished(() => here.end());
  await here.signsIn('service', 'dev');
  const parts: AllParts = { ...here.parts, account: { username: 'svc' } };
  const { estate } = here.service;
  const like = [...estate.databases.values()].find(({ name }) => name === 'billing');
  if (!like) throw new Error('the service has no billing');
  const environment = like.environment;
  const { records } = await parts.records.of(ana, here.clock.now()).list(['live']);
  const members = membersIn(records, environment);
  const { id } = await here.asks(
    {
      name: 'database.backup.environment',
      ...{ runsAs: 'service', labels: members, values: { environment, ...boundValues(members) } },
    },
    parts,
  );
  const works = (isDone: () => Promise<boolean>) => here.works(isDone, { at: [parts] });
  const now = () => here.schedule(id);
  const request = async () => {
    const job = await parts.jobs.find((await now()).request ?? '');
    return job && job.state === 'awaiting' ? job : undefined;
  };
  const decides = async (decide: (...args: Parameters<typeof approve>) => Promise<unknown>) => {
    await works(async () => (await request()) !== undefined);
    const job = await request();
    if (job?.state !== 'awaiting') throw new Error('nobody is asked');
    await decide(parts, job, { team: 'T1', person: 'U0DEV', channel: 'C1', digest: job.approval.digest });
    await works(async () => (await request()) === undefined && (await now()).state !== 'waiting');
    return job;
  };
  await decides(approve);
  let many = 0;
  return {
    ...{ now, request, decides, many: Object.keys(members).length },
    deletions: async () => (await parts.jobs.open()).filter(({ operation }) => operation === 'database.delete'),
    /** So many new databases come, or the last one goes. */
    grows(by: number) {
      if (by < 0) estate.databases.delete([...estate.databases.keys()].at(by) ?? '');
      for (let count = 0; count < by; count++) {
        const own = nextIdentifier(estate, 'MARIADB_LIVE_SERVER');
        estate.databases.set(own, { ...like, id: own, name: `new-${++many}`, snapshots: [], facts: {} });
      }
    },
    /** The names of what the next run backs up. */
    async night() {
      await here.clock.leap(((await now()).plannedAt ?? 0) - here.clock.now());
      await here.runsOnce(id, [parts]);
      const run = (await here.runs(id)).at(-1);
      const job = run && (await parts.jobs.find(run.id));
      if (!job || job.state === 'unreadable') throw new Error('it did not run');
      return (job.steps ?? []).length;
    },
    told: async () => {
      const rows = await here.store.selectFrom('outbox').select('data').where('kind', '=', 'schedule').execute();
      return rows.map(({ data }) => JSON.parse(data)).filter(({ what }) => what === 'members');
    },
  };
}

test('approvers are asked once for databases above a schedule’s limit, while the known ones are backed up', async () => {
  const here = await approved();
  expect(await here.night()).toBe(here.many);
  here.grows(6);
  expect(await here.night()).toBe(here.many);
  const { values } = await here.now();
  expect(values.ceiling).toBe(String(here.many + 5));
  const asked = await here.request();
  expect(asked).toMatchObject({ operation: 'schedule.approve' });
  expect(asked?.purpose).toContain(`It already runs, on at most ${here.many + 5} databases. Now there are more: new-1`);
  expect(String(asked?.values.details)).toContain(`"At most","${here.many + 11}"`);
  // The next night asks nobody again.
  expect(await here.night()).toBe(here.many);
  expect((await here.now()).request).toBe(asked?.id);
  await here.decides(approve);
  expect(await here.now()).toMatchObject({ state: 'on', asks: null, approvedBy: ['U0DEV'] });
  expect(await here.night()).toBe(here.many + 6);
  const told = (await here.told()).map(({ why }) => why.replace(/: .*?\./, ':'));
  expect(told.toSorted()).toEqual([
    'New here, and included:',
    `New here, but not included, because that would make more than ${here.many + 5}: I ask the approvers whether to include them.`,
  ]);
});

test('a schedule’s request for more databases is made anew where others stand there by now', async () => {
  const here = await approved();
  here.grows(6);
  expect(await here.night()).toBe(here.many);
  here.grows(-1);
  await here.decides(approve);
  expect(await here.now()).toMatchObject({ state: 'on', asks: null });
  here.grows(2);
  expect(await here.night()).toBe(here.many);
  await here.decides(approve);
  expect(await here.night()).toBe(here.many + 7);
});

test('a deletion that waits for approval keeps no database from its scheduled backup', async () => {
  const here = await approved();
  expect((await here.deletions()).map(({ state }) => state)).toEqual(['awaiting']);
  expect(await here.night()).toBe(here.many);
});

test('a denial of more databases leaves a schedule as approved, and the next new one is asked for again', async () => {
  const here = await approved();
  here.grows(6);
  expect(await here.night()).toBe(here.many);
  await here.decides((at, job, click) => deny(at, job, click, 'Not now.'));
  expect(await here.now()).toMatchObject({ state: 'on', asks: null, approvedBy: ['U0DEV'] });
  expect(await here.night()).toBe(here.many);
  expect(await here.request()).toBeUndefined();
  here.grows(1);
  expect(await here.night()).toBe(here.many);
  expect(await here.request()).toMatchObject({ state: 'awaiting' });
  expect(await here.told()).toHaveLength(2);
});
