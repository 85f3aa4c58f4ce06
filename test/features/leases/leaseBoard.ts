import type { AllParts } from '../../../src/app/wholeDesk.ts';
import { keptUntil, newLease } from '../../../src/features/leases/lease.ts';
import { leaseHookOf } from '../../../src/features/leases/run/afterJob.ts';
import { dueTimeOf } from '../../../src/features/leases/run/nextOfLease.ts';
import { workOnLeases } from '../../../src/features/leases/run/workOnLeases.ts';
import { day, minute } from '../../../src/ground/durations.ts';
import { knowsRequest } from '../../../src/jobs/request.ts';
import { workOnDueJobs } from '../../../src/jobs/workOnJobs.ts';
import type { Middleware } from '../../../src/sandbox/service/application.ts';
import type { Store } from '../../../src/store/database.ts';
import { jobsIn } from '../../../src/store/jobs/jobs.ts';
import { type Lease, leaseId, leases } from '../../../src/store/tables/leases.ts';
import { board } from '../../jobs/deciding.ts';

/** A clone of the sandbox's estate on which nothing depends. */
export const clone = 'MYSQL_CLONE_SERVER-1';
const name = 'orders-3320';

/** The policy of these tests: a warning a day before, then stopped, and deleted a day later. */
export const rule = { title: 'test clones', warn: [day], end: 'delete', grace: day };
const file = { leases: [{ title: rule.title, warn: ['1d'], end: 'delete', grace: '1d' }] };

/** A lease of Ana's clone that ends in two days, without Slack, and the loops that work on it. */
export async function leaseBoard(store: Store, middleware?: Middleware, change: Partial<Lease> = {}) {
  const here = await board(store, file, () => undefined, middleware);
  const { clock } = here;
  const jobs = jobsIn(store, { knows: knowsRequest, ends: [{ ended: leaseHookOf(here.parts.policy) }] });
  const parts: AllParts = { ...here.parts, jobs };
  const since = clock.now();
  const endsAt = since + 2 * day;
  const owner = { team: 'T1', person: 'U0ANA' };
  const dueAt = dueTimeOf({ endsAt, setAt: since, warned: null }, rule);
  const made = { record: clone, name, madeAt: null, job: 'made', operation: null, channel: 'C1', wish: null, since };
  const as = { ...newLease({ ...owner, ...made }), ...keptUntil(endsAt, since), plannedAt: dueAt, ...change };
  await parts.things.act(leases, as.id, () => ({ as, dueAt }), since);
  const lease = async (): Promise<Lease & { dueAt: number | null }> => {
    const [found, due] = await Promise.all([
      parts.things.find(leases, leaseId('T1', clone)),
      store.selectFrom('due').selectAll().where('id', '=', as.id).executeTakeFirst(),
    ]);
    if (!found || !due) throw new Error('the lease is gone');
    return { ...found, dueAt: due.dueAt };
  };
  /** Takes what is to be told, as Slack does: what is done at the end waits for that. */
  const takesMessages = async () => {
    const taken = { place: 'D1', ts: '1.1', arrivedAt: clock.now() };
    await store.updateTable('outbox').set(taken).where('ts', 'is', null).execute();
  };
  /** Lets the loops work, with these parts, until something is so; sleeps while nothing is due. */
  const works = async (isDone: () => Promise<boolean>, at: AllParts = parts) => {
    const loops = [workOnDueJobs(at, at), workOnLeases({ ...at, changed: async () => undefined }, at)];
    try {
      for (let turn = 0; turn < 150; turn++) {
        if (await isDone()) return;
        await takesMessages();
        const { dueAt, endJob } = await lease();
        const rest = endJob === null && dueAt !== null ? dueAt - clock.now() : 0;
        if (rest > 2 * minute) await clock.leap(rest - 5_000);
        else await clock.advance(rest < -2 * minute || turn > 60 ? minute : 10_000);
      }
      throw new Error(`it did not come to that: ${JSON.stringify(await lease())}`);
    } finally {
      await Promise.all(loops.map(loop => loop.stop()));
    }
  };
  return {
    ...here,
    parts,
    endsAt,
    lease,
    takesMessages,
    works,
    is: (state: Lease['state'], at?: AllParts) => works(async () => (await lease()).state === state, at),
    /** What the service was asked to write about the clone. */
    written: () =>
      here.service.requests
        .filter(({ method, query, body }) => method !== 'GET' && JSON.stringify([query, body]).includes(clone))
        .map(({ method, path }) => `${method} ${path.split('/').at(-1)}`),
    /** What its messages tell, and to whom, the oldest first. */
    async told() {
      const rows = await store.selectFrom('outbox').selectAll().orderBy('createdAt').orderBy('id').execute();
      // What is told in the thread of its job is told to its owner, too.
      return rows
        .filter(({ job }) => job === null)
        .map(({ data, person, channel }) => `${JSON.parse(data).what} to ${person ?? channel}`);
    },
    async events() {
      const { entries } = await parts.audit.read('T1', { words: ['lease'] }, 50);
      return entries.toReversed().map(({ event, detail }) => `${event}: ${detail}`);
    },
  };
}
