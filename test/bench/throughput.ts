import { performance } from 'node:perf_hooks';
import type { Bot } from './bots.ts';
import { flood } from './load.ts';
import type { Part } from './part.ts';
import { command } from './requests.ts';
import { startRing } from './ring.ts';
import { inRounds } from './rounds.ts';

const inFlight = 32;
const aim = { of: 'ratio', bound: 'at least', value: 0.9 } as const;

/** Commands per second with 32 in flight, counted until Slack has the last of the answers that come after the acks. */
export const throughput: Part = {
  name: 'throughput',
  summary: `commands per second, ${inFlight} in flight, until the last answer`,
  group: 'Acknowledging requests',
  async measure({ quick, say, nodeOptions }) {
    const ring = await startRing(nodeOptions);
    try {
      const measured = async (name: string, send: (bot: Bot) => Promise<unknown>, what: string) => {
        say(name);
        const run = async (bot: Bot, count: number) => {
          const before = await bot.told(what, 0);
          const began = performance.now();
          await flood(count, inFlight, () => send(bot));
          await bot.told(what, before + count);
          return { perSecond: count / ((performance.now() - began) / 1_000) };
        };
        for (const bot of [ring.bare, ring.dolly]) await run(bot, quick ? 300 : 1_500);
        const pairs = await inRounds(quick ? 3 : 15, ['perSecond'], kind => run(ring[kind], quick ? 300 : 600));
        return { name, unit: '/s', rounds: pairs.get('perSecond') ?? [], aim } as const;
      };
      return [
        await measured('throughput of /db help', bot => bot.send(command(bot, '/db', 'help')), 'response'),
        await measured('throughput of /clone', bot => bot.send(command(bot, '/clone')), 'views.open'),
      ];
    } finally {
      await ring.stop();
    }
  },
};
