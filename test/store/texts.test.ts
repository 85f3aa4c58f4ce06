import type { CompiledQuery } from 'kysely';
import { expect, test } from 'vitest';
import { hour, minute } from '../../src/ground/durations.ts';
import type { Store } from '../../src/store/database.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { jobsOf, stores, wish } from './folder.ts';
import { moveJob } from './steps.ts';
import { noticeOf } from './tables/aNotice.ts';

/** Notes the text of each statement that a store runs. */
function textsOf(store: Store): ReadonlySet<string> {
  const texts = new Set<string>();
  const executor = store.getExecutor();
  const run = executor.executeQuery.bind(executor);
  const noting: typeof run = (query: CompiledQuery<never>, ...given) => {
    texts.add(query.sql);
    return run(query, ...given);
  };
  Object.assign(executor, { executeQuery: noting });
  return texts;
}

/** Lets the queues of a store work on so many jobs and messages at once. */
async function workOn(store: Store, many: number, at: number): Promise<void> {
  const [jobs, outbox, things] = [jobsOf(store), outboxIn(store), thingsIn(store)];
  const now = at * minute;
  const ids = Array.from({ length: many }, (_, one) => `${at}-${one}`);
  for (const id of ids) await jobs.add(wish({ id, requestKey: id, person: id, target: id, createdAt: now }));
  for (const id of ids) await moveJob(jobs, id, 'new', 'running', { sentAt: now, deadlineAt: now, dueAt: now }, now);
  const taken = await jobs.takeDue(now, 1_000, 100, { soon: 1_000, without: ids.map(id => `not ${id}`) });
  expect(taken).toHaveLength(many);
  await jobs.renewDue(taken, now + 1_000);
  await jobs.noChange(taken.flatMap(job => (job.state === 'running' ? [{ job, dueAt: now + hour }] : [])));
  const busy = {
    places: ids,
    resting: ids,
    endedBefore: now,
    teams: ids,
    people: ids.map(id => `not ${id}`),
    jobs: ['x'],
  };
  expect(await jobs.takeUntold(now, 1_000, 100, busy)).toHaveLength(many);
  await jobs.renewUntold(ids, now + 1_000);
  await jobs.nextTime('tell', now);
  await jobs.letGo(ids, now + hour);
  await jobs.claimsOn(ids);
  await jobs.dealingsWith('T1', ids, 1);
  await things.wakeWaiting('nothing', now);
  for (const id of ids) await outbox.add([noticeOf(id, { createdAt: now })]);
  const queue = outbox.queue();
  const due = await queue.take(
    now,
    100,
    ids.map(id => `not ${id}`),
  );
  expect(due).toHaveLength(many);
  await queue.renew(
    due.map(one => one.due),
    now + 1_000,
  );
  for (const one of due) await outbox.told(one.due, one.row.revision, now);
}

test.each(stores)(
  'in %s, the texts of SQL statements do not depend on how many rows they are about',
  async (_, open) => {
    const store = await open();
    const texts = textsOf(store);
    await workOn(store, 2, 1);
    const some = new Set(texts);
    for (const [at, many] of [3, 7, 40].entries()) await workOn(store, many, at + 2);
    expect([...texts].filter(text => !some.has(text))).toEqual([]);
  },
);
