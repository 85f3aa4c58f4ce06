import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectService } from '../../../src/api/connection/serviceClient.ts';
import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { newLease } from '../../../src/features/leases/lease.ts';
import { day } from '../../../src/ground/durations.ts';
import { goOn, withdrawPlan } from '../../../src/jobs/plans/planActions.ts';
import { lookAgain, withdraw } from '../../../src/jobs/requesterActions.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import { openRecords } from '../../../src/records/records.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import { startService } from '../../../src/sandbox/service/server.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { freeJobLocks } from '../../../src/store/jobs/queue/jobQueue.ts';
import { hasEnded, isPlan } from '../../../src/store/jobs/rows/job.ts';
import { accountOwner } from '../../../src/store/serviceOwner.ts';
import { leases } from '../../../src/store/tables/leases.ts';
import { folder, storeIn, stores } from '../../store/folder.ts';
import { replica } from '../deciding.ts';
import { clone, live, other, planBoard, stepOn, teardown } from './board.ts';
import { dying } from './dying.ts';

vi.mock('../../../src/operations/databases.ts', async original => {
  const actual = await original<typeof import('../../../src/operations/databases.ts')>();
  const { renewal, tearDown } = await import('./teardown.ts');
  return { ...actual, databaseOperations: [...actual.databaseOperations, tearDown, renewal] };
});

/** A board on a store, whose service is closed after the test. */
async function boardOn(
  store: Store,
  ...more: [Parameters<typeof planBoard>[1]?, object?, Parameters<typeof planBoard>[3]?]
) {
  const here = await planBoard(store, ...more);
  onTestFinished(() => here.end());
  const stateOf = async () => (await here.plan()).state;
  return {
    ...here,
    stateOf,
    ends: (at?: AllParts) => here.works(async () => hasEnded(await here.plan()), at),
    waits: () => here.works(async () => (await stateOf()) === 'awaiting'),
    runsStep: (step: number) =>
      here.works(async () =>
        (await here.steps()).some(one => one === `${step} running` || one === `${step} succeeded`),
      ),
  };
}
const embedded = async (...more: [Parameters<typeof planBoard>[1]?, object?, Parameters<typeof planBoard>[3]?]) =>
  boardOn(await storeIn(folder()), ...more);

const free = { rules: [{ decision: 'allow' }] };

describe.each(stores)('a plan on %s', (_, open) => {
  test('a plan is approved as a whole, does one step after the other, and ends once', async () => {
    const here = await boardOn(await open());
    await here.waits();
    const { approval } = await here.plan();
    expect(approval?.facts.map(({ key, value }) => `${key}: ${value}`)).toEqual(
      expect.arrayContaining([`0 identifier: ${clone}`, '0 name: billing-3330', `1 identifier: ${live}`]),
    );
    expect(here.written()).toEqual([]);
    expect(await here.approvesPlan()).toMatchObject({ type: 'counted' });
    await here.ends();
    expect(await here.plan()).toMatchObject({ state: 'succeeded', reason: 'Both steps are confirmed.' });
    expect(await here.steps()).toEqual(['0 succeeded', '1 succeeded']);
    expect(here.written()).toEqual([`DELETE ${clone}`, `DELETE ${live}`]);
    // Each step has its own line in the trail; nobody but the plan is told.
    const { entries } = await here.parts.audit.read('T1', { words: [] }, 50);
    const told = entries.filter(({ job }) => job?.startsWith('plan-1')).map(({ job, event }) => `${job} ${event}`);
    expect(told.toReversed()).toEqual([
      ...['plan-1 asked', 'plan-1 awaiting', 'plan-1 approved', 'plan-1 begun'],
      ...['plan-1-0-1 begun', 'plan-1-0-1 sending', 'plan-1-0-1 accepted', 'plan-1-0-1 succeeded'],
      ...['plan-1-1-1 begun', 'plan-1-1-1 sending', 'plan-1-1-1 accepted', 'plan-1-1-1 succeeded'],
      'plan-1 succeeded',
    ]);
  });

  test('two processes work on a plan as one does, and send each step once', async () => {
    const store = await open();
    const here = await boardOn(store, {}, free);
    const second = workOnDueJobs(
      { ...here.parts, jobs: jobsIn(store, { knows: () => true }) },
      { ...here.parts, jobs: jobsIn(store, { knows: () => true }) },
    );
    onTestFinished(() => second.stop());
    await here.ends();
    expect(await here.steps()).toEqual(['0 succeeded', '1 succeeded']);
    expect(here.written()).toHaveLength(2);
  });

  test('a plan goes on once where two processes let it go on at the same moment, or a click comes late', async () => {
    const store = await open();
    const here = await boardOn(store, {}, free, refusing(1));
    await here.ends();
    expect(await here.steps()).toEqual(['0 failed']);
    const stopped = await here.plan();
    const others = { ...here.parts, jobs: jobsIn(store, { knows: () => true }) };
    const [one, two] = [replica(here.parts), replica(others)];
    const told = Promise.all([goOn(one.parts, stopped), goOn(two.parts, stopped)]);
    await Promise.all([one.arrived, two.arrived]);
    one.lets();
    two.lets();
    expect((await told).toSorted()).toEqual(['I go on.', 'This is already going on.']);
    const second = workOnDueJobs(others, others);
    onTestFinished(() => second.stop());
    expect(await goOn(others, await here.plan())).toContain('under way');
    await here.ends();
    expect(await here.steps()).toEqual(['0 failed', '0 succeeded', '1 succeeded']);
    expect(here.written()).toEqual([`DELETE ${clone}`, `DELETE ${clone}`, `DELETE ${live}`]);
    expect(await goOn(here.parts, stopped)).toBe('This is already going on.');
    expect(await goOn(here.parts, await here.plan())).toContain('has ended');
    expect(here.written()).toHaveLength(3);
  });
});

