import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { asksForClone, ends, opensForm, quickClone, quickLine } from './clones.ts';

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ socketMode: true });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

test('over Socket Mode a person fills in a clone form with its pickers, and is told of the end', async () => {
  const card = await asksForClone(earth, ana, '#databases', '/clone billing', {
    cloneType: 'Physical',
    targetEnvironment: 'dev',
    install: 'MARIADB',
    environmentUser: 'mariadb',
    mountBase: '/mnt/socket',
    port: 3401,
  });
  expect(await ends(earth, card, 'Confirmed')).toContain('billing-3401');
  expect(earth.replies(card)).toHaveLength(1);
});

test('over Socket Mode a mention is done once, also if Slack hears no ack', async () => {
  const { slack } = earth.playground;
  const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync')).length;
  const [before, cards] = [backups(), earth.cards('#databases').length];
  slack.deafTo('event app_mention');
  await ana.types('#databases', '@dolly backup orders');
  const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
  await ends(earth, card, 'Confirmed');
  await earth.clock.advance(400_000);
  expect((await slack.redelivers('event app_mention')).kind).toBe('answered');
  expect([backups() - before, earth.cards('#databases').length - cards]).toEqual([1, 1]);
});

test('over Socket Mode a form shows a fault at its field, and a job’s button works', async () => {
  await opensForm(ana, '#databases', quickLine(3402, '/mnt/stuck'));
  await ana.fills({ parallel: -1 });
  expect(Object.keys((await ana.submits()).errors)).toEqual(['parallel']);
  await ana.fills({ parallel: 2 });
  const before = earth.cards('#databases').length;
  await ana.submits();
  const card = await earth.until(() => earth.cards('#databases')[before], 'the message');
  await earth.until(() => earth.text(card).includes('CREATING'), 'running');
  await ana.presses('Stop checking', { message: card });
  await ends(earth, card, 'Unconfirmed');
});

test('over Socket Mode commands are taken while Slack refreshes the connections, and while one breaks off', async () => {
  const { slack } = earth.playground;
  const opened = () =>
    slack.traffic().filter(({ what, status }) => what === 'apps.connections.open' && status === 200).length;
  for (const trouble of [() => slack.disconnectSockets(), () => slack.dropSockets(1)]) {
    const before = opened();
    await earth.until(() => slack.connections() === 2, 'both connections');
    trouble();
    // Each is answered, whichever connection it comes over: what nobody takes is a violation, which ends the test.
    for (let count = 0; count < 6; count++) await answerTo(ana, '/db help doctor');
    await earth.until(() => opened() > before, 'a new connection');
    for (let count = 0; count < 6; count++) await answerTo(ana, '/db help doctor');
    await earth.clock.advance(10_000);
  }
  expect(slack.violations()).toEqual([]);
});

test('over Socket Mode nothing is lost when all connections break off, even if Slack is in trouble then', async () => {
  const card = await quickClone(earth, ana, 3403);
  earth.playground.slack.faults.add({ method: 'apps.connections.open', kind: 'error', times: 4 });
  earth.playground.slack.faults.add({ method: 'apps.connections.open', kind: 'lose-answer' });
  earth.playground.slack.dropSockets();
  await earth.until(() => !earth.playground.slack.isConnected(), 'the end of the connections');
  expect(await ends(earth, card, 'Confirmed')).toContain('shop-3403');
  await earth.until(() => earth.playground.slack.isConnected(), 'a connection');
  expect(textOf(await answerTo(ana, '/db whoami'))).toContain('signed in');
});

test('over Socket Mode a job goes on after a restart, and its end is told once', async () => {
  const card = await quickClone(earth, ana, 3404);
  await earth.until(() => earth.text(card).includes('Running'), 'running');
  await earth.restart();
  expect(await ends(earth, card, 'Confirmed')).toContain('shop-3404');
  expect(earth.replies(card)).toHaveLength(1);
});
