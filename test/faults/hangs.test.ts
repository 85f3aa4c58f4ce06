import { afterEach, beforeEach, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { ends, opensForm, quickClone, quickLine, toldAlone } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';

/* The service hangs for one of five people, and honours the token of another no more: the other three notice nothing. */

let earth: World;
let ana: Someone;
let ben: Someone;
let chi: Someone;
let dev: Someone;
let eve: Someone;
let seen: string | null = null;
const hung = new Set<string | null>();
let end = Promise.withResolvers<void>();

beforeEach(async () => {
  hung.clear();
  end = Promise.withResolvers();
  earth = await world({
    service: {
      middleware(request, next) {
        seen = request.headers.get('authorization');
        return hung.has(seen) ? end.promise.then(() => next()) : next();
      },
    },
    surroundings: { serviceTimeout: 3_600_000 },
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  chi = await earth.enters('Chi', 'chi');
  dev = await earth.enters('Dev', 'dev');
  eve = await earth.enters('Eve', 'eve');
});
afterEach(() => {
  end.resolve();
  return earth.close();
});

const sentFor = (port: number) => earth.writes().filter(({ body }) => JSON.stringify(body).includes(`"port":${port}`));
const cardOf = (port: number) =>
  earth.until(() => earth.cards('#databases').find(card => earth.text(card).includes(`/mnt/c${port}`)), `${port}`);

test('A service that hangs for one person, and refuses another’s token, delays nothing of the other three', async () => {
  const hers: StoredMessage[] = [];
  for (const port of [3401, 3402, 3403]) hers.push(await quickClone(earth, ana, port, `/mnt/stuck-${port}`, '#dev'));
  await ana.types('#dev', '/db whoami');
  await ana.reads('#dev', 'accepts it');
  await opensForm(ana, '#dev', quickLine(3404));
  hung.add(seen);
  await ana.submits();
  for (const line of ['/db list', '/db env list', '/db user list', '/db project list']) await ana.types('#dev', line);
  await earth.clock.advance(60_000);

  await opensForm(chi, '#databases', quickLine(3422));
  earth.service.service.signOut('chi');
  await chi.submits();
  for (const [someone, port] of [
    [ben, 3421],
    [dev, 3423],
  ] as const) {
    await opensForm(someone, '#databases', quickLine(port));
    await someone.submits();
  }
  await opensForm(ben, '#databases', '/clone');
  expect((await ben.choices('sourceDatabase', 'orders')).join()).toContain('orders');
  await ben.cancels();
  await eve.types('#databases', '/db list orders');
  await eve.reads('#databases', 'orders-3320');
  const begun = earth.clock.now();
  for (const port of [3421, 3423]) {
    expect(await ends(earth, await cardOf(port), 'Confirmed')).toContain(`shop-${port}`);
    expect(sentFor(port)).toHaveLength(1);
  }
  expect(earth.clock.now() - begun).toBeLessThan(60_000);

  // Whose token is dead is told so, and whose service hangs has the messages all the same; alone, where nothing was sent.
  await earth.until(() => toldAlone(chi).some(({ text }) => text.includes('sign in')), 'the word to sign in');
  expect(earth.cards('#databases')).toHaveLength(2);
  expect(earth.cards('#dev')).toHaveLength(3);
  expect(toldAlone(ana, '#dev').map(({ text }) => text.includes('3404'))).toEqual([true]);
  for (const card of hers) expect(earth.text(card)).toContain('Running');
  expect(sentFor(3404)).toEqual([]);
  end.resolve();
  await earth.until(() => sentFor(3404).length === 1, 'the request that was held up');
});