/** A service that refuses the first deletions of the clone. */
function refusing(times: number): Middleware {
  let left = times;
  return (request, next) =>
    request.method === 'DELETE' && request.url.includes(clone ?? '') && left-- > 0
      ? Response.json({ error: 'It is locked.' }, { status: 400 })
      : next();
}

test('a click on a message that shows an earlier stop does not let a plan go on', async () => {
  const here = await embedded({}, free, refusing(2));
  await here.ends();
  expect(await goOn(here.parts, await here.plan(), 'C1', 1)).toBe('I go on.');
  await here.ends();
  expect(await goOn(here.parts, await here.plan(), 'C1', 1)).toContain('has stopped again');
  expect(await here.stateOf()).toBe('failed');
  expect(await goOn(here.parts, await here.plan(), 'C1', 2)).toBe('I go on.');
  await here.ends();
  expect(await here.steps()).toEqual(['0 failed', '0 failed', '0 succeeded', '1 succeeded']);
});

test.each(['answers with 503', 'takes no connections'])(
  'a plan goes on by itself where the service %s between two of its steps, and sends each once',
  async trouble => {
    let isDown = false;
    const here = await embedded({}, free, (_, next) =>
      isDown ? Response.json({ error: 'It is restarted.' }, { status: 503 }) : next(),
    );
    const { jobs, records } = here.parts;
    const away = await startService({ port: 0, clock: here.clock });
    await away.close();
    const service = connectService({ url: away.url, prefix: '/service', ca: undefined, clock: here.clock });
    onTestFinished(() => service.close());
    const gone = openRecords({ ...here.parts, service, lastEnd: async () => 0, mapping: {} });
    const isAway = () => isDown && trouble === 'takes no connections';
    let since = 0;
    const parts: AllParts = {
      ...here.parts,
      records: { ...records, session: (...asked) => (isAway() ? gone : records).session(...asked) },
      jobs: {
        ...jobs,
        async beginStep(plan, transition, step) {
          isDown = step.step === 1;
          since = here.clock.now();
          return jobs.beginStep(plan, transition, step);
        },
      },
    };
    await here.works(async () => isDown && here.clock.now() > since + 240_000, parts);
    expect(await here.stateOf()).toBe('running');
    expect(await here.steps()).toEqual(['0 succeeded', '1 new']);
    isDown = false;
    await here.ends(parts);
    expect(await here.steps()).toEqual(['0 succeeded', '1 succeeded']);
    expect(here.written()).toEqual([`DELETE ${clone}`, `DELETE ${live}`]);
  },
);

