import { setTimeout as sleep } from 'node:timers/promises';
import type { Bot } from './bots.ts';
import { command } from './requests.ts';

/** How long other people wait for their acks, in milliseconds, as they ask for help one after the other until `end`. */
export async function acksUntil(bot: Bot, end: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const over = end.finally(() => {
    isOver = true;
  });
  // It is awaited below, after the last ack.
  over.catch(() => undefined);
  const acks: number[] = [];
  for (let other = 0; !isOver; other++) {
    acks.push(await bot.send(command(bot, '/db', 'help', `U0OTHER${other}`)));
    await sleep(10);
  }
  await over;
  return acks;
}
