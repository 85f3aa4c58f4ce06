import { describe, expect, onTestFinished, test } from 'vitest';
import { parseIdentifier } from '../../../src/api/identifiers.ts';
import { newLease } from '../../../src/features/leases/lease.ts';
import { beginPlan } from '../../../src/jobs/plans/beginPlan.ts';
import { teardownNow } from '../../../src/jobs/plans/teardownNow.ts';
import { backUpDatabase } from '../../../src/operations/databases.ts';
import { batchNameOf } from '../../../src/operations/plans/batch.ts';
import { hasEnded, isPlan } from '../../../src/store/jobs/rows/job.ts';
import { leases } from '../../../src/store/tables/leases.ts';
import { crossing } from '../../journeys/crossing.ts';
import { folder, storeIn } from '../../store/folder.ts';
import { clone, live, planBoard, stepOn } from './board.ts';

/* Not read is not not there: plans, batches and renewals wait where a list or a record was not read. */

const teardown = { operation: 'database.teardown', target: live ?? '', values: { database: live ?? '' } };
const page = () => new Response('<html><body>Bad gateway</body></html>', { status: 502 });

async function boardOf(...[change, file]: [Parameters<typeof planBoard>[1], object?]) {
  const road = crossing();
  const here = await planBoard(await storeIn(folder()), change, file, road.middleware);
  onTestFinished(() => here.end());
  const stateOf = async () => (await here.plan()).state;
  return {
    ...here,
    road,
    stateOf,
    waits: async (state: string) => {
      await here.works(async () => (await here.plan()).hold === 'busy');
      expect(await here.plan()).toMatchObject({ state, reason: expect.stringContaining('HTTP 502') });
      expect(here.written()).toEqual([]);
    },
    becomes: (state: string) => here.works(async () => (await stateOf()) === state),
    ends: () => here.works(async () => hasEnded(await here.plan())),
  };
}

describe.each(['/database/list', '/environment/list', `/database/${live}`, `/database/${clone}`])(
  'a teardown waits while %s gives no answer',
  path => {
    test('a teardown waits before and after its approval while a list or record gives no answer, and then goes on', async () => {
      const here = await boardOf(teardown);
      const first = here.road.meets(path, page);
      await here.waits('new');
      first.leave();
      await here.becomes('awaiting');
      const facts = (await here.plan()).approval?.facts ?? [];
      expect(facts.find(({ key }) => key === '1 dependents')?.compared).toBe(clone);
      await here.approvesPlan();
      const second = here.road.meets(path, page);
      await here.waits('approved');
      second.leave();
      await here.ends();
      expect(await here.steps()).toEqual(['0 succeeded', '1 succeeded']);
    });

    test('a teardown that has begun waits before its first deletion while a list or record gives no answer', async () => {
      const here = await boardOf(teardown);
      await here.becomes('awaiting');
      await here.approvesPlan();
      const plan = await here.plan();
      if (plan.state !== 'approved' || !isPlan(plan)) throw new Error(`it is ${plan.state}`);
      await beginPlan(here.parts, plan);
      const met = here.road.meets(path, page);
      await here.works(async () =>
        (await here.parts.jobs.stepsOf('plan-1')).some(job => 'hold' in job && job.hold === 'busy'),
      );
      expect(here.written()).toEqual([]);
      met.leave();
      await here.ends();
      expect(await here.steps()).toEqual(['0 succeeded', '1 succeeded']);
    });
  },
);

test('a teardown is not planned while a clone that only its own record shows cannot be read', async () => {
  const here = await boardOf(teardown);
  // A list that does not show what was made of what.
  here.road.meets('/database/list', () =>
    Response.json([...here.service.estate.databases.values()].map(({ id, name, state }) => ({ id, name, state }))),
  );
  const target = parseIdentifier(live ?? '') ?? expect.fail();
  const tree = async () => {
    const session = await here.parts.records.session({ team: 'T1', person: 'U0ANA' });
    return teardownNow(session?.records ?? expect.fail(), target, []);
  };
  const deleted = ({ teardown: { steps } }: Awaited<ReturnType<typeof tree>>) => steps.map(one => one.target);
  expect(deleted(await tree())).toContain(clone);
  here.road.meets(`/database/${clone}`, page);
  await expect(tree()).rejects.toMatchObject({ kind: 'unreadable' });
  here.road.meets(`/database/${clone}`, () => new Response('', { status: 403 }));
  expect(deleted(await tree())).not.toContain(clone);
});

test('a batch asks for approval of each target that needs it, also of those that could not be read at first', async () => {
  const first = live ?? '';
  const targets = [first, 'MARIADB_LIVE_SERVER-2', 'MYSQL_LIVE_SERVER-1'];
  const rule = { operation: 'database.backup', environment: 'mariadb-prod', decision: 'approve' };
  const asked = { operation: batchNameOf(backUpDatabase), target: first, values: { database: first } };
  const steps = targets.map(id => stepOn('database.backup', id));
  for (const path of [`/database/${live}`, '/environment/list', '/database/list']) {
    const here = await boardOf({ ...asked, steps }, { rules: [rule] });
    const met = here.road.meets(path, page);
    await here.waits('new');
    met.leave();
    await here.works(async () => (await here.parts.jobs.stepsOf('plan-1')).some(job => 'steps' in job && job.steps));
    const asks = (await here.parts.jobs.stepsOf('plan-1')).flatMap(job =>
      job.state !== 'unreadable' && isPlan(job) ? job.steps.map(step => step.target) : [],
    );
    expect(asks).toEqual(targets.slice(0, 2));
  }
});

test('a person’s renewal of their own clone needs nobody’s approval, though the clone was not read at first', async () => {
  const renewal = { operation: 'clone.renew', target: clone ?? '', values: { database: clone ?? '' } };
  const here = await boardOf({
    ...renewal,
    steps: [stepOn('database.delete', clone), stepOn('database.refresh', live)],
  });
  const [record = '', since] = [clone, here.clock.now()];
  const made = { name: 'billing-3330', madeAt: null, job: 'job-0', operation: null, channel: 'C1', wish: null };
  const lease = newLease({ team: 'T1', person: 'U0ANA', record, since, ...made });
  await here.parts.things.act(leases, lease.id, () => ({ as: lease }), since);
  const met = here.road.meets(`/database/${clone}`, page);
  await here.waits('new');
  met.leave();
  await here.ends();
  expect(await here.plan()).toMatchObject({ state: 'succeeded', approval: undefined });
});
