import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../../src/ground/clock.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { hasPostgres, startPostgres } from '../postgresServer.ts';
import { type Bot, startBot } from './bots.ts';
import { reportOf, startStub } from './crowd.ts';
import { atMost, type Build, type Figure, type Part } from './part.ts';
import { knowRunning } from './replicas.ts';
import { seed } from './seed.ts';

/** Seconds: until two processes have shared the people among them, and the longest wait for the last of these. */
const spans = { settle: 25, patience: 120 } as const;

/** One of two bots on one PostgreSQL dies or freezes, and the other one takes its people. */
export const handover: Part = {
  name: 'handover',
  summary: 'seconds until all people are looked at again once one of 2 bots dies or freezes',
  group: 'The store, and several processes',
  async measure({ quick, say, build }) {
    if (!hasPostgres) throw new Error('there is no PostgreSQL for this machine');
    const people = quick ? 40 : 200;
    const server = startPostgres(true);
    try {
      const figures: Figure[] = [];
      for (const [does, signal] of [
        ['dies', 'SIGKILL'],
        ['freezes', 'SIGSTOP'],
      ] as const) {
        say(`one of 2 processes ${does}`);
        const dolly = await secondsAfter(signal, await server.database(), people, build);
        const name = `until all of ${people} people are looked at again, once one of 2 processes ${does}`;
        figures.push({ name, unit: 's', rounds: [{ dolly }], aim: atMost('dolly', 30) });
      }
      return figures;
    } finally {
      server.stop();
    }
  },
};

async function secondsAfter(signal: NodeJS.Signals, url: string, people: number, build: Build): Promise<number> {
  const crowd = { people, jobsEach: 1, areVisible: true } as const;
  const stub = await startStub(crowd);
  const shared = await openShared(url, systemClock, { heard: () => {}, faulty: console.error });
  const bots: Bot[] = [];
  try {
    await knowRunning(shared.store, stub.told);
    const outside = { slackUrl: stub.told, serviceUrl: stub.told };
    const environment = { DATABASE_URL: url, LOG_LEVEL: 'error' };
    for (let count = 0; count < 2; count++) bots.push(await startBot('dolly', outside, { ...build, environment }));
    await seed(shared.store, crowd, Date.now() + 2_000);
    shared.replicas.announce();
    await sleep(spans.settle * 1_000);
    bots[0]?.process.signal(signal);
    const began = performance.now();
    for (let seconds = 0; seconds < spans.patience; await sleep(250)) {
      seconds = (performance.now() - began) / 1_000;
      if ((await reportOf(stub, seconds)).fresh === people) return seconds;
    }
    const { fresh } = await reportOf(stub, spans.patience);
    throw new Error(`${fresh} of ${people} people are looked at again`);
  } finally {
    // A process that is frozen hears of no other end.
    bots[0]?.process.signal('SIGKILL');
    await Promise.all(bots.map(bot => bot.stop()));
    await shared.close();
    await stub.stop();
  }
}
