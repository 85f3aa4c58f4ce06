import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ToldTo } from '../../src/store/jobs/reading.ts';
import { isShared } from '../../src/store/lock.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import type { Kind } from '../../src/store/things/kind.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { many, plansIn, readBy } from './explained.ts';
import { ben, jobsOf, stores } from './folder.ts';

/* What is over costs nothing: indexes of both stores lead past all that has ended on a record, for a person or in a channel. */

test.each(stores)(
  'the other jobs on a record in %s are looked up by an index, however many have ended there',
  async (_, open) => {
    const store = await open();
    const record = 'MYSQL_LIVE_SERVER-1';
    // One began each second, and ran for ten. The last ones: one is under way, one ended just before, and one may take effect late.
    const state = sql`case when n = 4998 then 'running' when n = 5000 or n < 1000 then 'unconfirmed' else 'succeeded' end`;
    await sql`insert into jobs (id, request_key, team, person, operation, inputs, labels, target, state, created_at, channel,
      sent_at, ended_at)
    select 'job-' || n, 'key-' || n, 'T1', 'U1', 'clone.create', '{}', '{}', ${record}, ${state}, n, 'C1', n * 1000,
      case when n <> 4998 then n * 1000 + 10000 end from ${many}`.execute(store);
    await sql`analyze`.execute(store);
    const jobs = jobsOf(store);
    const plans = await plansIn(store, /./, async () => {
      const found = await jobs.overlappingAll([{ id: 'job', target: record, sentAt: 5_011_000 }]);
      expect(
        found
          .get('job')
          ?.map(({ id }) => id)
          .toSorted(),
      ).toEqual(['job-4998', 'job-4999', 'job-5000']);
      const later = await jobs.overlapping({ id: 'job', target: record, sentAt: 5_015_000 });
      expect(later.map(({ id, isLate }) => [id, isLate]).toSorted()).toEqual([
        ['job-4998', false],
        ['job-5000', true],
      ]);
      const others = await jobs.unclaimed({ id: 'job', sentAt: 5_015_000 }, []);
      expect(others.map(({ id }) => id).toSorted()).toEqual(['job-4998', 'job-5000']);
      expect(await jobs.inHand([record, 'MYSQL_LIVE_SERVER-2'])).toEqual(new Set([record]));
    });
    expect(plans).toHaveLength(5);
    for (const plan of plans) {
      expect(plan).not.toMatch(
        /SCAN jobs(?! USING INDEX jobs_unclaimed)|SEARCH jobs USING INDEX \w+ \(target=\?\)|Seq Scan on jobs/,
      );
      expect(readBy(plan)).toBeLessThan(30);
    }
  },
);

test.each(stores)('indexes in %s find what Home, forms, looks and messages ask of a long history', async (_, open) => {
  const store = await open();
  const record = 'MYSQL_LIVE_SERVER-1';
  await sql`insert into jobs (id, request_key, team, person, operation, inputs, labels, target, state, created_at, channel,
      sent_at, ended_at, claimed)
    select 'job-' || n, 'key-' || n, 'T1', 'U1', 'clone.create', '{}', '{}', ${record},
      case when n % 9 = 0 then 'failed' else 'succeeded' end, n, 'C1', n, n + 10,
      case when n % 500 = 0 then 'MYSQL_CLONE_SERVER-' || n end from ${many}`.execute(store);
  await sql`insert into outbox (id, subject, team, kind, created_at, data, is_news, channel, revision, shown)
    select 'notice-' || n, 'subject', 'T1', 'alert', n, '{}', 1, 'C1', 1, 1 from ${many}`.execute(store);
  await sql`insert into due (kind, id, team, due_at, set_at, locked_until, fence, tries)
    select 'notice', 'notice-' || n, 'T1', null, 1, 0, 1, 0 from ${many}`.execute(store);
  await sql`analyze`.execute(store);
  const [jobs, outbox] = [jobsOf(store), outboxIn(store)];
  const plans = await plansIn(store, /^(select|update)/, async () => {
    expect((await jobs.ended(ben, 0, 5)).all).toBe(5_000);
    expect((await jobs.underWay(ben, 0, 5)).all).toBe(0);
    expect((await jobs.made(ben)).size).toBe(10);
    expect(await jobs.openOn('T1', record)).toEqual([]);
    expect(await jobs.dealingsSince('T1', 5_008)).toHaveLength(3);
    expect(await jobs.dealingsWith('T1', [record], 5_000)).toHaveLength(1);
    await jobs.failedSince('T1', 5_005, 5, 'all');
    await jobs.standing();
    const last = await outbox.lastOf('subject');
    expect(last?.id).toBe('notice-5000');
    if (last) expect(await outbox.succession(last)).toEqual({ hasLater: false, unposted: 99 });
    await outbox.close('subject', { outcome: 'over', now: 6_000 });
  });
  expect(plans.length).toBeGreaterThan(12);
  const few = '(jobs_(open|made)|outbox_(open|subject))';
  const scans = new RegExp(
    `(SCAN|SEARCH) (jobs|outbox|due)( USING INDEX (?!${few})\\w+( \\((team|target|subject|kind)=\\?( AND person=\\?)?\\))?)?"|Seq Scan on (jobs|outbox|due)|outbox_subject .*TREE FOR ORDER`,
  );
  for (const plan of plans) {
    // The number of a person's jobs is counted in an index alone.
    if (/COVERING INDEX jobs_ended|Aggregate .*person = /.test(plan)) continue;
    expect(plan).not.toMatch(scans);
    expect(readBy(plan)).toBeLessThan(250);
  }
});

