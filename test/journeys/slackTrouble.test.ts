import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { botToken, type World, world } from '../world.ts';
import { ends, quickClone, quickLine, submitsClone } from './clones.ts';

let earth: World;
let ana: Someone;

beforeEach(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

const troubles = [
  { what: 'answers 429', fault: { kind: 'rate-limit', retryAfter: 30, times: 2 } },
  { what: 'answers 500', fault: { kind: 'error', times: 3 } },
  { what: 'loses its answer', fault: { kind: 'lose-answer', times: 2 } },
] as const;

/** One message, one reply, both with the end of the job, and one request to the service. */
async function isWhole(card: StoredMessage): Promise<void> {
  const told = await ends(earth, card, 'Confirmed');
  expect(told).toContain('shop-3401');
  await earth.clock.advance(600_000);
  expect(earth.cards('#databases')).toHaveLength(1);
  expect(earth.replies(card)).toHaveLength(1);
  expect(earth.writes()).toHaveLength(1);
}

describe.each(troubles)('when Slack $what', ({ fault }) => {
  test('a job’s message stands in its channel once although Slack fails as it is posted', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', ...fault });
    await isWhole(await quickClone(earth, ana, 3401));
  });

  test('a job’s message shows its end although Slack fails as it is updated', async () => {
    earth.playground.slack.faults.add({ method: 'chat.update', ...fault, times: 6 });
    await isWhole(await quickClone(earth, ana, 3401));
  });

  test('a job’s person gets one reply about its end although Slack fails as the reply is posted', async () => {
    const card = await quickClone(earth, ana, 3401);
    earth.playground.slack.faults.add({ method: 'chat.postMessage', ...fault });
    await isWhole(card);
  });
});

describe('when Slack is in trouble', () => {
  test('Slack is left alone for as long as it asks to be', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'rate-limit', retryAfter: 120 });
    await isWhole(await quickClone(earth, ana, 3401));
    const [refused, next] = earth.playground.slack
      .traffic()
      .filter(({ what }) => what === 'chat.postMessage')
      .map(({ at }) => at);
    expect((next ?? 0) - (refused ?? 0)).toBeGreaterThanOrEqual(120_000);
  });

  test('the search for a lost message is repeated before anything is posted again', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
    earth.playground.slack.faults.add({ method: 'conversations.history', kind: 'rate-limit', retryAfter: 5 });
    earth.playground.slack.faults.add({ method: 'conversations.history', kind: 'error' });
    await isWhole(await quickClone(earth, ana, 3401));
  });

  test('a reply whose answer was lost is not taken for the reply about the job’s later end', async () => {
    const card = await quickClone(earth, ana, 3401, '/mnt/stuck-here');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'lose-answer' });
    await ana.presses('Stop checking', { message: card });
    await ana.until(() => earth.replies(card).length === 1, 'the first reply');
    // The clock stands still: nothing has looked for it yet.
    await ana.presses('Check now', { message: card });
    await earth.until(() => earth.text(card).includes('Running'), 'running again');
    await ana.presses('Stop checking', { message: card });
    await earth.until(() => earth.replies(card).length === 2, 'the second reply');
    await earth.clock.advance(600_000);
    expect(earth.replies(card)).toHaveLength(2);
  });

  test.each([
    ['arrived', 'lose-answer'],
    ['did not arrive', 'error'],
  ] as const)(
    'the reply about a job’s second end that %s is not taken for that about its first end',
    async (_, kind) => {
      const card = await quickClone(earth, ana, 3401, '/mnt/stuck-here');
      await earth.until(() => earth.text(card).includes('CREATING'), 'running');
      await ana.presses('Stop checking', { message: card });
      await earth.until(() => earth.replies(card).length === 1, 'the first reply');
      await ana.presses('Check now', { message: card });
      await earth.until(() => earth.text(card).includes('Running'), 'running again');
      earth.playground.slack.faults.add({ method: 'chat.postMessage', kind });
      await ana.presses('Stop checking', { message: card });
      await earth.clock.advance(600_000);
      expect(earth.replies(card)).toHaveLength(2);
    },
  );

  test('a message that must wait in one channel does not hold up a message for another channel', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'rate-limit', retryAfter: 300 });
    await submitsClone(ana, '#databases', quickLine(3401), {});
    const second = await quickClone(earth, ana, 3402, '/mnt/c3402', '#dev');
    expect(await ends(earth, second, 'Confirmed')).toContain('shop-3402');
    expect(earth.cards('#databases')).toEqual([]);
    const first = await earth.until(() => earth.cards('#databases')[0], 'the message that was refused');
    expect(await ends(earth, first, 'Confirmed')).toContain('shop-3401');
  });

  test('the answer to a command reaches the person once, by whichever way Slack still takes', async () => {
    const { faults } = earth.playground.slack;
    const direct = `D${ana.id.slice(1)}`;
    const answers = () =>
      ['#databases', direct].flatMap(place => ana.messages(place === direct ? '@dolly' : place)).filter(isList);
    const isList = (message: Message) => textOf(message).includes('orders-3320');
    const ways = [
      { what: 'again by its response URL', refused: [] },
      { what: 'in the channel', refused: ['response_url'] },
      { what: 'directly', refused: ['response_url', 'chat.postEphemeral'] },
    ];
    for (const kind of ['error', 'rate-limit', 'reset', 'refuse'] as const)
      for (const { what, refused } of ways) {
        faults.clear();
        faults.add({ method: 'response_url', kind, times: refused.length > 0 ? 99 : 1 });
        for (const method of refused) faults.add({ method, kind, times: 99 });
        faults.add({ method: 'chat.postMessage', kind: 'error' });
        const before = answers().length;
        await ana.types('#databases', '/db list orders');
        await earth.until(() => answers().length > before, `the answer ${what} (${kind})`);
        await earth.clock.advance(60_000);
        expect(answers().length, `${what} (${kind})`).toBe(before + 1);
      }
  });

  test('the answer to a click reaches the person although its response URL fails', async () => {
    const card = await quickClone(earth, ana, 3401, '/mnt/stuck-here');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    earth.playground.slack.faults.add({ method: 'response_url', kind: 'error', times: 99 });
    await ana.presses('Stop checking', { message: card });
    const told = () => ana.messages('#databases').find(({ ts, onlyFor }) => ts > card.ts && onlyFor !== undefined);
    await earth.until(told, 'the answer');
  });
});

