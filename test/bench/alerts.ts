import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { hour } from '../../src/ground/durations.ts';
import type { Store } from '../../src/store/database.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { addDue } from '../../src/store/dueQueue.ts';
import { alertKinds, subscriptionId, subscriptions, watcherId } from '../../src/store/tables/alerts/alertRows.ts';
import { thingRow } from '../../src/store/things/kind.ts';
import type { WatcherRow } from '../../src/store/things/rows.ts';
import { type Bot, startBot } from './bots.ts';
import { type Child, newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { personAt, team } from './estate.ts';
import { acksUntil } from './others.ts';
import { atMost, type Figure, type Part, type Run } from './part.ts';
import { command } from './requests.ts';
import { addSchedules, scheduleCount } from './schedules.ts';
import { signInAll, slices } from './seed.ts';
import { type Pair, percentile } from './statistics.ts';
import { longList } from './status.ts';

/** Channels that look with the same watcher. */
const channels = 200;
/** Seconds between two looks of the same watcher. */
const rhythm = 300;
/** The sign-ins that look, in their order: one warms up, one is measured, and others wait for their acks beside one. */
const looks = 3;
/** The people who read the list by themselves: the first of them warms up. */
const people = looks + 2;
/** Milliseconds: from a start to its first look, between two looks, and in which others ask for something. */
const spans = { lead: 10_000, apart: 40_000, window: 10_000 } as const;

const waiting =
  'A look goes through the records in slices of 4 ms, and reads how each was last seen, 250 in a statement; an ack may wait for one of them in each turn of the event loop that it takes.';

const Lists = z.object({ lists: z.number() });

/**
 * Looks for alerts at a long list on which nothing changes. The floor is Dolly while somebody asks for the same list as
 * often.
 */
export const alerts: Part = {
  name: 'alerts',
  summary: `looks for ${channels} channels at ${longList.records} records, beside ${scheduleCount} schedules`,
  group: 'A long history, and long lists',
  async measure(run) {
    const stub = await startStub({ people, jobsEach: 0 }, longList);
    try {
      const folder = newFolder();
      run.say('the first looks, which are told nowhere');
      await fill(folder);
      await lookedFirst(folder, stub, run);
      const rounds: Round[] = [];
      for (let round = 0; round < (run.quick ? 1 : 2); round++) {
        run.say(`alerts, round ${round + 1}`);
        rounds.push(await measureRound(folder, stub, run));
      }
      return figuresOf(rounds);
    } finally {
      await stub.stop();
    }
  },
};

const understanding =
  'The long list is read, rid of secrets and understood as for /db list, and then each record is compared with the look before.';

/** One round: percent of a core at rest, seconds of processor time, and others' acks in milliseconds. */
type Round = Readonly<{ rest: number; look: number; list: number; besideLook: number[]; besideList: number[] }>;

function figuresOf(rounds: readonly Round[]): Figure[] {
  const used = rounds.map(({ rest, look, list }) => ({
    dolly: rest + (look / rhythm) * 100,
    bare: (list / rhythm) * 100,
  }));
  const acks = (percent: number): Pair[] =>
    rounds.map(({ besideLook, besideList }) => ({
      dolly: percentile(besideLook, percent),
      bare: percentile(besideList, percent),
    }));
  const count = (number: number) => number.toLocaleString('en');
  const estate = `${count(scheduleCount)} schedules, ${channels} subscribed channels, ${count(longList.records)} records`;
  const beside = `others' acks beside a look (floor: beside /db list), ${count(longList.records)} records`;
  return [
    { name: `processor, ${estate} (floor: /db list every 5 minutes)`, unit: '%', rounds: used },
    {
      name: `of that beside the floor, ${estate}`,
      unit: '%',
      rounds: used.map(({ dolly, bare }) => ({ dolly: dolly - bare })),
      aim: atMost('dolly', 2),
    },
    {
      name: `processor time of a look, ${estate}`,
      unit: 's',
      rounds: rounds.map(({ look }) => ({ dolly: look })),
      aim: atMost('dolly', 3),
      cost: understanding,
    },
    { name: `${beside}, p99`, unit: 'ms', rounds: acks(99), aim: atMost('ratio', 1.2), cost: waiting },
    { name: `${beside}, the longest`, unit: 'ms', rounds: acks(100), aim: atMost('dolly', 50) },
  ];
}

async function fill(folder: string): Promise<void> {
  const now = Date.now();
  const store = await openStore(folder);
  await signInAll(store, people, now);
  await addSchedules(store, index => now + 6 * hour + index * 60_000);
  for (let person = 0; person < looks; person++) {
    const rows = Array.from({ length: channels }, (_, index) => subscriptionOf(person, index, now));
    for (const some of slices(rows)) await store.insertInto('things').values(some).execute();
    await addDue(
      store,
      rows.map(({ kind, id }) => ({ kind, id, team, dueAt: now + 24 * hour, now })),
    );
    const watcher = watcherRow(person);
    await store.insertInto('watchers').values(watcher).execute();
    await addDue(store, [{ kind: 'watcher', id: watcher.id, team, dueAt: now, now }]);
  }
  await store.destroy();
}

function subscriptionOf(person: number, index: number, now: number) {
  const owner = { team, person: personAt(person) };
  const channel = `C0BENCH${person}${String(index).padStart(3, '0')}`;
  const rest = { zone: 'UTC', called: [], reason: null, since: now, sinceTurn: 0 };
  const row = { plannedAt: now + 24 * hour, waitsFor: null, createdAt: now, endedAt: null, revision: 1 };
  const own = { id: subscriptionId(team, channel), channel, watcher: watcherId(owner), kinds: alertKinds };
  return thingRow(subscriptions, { ...owner, ...own, ...rest, ...row, state: 'on' });
}

function watcherRow(person: number): WatcherRow {
  const owner = { team, person: personAt(person) };
  return { id: watcherId(owner), ...owner, login: null, turn: 0, lookedAt: null };
}

/** Lets all watcher look once: their first look only notes what is there. */
async function lookedFirst(folder: string, stub: Child, run: Run): Promise<void> {
  const bot = await startAt(folder, stub, run);
  try {
    await listRead(stub, looks);
    await idle(bot);
  } finally {
    await bot.stop();
  }
  const store = await openStore(folder);
  const watcher = await store
    .selectFrom('watchers')
    .innerJoin('due', 'due.id', 'watchers.id')
    .select(['turn', 'tries'])
    .where('due.kind', '=', 'watcher')
    .execute();
  await store.destroy();
  if (watcher.some(({ turn, tries }) => turn !== 1 || tries !== 0))
    throw new Error(`the first looks came to ${JSON.stringify(watcher)}`);
}

async function measureRound(folder: string, stub: Child, run: Run): Promise<Round> {
  const { lead, apart, window } = spans;
  const from = Date.now() + lead;
  const store = await openStore(folder);
  await setLooks(store, person => from + person * apart);
  await store.destroy();
  const bot = await startAt(folder, stub, run);
  try {
    await listRead(stub);
    await idle(bot);
    const used = bot.process.processorTime;
    const beforeRest = used();
    await sleep(5_000);
    const rest = ((used() - beforeRest) / 5) * 100;
    const beforeLook = used();
    await listRead(stub);
    await idle(bot);
    const look = used() - beforeLook;
    await listRead(stub);
    const besideLook = await acksUntil(bot, sleep(window));
    await idle(bot);
    const ask = async (person: number) => {
      await bot.send(command(bot, '/db', 'list', personAt(person)));
      await listRead(stub);
    };
    const beforeList = used();
    await ask(looks);
    await idle(bot);
    const list = used() - beforeList;
    await ask(looks + 1);
    const besideList = await acksUntil(bot, sleep(window));
    await idle(bot);
    return { rest, look, list, besideLook, besideList };
  } finally {
    await bot.stop();
  }
}

async function setLooks(store: Store, dueAt: (person: number) => number): Promise<void> {
  for (let person = 0; person < looks; person++)
    await store
      .updateTable('due')
      .set({ dueAt: dueAt(person), lockedUntil: 0 })
      .where('kind', '=', 'watcher')
      .where('id', '=', watcherId({ team, person: personAt(person) }))
      .execute();
}

function startAt(folder: string, stub: Child, { build }: Run): Promise<Bot> {
  const outside = { slackUrl: stub.told, serviceUrl: stub.told };
  return startBot('dolly', outside, { ...build, environment: { DATA_DIR: folder, LOG_LEVEL: 'warn' } });
}

/** Waits until the list is read so many times more. @throws Error where that takes a minute */
async function listRead(stub: Child, times = 1): Promise<void> {
  const end = Date.now() + 60_000;
  for (let read = 0; ; await sleep(50)) {
    const answer = await request(`${stub.told}/crowd/report?within=0`);
    read += Lists.parse(await answer.body.json()).lists;
    if (read >= times) return;
    if (Date.now() > end) throw new Error(`the list was read ${read} of ${times} times within a minute`);
  }
}

/** Waits until the bot has nothing more to do. */
async function idle({ process }: Bot): Promise<void> {
  for (let before = -1; ; ) {
    const now = process.processorTime();
    if (before >= 0 && now - before < 0.03) return;
    before = now;
    await sleep(1_000);
  }
}
