import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { type Bot, startBot } from './bots.ts';
import { newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { personAt } from './estate.ts';
import { acksUntil } from './others.ts';
import { atMost, type Part } from './part.ts';
import { command } from './requests.ts';
import { inRounds } from './rounds.ts';
import { signInAll } from './seed.ts';
import { percentile } from './statistics.ts';

/** The records of everybody's list, and how many of them are live databases. */
export const longList = { records: 50_000, live: 1_000 } as const;

const reading =
  'The list is read, rid of secrets and understood by a thread of its own, which takes a multiple of the time to parse it alone.';

const sameBytes = 'All bytes of the list are read again, to know that none has changed.';

/** The protection of a long list, beside the mere list of the same records. Each person reads it for the first time. */
export const status: Part = {
  name: 'status',
  summary: `the protection of ${longList.records} records, and others' acks meanwhile`,
  group: 'A long history, and long lists',
  async measure({ quick, say, build }) {
    say('status');
    const rounds = quick ? 2 : 5;
    // One more asks again and again.
    const people = 2 * (rounds + 1) + 1;
    const stub = await startStub({ people, jobsEach: 0 }, longList);
    try {
      const folder = newFolder();
      const store = await openStore(folder);
      await signInAll(store, people, Date.now());
      await store.destroy();
      const outside = { slackUrl: stub.told, serviceUrl: stub.told };
      const environment = { DATA_DIR: folder, LOG_LEVEL: 'warn' };
      const bot = await startBot('dolly', outside, { ...build, environment });
      try {
        let person = 0;
        const ask = (words: string) => answerTo(bot, words, personAt(person++));
        await ask('list');
        await ask('status');
        const names = ['took', 'p99', 'longest'] as const;
        const pairs = await inRounds(rounds, names, kind => ask(kind === 'bare' ? 'list' : 'status'));
        const of = (name: (typeof names)[number]) => pairs.get(name) ?? [];
        const warm: Record<'status' | 'list', { dolly: number }[]> = { status: [], list: [] };
        const reader = personAt(person);
        await answerTo(bot, 'status', reader);
        for (let round = 0; round < rounds; round++)
          for (const words of ['status', 'list'] as const)
            warm[words].push({ dolly: (await answerTo(bot, words, reader)).took });
        const records = `${longList.records.toLocaleString('en')} records`;
        const name = `/db status of ${records} (floor: /db list of them)`;
        return [
          {
            name: `${name}, to the answer`,
            unit: 'ms',
            rounds: of('took'),
            aim: atMost('dolly', 1_500),
            cost: reading,
          },
          {
            name: `/db list of ${records}, to the answer`,
            unit: 'ms',
            rounds: of('took').map(({ bare }) => ({ dolly: bare })),
            aim: atMost('dolly', 1_500),
            cost: reading,
          },
          {
            name: `/db status of ${records}, on a list that is there`,
            unit: 'ms',
            rounds: warm.status,
            aim: atMost('dolly', 100),
            cost: sameBytes,
          },
          {
            name: `/db list of ${records}, on a list that is there`,
            unit: 'ms',
            rounds: warm.list,
            aim: atMost('dolly', 100),
            cost: sameBytes,
          },
          { name: `others' acks meanwhile, p99, ${name}`, unit: 'ms', rounds: of('p99') },
          {
            name: `others' longest ack meanwhile, ${name}`,
            unit: 'ms',
            rounds: of('longest'),
            aim: atMost('dolly', 50),
          },
        ];
      } finally {
        await bot.stop();
      }
    } finally {
      await stub.stop();
    }
  },
};

/** Asks, and measures until the answer is there, with what others wait for meanwhile. */
async function answerTo(bot: Bot, words: string, person: string) {
  const before = await bot.told(person, 0);
  const began = performance.now();
  const body = command({ responseUrl: bot.responseUrl.replace(/\w+$/, person) }, '/db', words, person);
  await bot.send(body);
  const acks = await acksUntil(bot, bot.told(person, before + 1));
  const took = performance.now() - began;
  // Another person's first reading begins when this one's garbage is gone.
  await sleep(1_000);
  return { took, p99: percentile(acks, 99), longest: Math.max(...acks) };
}