describe('a plan that is killed at any write goes on, and sends each step once', () => {
  const runs = async (moment?: string, isAfter?: boolean) => {
    const store = await storeIn(folder());
    const here = await planBoard(store, {}, free);
    onTestFinished(() => here.end());
    const death = dying(here.parts.jobs, moment, isAfter);
    const hasEndedOrDied = async () => death.isDead() || hasEnded(await here.plan());
    await here.works(hasEndedOrDied, { ...here.parts, jobs: death.jobs });
    await freeJobLocks(store);
    await here.works(async () => hasEnded(await here.plan()));
    const { state } = await here.plan();
    return { names: death.names, told: { moment, state, steps: await here.steps(), written: here.written() } };
  };
  const both = [`DELETE ${clone}`, `DELETE ${live}`];
  const done = { state: 'succeeded', steps: ['0 succeeded', '1 succeeded'], written: both };

  test('a plan that is killed at any write goes on and sends each step once, or is unconfirmed where nobody knows', async () => {
    const { names, told } = await runs();
    expect(told).toMatchObject(done);
    const sendings = names.filter(name => name.includes('"sending"'));
    expect(sendings).toHaveLength(2);
    for (const name of new Set(names)) {
      const { told } = await runs(name);
      const sending = sendings.indexOf(name);
      // Killed between the note that it sends and the call, it cannot know.
      if (sending === 0) expect(told).toMatchObject({ state: 'unconfirmed', steps: ['0 unconfirmed'], written: [] });
      else if (sending === 1)
        expect(told).toMatchObject({
          state: 'unconfirmed',
          steps: ['0 succeeded', '1 unconfirmed'],
          written: [both[0]],
        });
      else expect(told).toMatchObject(done);
    }
    // The service has heard of it, and the note of that is not written.
    for (const sending of sendings) {
      const next = names[names.indexOf(sending) + 1];
      expect((await runs(next, false)).told).toMatchObject(done);
    }
  }, 120_000);
});

describe('a plan is asked for in vain', () => {
  test('a plan fails with nothing sent where something depends on a target that no earlier step deletes', async () => {
    const here = await embedded({ steps: teardown.steps.slice(1) });
    await here.ends();
    expect((await here.plan()).reason).toContain('billing-3330 (MARIADB_CLONE_SERVER-1) depends on it');
    expect(here.written()).toEqual([]);
  });

  test('a plan fails where a rule forbids one of its steps, or its steps need different approvers', async () => {
    const rule = { operation: 'database.delete', name: 'billing', decision: 'forbid' };
    const forbidden = await embedded({}, { rules: [rule] });
    await forbidden.ends();
    expect(await forbidden.plan()).toMatchObject({ state: 'failed', sentAt: null });
    expect((await forbidden.plan()).reason).toContain('Step 2 of 2');
    const people = (name: string, who: string) => ({
      operation: 'database.delete',
      name,
      decision: 'approve',
      approvers: [who],
    });
    const torn = await embedded({}, { rules: [people('billing', 'U0DEV'), people('billing-3330', 'U0EVE')] });
    await torn.ends();
    expect((await torn.plan()).reason).toContain('by different people');
  });
});

/** What people may run alone on what is theirs: the clone is deleted, and something follows. */
const renewal = {
  operation: 'clone.testplan',
  target: clone ?? '',
  values: { database: clone ?? '' },
  steps: [stepOn('database.delete', clone), stepOn('database.refresh', live)],
};

/** Gives a person the lease of the clone. */
async function givesLease(here: Awaited<ReturnType<typeof embedded>>, person: string) {
  const [record = '', since] = [clone, here.clock.now()];
  const made = { name: 'billing-3330', madeAt: null, job: 'job-0', operation: null, channel: 'C1', wish: null };
  const lease = newLease({ team: 'T1', person, record, since, ...made });
  await here.parts.things.act(leases, lease.id, () => ({ as: lease }), since);
}

