import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { Service } from '../../src/api/connection/serviceClient.ts';
import type { AllParts } from '../../src/app/wholeDesk.ts';
import { noMeter } from '../../src/ground/meter.ts';
import { PolicyFile, policyOf } from '../../src/jobs/approval/policy/rules.ts';
import { workOnDueJobs } from '../../src/jobs/dueJobs.ts';
import { openVocabulary } from '../../src/jobs/evidence/words/stateVocabulary.ts';
import { knowsRequest } from '../../src/jobs/request.ts';
import { openRecords } from '../../src/records/records.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import { alertsIn } from '../../src/store/tables/alerts/alerts.ts';
import { sightsIn } from '../../src/store/tables/alerts/sights.ts';
import { auditIn } from '../../src/store/tables/audit/audit.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { learnedWordsIn } from '../../src/store/tables/learnedWords.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import { requiredFieldsIn } from '../../src/store/tables/requiredFields.ts';
import { stateAnswersIn } from '../../src/store/tables/stateAnswers.ts';
import { thingsIn } from '../../src/store/things/things.ts';
import { openVault } from '../../src/store/vault.ts';
import { tokenKey } from '../bench/bots.ts';
import { type Crowd, recordsOf } from '../bench/estate.ts';
import { seed } from '../bench/seed.ts';
import { testClock } from '../clock.ts';
import { additionsTo } from '../house.ts';
import { folder, storeIn } from '../store/folder.ts';

/** A crowd whose jobs run since `age` milliseconds; the service is a list that is counted, and so are the store's writes. */
async function watched(crowd: Crowd, age: number, beside: object = {}) {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  let statements = 0;
  const store = await storeIn(folder(), () => {
    statements += 1;
  });
  await seed(store, crowd, clock.now());
  const deadlineAt = clock.now() + 24 * 3_600_000;
  await store
    .updateTable('jobs')
    .set({ sentAt: clock.now() - age, deadlineAt, looks: 20 })
    .execute();
  const counts = { lists: 0, others: 0, notes: 0, inVain: 0, told: 0 };
  const done = new Set<number>();
  const jobs = jobsIn(store, { knows: knowsRequest });
  const credentials = credentialsIn(store, openVault([Buffer.from(tokenKey, 'base64')]));
  const log = pino({ level: 'silent' });
  const service: Service = {
    url: 'http://service.invalid',
    signIn: async () => '',
    ahead: () => 0,
    submit: async () => undefined,
    close: async () => undefined,
    async fetch(token, { path }) {
      counts[path === '/database/list' ? 'lists' : 'others'] += 1;
      const records = recordsOf(Number(token.split('-')[1]), crowd.jobsEach, job => done.has(job));
      return records.map(record => ({ ...record, ...beside }));
    },
  };
  const { lastEnd } = jobs;
  const parts: AllParts = {
    jobs: {
      ...jobs,
      applyAll: (...args) => {
        counts.notes += args[0].length;
        return jobs.applyAll(...args);
      },
      noChange: (...args) => {
        counts.inVain += 1;
        return jobs.noChange(...args);
      },
    },
    audit: auditIn(store),
    credentials,
    account: undefined,
    things: thingsIn(store),
    ...additionsTo(() => parts),
    outbox: outboxIn(store),
    alerts: alertsIn(store),
    sights: sightsIn(store),
    meter: noMeter,
    policy: policyOf(PolicyFile.parse({}), []),
    approvalChannel: () => undefined,
    people: {
      isAmong: async () => false,
      membersOf: async (_team, ids) => ids,
      nameOf: async () => 'Ana',
      zoneOf: async () => undefined,
      standingOf: async () => 'member',
    },
    service,
    stateAnswers: stateAnswersIn(store, 'http://service.invalid'),
    vocabulary: openVocabulary(learnedWordsIn(store), 'http://service.invalid', {}, clock),
    requiredFields: requiredFieldsIn(store, 'http://service.invalid'),
    records: openRecords({ service, credentials, lastEnd, mapping: {}, clock, log, meter: noMeter }),
    isUninstalled: async () => false,
    clock,
    log,
  };
  jobs.listen('tell', () => {
    counts.told += 1;
  });
  const watcher = workOnDueJobs(parts, parts);
  onTestFinished(() => watcher.stop());
  return {
    jobs,
    done,
    /** Turns the clock and gives what was counted meanwhile; seals are opened in real time. */
    async during(seconds: number) {
      const before = { ...counts, statements };
      for (let half = 0; half < seconds * 2; half++) {
        await clock.advance(500);
        await sleep(1);
      }
      await sleep(50);
      const { lists, others, notes, inVain, told } = counts;
      return {
        lists: lists - before.lists,
        others: others - before.others,
        notes: notes - before.notes,
        inVain: inVain - before.inVain,
        told: told - before.told,
        statements: statements - before.statements,
      };
    },
    running: async () => (await store.selectFrom('jobs').select('id').where('state', '=', 'running').execute()).length,
  };
}

const minute = 60_000;

test('a look costs as many statements for forty jobs of a person as for eight', async () => {
  const costs: number[] = [];
  for (const jobsEach of [8, 40]) {
    // A report may be of another job on the same record, so that each look has to ask which ones there are.
    const lastJob = { id: 'JOB-1', type: 'REFRESH', status: 'SUCCESS', startTime: '2026-11-01T00:00:00Z' };
    const world = await watched({ people: 3, jobsEach }, minute, { lastJob });
    await world.during(15);
    const { lists, statements } = await world.during(60);
    costs.push(statements / lists);
  }
  for (const cost of costs) expect(cost).toBeLessThanOrEqual(13);
});

describe('forty jobs of each of three people', () => {
  const crowd = { people: 3, jobsEach: 40 };

  test('share one read of the list a person and look, and one write where there is nothing new', async () => {
    const world = await watched(crowd, minute);
    // The first look at each keeps what the records show of it.
    expect((await world.during(15)).notes).toBe(3 * 20);
    const { lists, others, notes, inVain, told } = await world.during(60);
    expect(lists).toBeGreaterThanOrEqual(3 * 4);
    expect(lists).toBeLessThanOrEqual(3 * 8);
    expect({ others, notes, told }).toEqual({ others: 0, notes: 0, told: 0 });
    expect(inVain).toBeGreaterThan(0);
    expect(inVain).toBeLessThanOrEqual(lists);
  });

  test('are all looked at in each look, so that each that ended is found by the next, or once it has settled', async () => {
    const world = await watched(crowd, minute);
    await world.during(15);
    for (const job of [0, 1, 38, 39]) world.done.add(job);
    // Half of them were seen in the making: the others must stand as they are for ten seconds, from the look that saw them.
    await world.during(15);
    expect(await world.running()).toBeLessThanOrEqual(3 * 38);
    await world.during(25);
    expect(await world.running()).toBe(3 * 36);
  });

  test('that are young are looked at every ten seconds, and old ones every two minutes, give or take a fifth', async () => {
    const young = await watched(crowd, minute);
    const old = await watched(crowd, 2 * 60 * minute);
    await Promise.all([young.during(15), old.during(15)]);
    const [often, seldom] = await Promise.all([young.during(120), old.during(480)]);
    expect(often.lists / 3).toBeGreaterThanOrEqual(9);
    expect(seldom.lists / 3).toBeGreaterThanOrEqual(2);
    expect(seldom.lists / 3).toBeLessThanOrEqual(6);
  });
});
