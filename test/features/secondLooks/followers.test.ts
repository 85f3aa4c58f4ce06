import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { keptUntil, newLease } from '../../../src/features/leases/lease.ts';
import { scheduleReopenHook, stepAfterRun } from '../../../src/features/schedules/run/afterRun.ts';
import { schedules } from '../../../src/features/schedules/schedule.ts';
import { takenBackMessage } from '../../../src/features/secondLooks/takenBackMessage.ts';
import { day, minute, second } from '../../../src/ground/durations.ts';
import { advance } from '../../../src/jobs/advance.ts';
import { nextOf } from '../../../src/jobs/plans/nextOf.ts';
import type { NewJob } from '../../../src/store/jobs/rows/job.ts';
import { inTrail } from '../../../src/store/tables/audit/audit.ts';
import { leaseId, leases } from '../../../src/store/tables/leases.ts';
import { actOn, thingsIn } from '../../../src/store/things/things.ts';
import { jobIn } from '../../jobs/jobIn.ts';
import { clone, live, stepOn } from '../../jobs/plans/board.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { aSchedule } from '../schedules/aSchedule.ts';
import { endBoard } from './endBoard.ts';

vi.mock('../../../src/operations/databases.ts', async original => {
  const actual = await original<typeof import('../../../src/operations/databases.ts')>();
  const { renewal, tearDown } = await import('../../jobs/plans/teardown.ts');
  return { ...actual, databaseOperations: [...actual.databaseOperations, tearDown, renewal] };
});

/* What hangs on the end of a job follows where that end is taken back. */

const reason = 'I said that it was confirmed. That no longer holds: it is gone.';

async function planOf(...steps: NonNullable<NewJob['steps']>) {
  const change = { operation: 'database.testplan', target: live ?? '', values: { database: live ?? '' }, steps };
  const here = await endBoard(await storeIn(folder()), change);
  onTestFinished(() => here.end());
  await here.works(async () => (await here.plan()).state === 'awaiting');
  await here.approvesPlan();
  const stateOf = async () => (await here.plan()).state;
  return {
    ...here,
    stateOf,
    takesBack: async (id: string) => advance(here.parts, await here.read(id), { type: 'takenBack', reason }),
  };
}

const stuck = { id: clone, objectType: 'MARIADB_CLONE_SERVER', vendor: 'MARIADB', name: 'billing-3330' };
const without = (record: Readonly<Record<string, unknown>>) => ({ ...record, snapshots: [] });

describe('a plan', () => {
  test('a plan deletes nothing after a backup whose snapshot is gone, though that was confirmed', async () => {
    const here = await planOf(stepOn('database.backup', live), stepOn('database.delete', clone));
    const { jobs } = here.parts;
    // The snapshot goes as soon as it has confirmed the backup.
    const applyAlong: typeof jobs.applyAlong = async (job, transition, now) => {
      if (transition.state === 'succeeded') here.edits.set(live ?? '', without);
      return jobs.applyAlong(job, transition, now);
    };
    const at = { ...here.parts, jobs: { ...jobs, applyAlong } };
    await here.works(async () => (await here.steps())[1] === '1 void', at);
    expect((await here.read('plan-1-1-1')).reason).toMatch(/no longer shows .+, the backup that was taken before this/);
    expect(here.written().filter(line => line.startsWith('DELETE'))).toEqual([]);
  });

  test('a plan begins no step while an earlier one’s end is taken back, and stops where that one failed', async () => {
    const steps = [stepOn('database.backup', live), stepOn('database.delete', clone), stepOn('database.delete', live)];
    const plan = { steps, step: 1, looks: 0 };
    const first = jobIn('succeeded', { id: 'a', step: 0, endedAt: 5 });
    const second = jobIn('succeeded', { id: 'b', step: 1, createdAt: 10, endedAt: 15 });
    expect(nextOf(plan, [first, second])).toMatchObject({ type: 'begin', step: 2 });
    expect(nextOf(plan, [jobIn('running', { id: 'a', step: 0 }), second])).toEqual({ type: 'wait' });
    const failed = jobIn('failed', { id: 'a', step: 0, sentAt: 1, endedAt: 20, reason: 'It is gone.' });
    expect(nextOf(plan, [failed, second])).toMatchObject({ type: 'end', step: 0, state: 'failed' });
    // One that had failed before the next was begun was passed over by a person: what it was to delete was gone.
    expect(nextOf(plan, [jobIn('failed', { id: 'a', step: 0, sentAt: 1, endedAt: 5 }), second])).toMatchObject({
      step: 2,
    });
    // Tried once more, and confirmed: what came after it is not begun again.
    const again = jobIn('succeeded', { id: 'a2', step: 0 });
    expect(nextOf(plan, [failed, second, again])).toMatchObject({ type: 'begin', step: 2 });
  });

  test('a confirmed plan waits again for its last step whose end is taken back, also after a kill', async () => {
    const here = await planOf(stepOn('database.delete', clone));
    await here.works(async () => (await here.stateOf()) === 'succeeded', here.parts);
    await here.takesBack('plan-1-0-1');
    // Nothing but the step was written before the kill.
    expect(await here.stateOf()).toBe('succeeded');
    await here.passes(2 * second);
    expect(await here.stateOf()).toBe('running');
    await here.works(async () => (await here.stateOf()) === 'succeeded', here.parts);
    expect((await here.trail(20)).filter(line => line.startsWith('taken back'))).toHaveLength(2);
  });

  test('a plan that stopped before its last step begins nothing when a step’s end is taken back', async () => {
    const here = await planOf(stepOn('database.delete', clone), stepOn('database.delete', live));
    await here.works(async () => (await here.steps())[0] === '0 running', here.parts);
    here.edits.set(clone ?? '', record => ({ ...record, state: 'FAILED', error: 'The disk is full.' }));
    here.added.push(stuck);
    await here.works(async () => (await here.stateOf()) === 'failed', here.parts);
    here.added.pop();
    await here.takesBack('plan-1-0-1');
    here.edits.delete(clone ?? '');
    await here.passes(2 * minute);
    expect(await here.stateOf()).toBe('failed');
    expect(await here.steps()).toEqual(['0 succeeded']);
  });
});

