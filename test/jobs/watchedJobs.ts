import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { onTestFinished, vi } from 'vitest';
import type { Service } from '../../src/api/connection/serviceClient.ts';
import { concealer } from '../../src/api/secrets/conceal.ts';
import type { AllParts } from '../../src/app/wholeDesk.ts';
import { PolicyFile, policyOf } from '../../src/jobs/approval/policy/rules.ts';
import { knowsRequest } from '../../src/jobs/request.ts';
import { workOnDueJobs } from '../../src/jobs/workOnJobs.ts';
import { jobsIn } from '../../src/store/jobs/jobs.ts';
import { credentialsIn } from '../../src/store/tables/credentials.ts';
import { openVault } from '../../src/store/vault.ts';
import { tokenKey } from '../bench/bots.ts';
import { type Crowd, personAt, recordsOf, team } from '../bench/estate.ts';
import { seed } from '../bench/seed.ts';
import { testClock } from '../clock.ts';
import { additionsTo } from '../house.ts';
import { folder, storeIn } from '../store/folder.ts';
import { storedParts } from './storedParts.ts';

/** So many turns of the event loop without a statement or a request mean that all is done. */
const turns = 50;

/** How the service answers: what all records show beside the rest, or other records, and whether its bytes are known again. */
type Shown = Readonly<{ beside?: object; records?: (person: number) => readonly object[]; isKnownByBytes?: boolean }>;

/** A crowd whose jobs run since `age` milliseconds; the service is a list that is counted, and so are the store's writes. */
export async function watched(crowd: Crowd, age: number, { beside = {}, records, isKnownByBytes = true }: Shown = {}) {
  let [statements, asked] = [0, 0];
  // Real time stands still, too: a slow machine would cut long work into more turns than `settle` waits for.
  const realTime = vi.spyOn(performance, 'now').mockReturnValue(0);
  onTestFinished(() => realTime.mockRestore());
  /** Waits until nothing more happens: no work here waits for anything but its turn. */
  const settle = async () => {
    for (let [calm, before] = [0, -1]; calm < turns; calm = before === statements + asked ? calm + 1 : 0) {
      before = statements + asked;
      await turnOfLoop();
    }
  };
  const clock = testClock(Date.UTC(2026, 10, 21, 9), settle);
  const store = await storeIn(folder(), () => {
    statements += 1;
  });
  await seed(store, crowd, clock.now());
  const deadlineAt = clock.now() + 24 * 3_600_000;
  await store
    .updateTable('jobs')
    .set({ sentAt: clock.now() - age, deadlineAt, looks: 20 })
    .execute();
  const counts = { lists: 0, others: 0, notes: 0, inVain: 0, told: 0, read: 0 };
  const conceal = concealer();
  const done = new Set<number>();
  const jobs = jobsIn(store, { knows: knowsRequest });
  const credentials = credentialsIn(store, openVault([Buffer.from(tokenKey, 'base64')]));
  const service: Service = {
    url: 'http://service.invalid',
    signIn: async () => '',
    ahead: () => 0,
    submit: async () => undefined,
    close: async () => undefined,
    async fetch(token, { path }) {
      asked += 1;
      counts[path === '/database/list' ? 'lists' : 'others'] += 1;
      const person = Number(token.split('-')[1]);
      const shown = records?.(person) ?? recordsOf(person, crowd.jobsEach, job => done.has(job), crowd);
      const list = shown.map(record => ({ ...record, ...beside }));
      const id = path.slice(path.lastIndexOf('/') + 1);
      const body = path === '/database/list' ? list : (list.find(record => 'id' in record && record.id === id) ?? {});
      // As the client of the service does, which knows an answer again by its bytes.
      if (isKnownByBytes) await conceal({ text: JSON.stringify(body), body }, token);
      return body;
    },
  };
  const { lastEnd } = jobs;
  const parts: AllParts = {
    ...storedParts(store, service, credentials, { clock, lastEnd }),
    jobs: {
      ...jobs,
      applyAll: (...args) => {
        counts.notes += args[0].length;
        return jobs.applyAll(...args);
      },
      takeDue: async (...args) => {
        const taken = await jobs.takeDue(...args);
        counts.read += taken.length;
        return taken;
      },
      lookedAt: async (...args) => {
        const read = await jobs.lookedAt(...args);
        counts.read += read.length;
        return read;
      },
      noChange: (...args) => {
        counts.inVain += 1;
        return jobs.noChange(...args);
      },
    },
    ...additionsTo(() => parts),
    policy: policyOf(PolicyFile.parse({}), []),
    approvalChannel: () => undefined,
    people: {
      isAmong: async () => false,
      membersOf: async (_team, ids) => ids,
      nameOf: async () => 'Ana',
      zoneOf: async () => undefined,
      absenceOf: async () => undefined,
      standingOf: async () => 'member',
    },
  };
  jobs.listen('tell', () => {
    counts.told += 1;
  });
  // A seal is opened in real time, once.
  for (let person = 0; person < crowd.people; person++) await credentials.find({ team, person: personAt(person) });
  const watcher = workOnDueJobs(parts, parts);
  onTestFinished(() => watcher.stop());
  return {
    jobs,
    store,
    clock,
    stateAnswers: parts.stateAnswers,
    vocabulary: parts.vocabulary,
    done,
    /** Turns the clock and gives what was counted meanwhile. */
    async during(seconds: number) {
      const before = { ...counts, statements };
      await clock.advance(seconds * 1_000);
      const { lists, others, notes, inVain, told, read } = counts;
      return {
        lists: lists - before.lists,
        others: others - before.others,
        notes: notes - before.notes,
        inVain: inVain - before.inVain,
        told: told - before.told,
        /** The rows of jobs that were read. */
        read: read - before.read,
        statements: statements - before.statements,
      };
    },
    running: async () => (await store.selectFrom('jobs').select('id').where('state', '=', 'running').execute()).length,
  };
}
