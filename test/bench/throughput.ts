import { performance } from 'node:perf_hooks';
import type { Bot } from './bots.ts';
import { flood } from './load.ts';
import { atLeast, type Figure, type Part } from './part.ts';
import { command } from './requests.ts';
import { startRing } from './ring.ts';
import { inRounds } from './rounds.ts';

const inFlight = 32;
const costs = {
  help: 'Dolly counts each command against floods, and notes it in the log and in its metrics; the bare app does not.',
  form: 'Dolly counts each command against floods, notes it in the log and in its metrics, and reads three rows before its form: the sign-in, presets, and earlier requests.',
} as const;

/** Commands per second with 32 in flight, counted until Slack has the last of the answers that come after the acks. */
export const throughput: Part = {
  name: 'throughput',
  summary: `commands per second, ${inFlight} in flight, until the last answer`,
  group: 'Acknowledging requests',
  async measure({ quick, say, build }) {
    const ring = await startRing(build);
    try {
      const measured = async (
        name: string,
        send: (bot: Bot) => Promise<unknown>,
        what: string,
        cost: string,
      ): Promise<readonly Figure[]> => {
        say(name);
        const run = async (bot: Bot, count: number) => {
          const before = await bot.told(what, 0);
          const usedBefore = bot.process.processorTime();
          const began = performance.now();
          await flood(count, inFlight, () => send(bot));
          await bot.told(what, before + count);
          const seconds = (performance.now() - began) / 1_000;
          return { perSecond: count / seconds, each: ((bot.process.processorTime() - usedBefore) / count) * 1_000 };
        };
        for (const bot of [ring.bare, ring.dolly]) await run(bot, quick ? 300 : 1_500);
        const pairs = await inRounds(quick ? 3 : 15, ['perSecond', 'each'], kind => run(ring[kind], quick ? 300 : 600));
        return [
          {
            name: `${name} per second`,
            unit: '/s',
            rounds: pairs.get('perSecond') ?? [],
            aim: atLeast('ratio', 0.9),
            cost,
          },
          { name: `processor time of each ${name}`, unit: 'ms', rounds: pairs.get('each') ?? [] },
        ];
      };
      return [
        ...(await measured('/db help', bot => bot.send(command(bot, '/db', 'help')), 'response', costs.help)),
        ...(await measured('/clone', bot => bot.send(command(bot, '/clone')), 'views.open', costs.form)),
      ];
    } finally {
      await ring.stop();
    }
  },
};
