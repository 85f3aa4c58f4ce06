import { setTimeout as sleep } from 'node:timers/promises';
import { startBot, startOutside } from './bots.ts';
import { makeBundle } from './bundle.ts';
import { flood } from './load.ts';
import { atMost, type Figure, type Part } from './part.ts';
import { command } from './requests.ts';
import type { Pair } from './statistics.ts';

/** Milliseconds after which a process is at rest: V8 gives memory back some seconds after the last work. */
const rest = 10_000;

const modules = 'Dolly loads its store, sealing, schemas and metrics beside Bolt, and keeps its forms and catalogue.';

/** Resident memory of a fresh process at rest, and again at rest after many commands. */
export const memory: Part = {
  name: 'memory',
  summary: 'resident memory, at rest and after a load, from npm start and as in the production image',
  group: 'Start and memory',
  async measure({ quick, say, build }) {
    const outside = await startOutside();
    const count = quick ? 500 : 5_000;
    say('the bundle of the production image');
    const bundle = makeBundle(build);
    const start = {
      bare: () => startBot('bare', outside, build),
      dolly: () => startBot('dolly', outside, build),
      bundle: () => startBot('dolly', outside, { ...build, ...bundle }),
    };
    const once = async (app: keyof typeof start) => {
      const bot = await start[app]();
      try {
        await bot.send(command(bot, '/db', 'help'));
        await sleep(rest);
        const idle = bot.process.memory();
        const before = await bot.told('response', 0);
        await flood(count, 32, () => bot.send(command(bot, '/db', 'help')));
        await bot.told('response', before + count);
        await sleep(rest);
        return { idle, loaded: bot.process.memory() };
      } finally {
        await bot.stop();
      }
    };
    const names = { dolly: 'from npm start', bundle: 'in the production image' } as const;
    const rounds: Record<keyof typeof names, { idle: Pair[]; loaded: Pair[] }> = {
      dolly: { idle: [], loaded: [] },
      bundle: { idle: [], loaded: [] },
    };
    try {
      say('memory');
      for (let round = 0; round < (quick ? 1 : 2); round++) {
        const bare = await once('bare');
        for (const app of ['dolly', 'bundle'] as const) {
          const own = await once(app);
          rounds[app].idle.push({ bare: bare.idle, dolly: own.idle });
          rounds[app].loaded.push({ bare: bare.loaded, dolly: own.loaded });
        }
      }
    } finally {
      bundle.remove();
      await outside.stop();
    }
    return (['dolly', 'bundle'] as const).flatMap((app): Figure[] => [
      {
        name: `memory at rest, ${names[app]}`,
        unit: 'MB',
        rounds: rounds[app].idle,
        aim: atMost('ratio', 1.5),
        cost: modules,
      },
      {
        name: `memory after ${count.toLocaleString('en')} commands, ${names[app]}`,
        unit: 'MB',
        rounds: rounds[app].loaded,
      },
    ]);
  },
};
