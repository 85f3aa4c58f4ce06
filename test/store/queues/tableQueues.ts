import { lookRhythm, pauseOfLook } from '../../../src/features/alerts/workOnAlerts.ts';
import { keptUntil, newLease } from '../../../src/features/leases/lease.ts';
import { pauseOfLease } from '../../../src/features/leases/run/workOnLeases.ts';
import { schedules as scheduleKind } from '../../../src/features/schedules/schedule.ts';
import { executions as executionKind, newExecution } from '../../../src/features/workflows/execution.ts';
import { pauseOfExecution } from '../../../src/features/workflows/workOnExecutions.ts';
import { day } from '../../../src/ground/durations.ts';
import { pauseBefore } from '../../../src/jobs/pauseAfterFailure.ts';
import { usualPause } from '../../../src/jobs/workOnThings.ts';
import { pauseAfter } from '../../../src/slack/connection/retryAfter.ts';
import { alertsIn } from '../../../src/store/tables/alerts/alerts.ts';
import { sightsIn } from '../../../src/store/tables/alerts/sights.ts';
import { homesIn } from '../../../src/store/tables/homes.ts';
import { inboxIn } from '../../../src/store/tables/inbox.ts';
import { leases as leaseKind } from '../../../src/store/tables/leases.ts';
import { outboxIn } from '../../../src/store/tables/outbox.ts';
import { type Owner, openVault } from '../../../src/store/vault.ts';
import { aSchedule } from '../../features/schedules/aSchedule.ts';
import { t } from './claim.ts';
import { dueQueue } from './dueQueue.ts';
import { away, refusal } from './jobQueues.ts';
import {
  alertsWithout,
  executionsWithout,
  homesWithout,
  interactionsWithout,
  leasesWithout,
  noticesWithout,
  schedulesWithout,
} from './leftTeam.ts';
import { inParts, type QueueCase } from './queue.ts';
import { thingQueue } from './thingQueue.ts';

const key = Buffer.alloc(32, 1);
const seals = new Map<string, Promise<string>>();
/** The sealed text of a use. To seal takes long, so each owner has one seal. */
function sealedFor(owner: Owner): Promise<string> {
  const known = seals.get(owner.person) ?? openVault([key]).seal(owner, 'a text');
  seals.set(owner.person, known);
  return known;
}

/** What people asked for without a form. */
export const inbox = dueQueue({
  kind: 'use',
  max: 50,
  keyOf: ({ id, team = 'T1' }) => ({ id, team }),
  async store(store, rows) {
    const made = rows.map(async ({ id, dueAt, team = 'T1', person = 'U1' }) => ({
      ...{ id, team, person, channel: 'C1', thread: null, action: 'test', createdAt: dueAt },
      value: await sealedFor({ team, person }),
    }));
    await store
      .insertInto('inbox')
      .values(await Promise.all(made))
      .execute();
  },
  spoil: (store, id) => store.updateTable('inbox').set({ value: 'no seal' }).where('id', '=', id).execute(),
  queue: (store, said) => inboxIn(store, openVault([key], said)).queue(),
  pauseAfter: tries => pauseBefore(away, Math.min(tries, 10)) ?? 0,
  acts: (store, due) => ({ note: () => inboxIn(store, openVault([key])).done(due) }),
  turnUninstalled: interactionsWithout,
});

const news = JSON.stringify({ what: 'off', by: 'U1' });

/** The outbox of messages that are not about a job. */
export const outbox = dueQueue({
  kind: 'notice',
  max: 20,
  keyOf: ({ id, team = 'T1' }) => ({ id, team }),
  store(store, rows) {
    const values = rows.map(({ id, dueAt, team = 'T1', person = 'U1' }) => ({
      ...{ id, subject: id, team, kind: 'alert', data: news, outcome: null, createdAt: dueAt, revision: 1, shown: 0 },
      ...{ person, channel: null, job: null, thread: null, place: null, ts: null, arrivedAt: null, posting: null },
      isNews: 0,
    }));
    return store.insertInto('outbox').values(values).execute();
  },
  spoil: (store, id) => store.updateTable('outbox').set({ posting: '{' }).where('id', '=', id).execute(),
  queue: (store, said) => outboxIn(store).queue(said),
  pauseAfter: tries => pauseAfter(refusal, tries),
  acts: (store, due, { revision }) => ({ note: now => outboxIn(store).told(due, revision, now) }),
  turnUninstalled: noticesWithout,
});

