import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { startBot } from './bots.ts';
import { type Child, newFolder, startChild } from './child.ts';
import type { Crowd } from './estate.ts';
import type { Figure, Part, Run } from './part.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';

/** Seconds: until the looks have found their rhythm; in which nothing ends; in which jobs end; and for the last to be told. */
const spans = { settle: 14, still: 20, ends: 20, rest: 12 } as const;
const shortSpans = { settle: 5, still: 8, ends: 6, rest: 14 } as const;
/** In seconds. */
const rhythm = 10;

const Report = z.object({
  lists: z.number(),
  singles: z.number(),
  posts: z.number(),
  updates: z.number(),
  lags: z.array(z.number()),
});

const crowds: readonly Crowd[] = [
  { people: 20, jobsEach: 1 },
  { people: 20, jobsEach: 50 },
  { people: 200, jobsEach: 50 },
];

/**
 * Jobs that run while nothing happens, and then end one after the other. The floor is a loop that reads the same lists as
 * often and makes records of them, at the same time.
 */
export const follows: readonly Part[] = crowds.map(crowd => ({
  name: `follow-${crowd.people * crowd.jobsEach}`,
  summary: `${nameOf(crowd)}: processor, memory, reads, and the time until people are told`,
  measure: run => follow(run, crowd),
}));

function nameOf({ people, jobsEach }: Crowd): string {
  return `${(people * jobsEach).toLocaleString('en')} jobs of ${people} people`;
}

async function follow({ quick, say, nodeOptions }: Run, size: Crowd): Promise<Figure[]> {
  const { people, jobsEach } = size;
  const jobs = people * jobsEach;
  const name = nameOf(size);
  const { settle, still, ends, rest } = quick ? shortSpans : spans;
  const children: { stop(): Promise<void> }[] = [];
  const keep = <T extends { stop(): Promise<void> }>(child: T): T => {
    children.push(child);
    return child;
  };
  try {
    const stub = keep(await startStub(size));
    const outside = { slackUrl: stub.told, serviceUrl: stub.told };
    say(name);
    const idle = await idleMemory(outside, nodeOptions);
    const folder = newFolder();
    const store = await openStore(folder);
    await seed(store, size, Date.now() + 2_000);
    await store.destroy();
    const bot = keep(await startBot('dolly', outside, nodeOptions, { DATA_DIR: folder, LOG_LEVEL: 'warn' }));
    const bare = keep(await startBare(size, keep(await startStub(size)).told));
    await sleep(settle * 1_000);
    await reportOf(stub);
    const before = { dolly: bot.process.processorTime(), bare: bare.processorTime() };
    await sleep(still * 1_000);
    const quiet = await reportOf(stub);
    const used = {
      dolly: ((bot.process.processorTime() - before.dolly) / still) * 100,
      bare: ((bare.processorTime() - before.bare) / still) * 100,
    };
    // Each person's first jobs, so that at most every other one of theirs is over in the end.
    const count = Math.min(jobs, ends * (quick ? 3 : 4));
    await request(`${stub.told}/crowd/end?count=${count}&every=${Math.round((ends * 1_000) / count)}`, {
      method: 'POST',
    });
    await sleep((ends + rest) * 1_000);
    const { lags, updates } = await reportOf(stub);
    if (lags.length < count) say(`only ${lags.length} of ${count} ends were told in time`);
    const memory = bot.process.memory();
    const late = Array.from({ length: count - lags.length }, () => (ends + rest) * 1_000);
    const seconds = [...lags, ...late].map(lag => lag / 1_000);
    return [
      {
        name: `processor, ${name}, nothing new (floor: their lists read and parsed into records)`,
        unit: '%',
        rounds: [used],
      },
      {
        name: `of that beside the floor, ${name}`,
        unit: '%',
        rounds: [{ dolly: Math.max(0, used.dolly - used.bare) }],
        ...(jobs >= 10_000 ? { aim: { of: 'dolly', bound: 'at most', value: 10 } } : {}),
      },
      {
        name: `reads a person in 10 s, ${name}`,
        unit: '',
        rounds: [{ dolly: ((quiet.lists + quiet.singles) * rhythm) / still / people }],
        aim: { of: 'dolly', bound: 'at most', value: 1.2 },
      },
      {
        name: `memory, ${name} (floor: at rest, without any)`,
        unit: 'MB',
        rounds: [{ bare: idle, dolly: memory }],
        aim: { of: 'ratio', bound: 'at most', value: 2.5 },
      },
      { name: `from the final record to Slack, ${name}, p50`, unit: 's', rounds: [{ dolly: percentile(seconds, 50) }] },
      { name: `from the final record to Slack, ${name}, p95`, unit: 's', rounds: [{ dolly: percentile(seconds, 95) }] },
      {
        name: `messages changed a minute, ${name}, as jobs end`,
        unit: '',
        rounds: [{ dolly: (updates * 60) / (ends + rest) }],
        // Slack's tier 3, with what its bursts allow.
        aim: { of: 'dolly', bound: 'at most', value: 90 },
      },
    ];
  } finally {
    await Promise.all(children.map(child => child.stop()));
  }
}

/** Starts the service and the Slack of a crowd. */
export function startStub({ people, jobsEach }: Crowd, records = 0): Promise<Child> {
  return startChild(new URL('./crowdStub.ts', import.meta.url), {
    environment: { PEOPLE: String(people), JOBS_EACH: String(jobsEach), RECORDS: String(records) },
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

async function idleMemory(outside: { slackUrl: string; serviceUrl: string }, nodeOptions: readonly string[]) {
  const bot = await startBot('dolly', outside, nodeOptions, { LOG_LEVEL: 'warn' });
  try {
    await sleep(2_000);
    return bot.process.memory();
  } finally {
    await bot.stop();
  }
}

async function reportOf(stub: Child) {
  const answer = await request(`${stub.told}/crowd/report`);
  return Report.parse(await answer.body.json());
}
