import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { request } from 'undici';
import { systemClock } from '../../src/ground/clock.ts';
import type { Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { type Bot, startBot } from './bots.ts';
import { startStub } from './crowd.ts';
import { type Crowd, team } from './estate.ts';
import { atLeast, atMost, type Figure, type Part } from './part.ts';
import { seed } from './seed.ts';

/** How long all ends may take, in seconds. */
const patience = 90;

/** Many jobs end at the same moment: how many of them a second are found, by one bot or several on one PostgreSQL. */
export const replicas: Part = {
  name: 'replicas',
  summary: 'ends a second that 1, 2 and 3 bots on one PostgreSQL find',
  group: 'The store, and several processes',
  async measure({ quick, say, nodeOptions }) {
    if (!hasPostgres) throw new Error('there is no PostgreSQL for this machine');
    const crowd = { people: quick ? 20 : 60, jobsEach: 50, areVisible: true } as const;
    const all = crowd.people * crowd.jobsEach;
    const server = startPostgres(true);
    const found: Ends[] = [];
    try {
      for (const count of [1, 2, 3]) {
        say(`${count} on PostgreSQL`);
        found.push(await ends(await server.database(), count, crowd, nodeOptions));
      }
    } finally {
      server.stop();
    }
    const name = `of ${all.toLocaleString('en')} ends at once on one PostgreSQL`;
    const [one] = found;
    return found.flatMap((own, index): Figure[] => {
      const processes = index === 0 ? '1 process' : `${index + 1} processes (floor: 1 process)`;
      const value = (key: keyof Ends) => (one && index > 0 ? { bare: one[key], dolly: own[key] } : { dolly: own[key] });
      const isPair = index === 1;
      return [
        {
          name: `ends a second ${name}, ${processes}`,
          unit: '/s',
          rounds: [value('perSecond')],
          ...(isPair ? { aim: atLeast('ratio', 1.6), cost: sharedCores } : {}),
        },
        {
          name: `processor time of each ${name}, ${processes}`,
          unit: 'ms',
          rounds: [value('processor')],
          ...(isPair ? { aim: atMost('ratio', 1.2), cost: sharedCores } : {}),
        },
        { name: `commits of each ${name}, ${processes}`, unit: '', rounds: [value('commits')] },
      ];
    });
  },
};

const sharedCores =
  'The processes share two cores with PostgreSQL, the service and Slack of the measurement: on so few, a second process adds nothing.';

/** Of all ends: how many a second; and of each, the milliseconds of processor time of all bots, and PostgreSQL's commits. */
type Ends = Readonly<Record<'perSecond' | 'processor' | 'commits', number>>;

async function ends(url: string, count: number, crowd: Crowd, nodeOptions: readonly string[]): Promise<Ends> {
  const all = crowd.people * crowd.jobsEach;
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
      bots.push(
        await startBot('dolly', outside, { nodeOptions, environment: { DATABASE_URL: url, LOG_LEVEL: 'error' } }),
      );
    await request(`${stub.told}/crowd/end?count=${all}&every=0`, { method: 'POST' });
    // Due when all of them sleep.
    const from = Date.now() + 6_000;
    await seed(store, crowd, from, true);
    const commits = await commitsIn(store);
    await sleep(Math.max(0, from - Date.now()));
    const used = () => bots.reduce((sum, bot) => sum + bot.process.processorTime(), 0);
    const before = used();
    const began = performance.now();
    // As a process does that adds jobs.
    others.announce();
    const left = async () => {
      const row = await store
        .selectFrom('jobs')
        .select(eb => eb.fn.countAll().as('many'))
        .where('state', '=', 'running')
        .executeTakeFirstOrThrow();
      return Number(row.many);
    };
    while ((await left()) > 0) {
      if (performance.now() - began > patience * 1_000) throw new Error(`${await left()} of ${all} have not ended`);
      await sleep(50);
    }
    const seconds = (performance.now() - began) / 1_000;
    return {
      perSecond: all / seconds,
      processor: ((used() - before) / all) * 1_000,
      commits: ((await commitsIn(store)) - commits) / all,
    };
  } finally {
    await Promise.all(bots.map(bot => bot.stop()));
    await close();
    await stub.stop();
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
