import { setTimeout as sleep } from 'node:timers/promises';
import { startBot, startOutside } from './bots.ts';
import { flood } from './load.ts';
import type { Part } from './part.ts';
import { command } from './requests.ts';
import { inRounds, type Kind } from './rounds.ts';

/** Resident memory of a fresh process at rest, and again at rest after many commands. */
export const memory: Part = {
  name: 'memory',
  summary: 'resident memory, at rest and after a load',
  group: 'Start and memory',
  async measure({ quick, say, nodeOptions }) {
    const outside = await startOutside();
    try {
      say('memory');
      const once = async (kind: Kind) => {
        const bot = await startBot(kind, outside, nodeOptions);
        try {
          await sleep(1_000);
          const idle = bot.process.memory();
          const before = await bot.told('response', 0);
          const count = quick ? 500 : 5_000;
          await flood(count, 32, () => bot.send(command(bot, '/db', 'help')));
          await bot.told('response', before + count);
          await sleep(1_000);
          return { idle, loaded: bot.process.memory() };
        } finally {
          await bot.stop();
        }
      };
      const pairs = await inRounds(quick ? 1 : 3, ['idle', 'loaded'], once);
      return [
        { name: 'memory at rest', unit: 'MB', rounds: pairs.get('idle') ?? [] },
        { name: `memory after ${quick ? 500 : '5,000'} commands`, unit: 'MB', rounds: pairs.get('loaded') ?? [] },
      ];
    } finally {
      await outside.stop();
    }
  },
};
