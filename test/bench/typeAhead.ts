import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { type Bot, startBot } from './bots.ts';
import { newFolder } from './child.ts';
import { startStub } from './crowd.ts';
import { personAt, tokenAt } from './estate.ts';
import type { Part } from './part.ts';
import { command, openForm, suggestion } from './requests.ts';
import { seed } from './seed.ts';
import type { Pair } from './statistics.ts';

const records = 50_000;

/** A letter typed into a picker over a long list: as the list is not there yet, and as it is. */
export const typeAhead: Part = {
  name: 'type-ahead',
  summary: `the choices of a picker over ${records} records, cold and warm`,
  async measure({ quick, say, nodeOptions }) {
    say('type-ahead');
    const people = quick ? 2 : 5;
    const stub = await startStub({ people, jobsEach: 0 }, records);
    try {
      const folder = newFolder();
      const store = await openStore(folder);
      await seed(store, { people, jobsEach: 0 }, Date.now());
      await store.destroy();
      const outside = { slackUrl: stub.told, serviceUrl: stub.told };
      const bot = await startBot('dolly', outside, nodeOptions, { DATA_DIR: folder, LOG_LEVEL: 'warn' });
      try {
        const view = await openForm(bot, personAt(0));
        const cold: Pair[] = [];
        const warm: { dolly: number }[] = [];
        const others: { dolly: number }[] = [];
        for (let person = 0; person < people; person++) {
          const ask = async (typed: string) => {
            const began = performance.now();
            // Slack waits no longer than 3 s: where the list is not there by then, people type another letter.
            while ((await bot.send(suggestion(view, personAt(person), typed), /options/)) > 2_450);
            return performance.now() - began;
          };
          const bare = await bareRead(stub.told, person);
          const choices = ask('shop-4');
          others.push({ dolly: await longestAck(bot, choices) });
          cold.push({ bare, dolly: await choices });
          for (const typed of ['shop-41', 'shop-410', 'shop-4100', 'shop-410']) warm.push({ dolly: await ask(typed) });
          await sleep(500);
        }
        const name = `choices out of ${records.toLocaleString('en')} records`;
        return [
          { name: `${name}, cold (floor: the list read and parsed)`, unit: 'ms', rounds: cold },
          { name: `${name}, cold: the longest that others wait for an ack meanwhile`, unit: 'ms', rounds: others },
          { name: `${name}, warm`, unit: 'ms', rounds: warm },
        ];
      } finally {
        await bot.stop();
      }
    } finally {
      await stub.stop();
    }
  },
};

/** How long other people wait at most for an ack, as they ask one after the other until `end`. */
async function longestAck(bot: Bot, end: Promise<unknown>): Promise<number> {
  let isOver = false;
  const over = end.then(() => {
    isOver = true;
  });
  let longest = 0;
  for (let other = 0; !isOver; other++) {
    longest = Math.max(longest, await bot.send(command(bot, '/db', 'help', `U0OTHER${other}`)));
    await sleep(10);
  }
  await over;
  return longest;
}

async function bareRead(serviceUrl: string, person: number): Promise<number> {
  const began = performance.now();
  const answer = await request(`${serviceUrl}/service/database/list`, {
    headers: { authorization: `Bearer ${tokenAt(person)}` },
  });
  JSON.parse(await answer.body.text());
  return performance.now() - began;
}