test('a clone’s lease goes on and warns once more where the end of its deletion is taken back', async () => {
  const here = await planOf(stepOn('database.delete', clone));
  const { parts, clock } = here;
  await here.works(async () => (await here.stateOf()) === 'succeeded', here.parts);
  const known = {
    team: 'T1',
    person: 'U0ANA',
    record: clone ?? '',
    name: 'a',
    madeAt: null,
    job: 'made',
    operation: null,
  };
  const lease = newLease({ ...known, channel: 'C1', wish: null, since: clock.now(), login: 'ana' });
  const endsAt = clock.now() + day;
  const as = { ...lease, ...keptUntil(endsAt, clock.now()), state: 'ended', endedAt: clock.now() } as const;
  await parts.things.act(leases, lease.id, () => ({ as, dueAt: null }), clock.now());
  await here.takesBack('plan-1-0-1');
  expect(await parts.things.find(leases, leaseId('T1', clone ?? ''))).toMatchObject({
    state: 'kept',
    endsAt,
    mustWarn: true,
  });
});

test.each([
  ['failed', 2, 1],
  ['succeeded', 0, 0],
] as const)('a scheduled run whose end was taken back after it had %s is counted anew', async (was, before, during) => {
  const store = await storeIn(folder());
  const schedule = aSchedule({ failures: before, lastJob: 'j1', lastOutcome: was });
  const job = jobIn('running', { id: 'j1', schedule: schedule.id, reason });
  await inTrail(store, undefined, async (changes, note) => {
    await actOn(changes, note, { kind: schedules, id: schedule.id, give: () => ({ as: schedule }), now: 1 });
    for (const one of scheduleReopenHook(job, was, undefined)) await one.write(changes, note, 2);
  });
  const found = await thingsIn(store).find(schedules, schedule.id);
  expect(found?.failures).toBe(during);
  expect(
    found && stepAfterRun({ ...found, operation: 'database.backup' }, { id: 'j1', state: 'failed' }, 3),
  ).toMatchObject({ changes: { failures: during + 1 } });
});

test('the message that an end was taken back mentions the job’s person, but not where it names none', () => {
  const data = { person: 'U0ANA', title: 'Backup of orders', reason: `${reason} <!channel>` };
  expect(takenBackMessage(data, null)?.text).toContain('<@U0ANA>');
  expect(takenBackMessage(data, null)?.text).not.toContain('<!channel>');
  expect(takenBackMessage({ ...data, person: null }, null)?.text).not.toContain('<@');
});
