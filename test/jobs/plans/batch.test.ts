import { describe, expect, onTestFinished, test } from 'vitest';
import { batchAtOnce, longestHold, targetsOf, toRetry } from '../../../src/jobs/plans/nextOfBatch.ts';
import { withdrawPlan } from '../../../src/jobs/plans/planActions.ts';
import { retryBatch } from '../../../src/jobs/plans/retryBatch.ts';
import { allJobsOf } from '../../../src/jobs/plans/turn.ts';
import { stopLooking, withdraw } from '../../../src/jobs/requesterActions.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import { backUpDatabase } from '../../../src/operations/databases.ts';
import { batchNameOf } from '../../../src/operations/plans/batch.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { freeJobLocks } from '../../../src/store/jobs/queue/jobQueue.ts';
import { hasEnded, isPlan } from '../../../src/store/jobs/rows/job.ts';
import { folder, storeIn, stores } from '../../store/folder.ts';
import { isWhole } from '../../whole.ts';
import { planBoard, stepOn } from './board.ts';
import { dying } from './dying.ts';

/* Twelve databases: the sandbox does to each what its name says, and the policy has a rule for two kinds of names. */

const good = ['good-1', 'good-2', 'good-3', 'good-4', 'good-5'];
const twelve = ['ask-1', 'no-1', 'stuck-1', 'fail-1', 'ask-2', 'torn-1', ...good, 'ask-3'];
const policy = {
  rules: [
    { operation: 'database.backup', name: 'ask-*', decision: 'approve', approvers: ['S0DBAS'] },
    { operation: 'database.backup', name: 'no-*', decision: 'forbid' },
  ],
};
const hanging = ['stuck-1', 'stuck-2', 'stuck-3', 'stuck-4'];
const known = [...twelve, ...hanging.slice(1)];
const idOf = (name: string) => `MARIADB_LIVE_SERVER-${100 + known.indexOf(name)}`;

/** A board with a batch of backups of these databases, which the service has. */
async function batchBoard(store: Store, names: readonly string[] = twelve, more: object = {}) {
  const steps = names.map(name => ({ ...stepOn('database.backup', idOf(name)), targetName: name }));
  const asked = {
    operation: batchNameOf(backUpDatabase),
    target: idOf(names[0] ?? ''),
    values: { database: idOf(names[0] ?? '') },
  };
  const here = await planBoard(
    store,
    { ...asked, steps, targetName: `${names.length} databases` },
    { ...policy, ...more },
  );
  const { databases } = here.service.estate;
  const [like] = [...databases.values()].filter(({ id }) => id === 'MARIADB_LIVE_SERVER-1');
  if (!like) throw new Error('the service has no such database');
  for (const name of names) databases.set(idOf(name), { ...like, id: idOf(name), name, facts: {}, snapshots: [] });
  const batch = async () => {
    const job = await here.plan();
    if (!isPlan(job)) throw new Error('the batch is none');
    return job;
  };
  const jobs = async () => (await allJobsOf(here.parts, 'plan-1')) ?? [];
  return {
    ...here,
    batch,
    jobs,
    /** How each target stands: the state of its job, or of what asks for its approval. */
    async standing() {
      const targets = targetsOf(await batch(), await jobs());
      return Object.fromEntries(
        targets.map(({ step, job, asks }) => [step.targetName, job?.state ?? asks?.state ?? '–']),
      );
    },
    ends: (at = here.parts) => here.works(async () => hasEnded(await batch()), at, 2_000),
    /** The databases whose backups the service was asked for, each as often as it was. */
    backedUp: () =>
      here.service.requests
        .filter(({ path }) => path.endsWith('/database/sync'))
        .map(({ body }) => known.find(name => JSON.stringify(body).includes(`"${idOf(name)}"`)) ?? '?')
        .toSorted(),
  };
}

