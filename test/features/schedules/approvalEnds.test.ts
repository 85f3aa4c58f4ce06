import { expect, onTestFinished, test } from 'vitest';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { endApprovalsOfOthers } from '../../../src/features/schedules/run/scheduleLapse.ts';
import {
  changeSchedule,
  deleteSchedule,
  pauseSchedule,
  resumeSchedule,
} from '../../../src/features/schedules/scheduleActs.ts';
import { day } from '../../../src/ground/durations.ts';
import { approve, deny } from '../../../src/jobs/approval/decide.ts';
import type { Job } from '../../../src/store/jobs/rows/job.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { ana, scheduleBoard } from './scheduleBoard.ts';

/** A schedule of Ana’s that Dev has approved to run with the service account, where an approval lasts 20 days. */
async function approved(name: string, lifetime = '1d') {
  const here = await scheduleBoard(await storeIn(folder()), {
    file: { approvers: ['U0DEV'], consentLifetime: '20d', lifetime },
  });
  onTestFinished(() => here.end());
  await here.signsIn('service', 'dev');
  const parts: AllParts = { ...here.parts, account: { username: 'svc' } };
  const { id } = await here.asks({ name, runsAs: 'service' }, parts);
  const works = (isDone: () => Promise<boolean>) => here.works(isDone, { at: [parts] });
  const waiting = async (): Promise<Job | undefined> => {
    const job = await parts.jobs.find((await here.schedule(id)).request ?? '');
    return job && job.state === 'awaiting' ? job : undefined;
  };
  const decides = async (decide: typeof approve = approve) => {
    const job = await waiting();
    if (job?.state !== 'awaiting') throw new Error('nobody is asked');
    const click = { team: 'T1', person: 'U0DEV', channel: 'C1', digest: job.approval.digest };
    await decide(parts, job, click);
    await works(async () => (await waiting()) === undefined && (await here.schedule(id)).state !== 'waiting');
  };
  await works(async () => (await waiting()) !== undefined);
  await decides();
  return {
    ...here,
    ...{ id, parts, works, waiting, decides },
    now: () => here.schedule(id),
    requests: async () =>
      (await here.store.selectFrom('jobs').select('id').where('operation', '=', 'schedule.approve').execute()).length,
    /** Goes to a time of day some days after the approval, and lets the loops work there for a while. */
    async goes(days: number, hours = 9) {
      const start = Date.UTC(2026, 10, 21 + days, hours) - 10_000;
      await here.clock.leap(start - here.clock.now());
      await works(async () => {
        const { lastJob, lastOutcome } = await here.schedule(id);
        return here.clock.now() > start + 180_000 && (lastJob === null || lastOutcome !== null);
      });
    },
    runsSince: async (time: number) =>
      (await here.runs(id)).filter(({ createdAt }) => createdAt >= time).map(({ createdAt }) => createdAt),
  };
}

test('a schedule’s approval is asked for once before it ends, and goes on once it is given anew', async () => {
  const here = await approved('database.refresh');
  await here.goes(14);
  expect(await here.requests()).toBe(1);
  await here.goes(16);
  expect(await here.now()).toMatchObject({ state: 'on', approvedBy: ['U0DEV'] });
  expect(await here.requests()).toBe(2);
  await here.decides();
  await here.goes(17);
  await here.goes(25);
  expect((await here.now()).reason).toBe(null);
  expect(await here.requests()).toBe(2);
});

test('a scheduled refresh does not run past the end of its approval until that is given anew', async () => {
  const here = await approved('database.refresh');
  await here.goes(16);
  await here.goes(18);
  expect(await here.waiting()).toBeUndefined();
  const end = Date.UTC(2026, 10, 21 + 21);
  await here.goes(21, 2);
  await here.goes(21);
  expect(await here.now()).toMatchObject({ state: 'waiting', approvedBy: [] });
  expect(await here.runsSince(end)).toEqual([]);
  await here.decides();
  expect(await here.now()).toMatchObject({ state: 'on', approvedBy: ['U0DEV'] });
  await here.goes(22, 2);
  expect(await here.runsSince(end)).toHaveLength(1);
});

test('a schedule’s approval given while the clock was ahead lasts no longer, but from its next run on', async () => {
  const here = await approved('database.refresh');
  const { body } = await here.store
    .selectFrom('things')
    .select('body')
    .where('id', '=', here.id)
    .executeTakeFirstOrThrow();
  const ahead = JSON.stringify({ ...JSON.parse(body), approvedAt: here.clock.now() + 300 * day });
  await here.store.updateTable('things').set({ body: ahead }).where('id', '=', here.id).execute();
  await here.goes(1, 2);
  expect((await here.now()).approvedAt).toBeLessThanOrEqual(here.clock.now());
  await here.goes(22, 2);
  await here.goes(22);
  expect(await here.now()).toMatchObject({ state: 'waiting', approvedBy: [] });
});

