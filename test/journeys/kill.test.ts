import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { asksForClone, opensForm, quickClone, quickLine, submitsClone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;
/** The messages of jobs, each in another state when the bot is killed. */
let running: StoredMessage;
let sending: StoredMessage;
let lost: StoredMessage;
let unposted: StoredMessage;
let unsent: StoredMessage;
/** A command without a form whose name was still being looked for, in a channel of its own. */
let named: StoredMessage;

/** The program as it is written: it keeps what it compiles by itself. */
const sources = new URL('../../src/main.ts', import.meta.url).pathname;
const never = () => new Promise<never>(() => undefined);
const writesFor = (port: number) =>
  earth.writes().filter(({ body }) => JSON.stringify(body).includes(`"port":${port}`));
const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync'));
const says = (card: StoredMessage, words: string) => earth.until(() => earth.text(card).includes(words), words);

/** Waits until a job ends so; it was sent once, and stands in Slack once with one reply. */
async function isToldOnceAs(card: StoredMessage, port: number, word: string): Promise<string> {
  await says(card, word);
  await earth.until(() => earth.replies(card).length > 0, 'a reply');
  expect(earth.replies(card)).toHaveLength(1);
  expect(writesFor(port)).toHaveLength(1);
  const all = ['#databases', '#dev'].flatMap(channel => earth.cards(channel));
  expect(all.filter(message => earth.text(message).includes(`${port}`))).toHaveLength(1);
  return earth.text(card);
}

/** Has a job in every state there is, kills the bot in the middle of it, and starts it again. */
beforeAll(async () => {
  road = crossing();
  earth = await world({ ownProcess: true, program: () => sources, service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');

  running = await quickClone(earth, ana, 3401);
  await says(running, 'CREATING');

  // Whether its message stands in Slack the bot does not know.
  earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
  unposted = await quickClone(earth, ana, 3406, '/mnt/c3406', '#dev');

  // The service begins with it, but its answer does not come.
  await submitsClone(ana, '#databases', quickLine(3402, '/mnt/hang'), {});
  await earth.until(() => writesFor(3402).length > 0, 'the request');

  // The request gets lost on its way.
  const gap = road.meets('/database/clone/create', never);
  await submitsClone(ana, '#databases', quickLine(3403), {});
  await earth.until(() => writesFor(3403).length > 0, 'the request');
  expect(earth.cards('#databases')).toHaveLength(1);

  // Nothing was sent yet.
  await opensForm(ana, '#dev', quickLine(3404));
  const lists = road.meets('/database/list', never);
  const before = earth.service.service.count('GET /database/list');
  await ana.submits();
  await earth.until(() => earth.service.service.count('GET /database/list') > before, 'the look before the request');

  // Slack heard that the command was taken, and its target is not even known.
  await ana.types('#dba-approvals', '/db backup orders');

  await earth.kill();
  expect(writesFor(3404)).toEqual([]);
  expect(earth.cards('#dba-approvals')).toEqual([]);
  gap.leave();
  lists.leave();
  await earth.start();
  await earth.until(() => writesFor(3404).length > 0, 'the request');
  const cardOf = (channel: string, port: number) =>
    earth.until(
      () => earth.cards(channel).find(card => earth.text(card).includes(`${port}`)),
      `the message of ${port}`,
    );
  sending = await cardOf('#databases', 3402);
  lost = await cardOf('#databases', 3403);
  unsent = await cardOf('#dev', 3404);
  named = await earth.until(() => earth.cards('#dba-approvals')[0], 'the message of the command');
  await earth.until(() => backups().length > 0, 'the request of the command');
  await earth.clock.advance(10_000);
});
afterAll(() => earth.close());

test('a bot that was killed while a clone was being made goes on looking, and tells its end once', async () => {
  expect(await isToldOnceAs(running, 3401, 'Confirmed')).toContain('shop-3401');
});

test('a bot that was killed while sending does not send again what the service may have got, and finds its record', async () => {
  expect(await isToldOnceAs(sending, 3402, 'Confirmed')).toContain('shop-3402');
});

test('a bot that was killed before it sent a request sends it once', async () => {
  expect(await isToldOnceAs(unsent, 3404, 'Confirmed')).toContain('shop-3404');
});

test('a bot that was killed does not post again a message that Slack may have taken', async () => {
  expect(await isToldOnceAs(unposted, 3406, 'Confirmed')).toContain('shop-3406');
});

test('a bot that was killed after it took a command does it once, and nobody has to ask again', async () => {
  await says(named, 'Confirmed');
  await earth.until(() => earth.replies(named).length > 0, 'a reply');
  expect(earth.replies(named)).toHaveLength(1);
  expect(earth.cards('#dba-approvals')).toHaveLength(1);
  expect(backups()).toHaveLength(1);
});

test('a bot that was killed says that a lost request may or may not have been accepted, and never that it is done', async () => {
  await says(lost, 'may or may not have been accepted');
  await ana.presses('Stop checking', { message: lost });
  expect(await isToldOnceAs(lost, 3403, 'Unconfirmed')).not.toContain('Confirmed');
});

test('a bot that is restarted while a clone is being made goes on, and tells its end once', async () => {
  const card = await asksForClone(earth, ana, '#databases', quickLine(3405), {});
  await says(card, 'CREATING');
  await earth.restart();
  await earth.clock.advance(10_000);
  expect(await isToldOnceAs(card, 3405, 'Confirmed')).toContain('shop-3405');
});

test('a bot that was killed has kept what it compiled, for the next start', async () => {
  const compiled = join(earth.environment.DATA_DIR ?? '', 'compiled');
  await earth.until(() => existsSync(compiled) && readdirSync(compiled, { recursive: true }).length > 100, 'it');
  // What compiles has the lowest priority: on a busy machine its turn comes late.
}, 600_000);