const confirmed = Object.fromEntries([...good, 'ask-1', 'ask-2', 'ask-3', 'torn-1'].map(name => [name, 'succeeded']));
const asWanted = { ...confirmed, 'no-1': 'failed', 'fail-1': 'failed', 'stuck-1': 'unconfirmed' };
const allBut = (...left: readonly string[]) => twelve.filter(name => !left.includes(name)).toSorted();

describe.each(stores)('a batch of twelve on %s', (_, open) => {
  test('a batch of twelve has a verdict for each target, and none waits for those that fail or hang', async () => {
    const store = await open();
    const here = await batchBoard(store);
    onTestFinished(() => here.end());
    const asks = async () => (await here.jobs()).find(({ id }) => id === 'plan-1-asks');
    const others = jobsIn(store, { knows: () => true });
    const second = workOnDueJobs({ ...here.parts, jobs: others }, { ...here.parts, jobs: others });
    onTestFinished(() => second.stop());
    await here.works(async () => {
      const standing = await here.standing();
      return [...good, 'torn-1'].every(name => standing[name] === 'succeeded') && standing['fail-1'] === 'failed';
    });
    // The one that never ends holds up none, and nobody has approved anything yet.
    expect(await here.standing()).toMatchObject({ 'stuck-1': 'running', 'fail-1': 'failed', 'no-1': 'failed' });
    expect(here.clock.now() - (await here.batch()).createdAt).toBeLessThan(longestHold);
    const card = await asks();
    expect(card?.state).toBe('awaiting');
    expect(card?.approval?.facts.filter(({ key }) => key.endsWith(' identifier')).map(({ value }) => value)).toEqual(
      ['ask-1', 'ask-2', 'ask-3'].map(idOf),
    );
    expect(await here.approvesPlan('U0DEV', 'plan-1-asks')).toMatchObject({ type: 'counted' });
    // Nobody waits for it any longer.
    const stuck = (await here.jobs()).find(({ target }) => target === idOf('stuck-1'));
    if (stuck) await stopLooking(here.parts, stuck);
    await here.ends();
    expect(await here.standing()).toEqual(asWanted);
    expect(here.backedUp()).toEqual(allBut('no-1'));
    expect(await here.batch()).toMatchObject({ state: 'failed' });
    // What may have been accepted is not asked for again.
    expect(toRetry(await here.batch(), await here.jobs()).map(({ step }) => step.targetName)).toEqual([
      'no-1',
      'fail-1',
    ]);
    expect(await retryBatch(here.parts, await here.batch())).toBe('I’ll ask again for 2 databases.');
    expect(await retryBatch(here.parts, await here.batch())).toContain('already');
  });
});

test('the targets of a batch on which different people decide wait on one card for each group of people', async () => {
  const rules = [
    { operation: 'database.backup', name: 'ask-*', decision: 'approve', approvers: ['S0DBAS'] },
    { operation: 'database.backup', name: 'good-*', decision: 'approve', approvers: ['U0DEV'] },
  ];
  const names = ['ask-1', 'good-1', 'ask-2'];
  const here = await batchBoard(await storeIn(folder()), names, { rules });
  onTestFinished(() => here.end());
  const cards = async () => (await here.jobs()).filter(isPlan);
  await here.works(async () => {
    const all = await cards();
    return all.length > 0 && all.every(({ state }) => state === 'awaiting');
  });
  expect((await cards()).map(({ id, steps }) => [id, steps.map(step => step.targetName)])).toEqual([
    ['plan-1-asks', ['ask-1', 'ask-2']],
    ['plan-1-asks-1', ['good-1']],
  ]);
  expect(await here.approvesPlan('U0DEV', 'plan-1-asks')).toMatchObject({ type: 'counted' });
  await here.works(async () => (await here.standing())['ask-2'] === 'succeeded');
  expect(await here.standing()).toMatchObject({ 'good-1': 'awaiting', 'ask-1': 'succeeded' });
  expect(await here.approvesPlan('U0DEV', 'plan-1-asks-1')).toMatchObject({ type: 'counted' });
  await here.ends();
  expect(here.backedUp()).toEqual(names.toSorted());
  expect((await here.batch()).state).toBe('succeeded');
});