describe('people renew alone what is theirs', () => {
  test('people renew their own clone without approval, and somebody else’s only with it', async () => {
    const others = await embedded(renewal);
    await others.waits();
    const mine = await embedded(renewal);
    await givesLease(mine, 'U0ANA');
    await mine.ends();
    expect(await mine.plan()).toMatchObject({ state: 'succeeded', approval: undefined });
  });

  test('the service account renews a person’s own clone without approval while they are not signed in', async () => {
    const here = await embedded({ ...renewal, runsAs: 'service' });
    await here.signsIn(accountOwner('T1').person, 'ana');
    await givesLease(here, 'U0ANA');
    await here.credentials.forget({ team: 'T1', person: 'U0ANA' }, here.clock.now());
    await here.ends();
    expect(await here.plan()).toMatchObject({ state: 'succeeded', approval: undefined });
  });

  test.each([
    ['is still theirs', 'U0ANA', ['0 failed', '0 succeeded', '1 succeeded'], 2],
    ['is somebody else’s by then', 'U0BEN', ['0 failed', '0 failed'], 1],
  ])(
    'a renewal that stopped before its deletion goes on without approval only for a person’s own clone: it %s',
    async (_, keeper, steps, deletions) => {
      const here = await embedded(renewal, {}, refusing(1));
      await givesLease(here, 'U0ANA');
      await here.ends();
      expect(await here.steps()).toEqual(['0 failed']);
      await givesLease(here, keeper);
      expect(await goOn(here.parts, await here.plan())).toBe('I go on.');
      await here.ends();
      expect(await here.steps()).toEqual(steps);
      expect(here.written().filter(line => line.startsWith('DELETE'))).toHaveLength(deletions);
    },
  );
});

describe('an approved plan stops', () => {
  test('an approved plan stops and says so where a target has changed otherwise than by the plan’s own steps', async () => {
    const here = await embedded();
    await here.waits();
    await here.approvesPlan();
    await here.runsStep(0);
    // Somebody makes a new clone of the database meanwhile.
    const [source] = [...here.service.estate.databases.values()].filter(({ id }) => id === live);
    const twin = [...here.service.estate.databases.values()].find(({ id }) => id === clone);
    if (!source || !twin) throw new Error('there is no such clone');
    here.service.estate.databases.set('MARIADB_CLONE_SERVER-77', {
      ...twin,
      id: 'MARIADB_CLONE_SERVER-77',
      name: 'new-one',
    });
    await here.ends();
    expect(await here.steps()).toEqual(['0 succeeded', '1 void']);
    const { state, reason } = await here.plan();
    expect(state).toBe('failed');
    expect(reason).toMatch(
      /^Step 2 of 2 .* was not sent: The target has changed since the approval\. .*MARIADB_CLONE_SERVER-77/,
    );
    expect(here.written()).toHaveLength(1);
    // The person has seen to it; the same difference stops it again.
    expect(await goOn(here.parts, await here.plan())).toBe('I go on.');
    here.service.estate.databases.delete('MARIADB_CLONE_SERVER-77');
    await here.ends();
    expect(await here.steps()).toEqual(['0 succeeded', '1 void', '1 succeeded']);
    expect((await here.plan()).state).toBe('succeeded');
  });

  test('an approved plan goes on to a step that deletes nothing, though something new depends on its target', async () => {
    // As in a renewal: the clone is gone by then, and has to be made again.
    const steps = [stepOn('database.delete', clone), stepOn('database.refresh', live)];
    const here = await embedded({ steps });
    await here.waits();
    await here.approvesPlan();
    await here.runsStep(0);
    const twin = [...here.service.estate.databases.values()].find(({ id }) => id === other);
    if (!twin) throw new Error('there is no such clone');
    here.service.estate.databases.set('MARIADB_CLONE_SERVER-77', {
      ...twin,
      id: 'MARIADB_CLONE_SERVER-77',
      name: 'new-one',
      sourceDatabase: live,
    });
    await here.ends();
    expect(await here.steps()).toEqual(['0 succeeded', '1 succeeded']);
    expect((await here.plan()).state).toBe('succeeded');
  });

  test('an approved plan does not stop where its own earlier step changed the state of the target', async () => {
    const steps = [stepOn('clone.start', other), stepOn('database.delete', other)];
    const here = await embedded({ target: other ?? '', values: { database: other ?? '' }, steps });
    await here.waits();
    await here.approvesPlan();
    await here.ends();
    expect((await here.plan()).state).toBe('succeeded');
  });
});

