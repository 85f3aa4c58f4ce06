import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { asks, confirms } from './asking.ts';
import { quickClone } from './clones.ts';

/* Lifecycles: several requests that are asked for at once, as people ask for them. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  const monthLong = 30 * 24 * 3_600_000;
  earth = await world({ service: { tokenLifetime: monthLong } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

/** The writes that the service received since, each in a few words. */
const writesSince = (from: number) =>
  earth
    .writes()
    .slice(from)
    .map(({ method, path, body }) => `${method} ${path} ${JSON.stringify(body ?? '')}`);

/** Waits until a job has ended, with a reply in its thread, and gives what its message says. */
async function isOver(card: StoredMessage, word: RegExp): Promise<string> {
  await earth.until(() => word.test(earth.text(card)), `${word}; the message says: ${earth.text(card)}`);
  await earth.until(() => earth.replies(card).length > 0, 'a reply in the thread');
  return earth.text(card);
}

/** Has the other DBA approve what a card asks for. */
async function approvesIt(card: StoredMessage): Promise<void> {
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  expect(await clicks(dev, card, 'Approve…')).toContain('You approved it');
}

/** Makes a clone of a clone, on `test`. */
async function shares(clone: string, port: number): Promise<StoredMessage> {
  const place = 'environment=HOST_ENVIRONMENT-5 install=MYSQL_INSTALL-3 environmentUser=ENVIRONMENT_USER-12';
  const card = await asks(earth, ben, `/db share ${clone} port=${port} mountBase=/mnt/c${port} ${place}`, {
    fields: {},
  });
  await isOver(card, /is ready|Confirmed/);
  return card;
}

describe('a teardown', () => {
  test('of three levels is offered by the deletion, drawn, approved as a whole, and done from the leaves on', async () => {
    await isOver(await quickClone(earth, ana, 3401), /is ready/);
    await shares('shop-3401', 3402);
    const before = earth.writes().length;
    await ana.types('#databases', '/db delete shop');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('Delete all 3, in order'), 'the offer');
    await ana.presses('Delete all 3, in order…');
    await ana.until(() => /├─|└─/.test(JSON.stringify(ana.sees().views.at(-1))), 'the tree');
    const page = await ana.modal();
    expect(page.text).toContain('shop-3401');
    expect(page.text).toContain(`of <@${ben.id}>`);
    expect(page.text).toContain('shop-3322');
    const cards = earth.cards('#databases').length;
    await confirms(ana, 'shop');
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message of the plan');
    await approvesIt(card);
    await isOver(card, /is torn down/);
    expect(writesSince(before)).toHaveLength(3);
    expect(earth.replies(card)).toHaveLength(1);
  });
});
