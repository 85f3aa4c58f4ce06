import { setTimeout as sleep } from 'node:timers/promises';
import { keptUntil, newLease } from '../../src/features/leases/lease.ts';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { stepRhythm } from '../../src/jobs/machine/effects.ts';
import { knowsRequest } from '../../src/jobs/request.ts';
import type { Store } from '../../src/store/database.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { addDue } from '../../src/store/dueQueue.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import { fresh } from '../../src/store/jobs/rows/encode.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';
import { leases } from '../../src/store/tables/leases.ts';
import { thingRow } from '../../src/store/things/kind.ts';
import { startBot } from './bots.ts';
import { newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { cloneAt, personAt, source, team } from './estate.ts';
import { atMost, type Part } from './part.ts';
import { signInAll, slices } from './seed.ts';

const people = 200;
const count = { leases: 10_000, plans: 1_000 } as const;

const cost = 'The floor is a part of it; the rest are the looks of plans at their steps, one each half hour.';

/** Things that wait for their time or for a person. The floor is Dolly without any of them. */
export const rest: Part = {
  name: 'rest',
  summary: `processor with ${count.leases.toLocaleString('en')} leases and ${count.plans.toLocaleString('en')} plans at rest`,
  group: 'Jobs that run',
  async measure({ quick, say, build }) {
    const stub = await startStub({ people: 0, jobsEach: 0 });
    const seconds = quick ? 8 : 20;
    const used = async (fill: (store: Store, now: number) => Promise<void>) => {
      const folder = newFolder();
      const store = await openStore(folder);
      await signInAll(store, people, Date.now());
      await fill(store, Date.now());
      await store.destroy();
      const outside = { slackUrl: stub.told, serviceUrl: stub.told };
      const environment = { DATA_DIR: folder, LOG_LEVEL: 'warn' };
      const { process, stop } = await startBot('dolly', outside, { ...build, environment });
      try {
        await sleep(seconds * 1_000);
        const before = process.processorTime();
        await sleep(seconds * 1_000);
        return ((process.processorTime() - before) / seconds) * 100;
      } finally {
        await stop();
      }
    };
    try {
      say('nothing, leases and plans at rest');
      const bare = await used(async () => undefined);
      const leases = await used(addLeases);
      const plans = await used(addPlans);
      const figure = (name: string, dolly: number) => ({
        name: `processor, ${name} (floor: without them)`,
        ...({ unit: '%', rounds: [{ bare, dolly }], aim: atMost('dolly', 1), cost } as const),
      });
      return [
        figure(`${count.leases.toLocaleString('en')} leases at rest`, leases),
        figure(`${count.plans.toLocaleString('en')} plans under way, each at a step that waits for a sign-in`, plans),
      ];
    } finally {
      await stub.stop();
    }
  },
};

/** Leases that end within two weeks, none of them soon. */
async function addLeases(store: Store, now: number): Promise<void> {
  const rows = Array.from({ length: count.leases }, (_, index) => {
    const dueAt = now + 2 * hour + Math.round((index / count.leases) * 12 * day);
    const person = index % people;
    const lease = {
      ...{ team, record: cloneAt(person, Math.floor(index / people)), name: `shop-${index}`, madeAt: now - day },
      ...{ person: personAt(person), job: null, operation: 'clone.create', channel: 'C0BENCH001', wish: null },
    };
    const kept = {
      ...newLease({ ...lease, since: now - day }),
      ...keptUntil(dueAt + day, now - day),
      plannedAt: dueAt,
    };
    return { thing: thingRow(leases, { ...kept, revision: 1 }), dueAt };
  });
  for (const some of slices(rows)) {
    await store
      .insertInto('things')
      .values(some.map(({ thing }) => thing))
      .execute();
    await addDue(
      store,
      some.map(({ thing: { kind, id, team }, dueAt }) => ({ kind, id, team, dueAt, now })),
    );
  }
}

/** Running plans of two deletions. Each looks at its step once in {@link stepRhythm}. */
async function addPlans(store: Store, now: number): Promise<void> {
  const rows = Array.from({ length: count.plans }, (_, index) => planRows(index, now)).flat();
  for (const some of slices(rows)) await store.insertInto('jobs').values(some).execute();
  const first = await jobsIn(store, { knows: knowsRequest }).find('plan-0');
  if (first?.state !== 'running') throw new Error(`a plan was seeded as ${first?.state}`);
}

function planRows(index: number, now: number): JobRow[] {
  const person = index % people;
  const target = cloneAt(person, Math.floor(index / people));
  const steps = [target, source].map(database => ({
    ...{ operation: 'database.delete', values: { database }, labels: {}, target: database, targetName: null },
  }));
  const common = {
    ...fresh,
    ...{ team, person: personAt(person), labels: '{}', targetName: null, purpose: null, tellAt: null },
    ...{ state: 'running', sentAt: now - minute, createdAt: now - minute, channel: 'C0BENCH001', shown: 1 },
    ...{ messageTs: '1767225600.000100', place: 'C0BENCH001', deadlineAt: now + day },
  };
  const plan = {
    ...{ id: `plan-${index}`, requestKey: `plan-${index}`, operation: 'database.teardown', target: source },
    ...{ inputs: JSON.stringify({ database: source }), steps: JSON.stringify(steps), step: 0 },
    dueAt: now + Math.round((index / count.plans) * stepRhythm),
  };
  const step = {
    ...{ id: `plan-${index}-0-1`, requestKey: `plan-${index}-0-1`, plan: plan.id, step: 0, target },
    operation: 'database.delete',
    ...{ inputs: JSON.stringify({ database: target }), hold: 'sign-in', dueAt: now + day },
  };
  return [
    { ...common, ...plan },
    { ...common, ...step },
  ];
}
