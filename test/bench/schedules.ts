import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { z } from 'zod';
import { newSchedule, type Schedule, schedules as scheduleKind } from '../../src/features/schedules/schedule.ts';
import { day, hour, minute } from '../../src/ground/durations.ts';
import type { Store } from '../../src/store/database.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { addDue } from '../../src/store/dueQueue.ts';
import { fresh, longestSilence } from '../../src/store/jobs/rows/encode.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';
import { thingRow } from '../../src/store/things/kind.ts';
import { startBot } from './bots.ts';
import { type Child, newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { liveAt, personAt, team } from './estate.ts';
import { acksUntil } from './others.ts';
import { atMost, type Part, type Run } from './part.ts';
import { inRounds, type Kind } from './rounds.ts';
import { signInAll, slices } from './seed.ts';
import { percentile } from './statistics.ts';

const people = 200;
export const scheduleCount = 1_000;
/** So many that what one of them takes from Slack's limits is never what is waited for. */
const channels = 100;
/** The shortest time from the seeding until they are due, in milliseconds: a bot has started by then. */
const lead = 12_000;
/** The runs that are due at the same time, twice, and the milliseconds in which all of them have begun. */
const whole = { runs: 200, span: 30_000 } as const;
const short = { runs: 40, span: 15_000 } as const;
/** Milliseconds between two jobs of the floor: people do not ask at the same moment. */
const between = 25;
/** The time until the others are due, in milliseconds. */
const atRest = 6 * hour;

const Sent = z.object({ writes: z.number() });

/**
 * Nightly backups at the same time: as schedules, and as jobs that people asked for one after the other. The first ones
 * are alone, and show what a run costs; beside those of a minute later, others ask for something. No backup ends here, so the
 * policy lets all of them be under way: by its defaults, what runs by itself waits its turn from the fortieth on.
 */
export const schedules: Part = {
  name: 'schedules',
  summary: `runs of ${scheduleCount.toLocaleString('en')} schedules, beside as many jobs that people asked for`,
  group: 'Jobs that run',
  async measure(run) {
    const { runs } = run.quick ? short : whole;
    run.say(`${runs} runs of schedules, and ${runs} jobs`);
    const names = ['processor', 'p99', 'longest'] as const;
    const pairs = await inRounds(run.quick ? 1 : 2, names, kind => measureRuns(kind, run));
    const of = (name: (typeof names)[number]) => pairs.get(name) ?? [];
    const name = `${runs} of ${scheduleCount.toLocaleString('en')} schedules run at once (floor: as many jobs, one after the other)`;
    return [
      { name: `processor time of each, ${name}`, unit: 'ms', rounds: of('processor'), aim: atMost('ratio', 1.2) },
      { name: `others' acks meanwhile, p99, ${name}`, unit: 'ms', rounds: of('p99'), aim: atMost('dolly', 50) },
      { name: `others' longest ack meanwhile, ${name}`, unit: 'ms', rounds: of('longest') },
    ];
  },
};

async function measureRuns(kind: Kind, { quick, build }: Run) {
  const { runs, span } = quick ? short : whole;
  const stub = await startStub({ people, jobsEach: 0 });
  try {
    const folder = newFolder();
    const store = await openStore(folder);
    // Calendars know whole minutes.
    const begin = Date.now() + lead;
    const [from, apart] = kind === 'dolly' ? [Math.ceil(begin / minute) * minute, minute] : [begin, span + 10_000];
    const turnOf = (index: number) => from + Math.floor(index / runs) * apart;
    await signInAll(store, people, Date.now());
    if (kind === 'dolly') await addSchedules(store, index => (index < 2 * runs ? turnOf(index) : from + atRest));
    else await addJobs(store, 2 * runs, index => turnOf(index) + (index % runs) * between);
    await store.destroy();
    const outside = { slackUrl: stub.told, serviceUrl: stub.told };
    const policy = join(folder, 'policy.yaml');
    writeFileSync(policy, `pace: { service: ${scheduleCount}, host: ${scheduleCount} }\n`);
    const environment = { DATA_DIR: folder, POLICY_FILE: policy, LOG_LEVEL: 'warn' };
    const bot = await startBot('dolly', outside, { ...build, environment });
    try {
      await sleep(Math.max(0, from - Date.now()));
      const before = bot.process.processorTime();
      await sleep(span);
      const processor = ((bot.process.processorTime() - before) / runs) * 1_000;
      await allSent(stub, runs);
      await sleep(Math.max(0, turnOf(runs) - Date.now()));
      const acks = await acksUntil(bot, sleep(span));
      await allSent(stub, runs);
      return { processor, p99: percentile(acks, 99), longest: Math.max(...acks) };
    } finally {
      await bot.stop();
    }
  } finally {
    await stub.stop();
  }
}

/** @throws Error where not so many requests were sent since the last time */
async function allSent(stub: Child, runs: number): Promise<void> {
  const answer = await request(`${stub.told}/crowd/report?within=0`);
  const { writes } = Sent.parse(await answer.body.json());
  if (writes !== runs) throw new Error(`${writes} of ${runs} requests were sent`);
}

/** Adds daily backups of as many databases: `nextAt` gives the time at which each is due. */
export async function addSchedules(store: Store, nextAt: (index: number) => number): Promise<void> {
  const rows = Array.from({ length: scheduleCount }, (_, index) => {
    const dueAt = nextAt(index);
    return { thing: thingRow(scheduleKind, scheduleOf(index, dueAt)), dueAt };
  });
  for (const some of slices(rows)) {
    await store
      .insertInto('things')
      .values(some.map(({ thing }) => thing))
      .execute();
    await addDue(
      store,
      some.map(({ thing: { kind, id, team }, dueAt }) => ({ kind, id, team, dueAt, now: dueAt - day })),
    );
  }
}

function scheduleOf(index: number, plannedAt: number): Schedule {
  const at = new Date(plannedAt).toISOString().slice(11, 16);
  const { database, ...all } = asked(index);
  const made = newSchedule({
    ...{ ...all, id: `schedule-${index}`, kind: 'job', values: { database }, labels: {}, target: database },
    ...{ madeAt: null, rhythm: JSON.stringify({ every: 'day', at }), zone: 'UTC', tells: 'all', runsAs: 'owner' },
    createdAt: plannedAt - 30 * day - hour,
  });
  return { ...made, plannedAt, lastAt: plannedAt - day, lastOutcome: 'succeeded', revision: 1 };
}

async function addJobs(store: Store, count: number, dueTime: (index: number) => number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index): JobRow => {
    const [id, dueAt] = [`job-${index}`, dueTime(index)];
    const times = { createdAt: dueAt, dueAt, tellAt: dueAt + longestSilence };
    const { database, ...all } = asked(index);
    const inputs = JSON.stringify({ database });
    return { ...fresh, ...all, inputs, labels: '{}', target: database, id, requestKey: id, ...times };
  });
  for (const some of slices(rows)) await store.insertInto('jobs').values(some).execute();
}

/** The part of a schedule and of a job that says what is asked for. */
function asked(index: number) {
  const person = index % people;
  const database = liveAt(person, 1 + Math.floor(index / people));
  return {
    ...{ team, person: personAt(person), channel: `C0CROWD${person % channels}`, purpose: null },
    ...{ operation: 'database.backup', database, targetName: null },
  };
}