test.each(stores)(
  'the failed jobs of a person in %s are found quickly behind those of many others',
  async (_, open) => {
    const store = await open();
    await sql`insert into jobs (id, request_key, team, person, place, operation, inputs, labels, target, state, created_at, channel,
      ended_at)
    select 'job-' || n, 'key-' || n, 'T1', case when n = 1 then 'U1' else 'U2' end, case when n = 2 then 'C2' else 'C1' end,
      'clone.create', '{}', '{}', 'MYSQL_LIVE_SERVER-1', 'failed', n, 'C1', n from ${many}`.execute(store);
    await sql`analyze`.execute(store);
    const jobs = jobsOf(store);
    const told = async (to: ToldTo) => (await jobs.failedSince('T1', 0, 5, to)).map(({ id }) => id);
    expect(await told('all')).toHaveLength(5);
    expect(await told({ person: 'U1', place: 'C2' })).toEqual(['job-2', 'job-1']);
    const plans = await plansIn(store, /^select/, async () => expect(await told({ person: 'U1' })).toEqual(['job-1']));
    for (const plan of plans) expect(readBy(plan)).toBeLessThan(30);
  },
);

test.each(stores)(
  'open things in %s are found by an index for every search, however many are over',
  async (_, open) => {
    const store = await open();
    await sql`insert into things (kind, id, team, person, channel, subject, state, revision, created_at, ended_at, body)
    select 'lamp', 'lamp-' || n, 'T1', 'U1', 'C1', 'S1', case when n = 9 then 'on' else 'broken' end, 1, n, n, '{}'
    from ${many}`.execute(store);
    // SQLite would take them for half of all: it keeps no count of the frequent ones.
    if (isShared(store)) await sql`analyze`.execute(store);
    const lamps: Kind<'on' | 'broken', object> = {
      ...{ name: 'lamp', body: z.object({}), states: { on: ['broken'], broken: [] }, over: ['broken'] },
      ...{ found: () => ({}), about: () => ({}) },
    };
    const searches = [{}, { team: 'T1' }, ben, { team: 'T1', channel: 'C1' }, { team: 'T1', subject: 'S1' }];
    const plans = await plansIn(store, /^select/, async () => {
      for (const search of searches)
        expect(await thingsIn(store).list(lamps, search)).toMatchObject([{ id: 'lamp-9', state: 'on' }]);
    });
    expect(plans).toHaveLength(searches.length);
    for (const plan of plans) {
      expect(plan).toMatch(/SEARCH things USING INDEX \w+ \([^)]*state=\?|Index Cond: [^"]*state = /);
      expect(readBy(plan)).toBeLessThan(5);
    }
  },
);

test.each(stores)(
  'jobs at the service, and those that wait for its account, are found in %s among many open ones',
  async (_, open) => {
    const store = await open();
    await sql`insert into jobs (id, request_key, team, person, operation, inputs, labels, target, state, created_at, channel,
      sent_at, due_at, hold, runs_as)
    select 'job-' || n, 'key-' || n, 'T1', 'U1', 'clone.create', '{}', '{}', 'MYSQL_LIVE_SERVER-1', 'running', n, 'C1', n, n,
      case when n = 7 then 'sign-in' end, 'service' from ${many}`.execute(store);
    await sql`analyze`.execute(store);
    const jobs = jobsOf(store);
    const plans = await plansIn(store, /^select/, async () => {
      expect((await jobs.atService(4_999, 10)).map(([id]) => id).toSorted()).toEqual(['job-4999', 'job-5000']);
      expect(await jobs.teamsAwaitingAccount()).toEqual(['T1']);
    });
    expect(plans).toEqual([
      expect.stringMatching(/USING INDEX jobs_sent \(sent_at>\?\)|Index Scan using jobs_sent/),
      expect.stringMatching(/USING INDEX jobs_account|using jobs_account|on jobs_account/),
    ]);
    for (const plan of plans) expect(readBy(plan)).toBeLessThan(5);
  },
);
