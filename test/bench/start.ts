import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { type Bot, type Outside, startBot, startOutside } from './bots.ts';
import { newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { openHistory, sizeOf } from './history.ts';
import { acksUntil } from './others.ts';
import { atMost, type Figure, type Part, type Run } from './part.ts';
import { command } from './requests.ts';
import { inRounds, type Kind } from './rounds.ts';
import { seed } from './seed.ts';
import { percentile } from './statistics.ts';

type Environment = Readonly<Record<string, string>>;

/** From the spawn of the process to the ack of its first command, in seconds. */
async function firstAck(kind: Kind, outside: Outside, { build }: Run, environment: Environment = {}) {
  const bot = await startBot(kind, outside, { ...build, environment });
  try {
    await bot.send(command(bot, '/db', 'help'));
    return (performance.now() - bot.process.spawnedAt) / 1_000;
  } finally {
    await bot.stop();
  }
}

const loading = 'Most of it loads the bundle of Dolly and of its packages, although it is compiled already.';

/** The start on an empty data folder, on one that was used, and on stores with a long history. */
export const start: Part = {
  name: 'start',
  summary: 'from the start of the process to the first answered command, also with a long history',
  group: 'Start and memory',
  async measure(run) {
    const { quick, say } = run;
    const outside = await startOutside();
    try {
      say('start');
      const many = quick ? 3 : 9;
      // The first of each reads its files from the disk.
      await firstAck('bare', outside, run);
      await firstAck('dolly', outside, run);
      const pairs = await inRounds(many, ['seconds'], async kind => ({ seconds: await firstAck(kind, outside, run) }));
      const again = async (name: string, environment: Environment, most: number): Promise<Figure> => {
        say(name);
        // The first start finds no compiled code.
        await firstAck('dolly', outside, run, environment);
        const rounds: { dolly: number }[] = [];
        for (let round = 0; round < many; round++)
          rounds.push({ dolly: await firstAck('dolly', outside, run, environment) });
        return { name, unit: 's', rounds, aim: atMost('dolly', most), cost: loading };
      };
      const figures: Figure[] = [
        { name: 'first start to the first answered command', unit: 's', rounds: pairs.get('seconds') ?? [] },
        await again('start on the data of before', { DATA_DIR: newFolder() }, 0.6),
      ];
      for (const kind of ['SQLite', 'PostgreSQL'] as const) {
        const history = await openHistory(kind, quick, say);
        try {
          const environment = { DATA_DIR: newFolder(), ...history.environment };
          figures.push(await again(`start with ${sizeOf(quick).jobs} in ${kind}`, environment, 0.8));
        } finally {
          history.stop();
        }
      }
      return figures;
    } finally {
      await outside.stop();
    }
  },
};

/** Seconds after the start in which an app still does what it put off. */
const firstSpan = 5;

/** What the first seconds after a first start are like for those who ask meanwhile, and for the event loop. */
export const firstSeconds: Part = {
  name: 'first-seconds',
  summary: `the longest delay of the event loop, and the acks, in the ${firstSpan} s after a first start`,
  group: 'Start and memory',
  async measure({ quick, say, build }) {
    const outside = await startOutside();
    try {
      say('the first seconds');
      const acks: Record<Kind, number[]> = { bare: [], dolly: [] };
      const once = async (kind: Kind) => {
        const file = join(newFolder(), 'delay');
        const options = ['--import', new URL('./loopDelay.ts', import.meta.url).href, ...build.nodeOptions];
        const bot = await startBot(kind, outside, {
          ...build,
          nodeOptions: options,
          environment: { LOOP_DELAY: file },
        });
        try {
          // The start itself is another figure.
          await delayOf(bot, file);
          const some = await acksUntil(bot, sleep(firstSpan * 1_000));
          acks[kind].push(...some);
          return { delay: await delayOf(bot, file), ack: Math.max(...some) };
        } finally {
          await bot.stop();
        }
      };
      const pairs = await inRounds(quick ? 1 : 5, ['delay', 'ack'], once);
      const of = (percent: number) => ({
        bare: percentile(acks.bare, percent),
        dolly: percentile(acks.dolly, percent),
      });
      return [
        {
          name: `the longest delay of the event loop in the ${firstSpan} s after a first start`,
          unit: 'ms',
          rounds: pairs.get('delay') ?? [],
          aim: atMost('dolly', 30),
        },
        { name: 'the longest ack meanwhile', unit: 'ms', rounds: pairs.get('ack') ?? [] },
        { name: 'acks meanwhile', unit: 'ms', rounds: [of(50)], p95: of(95) },
      ];
    } finally {
      await outside.stop();
    }
  },
};

const overdue = { people: 200, jobsEach: 50 } as const;
const many = (overdue.people * overdue.jobsEach).toLocaleString('en');

const compiling = 'V8 compiles what runs for the first time while all that is overdue is taken up.';

/** The same for those who ask while all that fell due meanwhile is taken up again. */
export const firstLooks: Part = {
  name: 'first-looks',
  summary: `the longest delay of the event loop, and the acks, in the ${firstSpan} s after a start with ${many} overdue jobs`,
  group: 'Start and memory',
  async measure({ quick, say, build }) {
    say(`a start with ${many} overdue jobs`);
    const stub = await startStub(overdue);
    try {
      const delays: { dolly: number }[] = [];
      const acks: { dolly: number }[] = [];
      for (let round = 0; round < (quick ? 1 : 3); round++) {
        const folder = newFolder();
        const store = await openStore(folder);
        await seed(store, overdue, Date.now(), true);
        await store.destroy();
        const file = join(newFolder(), 'delay');
        const bot = await startBot(
          'dolly',
          { slackUrl: stub.told, serviceUrl: stub.told },
          {
            ...build,
            nodeOptions: ['--import', new URL('./loopDelay.ts', import.meta.url).href, ...build.nodeOptions],
            environment: { DATA_DIR: folder, LOOP_DELAY: file, LOG_LEVEL: 'warn' },
          },
        );
        try {
          acks.push({ dolly: percentile(await acksUntil(bot, sleep(firstSpan * 1_000)), 99) });
          delays.push({ dolly: await delayOf(bot, file) });
        } finally {
          await bot.stop();
        }
      }
      const name = `in the ${firstSpan} s after a start with ${many} overdue jobs`;
      return [
        { name: `others' acks ${name}, p99`, unit: 'ms', rounds: acks, aim: atMost('dolly', 50), cost: compiling },
        { name: `the longest delay of the event loop ${name}, and in that start`, unit: 'ms', rounds: delays },
      ];
    } finally {
      await stub.stop();
    }
  },
};

/** The longest delay of an app's event loop since it was last asked for, in milliseconds. */
async function delayOf(bot: Bot, file: string): Promise<number> {
  rmSync(file, { force: true });
  bot.process.signal('SIGUSR2');
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await sleep(10);
  return Number(readFileSync(file, 'utf8'));
}
