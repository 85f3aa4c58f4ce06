import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { systemClock } from '../../src/ground/clock.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { startBot } from './bots.ts';
import { startStub } from './crowd.ts';
import type { Figure, Part } from './part.ts';
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
    const crowd = { people: quick ? 20 : 60, jobsEach: 50 };
    const all = crowd.people * crowd.jobsEach;
    const server = startPostgres(true);
    const figures: Figure[] = [];
    try {
      for (const count of [1, 2, 3]) {
        say(`${count} on PostgreSQL`);
        const perSecond = await endsPerSecond(await server.database(), count, crowd, nodeOptions);
        figures.push({
          name: `ends found a second of ${all.toLocaleString('en')} at once, ${count} on PostgreSQL`,
          unit: '/s',
          rounds: [{ dolly: perSecond }],
        });
      }
    } finally {
      server.stop();
    }
    return figures;
  },
};

async function endsPerSecond(
  url: string,
  count: number,
  crowd: { people: number; jobsEach: number },
  nodeOptions: readonly string[],
): Promise<number> {
  const all = crowd.people * crowd.jobsEach;
  const stub = await startStub(crowd);
  const { store, close } = await openShared(url, systemClock, { heard: () => {}, faulty: console.error });
  const bots: { stop(): Promise<void> }[] = [];
  try {
    const outside = { slackUrl: stub.told, serviceUrl: stub.told };
    for (let index = 0; index < count; index++)
      bots.push(await startBot('dolly', outside, nodeOptions, { DATABASE_URL: url, LOG_LEVEL: 'error' }));
    await request(`${stub.told}/crowd/end?count=${all}&every=0`, { method: 'POST' });
    // Due when all of them sleep; they wake within five seconds.
    const from = Date.now() + 4_000;
    await seed(store, crowd, from, true);
    await sleep(Math.max(0, from - Date.now()));
    const began = performance.now();
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
    return all / ((performance.now() - began) / 1_000);
  } finally {
    await Promise.all(bots.map(bot => bot.stop()));
    await close();
    await stub.stop();
  }
}
