import { afterEach, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { asks } from './asking.ts';
import { ends, opensForm, quickClone, quickLine, refusalsOf, refusedClone, submitsClone, toldAlone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

async function begins(): Promise<void> {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
}
afterEach(() => earth.close());

const html = () =>
  new Response('<html><title>Proxy</title>nobody home</html>', { headers: { 'content-type': 'text/html' } });

/** More is announced than sent: half an answer is all that arrives. */
const torn = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"objectType":'));
        controller.close();
      },
    }),
    { headers: { 'content-type': 'application/json', 'content-length': '62', connection: 'close' } },
  );

describe('a request whose fate is unknown', () => {
  test.each([
    ['the service crashes after it', 'crash'],
    ['it is answered with a page', 'html'],
    ['its answer breaks off', 'torn'],
    ['its answer is 50 MB', 'huge'],
    ['its answer does not come', 'hang'],
  ])(
    'a request whose fate is unknown (%s) is settled by looking at the records, and not sent again',
    async (_what, word) => {
      await begins();
      const card = await quickClone(earth, ana, 3401, `/mnt/${word}`);
      await earth.until(() => earth.text(card).includes('Sent, no answer yet'), 'the doubt');
      expect(earth.text(card)).toContain('may or may not have been accepted');
      expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
      expect(earth.writes()).toHaveLength(1);
    },
  );

  test('a request whose fate is unknown ends unconfirmed where nothing is seen of it, and may never have begun', async () => {
    await begins();
    road.meets('/database/clone/create', torn);
    const card = await quickClone(earth, ana, 3402);
    await earth.until(() => earth.text(card).includes('may or may not have been accepted'), 'the doubt');
    const told = await ends(earth, card, 'Unconfirmed');
    expect(told).toContain('may never have begun');
    expect(earth.writes()).toHaveLength(1);
  });

  test('a mount whose fate is unknown is confirmed by its new record, and not sent again', async () => {
    await begins();
    road.meets('/database/snapshot/mount', async (_, next) => {
      await next();
      return torn();
    });
    const card = await asks(earth, ana, '/db mount shop', { fields: {} });
    await earth.until(() => earth.text(card).includes('may or may not have been accepted'), 'the doubt');
    expect(await ends(earth, card, 'Confirmed')).toContain('MYSQL_CLONE_SERVER');
    expect(earth.writes()).toHaveLength(1);
  });

  test('a request whose fate is unknown and which failed is told as failed, in the words of its record', async () => {
    await begins();
    const card = await quickClone(earth, ana, 3403, '/mnt/crash-and-fail');
    expect(await ends(earth, card, 'Failed')).toContain('no space left on device');
    expect(earth.writes()).toHaveLength(1);
  });
});

describe('a request that the service did not take', () => {
  test('a request to a service that is down is told as failed, and says that nothing was sent', async () => {
    await begins();
    await opensForm(ana, '#databases', quickLine(3404));
    await earth.service.close();
    await ana.submits();
    const { text } = await earth.until(() => refusalsOf(ana)[0], 'the end');
    expect(text).toContain('cannot be reached');
    expect(text).toContain('Nothing was sent');
    expect(text).not.toMatch(/at .*\.ts:\d+|undici|stack/i);
    expect(earth.cards('#databases')).toEqual([]);
  });

  test('a request that the service answers with HTTP 200 and an error is told as failed, in its words', async () => {
    await begins();
    expect((await refusedClone(earth, ana, quickLine(3405, '/mnt/soft'))).text).toContain('as the word “soft” asks');
    expect(earth.writes()).toHaveLength(1);
  });

  test('a request that the person may not make is told as failed, in the service’s words', async () => {
    await begins();
    const eve = await earth.enters('Eve', 'eve');
    expect((await refusedClone(earth, eve, quickLine(3406))).text).toMatch(/does not allow.*AUDITOR/);
  });

  test('a request that the person may not make, refused with 401, is told as failed and leaves the sign-in alone', async () => {
    await begins();
    road.meets('/database/clone/create', () =>
      Response.json({ message: 'user ana may not call POST /database/clone/create' }, { status: 401 }),
    );
    expect((await refusedClone(earth, ana, quickLine(3409))).text).toMatch(/does not allow.*user ana may not call/);
    await ana.types('#databases', '/db whoami');
    await ana.reads('#databases', 'The service accepts it');
    expect(earth.writes()).toHaveLength(1);
  });

  test('a request that the service refuses for a field is told as failed, with the field’s value', async () => {
    await begins();
    const card = await quickClone(earth, ana, 3322, '/mnt/taken', '#dev');
    await ends(earth, card, 'Confirmed');
    const second = await refusedClone(earth, ana, quickLine(3322, '/mnt/taken-too'), { channel: '#dev' });
    expect(second.text).toContain('3322 is in use');
  });

  test('a request that the service answers with HTTP 429 waits as long as it says, and is then sent', async () => {
    await begins();
    const busy = road.meets('/database/clone/create', () =>
      Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '90' } }),
    );
    await submitsClone(ana, '#databases', quickLine(3407), {});
    const told = await earth.until(() => toldAlone(ana)[0], 'the wait');
    expect(told.text).toContain('asks me to wait');
    busy.leave();
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    await ends(earth, card, 'Confirmed');
    expect(toldAlone(ana)).toHaveLength(1);
    const [first, second, ...more] = earth.writes().map(({ at }) => at);
    expect(more).toEqual([]);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(90_000);
  });

  test('a request before which the records cannot be read for ten minutes is not sent, and says so', async () => {
    await begins();
    const answers = [
      html,
      () => Response.json({ message: 'out of order' }, { status: 500 }),
      () => new Promise<never>(() => undefined),
    ];
    for (const [at, answer] of answers.entries()) {
      await opensForm(ana, '#databases', quickLine(3408));
      const trouble = road.meets('/database/list', answer);
      await ana.submits();
      const waits = () => toldAlone(ana).filter(({ text }) => text.includes('I’ll try again by myself'))[at];
      expect((await earth.until(waits, 'the wait')).text).toContain('Nothing has been sent yet');
      // By then she may have left the channel.
      const told = await earth.until(() => refusalsOf(ana)[at], 'the end');
      expect(told.text).toContain('Nothing was sent');
      expect(ana.messages('@dolly').map(({ text }) => text)).toContain(told.text);
      trouble.leave();
    }
    expect(earth.writes()).toEqual([]);
  });
});

