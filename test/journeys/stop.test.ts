import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { ends, endsOnce, opensForm, quickClone, quickLine } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

beforeEach(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

const theCard = (): Promise<StoredMessage> => earth.until(() => earth.cards('#databases')[0], 'the message');

describe('a bot that is stopped in good order', () => {
  test('a bot that is stopped while sending waits for the answer, so that nothing is in doubt', async () => {
    const create = road.holds('/database/clone/create', 'after');
    await opensForm(ana, '#databases', quickLine(3401));
    await ana.submits();
    await create.arrived;
    let stopped = false;
    const stopping = earth.stop().then(() => {
      stopped = true;
    });
    await earth.clock.advance(1_000);
    expect(stopped).toBe(false);
    create.lets();
    await stopping;

    await earth.start();
    const card = await theCard();
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    expect(earth.text(card)).not.toContain('may or may not have been accepted');
    await endsOnce(earth, card, 'shop-3401');
  });

  test('a bot that is stopped right after it took a form begins with its job after the next start', async () => {
    await opensForm(ana, '#databases', quickLine(3402));
    await ana.submits();
    await earth.restart();
    await endsOnce(earth, await theCard(), 'shop-3402');
  });

  test('a bot that is stopped while a job runs goes on with it after the next start, hours later', async () => {
    const card = await quickClone(earth, ana, 3403);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await earth.stop();
    await earth.clock.advance(2 * 3_600_000);
    await earth.start();
    await endsOnce(earth, card, 'shop-3403');
  });

  test('a bot that finds the service away after its start looks again once the service is back', async () => {
    const card = await quickClone(earth, ana, 3406);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await earth.stop();
    await earth.clock.advance(2 * 3_600_000);
    const away = road.meets('', async () => new Response('', { status: 503 }));
    await earth.start();
    await earth.until(() => earth.text(card).includes('I cannot look at the moment'), 'the trouble');
    away.leave();
    await endsOnce(earth, card, 'shop-3406');
  });

  test('a bot that is stopped while Slack takes no messages posts them after the next start', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'error', times: 2 });
    await opensForm(ana, '#databases', quickLine(3404));
    await ana.submits();
    await earth.until(() => earth.writes().length > 0, 'the request');
    await earth.restart();
    await endsOnce(earth, await theCard(), 'shop-3404');
  });

  test('a bot that is stopped still answers what was asked just before', async () => {
    const list = road.holds('/database/list', 'after');
    await ana.types('#databases', '/db list orders');
    await list.arrived;
    const stopping = earth.stop();
    list.lets();
    await stopping;
    await ana.reads('#databases', 'orders-3320');
  });

  test('a bot that is restarted five times during a job does nothing twice', async () => {
    const card = await quickClone(earth, ana, 3405);
    for (const _ of [1, 2, 3, 4, 5]) {
      await earth.restart();
      await earth.clock.advance(500);
    }
    await endsOnce(earth, card, 'shop-3405');
  });
});

describe('a bot that is started again', () => {
  test('a bot that is started again still has people’s sign-ins and jobs', async () => {
    const card = await quickClone(earth, ana, 3411);
    await ends(earth, card, 'Confirmed');
    await earth.restart();
    await ana.types('#databases', '/db jobs');
    await ana.reads('#databases', 'latest jobs');
    await ana.types('#databases', '/db whoami');
    await ana.reads('#databases', 'accepts it');
  });

  test('a bot that is started with another key asks people to sign in again, and their jobs go on after that', async () => {
    const card = await quickClone(earth, ana, 3412);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await earth.restart({ TOKEN_KEYS: Buffer.alloc(32, 9).toString('base64') });
    await earth.until(() => earth.text(card).includes('sign in'), 'the hold');
    await earth.signsIn(ana, '#dev', 'ana');
    await endsOnce(earth, card, 'shop-3412');
  });

  test('a bot that is started with a new key before the old one keeps people signed in', async () => {
    const old = earth.environment.TOKEN_KEYS;
    await earth.restart({ TOKEN_KEYS: `${Buffer.alloc(32, 9).toString('base64')},${old}` });
    await endsOnce(earth, await quickClone(earth, ana, 3413), 'shop-3413');
  });
});
