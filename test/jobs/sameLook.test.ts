import { expect, test, vi } from 'vitest';
import { parseIdentifier } from '../../src/api/identifiers.ts';
import { gather } from '../../src/jobs/evidence/gather.ts';
import { type Asking, ask, askWords } from '../../src/jobs/evidence/reading.ts';
import { settles } from '../../src/jobs/evidence/settles.ts';
import { nextOfSame, openLookMemory, questionsIn } from '../../src/jobs/sameLook.ts';
import { recordReader } from '../../src/records/recordReader.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';
import { cloneAt, environmentAt, jobAt, personAt, portAt, recordOf, recordsOf, team } from '../bench/estate.ts';
import { judgingIn, wish } from '../store/folder.ts';
import { moveJob } from '../store/steps.ts';
import { hour, jobIn } from './jobIn.ts';
import { watched } from './watchedJobs.ts';

/* Looks that are left out because nothing has changed: what is told, and when, is as if each of them had been done. */

const minute = 60_000;
const crowd = { people: 3, jobsEach: 36 };
/** There are as many kinds of jobs, in turn. */
const kinds = 12;

/** The state in which the clone of each kind of job rests from the freezing on; without one, it is never there. */
const finalStates: Readonly<Record<number, string>> = {
  ...{ 0: 'RUNNING', 2: 'WOBBLY', 3: 'RUNNING', 4: 'CREATE_FAILED', 5: 'CREATING', 6: 'STOPPED', 7: 'RUNNING' },
  ...{ 8: 'WOBBLY', 9: 'STOPPED', 10: 'RUNNING', 11: 'GLOOMY' },
};
/** The kinds about a record that was there before, and its state then. One of them is about the record of another one. */
const onClones: Readonly<Record<number, Readonly<{ operation: string; before: string; back?: number }>>> = {
  6: { operation: 'clone.stop', before: 'RUNNING' },
  7: { operation: 'clone.stop', before: 'STOPPING' },
  8: { operation: 'clone.start', before: 'STOPPED' },
  9: { operation: 'clone.reset', before: 'RUNNING', back: 3 },
  10: { operation: 'database.refresh', before: 'RUNNING' },
};

/** All that people may read of the jobs, and what the trail says. */
async function toldIn({ store }: Awaited<ReturnType<typeof watched>>) {
  const jobs = await store
    .selectFrom('jobs')
    .select(['id', 'state', 'reason', 'endedAt', 'revision', 'claimed', 'deadlineAt', 'evidence'])
    .orderBy('id')
    .execute();
  const trail = await store
    .selectFrom('audit')
    .select(['job', 'event', 'at', 'detail'])
    .orderBy('at')
    .orderBy('job')
    .orderBy('event')
    .execute();
  return { jobs, trail };
}

async function begin(isKnownByBytes: boolean) {
  let isFrozen = false;
  const records = (person: number) => {
    const own = Array.from({ length: crowd.jobsEach }, (_, job) => {
      const kind = job % kinds;
      const before = kind === 3 ? undefined : (onClones[kind]?.before ?? 'CREATING');
      const state = isFrozen ? finalStates[kind] : before;
      return state === undefined ? [] : [recordOf(cloneAt(person, job), state, portAt(job), environmentAt(person))];
    });
    return [...recordsOf(person, 0, () => false), ...own.flat()];
  };
  const world = await watched(crowd, minute, { records, isKnownByBytes });
  const { store, clock } = world;
  const change = (id: string, row: Partial<JobRow>) =>
    store.updateTable('jobs').set(row).where('id', '=', id).execute();
  for (let person = 0; person < crowd.people; person++)
    for (let job = 0; job < crowd.jobsEach; job++) {
      // Each person's looks come a second after those of another one: so it is always the same one's that teach words.
      const dueAt = clock.now() + 5_000 + ((person + 2) % crowd.people) * 1_000;
      await change(jobAt(person, job), { dueAt, deadlineAt: clock.now() + 11 * minute });
      const { operation, before, back = 0 } = onClones[job % kinds] ?? {};
      if (operation === undefined) continue;
      const [state, stateClass] = before === 'STOPPED' ? [before, 'stopped'] : ['RUNNING', 'ok'];
      const name = `shop-${portAt(job - back)}`;
      const target = { state, stateClass, name, snapshots: [], times: {}, counters: {}, reports: {} };
      const baseline = JSON.stringify({ ids: {}, target });
      const own = { operation, target: cloneAt(person, job - back), baseline, evidence: null, claimed: null };
      await change(jobAt(person, job), own);
    }
  await store.deleteFrom('jobs').where('person', '=', personAt(2)).where('id', '!=', jobAt(2, 5)).execute();
  return {
    ...world,
    freeze: () => {
      isFrozen = true;
    },
  };
}

