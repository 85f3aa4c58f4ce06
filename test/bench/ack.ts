import { setTimeout as sleep } from 'node:timers/promises';
import { minute } from '../../src/ground/durations.ts';
import type { Store } from '../../src/store/database.ts';
import type { Bot } from './bots.ts';
import { flood } from './load.ts';
import { atMost, type Figure, type Part, type Run } from './part.ts';
import {
  command,
  homeOpened,
  mention,
  openFilledForm,
  openForm,
  refused,
  signedIn,
  stepExecuted,
  submission,
} from './requests.ts';
import { startRing } from './ring.ts';
import { inTurns, type Kind } from './rounds.ts';
import { seed } from './seed.ts';
import { type Pair, percentile } from './statistics.ts';

/**
 * Something that is sent, one at a time: the next goes when all that came of the last is done. `send` gives the time to the ack in
 * milliseconds. `aim` is the highest ratio of the medians, and `aim99` that of the 99th percentiles.
 */
type Scene = Readonly<{
  name: string;
  send(bot: Bot): Promise<number>;
  each: number;
  aim?: number;
  aim99?: number;
  cost?: string;
}>;

const form: Scene = {
  name: 'ack of a form, once its job is on disk',
  cost: 'Dolly checks the person, the policy and the fields first; the job’s row stands in about 14 indexes, beside its entry in the trail, all in one commit.',
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
  aim99: 1.6,
};

const scenes: readonly Scene[] = [
  {
    name: 'ack of /db help',
    each: 1_000,
    send: bot => settled(bot, 'response', 1, () => bot.send(command(bot, '/db', 'help'))),
    aim: 1.15,
    aim99: 1.5,
  },
  {
    name: 'ack of /clone',
    each: 1_000,
    send: bot => settled(bot, 'views.open', 1, () => bot.send(command(bot, '/clone'))),
    aim: 1.15,
    aim99: 1.5,
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
    aim99: 1.5,
  },
  form,
  {
    name: 'ack of Home opened',
    cost: 'Dolly notes that it is open before it acknowledges; the bare app notes nothing.',
    each: 200,
    send: bot => settled(bot, 'views.publish', 1, () => bot.send(homeOpened())),
    aim: 1.3,
  },
  {
    name: 'ack of a mention, once it is on disk',
    cost: 'Dolly reads the words, looks up who asks, and keeps what is to be done; the bare app keeps the event as it came.',
    each: 200,
    send: bot => settled(bot, 'chat.postEphemeral', 1, () => bot.send(mention())),
    aim: 1.3,
  },
  {
    name: 'ack of a workflow’s step, once it is on disk',
    each: 200,
    send: bot => settled(bot, 'functions.completeError', 1, () => bot.send(stepExecuted())),
  },
];

/**
 * The time until Slack has its answer, from one client. Dolly does its work after the ack (and answers by the response URL
 * or with a view), and so does the bare app, with a text and a view that were written beforehand.
 */
export const ack: Part = {
  name: 'ack',
  summary: 'time to the ack of commands, forms and events, one at a time',
  group: 'Acknowledging requests',
  measure: run => measured(run, scenes),
};

const crowd = { people: 200, jobsEach: 50 } as const;
const many = (crowd.people * crowd.jobsEach).toLocaleString('en');

/** The same in a team with many jobs under way, none of which is due: what is due later than in a quarter of an hour would be at once. */
export const ackInTeam: Part = {
  name: 'ack-team',
  summary: `time to the ack of a form in a team with ${many} running jobs`,
  group: 'Acknowledging requests',
  measure: run =>
    measured(run, [{ ...form, name: `${form.name}, in a team with ${many} running jobs` }], async store => {
      await seed(store, crowd, Date.now());
      await store
        .updateTable('jobs')
        .set({ dueAt: Date.now() + 14 * minute })
        .where('state', '=', 'running')
        .execute();
    }),
};

async function measured(
  { quick, say, build }: Run,
  all: readonly Scene[],
  fill?: (store: Store) => Promise<unknown>,
): Promise<readonly Figure[]> {
  const ring = await startRing(build, fill);
  const figures: Figure[] = [];
  try {
    for (const { name, send, each, aim, aim99, cost } of all) {
      say(name);
      // Until both are compiled as far as they will be.
      for (const bot of [ring.bare, ring.dolly]) await flood(quick ? 50 : Math.min(each, 600), 1, () => send(bot));
      const p50: Pair[] = [];
      const p99: Pair[] = [];
      const every: Record<Kind, number[]> = { bare: [], dolly: [] };
      for (let round = 0; round < (quick ? 3 : 5); round++) {
        const { bare, dolly } = await inTurns(quick ? each / 5 : each, kind => send(ring[kind]));
        p50.push({ bare: percentile(bare, 50), dolly: percentile(dolly, 50) });
        p99.push({ bare: percentile(bare, 99), dolly: percentile(dolly, 99) });
        every.bare.push(...bare);
        every.dolly.push(...dolly);
      }
      const p95 = { bare: percentile(every.bare, 95), dolly: percentile(every.dolly, 95) };
      const why = cost ? { cost } : {};
      figures.push(
        { name, unit: 'ms', rounds: p50, p95, ...aimed(aim), ...why },
        { name: `${name}, p99`, unit: 'ms', rounds: p99, ...aimed(aim99), ...why },
      );
    }
  } finally {
    await ring.stop();
  }
  return figures;
}

const aimed = (ratio: number | undefined) => (ratio === undefined ? {} : { aim: atMost('ratio', ratio) });

/** Sends, and waits until Slack was told `more` times. */
async function settled(bot: Bot, what: string, more: number, send: () => Promise<number>): Promise<number> {
  const before = await bot.told(what, 0);
  const took = await send();
  await bot.told(what, before + more);
  return took;
}