test('an approved plan reads all of its targets again before its first deletion', async () => {
  const steps = [stepOn('database.refresh', live), ...teardown.steps];
  const here = await embedded({ steps });
  await here.waits();
  await here.approvesPlan();
  await here.runsStep(0);
  here.service.rename(live ?? '', 'billing-renamed');
  await here.ends();
  expect(await here.steps()).toEqual(['0 succeeded', '1 void']);
  expect((await here.plan()).reason).toMatch(/Step 3 of 3 \(.*\): Name was .*, and is billing-renamed/);
  expect(here.written().filter(line => line.startsWith('DELETE'))).toEqual([]);
});

test('a plan waits where the sign-in is lost half-way, and goes on with the next one', async () => {
  const here = await embedded({}, free);
  await here.runsStep(0);
  await here.credentials.forget({ team: 'T1', person: 'U0ANA' }, here.clock.now());
  await here.works(async () =>
    (await here.parts.jobs.stepsOf('plan-1')).some(
      job => job.state !== 'unreadable' && 'hold' in job && job.hold === 'sign-in',
    ),
  );
  expect(await here.stateOf()).toBe('running');
  await here.signsIn('U0ANA', 'ana');
  await here.parts.jobs.resume({ team: 'T1', person: 'U0ANA' }, here.clock.now());
  await here.ends();
  expect(await here.stateOf()).toBe('succeeded');
});

test('a plan stops where somebody else has deleted a target, and goes on behind it after a click', async () => {
  const steps = [stepOn('database.refresh', live), ...teardown.steps];
  const here = await embedded({ steps });
  await here.waits();
  await here.approvesPlan();
  await here.runsStep(0);
  here.service.remove(clone ?? '');
  await here.ends();
  expect(await here.steps()).toEqual(['0 succeeded', '1 void']);
  expect(await goOn(here.parts, await here.plan())).toContain('is already gone');
  expect(await goOn(here.parts, await here.plan())).toContain('cannot go on');
  await here.ends();
  expect(await here.steps()).toEqual(['0 succeeded', '1 void', '2 succeeded']);
  expect(await here.stateOf()).toBe('succeeded');
});

describe('a plan that is withdrawn', () => {
  test('a plan that is withdrawn lets the step under way go on, and begins nothing further', async () => {
    const here = await embedded({}, free);
    await here.runsStep(0);
    const told = await withdraw(here.parts, await here.plan());
    expect(told).toContain('I start nothing further.');
    await here.works(async () => (await here.steps()).includes('0 succeeded'));
    expect(await here.steps()).toEqual(['0 succeeded']);
    expect(await here.plan()).toMatchObject({ state: 'withdrawn', dueAt: null });
    expect(here.written()).toHaveLength(1);
  });

  test('a plan that is withdrawn does not send a step that was only begun, even if the withdrawal was cut off', async () => {
    const here = await embedded({}, free);
    await here.works(async () => (await here.steps()).length === 1);
    const [job] = await here.parts.jobs.stepsOf('plan-1');
    const plan = await here.plan();
    if (!job || plan.state !== 'running' || !isPlan(plan)) return;
    const before = await here.steps();
    await withdrawPlan({ ...here.parts, jobs: { ...here.parts.jobs, stepsOf: async () => [] } }, plan);
    await here.works(async () => (await here.steps()).every(one => / (failed|succeeded)$/.test(one)));
    expect(here.written()).toHaveLength(before[0] === '0 new' ? 0 : 1);
  });
});

test('a step that ends unseen leaves its plan unconfirmed, and a new look lets the plan go on', async () => {
  const here = await embedded({}, free);
  await here.runsStep(0);
  const [job] = await here.parts.jobs.stepsOf('plan-1');
  if (!job || job.state === 'unreadable') throw new Error('there is no step');
  const { stopLooking } = await import('../../../src/jobs/requesterActions.ts');
  expect(await stopLooking(here.parts, await here.plan())).toContain('start nothing further');
  await here.ends();
  expect(await here.plan()).toMatchObject({ state: 'unconfirmed', step: 0 });
  expect(here.written()).toHaveLength(1);
  expect(await lookAgain(here.parts, await here.plan())).toBe('I’m checking again, for five minutes.');
  expect(await here.stateOf()).toBe('running');
  await here.ends();
  expect(await here.stateOf()).toBe('succeeded');
  expect(here.written()).toHaveLength(2);
});

