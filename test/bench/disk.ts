import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Bot, startBot, startOutside } from './bots.ts';
import { newFolder } from './child.ts';
import type { Figure, Part } from './part.ts';
import { filled, openFilledForm, refused, signedIn, signIn, submission } from './requests.ts';
import { waitsIn } from './strace.ts';

/** Seconds for a job to be confirmed, and for Slack to be told of it. */
const patience = 60;

/** A job, and what Slack is told of it: the method and the number of its calls. */
type Kind = Readonly<{ name: string; values(index: number): ReturnType<typeof filled>; told: string; calls: number }>;
const endsAtOnce: Kind = { name: 'that ends at once', values: () => refused, told: 'chat.postEphemeral', calls: 1 };
const isConfirmed: Kind = {
  ...{ name: 'that runs until it is confirmed', values: index => filled(4_001 + index) },
  ...{ told: 'chat.postMessage', calls: 2 },
};

/** How often a job makes Dolly wait for its disk. Without strace there is no figure. */
export const disk: Part = {
  name: 'disk',
  summary: 'waits for the disk (fsync) of a job, in SQLite, counted by strace',
  group: 'The store, and several processes',
  async measure({ quick, say, build }) {
    const count = quick ? 5 : 20;
    const outside = await startOutside();
    try {
      const bot = await startBot('dolly', outside, build);
      try {
        await signIn(bot, outside.account);
        // The first jobs read what is then remembered.
        await work(bot, 2, endsAtOnce);
        const figures: Figure[] = [];
        for (const kind of [endsAtOnce, isConfirmed]) {
          const { name } = kind;
          say(`waits for the disk of a job ${name}`);
          const waits = await traced(bot.process.pid, () => work(bot, count, kind));
          if (waits === undefined) say('strace is not here, or may not look at a process: no figures');
          else
            figures.push({
              name: `waits for the disk of a job ${name}, SQLite`,
              unit: '',
              rounds: [{ dolly: waits / count }],
            });
        }
        return figures;
      } finally {
        await bot.stop();
      }
    } finally {
      await outside.stop();
    }
  },
};

/** Submits forms one after the other, and waits until each has its first message, and in the end its last. */
async function work(bot: Bot, count: number, { name, values, told, calls }: Kind): Promise<void> {
  const before = await bot.told(told, 0);
  for (let form = 0; form < count; form++) {
    const filledIn = values(form);
    await bot.send(submission(await openFilledForm(bot, filledIn), signedIn, filledIn));
    await bot.told(told, before + form + 1);
  }
  const all = before + calls * count;
  for (let second = 0; second < patience && (await bot.told(told, 0)) < all; second++) await sleep(1_000);
  // What is noted of the last message is on disk by then, too.
  await sleep(500);
  const lacking = all - (await bot.told(told, 0));
  if (lacking > 0) throw new Error(`of ${count} jobs ${name}, ${lacking} messages are lacking`);
}

/** How often a process waited for its disk while something was done; `undefined` where that cannot be seen. */
async function traced(pid: number, work: () => Promise<void>): Promise<number | undefined> {
  const file = join(newFolder(), 'strace');
  const tracer = spawn('strace', ['-f', '-c', '-e', 'trace=fsync,fdatasync', '-o', file, '-p', String(pid)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  if (!(await isAttached(tracer))) return undefined;
  const ended = new Promise(resolve => tracer.once('exit', resolve));
  try {
    await work();
  } finally {
    tracer.kill('SIGINT');
    await ended;
  }
  return waitsIn(readFileSync(file, 'utf8'));
}

function isAttached(tracer: ChildProcess): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  tracer.once('error', () => resolve(false));
  tracer.once('exit', () => resolve(false));
  if (tracer.stderr)
    createInterface({ input: tracer.stderr }).on('line', line => / attached/.test(line) && resolve(true));
  return promise;
}
