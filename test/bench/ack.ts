import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from './bots.ts';
import { flood } from './load.ts';
import type { Figure, Part } from './part.ts';
import { command, filled, openForm, stranger, submission } from './requests.ts';
import { startRing } from './ring.ts';
import { inTurns } from './rounds.ts';
import { type Pair, percentile } from './statistics.ts';

/** What is sent, one at a time: the next goes when all that came of the last is done. Gives the time to the ack in ms. */
type Scene = Readonly<{ name: string; send(bot: Bot): Promise<number>; each: number }>;

const scenes: readonly Scene[] = [
  {
    name: 'ack of /db help',
    each: 1_000,
    send: bot => settled(bot, 'response', () => bot.send(command(bot, '/db', 'help'))),
  },
  {
    name: 'ack of /clone',
    each: 1_000,
    send: bot => settled(bot, 'views.open', () => bot.send(command(bot, '/clone'))),
  },
  {
    name: 'ack of a form with a fault',
    each: 400,
    async send(bot) {
      const view = await openForm(bot);
      return bot.send(submission(view, stranger, {}), /"response_action":"errors"/);
    },
  },
  {
    // By somebody whose sign-in is gone: the job is kept and told, and waits. Else the service would drown in clones.
    name: 'ack of a form, once it is on disk',
    each: 150,
    async send(bot) {
      const view = await openForm(bot);
      const took = await settled(bot, 'chat.postMessage', () => bot.send(submission(view, stranger, filled)));
      // What is noted of the job and its message after that is on disk by then, too.
      await sleep(15);
      return took;
    },
  },
];

/**
 * The time until Slack has its answer, from one client. Dolly does its work after the ack (and answers by the response URL
 * or with a view), and so does the bare app, with a text and a view that were written beforehand.
 */
export const ack: Part = {
  name: 'ack',
  summary: 'time to the ack of commands and forms, one at a time',
  async measure({ quick, say, nodeOptions }) {
    const ring = await startRing(nodeOptions);
    const figures: Figure[] = [];
    try {
      for (const { name, send, each } of scenes) {
        say(name);
        // Until both are compiled as far as they will be.
        for (const bot of [ring.bare, ring.dolly]) await flood(quick ? 100 : Math.min(each, 600), 1, () => send(bot));
        const p50: Pair[] = [];
        const p99: Pair[] = [];
        for (let round = 0; round < (quick ? 3 : 5); round++) {
          const { bare, dolly } = await inTurns(quick ? each / 4 : each, kind => send(ring[kind]));
          p50.push({ bare: percentile(bare, 50), dolly: percentile(dolly, 50) });
          p99.push({ bare: percentile(bare, 99), dolly: percentile(dolly, 99) });
        }
        figures.push(
          { name: `${name}, p50`, unit: 'ms', rounds: p50, aim: { of: 'ratio', bound: 'at most', value: 1.15 } },
          { name: `${name}, p99`, unit: 'ms', rounds: p99, aim: { of: 'ratio', bound: 'at most', value: 1.5 } },
        );
      }
    } finally {
      await ring.stop();
    }
    return figures;
  },
};

/** Sends, and waits until Slack was told once more. */
async function settled(bot: Bot, what: string, send: () => Promise<number>): Promise<number> {
  const before = await bot.told(what, 0);
  const took = await send();
  await bot.told(what, before + 1);
  return took;
}