test('a look at unchanged records is done again once they may mean something else or anything else has changed', async () => {
  const { jobs, stateAnswers, vocabulary, clock, store } = await watched({ people: 1, jobsEach: 1 }, minute);
  const parts = { jobs, stateAnswers, vocabulary, clock, ...judgingIn(store) };
  const at = clock.now();
  const evidence = JSON.stringify({
    id: 'MYSQL_CLONE_SERVER-1',
    state: 'RUNNING',
    stateClass: 'ok',
    since: at,
    seenAt: at,
  });
  const job = { ...jobIn('running', { evidence, sentAt: at - 5 * hour, deadlineAt: at + 20 * minute, looks: 9 }) };
  const look = {
    job: job.id,
    team: job.team,
    person: job.person,
    dueAt: at,
    freeAt: at,
    looks: 9,
    fence: 2,
    isHere: 1,
  };
  const { id, sentAt, target } = job;
  const sources = { parts, records: recordReader(async () => [], {}), team, words: parts.vocabulary.of(team) };
  const asked = async (look: (here: Asking) => unknown) =>
    questionsIn((await gather(sources, reading => look({ reading, isWhole: true }))).reading);
  const others = (here: Asking) => [
    ask(here, 'overlaps', { id, sentAt, target }),
    // The record around a part is asked about, too.
    ask(here, 'overlaps', { id, sentAt, target: 'MYSQL_LIVE_SERVER-99' }),
  ];
  const questions = (await asked(others)) ?? [];
  expect(questions).toHaveLength(2);
  const answers = { isFirst: true, given: [] };
  const credential = { username: 'ana', token: 'token', since: 5 };
  const memory = openLookMemory();
  const remember = (seenAt: number) =>
    memory.remember({ ...job, taken: { by: 'look', fence: 1 } }, { at: seenAt, signInAt: 5, answers, questions });
  const nextAt = async (now: number, change: { since?: number; isSame?: boolean } = {}) => {
    const known = memory.of({ ...look, dueAt: now });
    const records = { ...recordReader(async () => [], {}), answersAs: async () => change.isSame ?? true };
    const here = { at: now, spread: 1, credential: { ...credential, since: change.since ?? 5 }, records };
    return known && nextOfSame({ ...parts, clock: { ...clock, now: () => now } }, here, known);
  };
  const times = [...Object.values(settles).map(span => at + span), job.deadlineAt];
  for (const time of times) {
    remember(time - 2_000);
    expect(await nextAt(time - 1)).toBeGreaterThanOrEqual(time);
    expect(await nextAt(time)).toBeUndefined();
  }
  remember(at + 100_000);
  const soon = at + 110_000;
  expect(await nextAt(soon)).toBeGreaterThan(soon);
  expect(await nextAt(soon, { since: 6 })).toBeUndefined();
  expect(await nextAt(soon, { isSame: false })).toBeUndefined();
  expect(await nextAt(at + 90_000)).toBeUndefined();
  expect(memory.of({ ...look, fence: 3 })).toBeUndefined();
  expect(memory.of({ ...look, isHere: 0 })).toBeUndefined();
  // Somebody else asks for something there.
  await jobs.add(wish({ target: job.target }));
  await store
    .updateTable('jobs')
    .set({ state: 'running', sentAt: at, deadlineAt: at + hour, target: job.target })
    .execute();
  expect(await nextAt(soon)).toBeUndefined();
  // What people say is asked for in each look.
  const word = { team, kind: 'MySQL clones', word: 'WOBBLY' };
  expect(await asked(here => [others(here), ask(here, 'answers', word)])).toBeUndefined();
});

