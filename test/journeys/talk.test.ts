import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { personIn, type Someone, textOf } from '../person.ts';
import { loginPath, type World, world } from '../world.ts';
import { endsIn, said } from './talking.ts';

let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  earth = await world({ handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben');
});
afterAll(() => earth.close());
// So that no journey meets the gate of floods.
beforeEach(() => earth.clock.advance(30_000));

/** Ana's direct messages with Dolly. */
const direct = 'D0ANA00001';
const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync')).length;

/** Does something, and gives the next message of Dolly's in a channel. */
async function next(channel: string, act: () => Promise<unknown>): Promise<Message> {
  const before = said(earth, channel).length;
  await act();
  return earth.until(() => said(earth, channel)[before], `a message in ${channel}`);
}

/** A message of Ben's, under which a thread begins with one of Ana's. */
async function thread(channel = '#databases'): Promise<Message> {
  const before = ben.messages(channel).length;
  await ben.types(channel, 'Is orders backed up?');
  const root = await ben.until(() => ben.messages(channel)[before], 'the first message');
  await ana.types(channel, 'I look', root);
  return root;
}

describe('a mention in a channel', () => {
  test('a mention in a channel does what the command does, and only its person sees the answer', async () => {
    const answer = await next('#databases', () => ana.types('#databases', '@dolly list orders'));
    expect(answer.onlyFor).toBe(ana.id);
    expect(answer.threadTs).toBeUndefined();
    expect(textOf(answer)).toContain('orders');
    expect(ben.messages('#databases').some(({ ts }) => ts === answer.ts)).toBe(false);
  });

  test('a backup that is asked for by a mention runs at once, with its message in the channel', async () => {
    const before = backups();
    const card = await next('#databases', () => ana.types('#databases', 'backup orders @dolly'));
    expect(card.onlyFor).toBeUndefined();
    expect(card.threadTs).toBeUndefined();
    await endsIn(earth, card, card.ts);
    expect(backups() - before).toBe(1);
  });

  test('a bare mention is answered with the help, and a mistyped one with what may be meant', async () => {
    const help = await next('#databases', () => ana.types('#databases', '@dolly'));
    expect(help.onlyFor).toBe(ana.id);
    expect(textOf(help)).toContain('/db');
    const guess = await next('#databases', () => ana.types('#databases', '@dolly bakup orders'));
    expect(textOf(guess)).toContain('Did you mean');
    const card = await next('#databases', () => ana.presses('/db backup orders', { message: guess }));
    await endsIn(earth, card, card.ts);
  });

  test('a mention by a person who is signed out offers a sign-in, and then goes on in its thread', async () => {
    const root = await thread();
    const chi = await personIn(earth.playground, 'Chi');
    const offer = await next('#databases', () => chi.types('#databases', '@dolly backup orders', root));
    expect([offer.onlyFor, offer.threadTs]).toEqual([chi.id, root.ts]);
    const told = await next('#databases', () =>
      fetch(earth.dolly().url + loginPath(offer), {
        method: 'POST',
        body: new URLSearchParams({ username: 'chi', password: 'chi-password' }),
      }),
    );
    expect([told.onlyFor, told.threadTs]).toEqual([chi.id, root.ts]);
    await chi.until(() => chi.messages('#databases').some(({ ts }) => ts === told.ts), 'the news');
    const card = await next('#databases', () => chi.presses('Go on', { message: told }));
    expect(card.threadTs).toBe(root.ts);
    await endsIn(earth, card, root.ts);
    chi.leaves();
  });
});