test('scheduled backups go on past the end of their approval, and one request a day asks for it', async () => {
  const here = await approved('database.backup');
  await here.goes(16);
  const before = await here.requests();
  for (const days of [21, 22, 23]) await here.goes(days, 2);
  expect((await here.now()).reason).toBe(null);
  expect(await here.runsSince(Date.UTC(2026, 10, 21 + 21))).toHaveLength(3);
  expect((await here.requests()) - before).toBe(3);
  await here.decides((...click) => deny(...click, 'No.'));
  expect(await here.now()).toMatchObject({ state: 'paused', reason: expect.stringContaining('not approved') });
});

test('a schedule’s approval is void once its owner signs in as another user', async () => {
  const here = await approved('database.backup');
  await endApprovalsOfOthers(here.parts, ana, 'ana');
  expect(await here.now()).toMatchObject({ state: 'on', login: 'ana' });
  await endApprovalsOfOthers(here.parts, ana, 'ben');
  expect(await here.now()).toMatchObject({ state: 'paused', approvedBy: [], digest: null });
  expect(await here.told()).toContain('paused to C1');
  await here.goes(1, 2);
  expect(await here.runsSince(0)).toEqual([]);
  const seen = { ...ana, id: here.id, revision: (await here.now()).revision };
  expect(await resumeSchedule(here.parts, seen)).toMatchObject({ schedule: { state: 'waiting' } });
});

test('a schedule that its owner deletes as they sign in as another user stays deleted', async () => {
  const here = await approved('database.backup');
  const act = { ...ana, id: here.id, revision: (await here.now()).revision };
  const { things } = here.parts;
  const list: typeof things.list = async (...asked) => {
    const found = await things.list(...asked);
    await deleteSchedule(here.parts, act);
    return found;
  };
  await endApprovalsOfOthers({ ...here.parts, things: { ...things, list } }, ana, 'ben');
  expect(await here.now()).toMatchObject({ state: 'deleted' });
});

test('a schedule changed while its owner was signed out loses its approval too when they sign in as another', async () => {
  const here = await approved('database.backup');
  await here.credentials.forget(ana, here.clock.now());
  const act = { ...ana, id: here.id, revision: (await here.now()).revision };
  await changeSchedule(here.parts, act, { rhythm: { every: 'day', at: '03:00' } });
  await here.signsIn('U0ANA', 'ana');
  await here.parts.jobs.resume(ana, here.clock.now());
  await here.works(async () => (await here.waiting()) !== undefined);
  await here.decides();
  expect(await here.now()).toMatchObject({ state: 'on', login: 'ana' });
  await endApprovalsOfOthers(here.parts, ana, 'ben');
  expect(await here.now()).toMatchObject({ state: 'paused', approvedBy: [] });
});

test.each(['on', 'paused'] as const)(
  'a schedule that is %s loses its approval when it changes to its owner’s own sign-in',
  async state => {
    const here = await approved('database.backup');
    const act = async () => ({ ...ana, id: here.id, revision: (await here.now()).revision });
    if (state === 'paused') await pauseSchedule(here.parts, await act());
    await changeSchedule(here.parts, await act(), { runsAs: 'owner' });
    expect(await here.now()).toMatchObject({ state, approvedBy: [], approvedAt: null, digest: null });
    await endApprovalsOfOthers(here.parts, ana, 'ben');
    await changeSchedule(here.parts, await act(), { runsAs: 'service' });
    if (state === 'paused') await resumeSchedule(here.parts, await act());
    expect(await here.now()).toMatchObject({ state: 'waiting', approvedBy: [] });
  },
);

test('an approval that an older version kept on a schedule with its owner’s own sign-in no longer counts', async () => {
  const here = await approved('database.backup');
  await here.changes(here.id, { runsAs: 'owner' });
  const act = { ...ana, id: here.id, revision: (await here.now()).revision };
  await changeSchedule(here.parts, act, { runsAs: 'service' });
  expect(await here.now()).toMatchObject({ state: 'waiting', approvedBy: [] });
});

test('a schedule’s approval is not asked for anew where the schedule could not run', async () => {
  const here = await approved('database.refresh');
  await here.changes(here.id, { madeAt: day });
  await here.goes(16);
  expect(await here.requests()).toBe(1);
});

test('a schedule’s approval whose request is still open past its end is told each day', async () => {
  const here = await approved('database.backup', '9d');
  for (const days of [16, 21, 22]) await here.goes(days, 2);
  expect(await here.requests()).toBe(2);
  const lapsed = (await here.told()).filter(told => told.startsWith('lapsed'));
  expect(lapsed.toSorted()).toEqual([
    ...['lapsed to C0APPROVAL', 'lapsed to C0APPROVAL'],
    ...['lapsed to U0ANA', 'lapsed to U0ANA'],
  ]);
});
