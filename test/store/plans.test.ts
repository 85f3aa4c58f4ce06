import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { queueOf } from '../../src/store/dueQueue.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import { homesIn } from '../../src/store/tables/homes.ts';
import { many, plansIn, readBy, upTo } from './explained.ts';
import { ben, folder, jobsOf, storeIn, stores, wish } from './folder.ts';
import { moveJob } from './steps.ts';

/* What a long history costs, as the plans by which SQLite runs the statements: none reads all jobs or all entries. */

afterEach(() => vi.restoreAllMocks());

/** The plan of every statement that some work runs, one line a step. */
async function plansOf(work: () => Promise<unknown>): Promise<string[]> {
  const prepare = vi.spyOn(Sqlite.prototype, 'prepare');
  await work();
  const made = prepare.mock.calls.map(([text], at) => ({ text, sqlite: prepare.mock.contexts[at] }));
  prepare.mockRestore();
  return made.flatMap(({ text, sqlite }) => {
    if (!(sqlite instanceof Sqlite) || !/^(select|insert into "jobs" [\s\S]*select|update|delete)/.test(text))
      return [];
    const values = Array.from({ length: text.match(/\?/g)?.length ?? 0 }, () => null);
    const rows = sqlite.prepare(`explain query plan ${text}`).all(values);
    return rows.map(row => `${JSON.stringify(row)} of ${text}`);
  });
}

