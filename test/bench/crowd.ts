import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { startBot } from './bots.ts';
import { type Child, newFolder, startChild } from './child.ts';
import type { Crowd } from './estate.ts';
import { acksUntil } from './others.ts';
import { atMost, type Figure, type Part, type Run } from './part.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';

/** Seconds: until the looks have found their rhythm; in which nothing ends; in which jobs end; and for the last to be told. */
const spans = { settle: 20, still: 20, ends: 15, rest: 14 } as const;
const shortSpans = { settle: 8, still: 8, ends: 6, rest: 14 } as const;
/** Seconds between two looks at a job in its first minutes, and the longest that it may be with the spread. */
const rhythm = 10;
export const longestRhythm = 12;
const endsPerSecond = 4;
const cost =
  'Beside reading the list, each look is taken out of the store and noted there; where the answer has changed, its jobs are read, too, and compared with the records.';
const remembering =
  'Dolly remembers what its last look at each job rested on; lists of which none is like the one before leave more behind for V8 to collect.';
const collecting =
  'Each list that is not like the one before is parsed and compared, and V8 collects what is left of it.';
const tooMany = 'A look begins up to 12 s after the last one, and then those that are due before it are taken first.';

const Report = z.object({
  lists: z.number(),
  singles: z.number(),
  posts: z.number(),
  updates: z.number(),
  lags: z.array(z.number()),
  fresh: z.number(),
});

const Replies = z.object({ told: z.number(), more: z.number() });

/**
 * A crowd to be measured, with its aims in % of a core: of Dolly alone, or of what it takes beside the floor; and of its memory, as a
 * multiple of the floor.
 */
type Size = Crowd & Readonly<{ name: string; moving?: true; alone?: number; beside?: number; memory?: number }>;

const sizes: readonly Size[] = [
  { name: 'people-100', people: 100, jobsEach: 1, alone: 2 },
  { name: 'people-1000', people: 1_000, jobsEach: 1, alone: 7 },
  { name: 'people-10000', people: 10_000, jobsEach: 1, alone: 50 },
  { name: 'jobs-1000', people: 20, jobsEach: 50 },
  { name: 'jobs-10000', people: 200, jobsEach: 50, beside: 8, memory: 2 },
  { name: 'jobs-10000-moving', people: 200, jobsEach: 50, beside: 12, memory: 2, moving: true },
];

/**
 * Jobs that run while nothing happens, and then end one after the other. The floor is a loop that reads the lists of the same
 * people as often and parses them.
 */
export const follows: readonly Part[] = sizes.map(size => ({
  name: size.name,
  summary: `${nameOf(size)}: processor, memory, reads, and the time until people are told`,
  group: 'Jobs that run',
  measure: run => follow(run, size),
}));

function nameOf({ people, jobsEach, moving }: Size): string {
  const crowd =
    jobsEach === 1
      ? `${people.toLocaleString('en')} people with one job each`
      : `${(people * jobsEach).toLocaleString('en')} jobs of ${people} people`;
  return moving ? `${crowd}, each answer with a new time in it` : crowd;
}