test('a public channel that the bot is not in has the message of a job all the same', async () => {
  await submitsClone(ana, '#random', quickLine(3401), {});
  const card = await earth.until(() => earth.cards('#random')[0], 'a message in the channel');
  expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
});

describe('where the bot may not speak', () => {
  beforeEach(() => {
    earth.playground.slack.settings.postToPublic = false;
  });

  test.each(['#random', '#dba-private'])(
    'a job of %s, where Dolly may not speak, is told in a direct message from start to end',
    async channel => {
      const before = earth.cards('@dolly').length;
      await submitsClone(ana, channel, quickLine(3401), {});
      const direct = `D${ana.id.slice(1)}`;
      const card = await earth.until(() => earth.cards(direct)[before], 'a direct message');
      const told = await ends(earth, card, 'Confirmed');
      expect(told).toContain('shop-3401');
      expect(earth.replies(card)).toHaveLength(1);
      expect(earth.cards(channel)).toEqual([]);
      expect(ana.messages('@dolly').map(({ ts }) => ts)).toContain(card.ts);
    },
  );

  test('a direct message that Slack does not open at first is tried again', async () => {
    earth.playground.slack.faults.add({ method: 'conversations.open', kind: 'error' });
    await submitsClone(ana, '#random', quickLine(3401), {});
    const direct = `D${ana.id.slice(1)}`;
    const card = await earth.until(() => earth.cards(direct)[0], 'a direct message');
    await ends(earth, card, 'Confirmed');
    expect(earth.cards(direct)).toHaveLength(1);
    expect(earth.replies(card)).toHaveLength(1);
  });
});

describe('a message that somebody deleted', () => {
  test('a job’s message that somebody deleted is not posted again, and its person is told of the end once', async () => {
    const card = await quickClone(earth, ana, 3401);
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    const gone = await fetch(`${earth.playground.apiUrl}chat.delete`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${botToken}` },
      body: JSON.stringify({ channel: card.channel, ts: card.ts }),
    });
    expect(await gone.json()).toMatchObject({ ok: true });
    const told = await earth.until(
      () => earth.playground.slack.messages('#databases').find(({ text }) => text.includes(`<@${ana.id}>`)),
      'the reply',
    );
    expect(earth.text(told)).toContain('shop-3401');
    await earth.clock.advance(600_000);
    expect(
      earth.playground.slack.messages('#databases').filter(({ text }) => text.includes(`<@${ana.id}>`)),
    ).toHaveLength(1);
  });
});
