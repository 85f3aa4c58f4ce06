import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { ends, opensForm, quickClone, quickLine } from '../journeys/clones.ts';
import { type Crossing, crossing } from '../journeys/crossing.ts';
import type { Someone } from '../person.ts';
import { quiet } from '../quiet.ts';
import { type World, world } from '../world.ts';
import { type KeptLog, keptLog } from './log.ts';

/* What hangs when the bot is to stop; and what it says and does when it starts again. */

let earth: World;
let road: Crossing;
let ana: Someone;
let kept: KeptLog;

const never = () => new Promise<never>(() => undefined);
/** Within this a stop ends, whatever hangs, in milliseconds. */
const bound = 20_000;

beforeEach(async () => {
  road = crossing();
  kept = keptLog();
  // A service that takes its time: the bot would wait for an hour for each of its answers.
  const surroundings = { log: kept.log, serviceTimeout: 3_600_000 };
  earth = await world({ service: { middleware: road.middleware }, surroundings });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

/** Stops the bot while the clock is turned; tells after how long it was done. */
async function stops(): Promise<number> {
  const from = earth.clock.now();
  let isOver = false;
  const stopping = earth.stop().then(() => {
    isOver = true;
  });
  for (const step of Array.from({ length: 80 }, () => 500)) {
    if (isOver) break;
    await earth.clock.advance(step);
    await quiet();
  }
  await stopping;
  return earth.clock.now() - from;
}

/** Lets all requests to a path hang until `leave` is called; `arrived` resolves with the first of them. */
function hangs(path: string) {
  const first = Promise.withResolvers<void>();
  const meeting = road.meets(path, () => {
    first.resolve();
    return never();
  });
  return { ...meeting, arrived: first.promise };
}

const theCard = () => earth.until(() => earth.cards('#databases')[0], 'the message');
const foundAtStart = () => kept.lines.findLast(({ msg }) => msg === 'takes up what the store holds');

describe('a stop ends within its bound', () => {
  test('a stop while the look before a request hangs ends in time, and the request is sent once after the next start', async () => {
    await opensForm(ana, '#databases', quickLine(3401));
    const look = hangs('/database/list');
    await ana.submits();
    await look.arrived;
    expect(await stops()).toBeLessThanOrEqual(bound + 1_000);
    expect(kept.count('stopped before all was finished')).toBe(1);
    look.leave();
    await earth.start();
    expect(foundAtStart()).toMatchObject({ new: 1, sending: 0, running: 0 });
    expect(await ends(earth, await theCard(), 'Confirmed')).toContain('shop-3401');
    expect(earth.writes()).toHaveLength(1);
  });

  test('a stop while a request hangs ends in time, and the request is in doubt and looked for after the next start', async () => {
    await opensForm(ana, '#databases', quickLine(3402));
    const create = road.holds('/database/clone/create', 'after');
    await ana.submits();
    await create.arrived;
    expect(await stops()).toBeLessThanOrEqual(bound + 1_000);
    create.lets();
    await earth.start();
    expect(foundAtStart()).toMatchObject({ new: 0, sending: 1, running: 0 });
    expect(await ends(earth, await theCard(), 'Confirmed')).toContain('shop-3402');
    expect(kept.count('found in doubt')).toBe(1);
    expect(earth.writes()).toHaveLength(1);
    expect(earth.cards('#databases')).toHaveLength(1);
  });

  test('a stop while Slack hangs with a message ends in time, and the message stands there once in the end', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'hang', times: 3 });
    await opensForm(ana, '#databases', quickLine(3403));
    await ana.submits();
    await earth.until(() => earth.writes().length > 0, 'the request');
    expect(await stops()).toBeLessThanOrEqual(bound + 1_000);
    earth.playground.slack.faults.clear();
    await earth.start();
    expect(foundAtStart()).toMatchObject({ untold: 1 });
    await ends(earth, await theCard(), 'Confirmed');
    expect(earth.cards('#databases')).toHaveLength(1);
  });

  test('a stop while an answer to a person hangs ends in time', async () => {
    const list = road.holds('/database/list', 'before');
    await ana.types('#databases', '/db list');
    await list.arrived;
    expect(await stops()).toBeLessThanOrEqual(bound + 1_000);
    expect(kept.count('stopped before all was finished')).toBe(1);
    list.lets();
    await earth.start();
  });

  test('a stop ends at once where nothing is begun', async () => {
    const card = await quickClone(earth, ana, 3404);
    await ends(earth, card, 'Confirmed');
    expect(await stops()).toBeLessThanOrEqual(1_000);
    expect(kept.count('stopped before all was finished')).toBe(0);
    await earth.start();
    expect(foundAtStart()).toMatchObject({ new: 0, awaiting: 0, approved: 0, sending: 0, running: 0, untold: 0 });
  });
});

test('a start goes on with all that it finds before a second has passed', async () => {
  const running = await quickClone(earth, ana, 3411);
  await earth.until(() => earth.text(running).includes('CREATING'), 'running');
  await opensForm(ana, '#databases', quickLine(3412));
  const look = hangs('/database/list');
  await ana.submits();
  await look.arrived;
  await stops();
  look.leave();
  // A minute in which it was down: all is due, and in the hands of one that died, as far as the store knows.
  await earth.clock.advance(60_000);
  const leased = earth.clock.now() + 15_000;
  const store = await openStore(earth.environment.DATA_DIR ?? '');
  await store.updateTable('jobs').set({ lockedUntil: leased }).where('dueAt', 'is not', null).execute();
  await store.updateTable('jobs').set({ tellLockedUntil: leased }).where('tellAt', 'is not', null).execute();
  await store.destroy();
  const looks = () =>
    earth.service.service.count('GET /database/{id}') + earth.service.service.count('GET /database/list');
  const [writes, before] = [earth.writes().length, looks()];
  const started = earth.clock.now();
  await earth.start();
  await earth.until(() => earth.writes().length === writes + 1, 'the call');
  await earth.until(() => looks() > before + 1, 'two looks');
  expect(earth.clock.now() - started).toBeLessThan(1_000);
  // The end stands for ten seconds before it counts.
  await earth.until(() => earth.text(running).includes('Confirmed'), 'the news of the end');
  expect(earth.clock.now() - started).toBeLessThan(12_000);
});