describe('a look at the step that stopped a plan', () => {
  /** Nobody looks any more for the proof of a step of the plan, which stops it. */
  const stopsAt = async (here: Awaited<ReturnType<typeof embedded>>, step: number) => {
    await here.runsStep(step);
    const { stopLooking } = await import('../../../src/jobs/requesterActions.ts');
    await stopLooking(here.parts, await here.plan());
    await here.ends();
    expect(await here.plan()).toMatchObject({ state: 'unconfirmed', step });
  };
  const approved = async () => {
    const here = await embedded();
    await here.waits();
    await here.approvesPlan();
    return here;
  };
  const run = async () => {
    const here = await embedded({ runsAs: 'service' }, free);
    await here.signsIn(accountOwner('T1').person, 'ana');
    return here;
  };

  test.each([
    ['has an approval that is too old', approved, 2 * day, 'too old'],
    ['ran with the service account', run, 0, 'service account'],
  ])(
    'a new look at the step that stopped a plan begins no further step where the plan %s',
    async (_, begins, later, why) => {
      const here = await begins();
      await stopsAt(here, 0);
      await here.clock.leap(later);
      const told = await lookAgain(here.parts, await here.plan());
      await here.works(async () => (await here.steps()).includes('0 succeeded'));
      expect(await here.plan()).toMatchObject({ state: 'unconfirmed', step: 0 });
      expect(await here.steps()).toEqual(['0 succeeded']);
      expect(told).toMatch(/^I’m checking again, for five minutes, and start nothing further\. /);
      expect(told).toContain(why);
      expect(await goOn(here.parts, await here.plan())).toContain(why);
    },
  );

  test('a new look confirms a plan that stopped at its last step, however old its approval is', async () => {
    const here = await approved();
    await stopsAt(here, 1);
    await here.clock.leap(2 * day);
    expect(await lookAgain(here.parts, await here.plan())).toBe('I’m checking again, for five minutes.');
    await here.ends();
    expect(await here.stateOf()).toBe('succeeded');
  });
});

test('a plan whose person went on after an unconfirmed step ends as finished, and not as confirmed', async () => {
  const here = await embedded({ steps: [stepOn('database.refresh', live), ...teardown.steps] }, free);
  await here.runsStep(0);
  const { stopLooking } = await import('../../../src/jobs/requesterActions.ts');
  await stopLooking(here.parts, await here.plan());
  await here.ends();
  expect(await goOn(here.parts, await here.plan())).toBe('I go on.');
  await here.ends();
  expect(await here.steps()).toEqual(['0 unconfirmed', '1 succeeded', '2 succeeded']);
  const plan = await here.plan();
  expect(plan).toMatchObject({ state: 'finished', reason: expect.stringContaining('Step 1 of 3') });
  // Nothing of it is left to begin.
  expect(await goOn(here.parts, plan)).toContain('has ended');
});

test('a plan without steps is approved like any other, and ends at once', async () => {
  const here = await embedded({
    operation: 'clone.testplan',
    target: clone ?? '',
    values: { database: clone ?? '' },
    steps: [],
  });
  await here.waits();
  expect((await here.plan()).approval?.facts.map(({ key }) => key)).toContain('identifier');
  await here.approvesPlan();
  await here.ends();
  expect(await here.plan()).toMatchObject({ state: 'succeeded', reason: 'It is done.' });
});

test('a plan finds by itself the end of a step that did not wake it', async () => {
  const store = await storeIn(folder());
  const here = await boardOn(store, {}, free);
  await here.runsStep(0);
  // As something writes it that knows no plans.
  const end = { state: 'succeeded', reason: 'It is gone.', endedAt: here.clock.now(), dueAt: null };
  await store.updateTable('jobs').set(end).where('id', '=', 'plan-1-0-1').execute();
  await store
    .updateTable('jobs')
    .set({ dueAt: here.clock.now() + 600_000 })
    .where('id', '=', 'plan-1')
    .execute();
  await here.clock.leap(600_000);
  await here.ends();
  expect(await here.stateOf()).toBe('succeeded');
});