test('no SQL statement about the history reads all of it, and none sorts the audit trail', async () => {
  const store = await storeIn(folder());
  const [jobs, audit, homes] = [jobsOf(store), auditIn(store), homesIn(store)];
  await homes.opened(ben, 1_000);
  const { job } = await jobs.add(wish());
  const ended = await moveJob(jobs, job.id, 'new', 'failed', { endedAt: 2_000, dueAt: null }, 2_000);
  await jobs.noteTold(job.id, ended?.revision ?? 0);
  for (let at = 1; at <= 450; at++) await audit.add({ at, team: 'T1', actor: 'U1', event: 'asked' });
  const plans = await plansOf(async () => {
    await homes.take(3_000, 9);
    await jobs.lastEnd(ben);
    await jobs.ended(ben, 0, 9);
    await jobs.earlier(ben, 'clone.create');
    await jobs.taken('T1', 'HOST_ENVIRONMENT-4', 1_000);
    while (await audit.index(1_000_000));
    const filters = [{ words: [] }, { words: ['asked'] }, { words: [], by: 'U1', since: 1, until: 400 }];
    for (const filter of filters) for (const from of [{}, { after: '' }]) await audit.read('T1', filter, 9, from);
    await jobs.sweep(5_000, 9_000);
    await audit.sweep(100, 9_000);
  });
  expect(plans.length).toBeGreaterThan(20);
  const whole = plans.filter(plan => /"SCAN (jobs|audit|claims)\b(?! USING COVERING INDEX jobs_open)/.test(plan));
  expect(whole).toEqual([]);
  const sorted = plans.filter(plan => plan.includes('TEMP B-TREE') && / from "audit| of delete/.test(plan));
  expect(sorted).toEqual([]);
  expect(plans.some(plan => /SEARCH jobs USING INDEX jobs_old .*delete/.test(plan))).toBe(true);
  expect(plans.some(plan => /SEARCH jobs USING INDEX jobs_old .*team.* \|\| ''/.test(plan))).toBe(true);
  // The sum of a person's revisions reads nothing but the index of the jobs that have not ended.
  expect(plans.some(plan => plan.includes('SEARCH jobs USING COVERING INDEX jobs_open'))).toBe(true);
});

test('a request for which no port or name must be free reads no other job', async () => {
  const jobs = jobsOf(await storeIn(folder()));
  const plans = await plansOf(() => jobs.add(wish()));
  expect(plans.some(plan => plan.includes('insert into "jobs"'))).toBe(true);
  expect(plans.filter(plan => /(SCAN|SEARCH) jobs/.test(plan))).toEqual([]);
});

test('ports that are taken, and other jobs that may want a new record, are found by narrow indexes', async () => {
  const jobs = jobsOf(await storeIn(folder()));
  const plans = await plansOf(async () => {
    await jobs.taken('T1', 'HOST_ENVIRONMENT-4', 1_000);
    await jobs.addIfFree(wish(), {}, { port: 1, name: 'QA1', since: 1_000 });
    await jobs.unclaimed({ id: 'job', sentAt: 1_000 }, ['database.stop'], ['HOST_ENVIRONMENT-4']);
  });
  for (const steps of [
    'COVERING INDEX jobs_taking (team=? AND takes_on=?)',
    'INDEX jobs_taking (team=? AND takes_on=? AND takes_port=?)',
    'INDEX jobs_taking_name (team=? AND takes_on=? AND takes_name=?)',
  ])
    expect(plans.filter(plan => plan.includes(steps))).toHaveLength(1);
  expect(plans.filter(plan => plan.includes('SEARCH jobs USING INDEX jobs_old (ended_at>?)'))).toHaveLength(2);
  const rivals = plans.filter(plan => /(SEARCH|SCAN) jobs .*of select \* .*"operation" not in/.test(plan));
  expect(rivals).toEqual([expect.stringContaining('INDEX jobs_unclaimed'), expect.stringContaining('INDEX jobs_late')]);
});

test('the next messages to be told are read in their order by an index, without sorting a backlog', async () => {
  const jobs = jobsOf(await storeIn(folder()));
  const plans = await plansOf(() => jobs.takeUntold(1_000, 1_000, 9));
  const steps = plans.flatMap(plan => /(?:SEARCH|SCAN) jobs USING INDEX \w+ ?\S*/.exec(plan) ?? []);
  expect(steps.toSorted()).toEqual([
    'SCAN jobs USING INDEX jobs_untold"}',
    ...['SEARCH jobs USING INDEX jobs_untold (<expr>=?)"}', 'SEARCH jobs USING INDEX jobs_untold (<expr>=?)"}'],
    ...[
      'SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (id=?)"}',
      'SEARCH jobs USING INDEX sqlite_autoindex_jobs_1 (id=?)"}',
    ],
  ]);
});

test.each(stores)(
  'the next message to be told in %s is found past a channel that is shut, however many wait there',
  async (_, open) => {
    const store = await open();
    const isFree = sql`n in (12002, 19997)`;
    const state = sql`case when n <= 300 or ${isFree} then 'new' when n % 2 = 0 then 'succeeded' else 'running' end`;
    await sql`insert into jobs (id, request_key, team, person, operation, inputs, labels, target, state, created_at,
        channel, tell_at, message_ts, ended_at, reason)
      select 'job-' || n, 'key-' || n, 'T1', 'U1', 'clone.create', '{}', '{}', 'MYSQL_LIVE_SERVER-1', state, n,
        case when ${isFree} then 'C2' else 'C1' end, n, case when state <> 'new' then '1.1' end,
        case when state = 'succeeded' then n end, ${'wide '.repeat(300)}
      from (select n, ${state} as state from ${upTo(20_000)}) as made`.execute(store);
    await sql`analyze`.execute(store);
    const busy = { places: ['C1', 'C9'], resting: ['C1'], endedBefore: 30_000, teams: ['T1'] };
    const plans = await plansIn(store, /^update/, async () => {
      const first = await jobsOf(store).takeUntold(30_000, 1_000, 1, busy);
      const others = await jobsOf(store).takeUntold(30_000, 1_000, 9, busy);
      expect([first, others].map(jobs => jobs.map(({ id }) => id))).toEqual([['job-12002'], ['job-19997']]);
    });
    expect(plans).toHaveLength(4);
    for (const plan of plans) {
      expect(plan).toMatch(/(SCAN|SEARCH) jobs USING INDEX jobs_(untold|rooms)|Index Scan using jobs_(untold|rooms)/);
      expect(plan).not.toMatch(/SCAN jobs"|Seq Scan on jobs/);
      expect(readBy(plan)).toBeLessThan(1_500);
    }
    expect(plans.filter(plan => plan.includes('jobs_rooms'))).toHaveLength(2);
  },
);

test.each(stores)(
  'the next due time in %s is looked up by an index, however many rows wait or are in hand',
  async (_, open) => {
    const store = await open();
    const [time, lock] = [sql`1000 + n`, sql.lit(9_000_000)];
    await sql`insert into jobs (id, request_key, team, person, operation, inputs, labels, target, state, created_at, channel,
      due_at, locked_until, tell_at, tell_locked_until)
    select 'job-' || n, 'key-' || n, 'T1', 'U1', 'clone.create', '{}', '{}', 'MYSQL_LIVE_SERVER-1', 'new', ${time}, 'C1',
      ${time}, ${lock}, ${time}, ${lock} from ${many}`.execute(store);
    await sql`insert into looks (job, team, person, due_at, free_at, looks, fence)
    select 'job-' || n, 'T1', 'U1', ${time}, ${time}, 5, 1 from ${many}`.execute(store);
    await sql`insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries)
    select 'lease', 'lease-' || n, 'T1', ${time}, 1, ${lock}, 1, 0 from ${many}`.execute(store);
    await sql`analyze`.execute(store);
    const [jobs, leases] = [jobsOf(store), queueOf(store, 'lease', async () => new Map<string, object>())];
    const plans = await plansIn(store, /^select/, async () => {
      for (const after of [undefined, 4_000]) {
        const next = await Promise.all([
          jobs.nextTime('due', after),
          jobs.nextTime('tell', after),
          leases.nextTime(after),
        ]);
        expect(next).toEqual(Array.from(next, () => (after ?? 1_000) + 1));
      }
    });
    expect(plans).toHaveLength(8);
    for (const plan of plans) {
      expect(plan).toMatch(/(SEARCH|SCAN) \w+ USING (COVERING )?INDEX|Index (Only )?Scan using/);
      expect(plan).not.toMatch(/B-TREE|Sort Key|Rows Removed/);
    }
  },
);

test.each(stores)('the Home of one person in %s is found by its key, however many are open', async (_, open) => {
  const store = await open();
  await sql`insert into homes (team, person, opened_at, pages, steps, asked, seen, digest, next_at, locked_until, fence, tries)
    select 'T1', 'U' || n, 1000, '{}', 'open', 0, '', '', 0, 0, 0, 0 from ${many}`.execute(store);
  await sql`analyze`.execute(store);
  const plans = await plansIn(store, /^select/, async () => {
    expect((await homesIn(store).take(2_000, 0, [ben])).later).toMatchObject([ben]);
  });
  const ofHomes = plans.filter(plan => plan.includes('homes'));
  expect(ofHomes).toHaveLength(1);
  expect(ofHomes[0]).toMatch(
    /SEARCH homes USING INDEX sqlite_autoindex|(Index|Bitmap Index) Scan (using|on) homes_pkey/,
  );
  expect(ofHomes[0]).not.toMatch(/Rows Removed/);
});
