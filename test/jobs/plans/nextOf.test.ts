import { expect, test } from 'vitest';
import { type NextOfPlan, nextOf } from '../../../src/jobs/plans/nextOf.ts';
import type { PlanStep } from '../../../src/operations/plans/plan.ts';
import type { JobState } from '../../../src/store/jobs/rows/job.ts';
import { jobIn } from '../jobIn.ts';

const shop = 'MARIADB_LIVE_SERVER-1';
const backup: PlanStep = {
  operation: 'database.backup',
  values: { database: shop },
  labels: { [shop]: 'shop' },
  target: shop,
  targetName: 'shop',
};
const clone: PlanStep = {
  operation: 'clone.create',
  values: { sourceDatabase: shop, cloneType: 'VIRTUALCLONE', snapshot: { step: 0, brings: 'snapshot' } },
  labels: {},
  target: shop,
  targetName: 'shop',
};
const stop: PlanStep = {
  operation: 'clone.stop',
  values: { database: { step: 1, brings: 'record' } },
  labels: {},
  target: { step: 1, brings: 'record' },
  targetName: null,
};
const steps = [backup, clone, stop];
const snapshot = 'MARIADB_SNAPSHOT-9';
const made = 'MARIADB_CLONE_SERVER-7';

/** The job of a step, in a state, with what it claimed. */
const ofStep = (step: number, state: JobState, claimed: string | null = null) =>
  jobIn(state, { plan: 'plan-1', step, claimed });
const plan = (step: number, looks = 0) => ({ steps, step, looks });
const short = (next: NextOfPlan) =>
  next.type === 'begin'
    ? `begin ${next.step + 1}, try ${next.tries + 1}`
    : next.type === 'end'
      ? `${next.state} at ${next.step + 1}`
      : next.type;

test.each<[string, NextOfPlan]>([
  ['begin 1, try 1', nextOf(plan(0), [])],
  ['wait', nextOf(plan(0), [ofStep(0, 'new')])],
  ['wait', nextOf(plan(0), [ofStep(0, 'running')])],
  ['begin 2, try 1', nextOf(plan(0), [ofStep(0, 'succeeded', snapshot)])],
  ['begin 3, try 1', nextOf(plan(1), [ofStep(0, 'succeeded', snapshot), ofStep(1, 'succeeded', made)])],
  ['succeeded at 3', nextOf(plan(2), [ofStep(1, 'succeeded', made), ofStep(2, 'succeeded')])],
  ['succeeded at 1', nextOf({ steps: [], step: 0, looks: 0 }, [])],
  // The last step was to delete what was gone already.
  ['succeeded at 3', nextOf(plan(3), [ofStep(2, 'void')])],
  // A plan is as sure as its least sure step, however late that one was.
  ...(['finished', 'unconfirmed'] as const).flatMap((state): [string, NextOfPlan][] => [
    ['finished at 3', nextOf(plan(2), [ofStep(0, state), ofStep(1, 'succeeded', made), ofStep(2, 'succeeded')])],
    ['finished at 3', nextOf(plan(3), [ofStep(0, state), ofStep(1, 'succeeded', made), ofStep(2, 'void')])],
  ]),
  ['succeeded at 3', nextOf(plan(2), [ofStep(0, 'unconfirmed'), ofStep(0, 'succeeded'), ofStep(2, 'succeeded')])],
  // An end that is no success stops the plan, until its person has seen to it.
  ...(['failed', 'void', 'expired', 'withdrawn'] as const).flatMap((state): [string, NextOfPlan][] => [
    ['failed at 1', nextOf(plan(0), [ofStep(0, state)])],
    ['begin 1, try 2', nextOf(plan(0, 2), [ofStep(0, state)])],
    ['failed at 1', nextOf(plan(0, 2), [ofStep(0, state), ofStep(0, state)])],
  ]),
  ...(['finished', 'unconfirmed'] as const).flatMap((state): [string, NextOfPlan][] => [
    [`${state} at 1`, nextOf(plan(0), [ofStep(0, state, snapshot)])],
    ['begin 2, try 1', nextOf(plan(0, 2), [ofStep(0, state, snapshot)])],
    ['finished at 3', nextOf(plan(2, 2), [ofStep(1, 'succeeded', made), ofStep(2, state)])],
  ]),
  // What an earlier step did not bring is left to the service only when the person says so; a target cannot be.
  ['finished at 2', nextOf(plan(0), [ofStep(0, 'succeeded')])],
  ['finished at 2', nextOf(plan(1), [ofStep(0, 'succeeded')])],
  ['begin 2, try 1', nextOf(plan(1, 1), [ofStep(0, 'succeeded')])],
  ['failed at 3', nextOf(plan(2), [ofStep(1, 'succeeded')])],
  ['failed at 3', nextOf(plan(2, 1), [ofStep(1, 'succeeded')])],
  // A try after such a word is asked for anew.
  ['failed at 2', nextOf(plan(1, 1), [ofStep(0, 'succeeded'), ofStep(1, 'failed')])],
])('What a plan does next follows from how its steps stand: %s', (told, next) => expect(short(next)).toBe(told));

test('a step of a plan gets the record or snapshot that the steps before it brought', () => {
  const second = nextOf(plan(0), [ofStep(0, 'succeeded', snapshot)]);
  expect(second).toMatchObject({
    request: { values: { sourceDatabase: shop, cloneType: 'VIRTUALCLONE', snapshot }, target: shop },
  });
  const third = nextOf(plan(1), [ofStep(0, 'succeeded', snapshot), ofStep(1, 'succeeded', made)]);
  expect(third).toMatchObject({ request: { values: { database: made }, target: made } });
  expect(nextOf(plan(1, 1), [ofStep(0, 'succeeded')])).toMatchObject({
    request: { values: { sourceDatabase: shop, cloneType: 'VIRTUALCLONE' } },
  });
});

test('the reason of a plan’s end names the step, and quotes the step’s own reason', () => {
  expect(nextOf(plan(0), [ofStep(0, 'failed')])).toMatchObject({
    reason: 'Step 1 of 3 (Backup of shop) failed: It is over.',
  });
  const done = [ofStep(0, 'succeeded', snapshot), ofStep(1, 'unconfirmed', made), ofStep(2, 'succeeded')];
  expect(nextOf(plan(2), done)).toMatchObject({
    reason: 'Step 2 of 3 (Virtual clone of shop) is unconfirmed: It is over.',
  });
  expect(nextOf(plan(0), [ofStep(0, 'succeeded')])).toMatchObject({
    reason:
      'Step 2 of 3 (Virtual clone of shop): The records do not show which snapshot step 1 made. Without it, the service uses the latest one.',
  });
});