async function follow({ quick, say, build }: Run, size: Size): Promise<Figure[]> {
  const name = nameOf(size);
  const { settle, still, ends, rest } = quick ? shortSpans : spans;
  const children: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(child: T): T => {
    children.push(child);
    return child;
  };
  try {
    say(name);
    const [stub, bareStub] = await Promise.all([startStub(size), startStub(size)]);
    keep(stub);
    keep(bareStub);
    const folder = newFolder();
    const store = await openStore(folder);
    await seed(store, size, Date.now() + 2_000);
    await store.destroy();
    const bare = keep(await startBare(size, bareStub.told));
    // Two readers of so many lists, and both services, are more than a small machine does at the same time.
    const isAlone = size.people > 1_000;
    const bareAlone = isAlone ? await processorOf(bare, settle, still) : undefined;
    if (isAlone) await Promise.all([bare.stop(), bareStub.stop()]);
    const outside = { slackUrl: stub.told, serviceUrl: stub.told };
    const bot = keep(
      await startBot('dolly', outside, { ...build, environment: { DATA_DIR: folder, LOG_LEVEL: 'warn' } }),
    );
    await sleep(settle * 1_000);
    await reportOf(stub);
    const [dolly, bareBeside] = await Promise.all([
      processorOf(bot.process, 0, still),
      bareAlone ?? processorOf(bare, 0, still),
    ]);
    const quiet = await reportOf(stub);
    const used = { dolly, bare: bareBeside };
    const count = Math.min((size.people * size.jobsEach) / 2, ends * endsPerSecond);
    await request(`${stub.told}/crowd/end?count=${count}&every=${Math.round((ends * 1_000) / count)}`, {
      method: 'POST',
    });
    const acks = await acksUntil(bot, sleep((ends + rest) * 1_000));
    const { lags, updates } = await reportOf(stub);
    const late = Array.from({ length: count - lags.length }, () => (ends + rest) * 1_000);
    const seconds = [...lags, ...late].map(lag => lag / 1_000);
    const inTime = seconds.filter(lag => lag <= longestRhythm + 1).length;
    return [
      {
        name: `processor, ${name} (floor: their lists read and parsed)`,
        unit: '%',
        rounds: [used],
        ...(size.alone === undefined ? {} : { aim: atMost('dolly', size.alone), cost }),
      },
      {
        name: `of that beside the floor, ${name}`,
        unit: '%',
        rounds: [{ dolly: used.dolly - used.bare }],
        ...(size.beside === undefined ? {} : { aim: atMost('dolly', size.beside), cost }),
      },
      {
        name: `reads a person in ${rhythm} s, ${name}`,
        unit: '',
        rounds: [{ dolly: ((quiet.lists + quiet.singles) * rhythm) / still / size.people }],
        // A single job may need a list and a record in one look.
        ...(size.jobsEach > 1 ? { aim: atMost('dolly', 1.2) } : {}),
      },
      {
        name: `people looked at within a rhythm (${longestRhythm} s), ${name}`,
        unit: '%',
        rounds: [{ dolly: (quiet.fresh / size.people) * 100 }],
        aim: { of: 'dolly', bound: 'at least', value: 100 },
        cost: tooMany,
      },
      {
        name: `ends told within a rhythm and a second, ${name}`,
        unit: '%',
        rounds: [{ dolly: (inTime / count) * 100 }],
        aim: { of: 'dolly', bound: 'at least', value: 100 },
        cost: tooMany,
      },
      {
        name: `from the final record to Slack, ${name}`,
        unit: 's',
        rounds: [{ dolly: percentile(seconds, 50) }],
        p95: { dolly: percentile(seconds, 95) },
      },
      {
        name: `memory, ${name} (floor: the bare reader)`,
        unit: 'MB',
        rounds: [isAlone ? { dolly: bot.process.memory() } : { bare: bare.memory(), dolly: bot.process.memory() }],
        ...(size.memory === undefined ? {} : { aim: atMost('ratio', size.memory), cost: remembering }),
      },
      {
        name: `others' acks as jobs end, p99, ${name}`,
        unit: 'ms',
        rounds: [{ dolly: percentile(acks, 99) }],
        aim: atMost('dolly', 50),
        cost: collecting,
      },
      {
        name: `messages changed a minute as jobs end, ${name}`,
        unit: '',
        rounds: [{ dolly: (updates * 60) / (ends + rest) }],
        // Slack's tier 3, with what its bursts allow.
        aim: atMost('dolly', 90),
      },
    ];
  } finally {
    await Promise.all(children.map(child => child.stop()));
  }
}

/** Percent of a core that a process uses for `still` seconds, once `settle` seconds have passed. */
async function processorOf(process: Pick<Child, 'processorTime'>, settle: number, still: number): Promise<number> {
  await sleep(settle * 1_000);
  const before = process.processorTime();
  await sleep(still * 1_000);
  return ((process.processorTime() - before) / still) * 100;
}

/**
 * Starts the service and the Slack of a crowd; with `records`, everybody's list has so many, `live` of them live
 * databases, and on average so many `snapshots` in each. */
export function startStub(
  { people, jobsEach, areVisible, areReported, moving }: Crowd & { moving?: true },
  { records = 0, live = 0, snapshots }: Readonly<{ records?: number; live?: number; snapshots?: number }> = {},
): Promise<Child> {
  return startChild(new URL('./crowdStub.ts', import.meta.url), {
    environment: {
      PEOPLE: String(people),
      JOBS_EACH: String(jobsEach),
      RECORDS: String(records),
      LIVE: String(live),
      ...(snapshots === undefined ? {} : { SNAPSHOTS: String(snapshots) }),
      ...(areVisible ? { VISIBLE: 'yes' } : {}),
      ...(areReported ? { REPORTED: 'yes' } : {}),
      ...(moving ? { MOVING: 'yes' } : {}),
    },
    folder: newFolder(),
    ready: /^ready (.*)$/,
    nodeOptions: [],
  });
}

function startBare({ people }: Crowd, serviceUrl: string): Promise<Child> {
  return startChild(new URL('./bareReader.ts', import.meta.url), {
    environment: { SERVICE_URL: serviceUrl, PEOPLE: String(people) },
    folder: newFolder(),
    ready: /^ready$/,
    nodeOptions: [],
  });
}

/** What a stub saw since the last report, and at how many people it was looked in the last seconds. */
export async function reportOf(stub: Child, within: number = longestRhythm) {
  const answer = await request(`${stub.told}/crowd/report?within=${Math.round(within * 1_000)}`);
  return Report.parse(await answer.body.json());
}

/** How many jobs have their end told, and how many ends stand more than once. */
export async function repliesOf(stub: Child) {
  return Replies.parse(await (await request(`${stub.told}/crowd/replies`)).body.json());
}