/** The leases of clones. */
export const leases: QueueCase = thingQueue(leaseKind, {
  pauseAfter: pauseOfLease,
  make({ id, dueAt, team = 'T1', person = 'U1' }) {
    const made = { name: null, madeAt: null, job: null, operation: null, channel: 'C1', wish: null };
    const lease = newLease({ ...made, team, person, record: id, since: dueAt });
    return { ...lease, ...keptUntil(dueAt + day, dueAt) };
  },
  turnUninstalled: leasesWithout,
});

/** Work by the calendar. */
export const schedules: QueueCase = thingQueue(scheduleKind, {
  pauseAfter: tries => usualPause(undefined, tries),
  make: ({ id, dueAt, team = 'T1', person = 'U1' }) => aSchedule({ id, team, person, plannedAt: dueAt }),
  turnUninstalled: schedulesWithout,
});

/** The runs of workflows’ steps. */
export const executions: QueueCase = thingQueue(executionKind, {
  pauseAfter: tries => pauseOfExecution(away, tries),
  make: ({ id, dueAt, team = 'T1', person = 'U1' }) =>
    newExecution({
      ...{ team, person, execution: id, run: 'Wx1', step: 'back_up', inputs: {}, declared: [] },
      ...{ createdAt: dueAt, deadlineAt: dueAt + day },
    }),
  turnUninstalled: executionsWithout,
});

/** The watcher with which alerts look at the service. */
export const sights = dueQueue({
  kind: 'watcher',
  max: 10,
  keyOf: ({ id, team = 'T1' }) => ({ id, team }),
  store: (store, rows) =>
    store
      .insertInto('watchers')
      .values(rows.map(({ id, team = 'T1' }) => ({ id, team, person: id, login: null, turn: 0, lookedAt: null })))
      .execute(),
  queue: store => sightsIn(store).queue(),
  pauseAfter: pauseOfLook,
  acts: (store, due, row) => ({
    note: now => alertsIn(store).finish({ ...row, due }, { login: undefined, dueAt: now + lookRhythm }, now),
  }),
  turnUninstalled: alertsWithout,
});

/** People’s Homes that are behind. */
export const homes: QueueCase = {
  lock: 'homes.locked_until',
  max: 20,
  put: (store, rows) =>
    inParts(rows, some => {
      const values = some.map(({ id, dueAt, team = 'T1' }) => ({
        ...{ team, person: id, pages: '{}', asked: 0, seen: '', digest: '', steps: 'over' as const },
        // Somebody looks at it however the clocks of a test go.
        ...{ openedAt: dueAt + day, nextAt: dueAt, lockedUntil: 0, fence: 0, tries: 0 },
      }));
      return store.insertInto('homes').values(values).execute();
    }),
  async see(store, id) {
    const row = await store.selectFrom('homes').selectAll().where('person', '=', id).executeTakeFirst();
    return row && { dueAt: row.seen === '' ? row.nextAt : null, lockedUntil: row.lockedUntil, tries: row.tries };
  },
  turnUninstalled: homesWithout,
  begin(store) {
    const queue = homesIn(store);
    return {
      async take(now, max) {
        return (await queue.take(now, max)).taken.map(home => ({
          id: home.person,
          renew: until => queue.renew([home], until),
          rest: nextAt => queue.putOff(home, nextAt),
          fail: now => queue.putOff(home, now + pauseAfter(refusal, home.tries), 'failed'),
          note: now => queue.published(home, 'digest', now),
        }));
      },
      nextTime: async (now = t) => (await queue.take(now, 0)).nextAt,
      asksFirst: false,
      recall: queue.recall,
    };
  },
};