describe('a read before a request', () => {
  const status =
    (code: number, headers = {}) =>
    () =>
      Response.json({ message: 'out of order' }, { status: code, headers });
  test.each([
    ['503', status(503)],
    ['503 and when to ask again', status(503, { 'retry-after': '20' })],
    ['500', status(500)],
    ['a page', html],
    ['half an answer', torn],
    ['a redirect', status(302, { location: '/maintenance' })],
  ])(
    'a look before a request that meets %s is tried again, says so, and the request is then sent once',
    async (_what, answer) => {
      await begins();
      await opensForm(ana, '#databases', quickLine(3409));
      const trouble = road.meets('/database/list', answer);
      await ana.submits();
      const told = await earth.until(() => toldAlone(ana)[0], 'the wait');
      expect(told.text).toContain('I’ll try again by myself');
      expect(told.text).toContain('Nothing has been sent yet');
      await earth.clock.advance(45_000);
      expect(earth.writes()).toEqual([]);
      trouble.leave();
      const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
      expect(await ends(earth, card, 'Confirmed')).not.toContain('try again');
      expect(earth.writes()).toHaveLength(1);
    },
  );
});

describe('a service in trouble while a job runs', () => {
  test.each([
    ['answers with a page', html],
    ['answers with an error', () => Response.json({ message: 'out of order' }, { status: 503 })],
    ['answers with 50 MB', () => new Response(`[${'"x",'.repeat(13_000_000)}""]`)],
    ['breaks off', torn],
    ['asks Dolly to wait', () => new Response('', { status: 429, headers: { 'retry-after': '20' } })],
  ])(
    'a service in trouble while a job runs (%s) is waited for, and the job then ends confirmed',
    async (_what, answer) => {
      await begins();
      const card = await quickClone(earth, ana, 3411);
      await earth.until(() => earth.text(card).includes('Running'), 'running');
      const trouble = road.meets('/database/list', answer);
      await earth.until(() => earth.text(card).includes('cannot look'), 'the sentence');
      trouble.leave();
      const told = await ends(earth, card, 'Confirmed');
      expect(told).not.toContain('cannot look');
      expect(earth.writes()).toHaveLength(1);
      expect(earth.replies(card)).toHaveLength(1);
    },
  );

  test('a service that is gone for good while a job runs leaves it unconfirmed, with the reason', async () => {
    await begins();
    const card = await quickClone(earth, ana, 3412);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await earth.service.close();
    const told = await ends(earth, card, 'Unconfirmed');
    expect(told).toContain('cannot be reached');
  });
});

describe('a question', () => {
  test.each([
    ['is down', undefined, 'cannot be reached'],
    ['answers with a page', html, 'not a record'],
    ['answers with an error', () => Response.json({ message: 'out of order' }, { status: 500 }), 'out of order'],
    ['says no with HTTP 200', () => Response.json({ status: 'ERROR', message: 'out of order' }), 'out of order'],
    ['does not answer', () => new Promise<never>(() => undefined), 'did not answer in time'],
    ['forbids it', () => Response.json({ message: 'not for you' }, { status: 403 }), 'not for you'],
    ['redirects', () => new Response('', { status: 302, headers: { location: 'https://example.com/' } }), 'redirects'],
  ])('a question to a service that %s is answered with one clear sentence', async (_what, answer, words) => {
    await begins();
    if (answer) road.meets('/database/list', answer);
    else await earth.service.close();
    await ana.types('#databases', '/db list');
    const says = () => ana.messages('#databases').find(({ text }) => text.includes(words));
    const told = await earth.until(says, 'the sentence');
    expect(told.onlyFor).toBe(ana.id);
    expect(told.text.length).toBeLessThan(300);
    expect(told.text).not.toMatch(/at .*\.ts:\d+|Error:/);
  });

  test('a question to a slow service keeps neither Slack nor other people waiting', async () => {
    await begins();
    const ben = await earth.enters('Ben', 'ben');
    const list = road.holds('/database/list', 'before');
    await ana.types('#databases', '/db list');
    await list.arrived;
    await ben.types('#databases', '/db list orders');
    await ben.reads('#databases', 'orders-3320');
    list.lets();
    await ana.reads('#databases', '21 databases');
  });
});
