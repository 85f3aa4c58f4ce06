import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from './bots.ts';
import { flood } from './load.ts';
import { atMost, type Figure, type Part } from './part.ts';
import { command, openFilledForm, openForm, refused, signedIn, submission } from './requests.ts';
import { startRing } from './ring.ts';
import { inTurns, type Kind } from './rounds.ts';
import { type Pair, percentile } from './statistics.ts';

/**
 * Something that is sent, one at a time: the next goes when all that came of the last is done. `send` gives the time to the ack in
 * milliseconds. `aim` is the highest ratio of the medians.
 */
type Scene = Readonly<{
  name: string;
  send(bot: Bot): Promise<number>;
  each: number;
  aim: number;
  cost?: string;
}>;

const scenes: readonly Scene[] = [
  {
    name: 'ack of /db help',
    each: 1_000,
    send: bot => settled(bot, 'response', 1, () => bot.send(command(bot, '/db', 'help'))),
    aim: 1.15,
  },
  {
    name: 'ack of /clone',
    each: 1_000,
    send: bot => settled(bot, 'views.open', 1, () => bot.send(command(bot, '/clone'))),
    aim: 1.15,
  },
  {
    name: 'ack of a form with a fault',
    cost: 'Dolly reads the whole form, and checks it against the operation and the policy, before it says what is wrong.',
    each: 300,
    async send(bot) {
      const view = await openForm(bot);
      return bot.send(submission(view, signedIn, {}), /"response_action":"errors"/);
    },
    aim: 1.2,
  },
  {
    name: 'ack of a form, once its job is on disk',
    cost: 'Dolly checks the person, the policy and the fields first, and writes the same bytes as two rows with their indexes.',
    each: 200,
    async send(bot) {
      const view = await openFilledForm(bot, refused);
      // The service refuses the job at once, and Dolly tells it to the person alone.
      const told = bot.kind === 'dolly' ? 'chat.postEphemeral' : 'chat.postMessage';
      const took = await settled(bot, told, 1, () => bot.send(submission(view, signedIn, refused)));
      // What is noted of the job and its message after that is on disk by then, too.
      await sleep(15);
      return took;
    },
    aim: 1.4,
  },
];

/**
 * The time until Slack has its answer, from one client. Dolly does its work after the ack (and answers by the response URL
 * or with a view), and so does the bare app, with a text and a view that were written beforehand.
 */
export const ack: Part = {
  name: 'ack',
  summary: 'time to the ack of commands and forms, one at a time',
  group: 'Acknowledging requests',
  async measure({ quick, say, nodeOptions }) {
    const ring = await startRing(nodeOptions);
    const figures: Figure[] = [];
    try {
      for (const { name, send, each, aim, cost } of scenes) {
        say(name);
        // Until both are compiled as far as they will be.
        for (const bot of [ring.bare, ring.dolly]) await flood(quick ? 50 : Math.min(each, 600), 1, () => send(bot));
        const p50: Pair[] = [];
        const p99: Pair[] = [];
        const all: Record<Kind, number[]> = { bare: [], dolly: [] };
        for (let round = 0; round < (quick ? 3 : 5); round++) {
          const { bare, dolly } = await inTurns(quick ? each / 5 : each, kind => send(ring[kind]));
          p50.push({ bare: percentile(bare, 50), dolly: percentile(dolly, 50) });
          p99.push({ bare: percentile(bare, 99), dolly: percentile(dolly, 99) });
          all.bare.push(...bare);
          all.dolly.push(...dolly);
        }
        const p95 = { bare: percentile(all.bare, 95), dolly: percentile(all.dolly, 95) };
        figures.push(
          { name, unit: 'ms', rounds: p50, p95, aim: atMost('ratio', aim), ...(cost ? { cost } : {}) },
          { name: `${name}, p99`, unit: 'ms', rounds: p99, aim: atMost('ratio', 1.5), ...(cost ? { cost } : {}) },
        );
      }
    } finally {
      await ring.stop();
    }
    return figures;
  },
};

/** Sends, and waits until Slack was told `more` times. */
async function settled(bot: Bot, what: string, more: number, send: () => Promise<number>): Promise<number> {
  const before = await bot.told(what, 0);
  const took = await send();
  await bot.told(what, before + more);
  return took;
}