describe('a mention in a thread', () => {
  test('a mention in a thread has its answer, its job’s message and its end in that thread, and not in the channel', async () => {
    const root = await thread();
    const cards = earth.cards('#databases').length;
    const answer = await next('#databases', () => ana.types('#databases', '@dolly show orders', root));
    expect([answer.onlyFor, answer.threadTs]).toEqual([ana.id, root.ts]);
    const card = await next('#databases', () => ana.types('#databases', '@dolly backup orders', root));
    expect([card.onlyFor, card.threadTs]).toEqual([undefined, root.ts]);
    await endsIn(earth, card, root.ts);
    expect(earth.replies(root)).toHaveLength(2);
    expect(earth.cards('#databases')).toHaveLength(cards);
    const refusal = await next('#databases', () => ben.presses('Back up again', { message: card }));
    expect([refusal.onlyFor, refusal.threadTs]).toEqual([ben.id, root.ts]);
    await ana.presses('Back up again', { message: card });
    await earth.until(() => ana.hasModal(), 'the form');
    const again = await next('#databases', () => ana.submits());
    expect([again.onlyFor, again.threadTs]).toEqual([undefined, root.ts]);
    await endsIn(earth, again, root.ts);
  });

  test('a mention in a thread that needs a form gets a button for it, and its job stands in the thread', async () => {
    const root = await thread();
    const line = '@dolly clone shop targetEnvironment=dev mountBase=/mnt/talk port=3710';
    const offer = await next('#databases', () => ana.types('#databases', line, root));
    expect([offer.onlyFor, offer.threadTs]).toEqual([ana.id, root.ts]);
    await ana.until(() => ana.messages('#databases').some(({ ts }) => ts === offer.ts), 'the offer');
    await ana.presses('Open the form', { message: offer });
    await earth.until(() => ana.hasModal(), 'the form');
    await earth.until(async () => JSON.stringify((await ana.modal()).fields.port).includes('3710'), 'the filled form');
    const before = said(earth, '#databases').length;
    const { errors, error } = await ana.submits();
    expect([errors, error]).toEqual([{}, '']);
    const card = await earth.until(() => said(earth, '#databases')[before], 'the message');
    expect(card.threadTs).toBe(root.ts);
    await endsIn(earth, card, root.ts);
  });

  test('a schedule that is asked for by a mention in a thread is answered there once its form is sent', async () => {
    const root = await thread();
    const offer = await next('#databases', () => ana.types('#databases', '@dolly schedule backup orders', root));
    await ana.until(() => ana.messages('#databases').some(({ ts }) => ts === offer.ts), 'the offer');
    await ana.presses('Open the form', { message: offer });
    await earth.until(() => ana.hasModal(), 'the form');
    await ana.fills({ repeats: 'day of each month' });
    const done = await next('#databases', () => ana.submits());
    expect([done.onlyFor, done.threadTs]).toEqual([ana.id, root.ts]);
  });

  test('a click on the answer to a mention in a thread is answered in that thread', async () => {
    const root = await thread();
    const guess = await next('#databases', () => ana.types('#databases', '@dolly shwo orders', root));
    await ana.until(() => ana.messages('#databases').some(({ ts }) => ts === guess.ts), 'the guess');
    const answer = await next('#databases', () => ana.presses('/db show orders', { message: guess }));
    expect([answer.onlyFor, answer.threadTs]).toEqual([ana.id, root.ts]);
  });
});

describe('a direct message', () => {
  test('a direct message is a command without a mention, and its job has its message there', async () => {
    const list = await next(direct, () => ana.types('@dolly', 'list orders'));
    expect(list.onlyFor).toBeUndefined();
    expect(textOf(list)).toContain('orders');
    const card = await next(direct, () => ana.types('@dolly', 'backup orders'));
    await endsIn(earth, card, card.ts);
    const answer = await next(direct, () => ana.types('@dolly', 'show orders', card));
    expect(answer.threadTs).toBe(card.ts);
  });

  test('a direct message in a thread has its form, its job and its end in that thread', async () => {
    const before = ana.messages('@dolly').length;
    // Its answer comes first, outside of the thread.
    await next(direct, () => ana.types('@dolly', 'help login'));
    const root = await ana.until(() => ana.messages('@dolly')[before], 'the message');
    const line = 'clone shop targetEnvironment=dev mountBase=/mnt/direct port=3711';
    const offer = await next(direct, () => ana.types('@dolly', line, root));
    expect(offer.threadTs).toBe(root.ts);
    await ana.until(() => ana.messages('@dolly').some(({ ts }) => ts === offer.ts), 'the offer');
    await ana.presses('Open the form', { message: offer });
    await earth.until(() => ana.hasModal(), 'the form');
    await earth.until(async () => JSON.stringify((await ana.modal()).fields.port).includes('3711'), 'the filled form');
    const posted = said(earth, direct).length;
    await ana.submits();
    const card = await earth.until(() => said(earth, direct)[posted], 'the message');
    expect(card.threadTs).toBe(root.ts);
    await endsIn(earth, card, root.ts);
  });
});
