import { performance } from 'node:perf_hooks';
import { startBot, startOutside } from './bots.ts';
import { newFolder } from './child.ts';
import type { Part } from './part.ts';
import { command } from './requests.ts';
import { inRounds } from './rounds.ts';

/** From the spawn of the process to the ack of its first command, on an empty data folder and on one that was used. */
export const start: Part = {
  name: 'start',
  summary: 'from the start of the process to the first answered command',
  async measure({ quick, say, nodeOptions }) {
    const outside = await startOutside();
    try {
      say('start');
      const once = async (kind: 'bare' | 'dolly', environment: Readonly<Record<string, string>> = {}) => {
        const bot = await startBot(kind, outside, nodeOptions, environment);
        try {
          await bot.send(command(bot, '/db', 'help'));
          return { seconds: (performance.now() - bot.process.spawnedAt) / 1_000 };
        } finally {
          await bot.stop();
        }
      };
      // The first of each reads its files from the disk.
      await once('bare');
      await once('dolly');
      const many = quick ? 3 : 9;
      const pairs = await inRounds(many, ['seconds'], kind => once(kind));
      const used = { DATA_DIR: newFolder() };
      await once('dolly', used);
      const again: { dolly: number }[] = [];
      for (let round = 0; round < many; round++) again.push({ dolly: (await once('dolly', used)).seconds });
      return [
        {
          name: 'start to first answered command',
          unit: 's',
          rounds: pairs.get('seconds') ?? [],
          aim: { of: 'dolly', bound: 'at most', value: 1 },
        },
        { name: 'start again, on the data of before', unit: 's', rounds: again },
      ];
    } finally {
      await outside.stop();
    }
  },
};