test('an approval after the withdrawal of a batch sends nothing, even if the withdrawal was cut off', async () => {
  const here = await batchBoard(await storeIn(folder()), ['ask-1', 'ask-2', 'stuck-1']);
  onTestFinished(() => here.end());
  await here.works(async () => (await here.standing())['ask-1'] === 'awaiting');
  const batch = await here.batch();
  if (batch.state !== 'running') throw new Error('it does not run');
  await withdrawPlan({ ...here.parts, jobs: { ...here.parts.jobs, stepsOf: async () => [] } }, batch);
  await here.approvesPlan('U0DEV', 'plan-1-asks');
  await here.works(async () => (await here.jobs()).some(({ id, endedAt }) => id === 'plan-1-asks' && endedAt !== null));
  expect(here.backedUp().filter(name => name.startsWith('ask'))).toEqual([]);
});

test('a batch has four requests under way at a time, and one that hangs gives its place to the next', async () => {
  const names = ['stuck-1', 'stuck-2', 'stuck-3', 'stuck-4', 'good-1'];
  const here = await batchBoard(
    await storeIn(folder()),
    names.map(name => (twelve.includes(name) ? name : name)),
  );
  onTestFinished(() => here.end());
  const running = async () => (await here.jobs()).filter(({ endedAt }) => endedAt === null).length;
  await here.works(async () => (await running()) === batchAtOnce);
  await here.works(async () => here.clock.now() > (await here.batch()).createdAt + longestHold - 60_000);
  expect(await here.standing()).toMatchObject({ 'good-1': '–' });
  await here.works(async () => (await here.standing())['good-1'] === 'succeeded');
});

test.each([
  [{ host: 2 }, 'on mariadb-prod'],
  [{ service: 2 }, 'at the service'],
])('a batch waits its turn (%j) and says so, and what a person asks for alone goes before it', async (pace, where) => {
  const here = await batchBoard(await storeIn(folder()), good, { pace });
  onTestFinished(() => here.end());
  const atService = async () => (await here.jobs()).filter(({ state }) => state === 'sending' || state === 'running');
  const waits = async () => (await here.jobs()).filter(({ reason }) => reason?.includes('It waits its turn'));
  await here.works(async () => (await waits()).length > 0);
  expect((await waits())[0]?.reason).toContain(`2 requests are under way ${where}`);
  expect(await atService()).toHaveLength(2);
  const alone = {
    ...stepOn('database.backup', 'MARIADB_LIVE_SERVER-1'),
    id: 'alone',
    requestKey: 'alone',
    channel: 'C1',
  };
  const asked = {
    target: 'MARIADB_LIVE_SERVER-1',
    values: { database: 'MARIADB_LIVE_SERVER-1' },
    team: 'T1',
    person: 'U0ANA',
  };
  await here.parts.jobs.add({ ...alone, ...asked, purpose: null, createdAt: here.clock.now() });
  const single = async () => (await here.parts.jobs.find('alone'))?.state;
  await here.works(async () => (await single()) === 'running' || (await single()) === 'succeeded');
  let most = 0;
  await here.works(async () => {
    most = Math.max(most, (await atService()).length);
    return hasEnded(await here.batch());
  });
  expect(most).toBe(2);
  expect((await here.batch()).state).toBe('succeeded');
});

