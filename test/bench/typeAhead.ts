import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { startBot } from './bots.ts';
import { newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { personAt, tokenAt } from './estate.ts';
import { acksUntil } from './others.ts';
import { atMost, type Part } from './part.ts';
import { openForm, suggestion } from './requests.ts';
import { seed } from './seed.ts';
import { type Pair, percentile } from './statistics.ts';

const records = 50_000;
/** Milliseconds for the first choices. */
const patience = 60_000;
/** Names in part, a name in whole, a state, nothing, and what no record has. */
const typedLater = [
  'shop-41',
  'shop-410',
  'shop-4100',
  'shop-41000',
  'stopped',
  '',
  'qqqqq',
  'shop-410',
  'lab-7',
  'shop-9',
];

/** Lists of so many MB, by the snapshots of a record, and the longest time in milliseconds to the first choices. */
const sizes = [
  { megabytes: 21, snapshots: 0, most: 600 },
  { megabytes: 38, snapshots: 2.65, most: 1_000 },
] as const;

const reading =
  'A thread of its own parses the list in pieces, takes secrets out of it, and finds the identifier, name, state and environment of each record, which takes a multiple of the time to parse it alone.';
const passing =
  'What the thread has read comes to the main thread in slices, which the garbage of so long a list may lengthen.';

/** A letter typed into a picker over a long list: as the list is not there yet, and as it is. */
export const typeAheads: readonly Part[] = sizes.map(size => ({
  name: `type-ahead-${size.megabytes}`,
  summary: `the choices of a picker over ${records} records of ${size.megabytes} MB, cold and warm`,
  group: 'A long history, and long lists',
  async measure({ quick, say, build }) {
    say(`type-ahead, ${size.megabytes} MB`);
    const people = quick ? 2 : 5;
    const stub = await startStub({ people, jobsEach: 0 }, { records, snapshots: size.snapshots });
    try {
      const folder = newFolder();
      const store = await openStore(folder);
      await seed(store, { people, jobsEach: 0 }, Date.now());
      await store.destroy();
      const outside = { slackUrl: stub.told, serviceUrl: stub.told };
      const bot = await startBot('dolly', outside, {
        ...build,
        environment: { DATA_DIR: folder, LOG_LEVEL: 'warn' },
      });
      try {
        const view = await openForm(bot, personAt(0));
        const cold: Pair[] = [];
        const warm: number[] = [];
        const acks: number[] = [];
        for (let person = 0; person < people; person++) {
          const ask = async (typed: string) => {
            const began = performance.now();
            // Slack waits no longer than 3 s: where the list is not there by then, people type another letter.
            while ((await bot.send(suggestion(view, personAt(person), typed), /options/)) > 2_450)
              if (performance.now() - began > patience) throw new Error(`no choices after ${patience} ms`);
            return performance.now() - began;
          };
          const bare = await bareRead(stub.told, person);
          const choices = ask('shop-4');
          acks.push(...(await acksUntil(bot, choices)));
          cold.push({ bare, dolly: await choices });
          for (const typed of typedLater) {
            const later = ask(typed);
            acks.push(...(await acksUntil(bot, later)));
            warm.push(await later);
          }
          await sleep(500);
        }
        const name = `choices out of ${records.toLocaleString('en')} records of ${size.megabytes} MB`;
        const of = (percent: number, kind: 'bare' | 'dolly') =>
          percentile(
            cold.map(pair => pair[kind]),
            percent,
          );
        return [
          {
            name: `${name}, cold (floor: the list read and parsed)`,
            unit: 'ms',
            rounds: cold,
            p95: { bare: of(95, 'bare'), dolly: of(95, 'dolly') },
            aim: atMost('dolly', size.most),
            cost: reading,
          },
          {
            name: `${name}, warm, p95`,
            unit: 'ms',
            rounds: [{ dolly: percentile(warm, 95) }],
            aim: atMost('dolly', 30),
          },
          { name: `${name}, warm, median`, unit: 'ms', rounds: [{ dolly: percentile(warm, 50) }] },
          {
            name: `${name}: the longest ack of others meanwhile`,
            unit: 'ms',
            rounds: [{ dolly: Math.max(...acks) }],
            p95: { dolly: percentile(acks, 95) },
            aim: atMost('dolly', 20),
            cost: passing,
          },
        ];
      } finally {
        await bot.stop();
      }
    } finally {
      await stub.stop();
    }
  },
}));

async function bareRead(serviceUrl: string, person: number): Promise<number> {
  const began = performance.now();
  const answer = await request(`${serviceUrl}/service/database/list`, {
    headers: { authorization: `Bearer ${tokenAt(person)}` },
  });
  JSON.parse(await answer.body.text());
  return performance.now() - began;
}
