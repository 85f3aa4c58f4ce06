import { expect, test } from 'vitest';
import { stepAfterRenewal } from '../../../src/features/schedules/run/afterRun.ts';
import type { Schedule } from '../../../src/features/schedules/schedule.ts';
import { stepAfterRequest } from '../../../src/features/schedules/scheduleApproval.ts';
import { digestOfSchedule } from '../../../src/features/schedules/scheduleRules.ts';
import type { JobRow } from '../../../src/store/jobs/rows/jobRow.ts';
import { jobIn } from '../../jobs/jobIn.ts';
import { aSchedule } from './aSchedule.ts';

/* What it means for a schedule that its renewal has made the clone again. */

const clone = 'MYSQL_CLONE_SERVER-4';
const weekly = aSchedule({
  ...{ operation: 'clone.renew', values: { database: clone, port: 3401 }, target: clone, lastJob: 'plan-1' },
  ...{ targetName: 'shop-3401', madeAt: 1_000, runsAs: 'service', approvedBy: ['U2'] },
});
const approved = { ...weekly, digest: digestOfSchedule(weekly) };

type Made = Readonly<{ gone?: boolean; runsAs?: JobRow['runsAs'] }>;

/** The job that made a clone; its record is there, and was made at a time of its own. */
function made(claimed: string, { gone = false, runsAs = 'service' }: Made = {}) {
  const evidence = JSON.stringify({ id: claimed, name: 'shop-3401', madeAt: 2_000, gone, since: 0, seenAt: 0 });
  return jobIn('succeeded', { claimed, evidence, runsAs });
}

const after = (job = made('MYSQL_CLONE_SERVER-9'), schedule: Schedule = approved) =>
  stepAfterRenewal(schedule, 'plan-1', job);

test.each([
  'MYSQL_CLONE_SERVER-9',
  // A service may give an identifier again.
  clone,
])('a schedule’s approval goes on with the clone %s, which the approved renewal itself made', target => {
  const step = after(made(target));
  expect(step?.changes).toMatchObject({
    ...{ target, madeAt: 2_000, targetName: 'shop-3401', values: { database: target, port: 3401 } },
    ...{ digest: digestOfSchedule({ ...approved, ...step?.changes }) },
  });
  expect(step?.job).toBeUndefined();
  expect(after(made(target), { ...approved, ...step?.changes })).toBeUndefined();
});

test('a renewed clone makes no schedule approved that was not approved before', () => {
  const changed = after(undefined, { ...approved, channel: 'C2' });
  expect(changed?.changes).toMatchObject({ target: 'MYSQL_CLONE_SERVER-9' });
  expect(changed?.changes).not.toHaveProperty('digest');
  const waiting = after(undefined, { ...approved, state: 'waiting', approvedBy: [] });
  expect(waiting?.changes).not.toHaveProperty('digest');
});

test('approvers are asked anew for a schedule whose clone was made again with its owner’s own sign-in', () => {
  const step = after(made('MYSQL_CLONE_SERVER-9', { runsAs: null }));
  expect(step).toMatchObject({
    changes: { target: 'MYSQL_CLONE_SERVER-9', state: 'waiting', approvedBy: [], plannedAt: null },
    dueAt: null,
    job: { job: { operation: 'schedule.approve', target: 'MYSQL_CLONE_SERVER-9' } },
  });
  const own = after(made('MYSQL_CLONE_SERVER-9', { runsAs: null }), { ...weekly, runsAs: 'owner', approvedBy: [] });
  expect(own?.changes).toMatchObject({ target: 'MYSQL_CLONE_SERVER-9' });
  expect(own?.changes).not.toHaveProperty('state');
});

test('a schedule ignores a renewed clone of another plan or one that is gone, as does a deleted schedule', () => {
  expect(after(undefined, { ...approved, lastJob: 'plan-2' })).toBeUndefined();
  expect(after(made('MYSQL_CLONE_SERVER-9', { gone: true }))).toBeUndefined();
  expect(after(undefined, { ...approved, state: 'deleted' })).toBeUndefined();
});

test('a schedule that is denied, or whose approval cannot be asked for, is paused and its messages are closed', () => {
  const asked = { ...approved, request: 'job-1' };
  const denied = stepAfterRequest(asked, jobIn('denied', { id: 'job-1', operation: 'schedule.approve' }));
  const tooLong = { ...weekly.values, note: 'x'.repeat(5_000_000) };
  const mute = after(made('MYSQL_CLONE_SERVER-9', { runsAs: null }), { ...approved, values: tooLong });
  for (const step of [denied, mute])
    expect(step).toMatchObject({ changes: { state: 'paused', digest: null }, closed: [{ outcome: 'It is paused.' }] });
  expect([denied?.notices, mute?.notices?.length]).toEqual([[], 1]);
});