test('a request that waits its turn looks for room less and less often', async () => {
  const here = await batchBoard(await storeIn(folder()), ['stuck-1', 'good-1'], { pace: { service: 1 } });
  onTestFinished(() => here.end());
  const lookedAfter: number[] = [];
  const began = here.clock.now();
  const apply: typeof here.parts.jobs.apply = (job, transition, now) => {
    if (transition.changes.reason?.includes('It waits its turn')) lookedAfter.push(now - began);
    return here.parts.jobs.apply(job, transition, now);
  };
  const [minute, longest] = [60_000, 10 * 60_000];
  await here.works(async () => here.clock.now() - began >= longest, {
    ...here.parts,
    jobs: { ...here.parts.jobs, apply },
  });
  const perMinute = (from: number, to: number) =>
    lookedAfter.filter(at => at >= from && at < to).length / ((to - from) / minute);
  expect(perMinute(0, minute)).toBeGreaterThanOrEqual(8);
  expect(perMinute(6 * minute, longest)).toBeLessThanOrEqual(2);
  expect(perMinute(6 * minute, longest)).toBeGreaterThanOrEqual(1);
});

test('the requests of a batch that run go on when the rest is withdrawn', async () => {
  const here = await batchBoard(await storeIn(folder()));
  onTestFinished(() => here.end());
  await here.works(async () => here.backedUp().length >= batchAtOnce - 1 && (await here.jobs()).length > batchAtOnce);
  const before = here.backedUp();
  expect(await withdraw(here.parts, await here.batch())).toContain('Withdrawn.');
  const isOver = async () => (await here.jobs()).every(job => hasEnded(job) || job.target === idOf('stuck-1'));
  await here.works(isOver);
  expect(here.backedUp()).toEqual(before);
  expect((await here.jobs()).find(({ id }) => id === 'plan-1-asks')?.state).toBe('withdrawn');
  expect((await here.batch()).state).toBe('withdrawn');
});

test('a batch that is killed at any of its writes goes on, and sends nothing twice', async () => {
  const runs = async (moment?: string, isAfter?: boolean) => {
    const store = await storeIn(folder());
    const here = await batchBoard(store, allBut('stuck-1'));
    onTestFinished(() => here.end());
    const death = dying(here.parts.jobs, moment, isAfter);
    const mortal = { ...here.parts, jobs: death.jobs };
    const isAsked = async () => (await here.standing())['ask-1'] === 'awaiting';
    const orDied = (isSo: () => Promise<boolean>) => async () => death.isDead() || (await isSo());
    await here.works(orDied(isAsked), mortal);
    if (death.isDead()) await freeJobLocks(store);
    await here.works(isAsked, death.isDead() ? here.parts : mortal);
    await here.approvesPlan('U0DEV', 'plan-1-asks');
    await here.works(
      orDied(async () => hasEnded(await here.batch())),
      death.isDead() ? here.parts : mortal,
      400,
    );
    if (death.isDead()) await freeJobLocks(store);
    await here.ends();
    return { names: death.names, standing: await here.standing(), sent: here.backedUp() };
  };
  const { names, standing, sent } = await runs();
  const { 'stuck-1': _, ...wanted } = asWanted;
  expect(standing).toEqual(wanted);
  expect(sent).toEqual(allBut('no-1', 'stuck-1'));
  const moments = [...new Set(names)].filter(name => !name.includes('"sending"'));
  // A few of them, before the write and after it in turn: all take a quarter of an hour.
  const pace = isWhole ? 10 : 90;
  for (const [at, name] of moments.entries()) {
    if (at % pace !== 0) continue;
    const killed = await runs(name, (at / pace) % 2 === 0);
    expect({ name, sent: killed.sent }).toEqual({ name, sent });
    expect({ name, standing: killed.standing }).toEqual({ name, standing });
  }
  // Killed between the note that it sends and the call, nobody knows: that one alone is unconfirmed.
  const sending = names.find(name => name.includes('"sending"') && name.includes('"plan-1-'));
  const killed = await runs(sending);
  expect(Object.values(killed.standing).filter(state => state === 'unconfirmed')).toHaveLength(1);
  expect(killed.sent).toHaveLength(sent.length - 1);
}, 300_000);