test('a look remembers its questions as plain data, and asks the same ones again', async () => {
  const { jobs, stateAnswers, vocabulary, clock, store } = await watched({ people: 1, jobsEach: 1 }, minute);
  const at = clock.now();
  const asked: unknown[] = [];
  const heard = <Given extends readonly unknown[], T>(name: string, ask: (...given: Given) => T) => {
    return (...given: Given): T => {
      asked.push([name, ...given]);
      return ask(...given);
    };
  };
  const parts = {
    ...{ stateAnswers, clock, ...judgingIn(store) },
    jobs: { ...jobs, overlapping: heard('others', jobs.overlapping), claimsOn: heard('claims', jobs.claimsOn) },
    vocabulary: {
      ...vocabulary,
      of(of: string) {
        const words = vocabulary.of(of);
        const { isDue, meaningOf, hasSeen } = words;
        return {
          ...words,
          isDue: heard(`due in ${of}`, isDue),
          meaningOf: heard(`meaning in ${of}`, meaningOf),
          hasSeen: heard(`seen in ${of}`, hasSeen),
        };
      },
    },
  };
  const job = jobIn('running', { team, sentAt: at - minute, deadlineAt: at + hour });
  const id = parseIdentifier('MYSQL_CLONE_SERVER-1');
  if (!id) throw new Error('this is an identifier');
  const sources = { parts, records: recordReader(async () => [], {}), team, words: parts.vocabulary.of(team) };
  const { reading } = await gather(sources, begun => {
    const here = { reading: begun, isWhole: true };
    ask(here, 'overlaps', { id: job.id, sentAt: job.sentAt, target: job.target });
    ask(here, 'claims', [id.text, 'MYSQL_CLONE_SERVER-2']);
    const of = { left: undefined, id };
    askWords(here, 'due', undefined);
    for (const word of ['RUNNING', 'WOBBLY']) askWords(here, 'meaning', { ...of, state: { word, class: 'unknown' } });
    askWords(here, 'seen', { ...of, state: undefined, classes: ['busy', 'failed'] });
  });
  const first = asked.splice(0);
  expect(first).toHaveLength(6);

  // A function cannot be cloned, nor can anything that holds one.
  const questions = structuredClone(questionsIn(reading) ?? []);
  expect(JSON.parse(JSON.stringify(questions))).toEqual(questionsIn(reading));
  expect(JSON.stringify(questions).length).toBeLessThan(250 * first.length);
  const memory = openLookMemory();
  const answers = { isFirst: true, given: [] };
  memory.remember({ ...job, taken: { by: 'look', fence: 1 } }, { at, signInAt: 5, answers, questions });
  const { id: jobId, person } = job;
  const look = { job: jobId, team, person, dueAt: at, freeAt: at, looks: 9, fence: 2, isHere: 1 };
  const known = memory.of(look);
  const records = { ...recordReader(async () => [], {}), answersAs: async () => true };
  const here = { at, spread: 1, credential: { username: 'ana', token: 'token', since: 5 }, records };
  expect(known && (await nextOfSame(parts, here, known))).toBeGreaterThan(at);
  expect(asked).toEqual(first);
});

test('every end, question and deadline of jobs comes as if no look had been left out', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
  const worlds = [await begin(true), await begin(false)] as const;
  const [read, asked, told]: [number[], number[], unknown[]] = [[0, 0], [0, 0], []];
  for (let half = 0; half < 24; half++) {
    for (const [at, world] of worlds.entries()) {
      const now = world.clock.now();
      if (half === 1) world.freeze();
      // Somebody says what a word means, and a person stops looking.
      if (half === 5)
        await world.stateAnswers.add({
          ...{ team, kind: 'MySQL clones', word: 'GLOOMY', person: 'U9', login: 'zoe', job: 'other' },
          ...{ record: 'MYSQL_CLONE_SERVER-9', says: 'ready', approves: 1, at: now },
        });
      const stopped = { endedAt: now, dueAt: null, reason: 'It was stopped.' };
      if (half === 8) await moveJob(world.jobs, jobAt(2, 5), 'running', 'unconfirmed', stopped, now);
      const { read: rows, lists, others: singles } = await world.during(30);
      read[at] = (read[at] ?? 0) + rows;
      asked[at] = (asked[at] ?? 0) + lists + singles;
    }
    const [kept, whole] = await Promise.all(worlds.map(toldIn));
    expect(kept, `after ${half} half minutes`).toEqual(whole);
    told.push(whole);
  }
  const last = JSON.stringify(told.at(-1));
  for (const state of ['succeeded', 'failed', 'unconfirmed']) expect(last).toContain(`"${state}"`);
  expect(JSON.stringify(told)).toContain('doubt');
  expect(last).toContain('zoe says that it is ready');
  expect(read[0]).toBeLessThan(0.7 * (read[1] ?? 0));
  // The service is asked as often: what is left out is the rest.
  expect(asked[0]).toBeLessThan(1.1 * (asked[1] ?? 0));
}, 120_000);
