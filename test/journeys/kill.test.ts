import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { opensForm, quickLine, submitsClone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

beforeEach(async () => {
  road = crossing();
  earth = await world({ ownProcess: true, service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

/** The only message of the only job. */
function theCard(): StoredMessage {
  const [card, ...others] = earth.cards('#databases');
  expect(others).toEqual([]);
  if (!card) throw new Error('there is no message');
  return card;
}

/** Waits until the message says so. */
const says = (words: string) =>
  earth.until(() => earth.cards('#databases').some(card => earth.text(card).includes(words)), words);

/** Lets the service get on with its work, which takes a time of its own. */
const serviceWorks = () => earth.clock.advance(10_000);

async function isToldOnceAs(word: string): Promise<string> {
  await says(word);
  const card = theCard();
  await earth.until(() => earth.replies(card).length > 0, 'a reply');
  expect(earth.replies(card)).toHaveLength(1);
  expect(earth.writes()).toHaveLength(1);
  return earth.text(card);
}

describe('a bot that is killed and started again', () => {
  test('sends what it had not sent yet, once', async () => {
    await opensForm(ana, '#databases', quickLine(3401));
    const list = road.holds('/database/list', 'before');
    await ana.submits();
    await list.arrived;
    await earth.kill();
    list.lets();
    expect(earth.writes()).toHaveLength(0);

    await earth.start();
    await earth.until(() => earth.writes().length > 0, 'the request');
    await serviceWorks();
    expect(await isToldOnceAs('Confirmed')).toContain('shop-3401');
  });

  test('does not send again what the service may have got, and finds its record', async () => {
    await submitsClone(ana, '#databases', quickLine(3402, '/mnt/hang'), {});
    await earth.until(() => earth.writes().length > 0, 'the request');
    await says('Sending');
    await earth.kill();

    await earth.start();
    await says('Running');
    await serviceWorks();
    expect(await isToldOnceAs('Confirmed')).toContain('shop-3402');
  });

  test('does not claim what never arrived, and says so when the person stops it', async () => {
    road.meets('/database/clone/create', () => new Promise(() => undefined));
    await submitsClone(ana, '#databases', quickLine(3403), {});
    await earth.until(() => earth.writes().length > 0, 'the request');
    await earth.kill();

    await earth.start();
    await says('may have been accepted or not');
    await ana.presses('Stop looking', { message: theCard() });
    expect(await isToldOnceAs('Unconfirmed')).not.toContain('Confirmed');
  });

  test('goes on looking for what the service is still at', async () => {
    await submitsClone(ana, '#databases', quickLine(3404), {});
    await says('CREATING');
    await earth.kill();
    await serviceWorks();

    await earth.start();
    expect(await isToldOnceAs('Confirmed')).toContain('shop-3404');
  });

  test('does not post twice what it could not know to be posted', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
    const create = road.holds('/database/clone/create', 'after');
    await submitsClone(ana, '#databases', quickLine(3405), {});
    await create.arrived;
    await earth.until(() => earth.cards('#databases').length > 0, 'the message');
    await earth.kill();

    await earth.start();
    await serviceWorks();
    expect(await isToldOnceAs('Confirmed')).toContain('shop-3405');
  });
});

test('a bot that is told to stop ends by itself, and goes on where it was', async () => {
  await submitsClone(ana, '#databases', quickLine(3406), {});
  await says('CREATING');
  await earth.restart();
  await serviceWorks();
  expect(await isToldOnceAs('Confirmed')).toContain('shop-3406');
});
