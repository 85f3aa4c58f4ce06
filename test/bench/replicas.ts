import { availableParallelism } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { request } from 'undici';
import { systemClock } from '../../src/ground/clock.ts';
import { minute } from '../../src/ground/durations.ts';
import type { Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { type Bot, startBot } from './bots.ts';
import { repliesOf, startStub } from './crowd.ts';
import { type Crowd, team } from './estate.ts';
import { atLeast, atMost, type Build, type Figure, type Part } from './part.ts';
import { seed } from './seed.ts';
import { watchDatabase } from './watchDatabase.ts';

/** Within how many seconds all jobs must have ended, and all ends be told. */
const patience = { ended: 90, told: 240 } as const;
/** Each person's jobs that end before anything is measured: a process that has just started would show what its code takes to compile. */
const warmedBy = 30;

/** Many jobs end at the same moment: how many of them a second are found, by one bot or two on one PostgreSQL. */
export const replicas: Part = {
  name: 'replicas',
  summary: 'ends a second that 1 and 2 bots on one PostgreSQL find, and what an end costs until it is told',
  group: 'The store, and several processes',
  async measure({ quick, say, build }) {
    if (!hasPostgres) throw new Error('there is no PostgreSQL for this machine');
    const crowd = { people: quick ? 20 : 60, jobsEach: 50 + warmedBy, areVisible: true } as const;
    const all = crowd.people * (crowd.jobsEach - warmedBy);
    const server = startPostgres(true);
    const found: Ends[] = [];
    try {
      for (const count of [1, 2]) {
        say(`${count} on PostgreSQL`);
        found.push(await ends(await server.database(), count, crowd, build));
      }
    } finally {
      server.stop();
    }
    const name = `of ${all.toLocaleString('en')} ends at once on one PostgreSQL`;
    const [one] = found;
    const isWide = availableParallelism() >= 6;
    return found.flatMap((own, index): Figure[] => {
      const processes = index === 0 ? '1 process' : `${index + 1} processes (floor: 1 process)`;
      const value = (key: keyof Ends) => (one && index > 0 ? { bare: one[key], dolly: own[key] } : { dolly: own[key] });
      const isPair = index === 1;
      return [
        {
          name: `ends a second ${name}, ${processes}`,
          unit: '/s',
          rounds: [value('perSecond')],
          // On fewer cores the processes stand in each other's way, and in PostgreSQL's: no aim is measurable there.
          ...(isPair && isWide ? { aim: atLeast('ratio', 1.7), cost: waits } : {}),
        },
        {
          name: `processor time of each ${name} until it is told, ${processes}`,
          unit: 'ms',
          rounds: [value('processor')],
          ...(isPair ? { aim: atMost('ratio', 1.1), cost: twoLoops } : {}),
        },
        { name: `commits of each ${name} until it is told, ${processes}`, unit: '', rounds: [value('commits')] },
        {
          name: `statements that wait for a lock ${name}, ${processes}`,
          unit: '%',
          rounds: [value('waiting')],
          ...(isPair ? { aim: atMost('dolly', 1), cost: oneRow } : {}),
        },
      ];
    });
  },
};

const waits = 'Both processes wait for the same PostgreSQL.';
const twoLoops =
  'Each process compiles its code, and looks for due work and for what is to be told, by itself: that does not grow with the ends.';

const oneRow = 'Two processes that end jobs of one person or one channel lock the same rows for a moment.';

/**
 * Of all ends: how many a second; and of each, the milliseconds of processor time of all bots, and PostgreSQL's commits, until
 * the last is told. `waiting` is the percentage of PostgreSQL's statements under way that wait for a lock.
 */
type Ends = Readonly<Record<'perSecond' | 'processor' | 'commits' | 'waiting', number>>;

async function ends(url: string, count: number, crowd: Crowd, build: Build): Promise<Ends> {
  const warm = crowd.people * warmedBy;
  const all = crowd.people * crowd.jobsEach - warm;
  const stub = await startStub(crowd);
  const {
    store,
    close,
    replicas: others,
  } = await openShared(url, systemClock, { heard: () => {}, faulty: console.error });
  const bots: Bot[] = [];
  try {
    const outside = { slackUrl: stub.told, serviceUrl: stub.told };
    await knowRunning(store, stub.told);
    for (let index = 0; index < count; index++)
      bots.push(await startBot('dolly', outside, { ...build, environment: { DATABASE_URL: url, LOG_LEVEL: 'error' } }));
    await request(`${stub.told}/crowd/end?count=${warm + all}&every=0`, { method: 'POST' });
    // Due when all of them sleep.
    const first = Date.now() + 6_000;
    await seed(store, crowd, first + 2 * minute, true);
    await sql`update jobs set due_at = ${first} where id ~ '-[12]?[0-9]$'`.execute(store);
    // A channel takes one message a second: here nobody is to wait for that.
    await sql`update jobs set channel = 'C0' || id, place = 'C0' || id`.execute(store);
    await sleep(Math.max(0, first - Date.now()));
    // As a process does that adds jobs.
    others.announce();
    const allTold = (count: number) =>
      until(patience.told, async () => {
        const { told } = await repliesOf(stub);
        return told < count ? `${told} of ${count} ends are told` : undefined;
      });
    await allTold(warm);
    const from = Date.now() + 6_000;
    await sql`update jobs set due_at = ${from} where state = 'running'`.execute(store);
    const commits = await commitsIn(store);
    await sleep(Math.max(0, from - Date.now()));
    const used = () => bots.reduce((sum, bot) => sum + bot.process.processorTime(), 0);
    const before = used();
    const watched = await watchDatabase(url);
    const began = performance.now();
    others.announce();
    await until(patience.ended, async () => {
      const row = await store
        .selectFrom('jobs')
        .select(eb => eb.fn.countAll().as('many'))
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow();
      return Number(row.many) > 0 ? `${row.many} of ${all} have not ended` : undefined;
    });
    const seconds = (performance.now() - began) / 1_000;
    const { waiting } = await watched();
    // Only then have one process and two done the same.
    await allTold(warm + all);
    return {
      perSecond: all / seconds,
      processor: ((used() - before) / all) * 1_000,
      commits: ((await commitsIn(store)) - commits) / all,
      waiting: waiting * 100,
    };
  } finally {
    await Promise.all(bots.map(bot => bot.stop()));
    await close();
    await stub.stop();
  }
}

/** Waits until nothing is lacking. @throws Error with what is lacking after so many seconds */
async function until(seconds: number, lacking: () => Promise<string | undefined>): Promise<void> {
  const end = performance.now() + seconds * 1_000;
  for (let what = await lacking(); what !== undefined; what = await lacking()) {
    if (performance.now() > end) throw new Error(what);
    await sleep(100);
  }
}

/** As after some use: a state that Dolly has never seen has to stand for a while before Dolly believes it. */
export async function knowRunning(store: Store, serviceUrl: string): Promise<void> {
  const seen = { stood: 40, rested: 10, passed: 0, seenAt: Date.now() };
  const known = { service: `${serviceUrl}/service`, team, word: 'RUNNING', ...seen };
  const kinds = ['MySQL clones', 'MySQL live databases'];
  await store
    .insertInto('words')
    .values(kinds.map(kind => ({ ...known, kind })))
    .execute();
}

/** Transactions that PostgreSQL has committed in this database. Its processes tell of theirs when they have rested for a while. */
async function commitsIn(store: Store): Promise<number> {
  await sleep(1_500);
  const statement = sql<{
    commits: number;
  }>`select xact_commit AS commits from pg_stat_database where datname = current_database()`;
  const { rows } = await statement.execute(store);
  return Number(rows[0]?.commits);
}
