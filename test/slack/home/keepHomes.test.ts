import { WebClient } from '@slack/web-api';
import { expect, test } from 'vitest';
import { lockTime } from '../../../src/ground/loop.ts';
import { oneForAll } from '../../../src/slack/connection/slacks.ts';
import { keepHomes } from '../../../src/slack/home/keepHomes.ts';
import { homesIn } from '../../../src/store/tables/homes.ts';
import { testClock } from '../../clock.ts';
import { board } from '../../jobs/deciding.ts';
import { quiet } from '../../quiet.ts';
import { ben, stores } from '../../store/folder.ts';
import { wholeDesk } from '../../store/queues/leftTeam.ts';

/** Slack’s client while Slack takes each call, and answers none before `answer` is settled. */
class Slow extends WebClient {
  heard = 0;
  readonly #answer: Promise<void>;

  constructor(answer: Promise<void>) {
    super();
    this.#answer = answer;
  }

  override async apiCall() {
    this.heard += 1;
    await this.#answer;
    return { ok: true };
  }
}

test.each(stores)(
  'a Home whose publishing takes Slack longer than a lock lasts is published once, in %s',
  async (_, open) => {
    const store = await open();
    const clock = testClock(1_000_000);
    const { parts } = await board(store);
    const { promise, resolve } = Promise.withResolvers<void>();
    const slack = new Slow(promise);
    const desk = { ...wholeDesk(store, { ...parts, clock }), slack: oneForAll(slack) };
    await homesIn(store).opened(ben, clock.now());
    const loops = [keepHomes(desk), keepHomes(desk)];
    for (let passed = 0; passed < 3 * lockTime; passed += 1_000) {
      await clock.advance(1_000);
      await quiet();
    }
    expect(slack.heard).toBe(1);
    resolve();
    await quiet();
    await Promise.all(loops.map(loop => loop.stop()));
    expect(await store.selectFrom('homes').select(['lockedUntil', 'tries']).execute()).toEqual([
      { lockedUntil: 0, tries: 0 },
    ]);
  },
);
