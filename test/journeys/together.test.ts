import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { ends, opensForm, quickClone, quickLine, toldAlone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;
let ben: Someone;

beforeEach(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterEach(() => earth.close());

/** The identifier of the record that a message tells of. */
const recordIn = (text: string) => /MYSQL_CLONE_SERVER-\d+/.exec(text)?.[0];

/** Lets the records of new clones show nothing but that they are there. */
function hideFacts(): void {
  road.meets('/database/list', async (_request, next) => {
    const records: unknown = await (await next()).json();
    const shown = Array.isArray(records) ? records.map(({ id, name, state }) => ({ id, name, state })) : records;
    return Response.json(shown);
  });
}

describe('two people who clone the same database at the same time', () => {
  test('two people who clone one database at once are each told of their own clone', async () => {
    await opensForm(ana, '#databases', quickLine(3401));
    await opensForm(ben, '#dev', quickLine(3402));
    await Promise.all([ana.submits(), ben.submits()]);
    const hers = await earth.until(() => earth.cards('#databases')[0], 'her message');
    const his = await earth.until(() => earth.cards('#dev')[0], 'his message');
    expect(await ends(earth, hers, 'Confirmed')).toContain('shop-3401');
    expect(await ends(earth, his, 'Confirmed')).toContain('shop-3402');
    expect(earth.writes()).toHaveLength(2);
  });

  test('two people’s clones at once each get a record of their own, even where the records look alike', async () => {
    hideFacts();
    const both = road.holds('/database/clone/create', 'before');
    await opensForm(ana, '#databases', quickLine(3401));
    await opensForm(ben, '#dev', quickLine(3402));
    await Promise.all([ana.submits(), ben.submits()]);
    await both.arrived;
    both.lets();
    const hers = await earth.until(() => earth.cards('#databases')[0], 'her message');
    const his = await earth.until(() => earth.cards('#dev')[0], 'his message');
    const records = [recordIn(await ends(earth, hers, 'Confirmed')), recordIn(await ends(earth, his, 'Confirmed'))];
    expect(new Set(records).size).toBe(2);
    expect(records).not.toContain(undefined);
  });
});

test('one person’s clones at the same time each get a record of their own', async () => {
  hideFacts();
  const cards = [
    await quickClone(earth, ana, 3411),
    await quickClone(earth, ana, 3412),
    await quickClone(earth, ana, 3413),
  ];
  const records: (string | undefined)[] = [];
  for (const card of cards) records.push(recordIn(await ends(earth, card, 'Confirmed')));
  expect(new Set(records).size).toBe(3);
  expect(earth.writes()).toHaveLength(3);
});

test('a clone is not taken for one that somebody else made by other means', async () => {
  const hers = await quickClone(earth, ana, 3421, '/mnt/vanish-ours');
  await earth.until(() => earth.text(hers).includes('Running'), 'running');
  const token = await fetch(`${earth.service.url}/service/user/user/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'dev', password: 'dev-password' }),
  });
  const answer: unknown = await token.json();
  const bearer = /"token":"([^"]+)"/.exec(JSON.stringify(answer))?.[1] ?? '';
  const made = await fetch(`${earth.service.url}/service/database/clone/create`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${bearer}` },
    body: JSON.stringify({
      vendor: 'MYSQL',
      cloneType: 'VIRTUALCLONE',
      sourceDatabase: 'MYSQL_LIVE_SERVER-1',
      targetEnvironment: 'HOST_ENVIRONMENT-5',
      install: 'MYSQL_INSTALL-3',
      environmentUser: 'ENVIRONMENT_USER-12',
      mountBase: '/mnt/other',
      port: 3499,
    }),
  });
  expect(made.status).toBe(200);
  const told = await ends(earth, hers, 'Unconfirmed');
  expect(recordIn(told)).toBeUndefined();
});

test('a backup of which nobody knows whether it arrived is not confirmed by a colleague’s snapshot', async () => {
  const broken = road.meets('/database/sync', async () => new Response('bad gateway', { status: 502 }));
  await ana.types('#databases', '/db backup orders');
  const hers = await earth.until(() => earth.cards('#databases')[0], 'her message');
  broken.leave();
  // She sees the snapshot first.
  let token: string | null;
  road.meets('/database/sync', (request, next) => {
    token = request.headers.get('authorization');
    return next();
  });
  const late = road.meets('/database/MYSQL_LIVE_SERVER-1', async (request, next) =>
    request.headers.get('authorization') === token ? new Response('busy', { status: 503 }) : next(),
  );
  await ben.types('#dev', '/db backup orders');
  const his = await earth.until(() => earth.cards('#dev')[0], 'his message');
  const seen = earth.clock.now() + 30_000;
  await earth.until(() => earth.clock.now() >= seen, 'her looks');
  late.leave();
  expect(await ends(earth, his, 'Confirmed')).toContain('orders is backed up');
  const end = earth.clock.now() + 120_000;
  await earth.until(() => earth.clock.now() >= end, 'two minutes');
  expect(earth.text(hers)).toContain('may or may not have been accepted');
});

describe('one person’s trouble', () => {
  test('one person’s dead sign-in delays nobody else’s job', async () => {
    await opensForm(ana, '#databases', quickLine(3431));
    earth.service.service.signOut('ana');
    await ana.submits();
    const his = await quickClone(earth, ben, 3432, '/mnt/c3432', '#dev');
    expect(await ends(earth, his, 'Confirmed')).toContain('shop-3432');
    expect(toldAlone(ana).at(-1)?.text).toContain('Not sent yet');
  });

  test('a service that hangs for one person delays nobody else’s job', async () => {
    await opensForm(ana, '#databases', quickLine(3433));
    const hers = road.holds('/database/list', 'before');
    await ana.submits();
    await hers.arrived;
    const his = await quickClone(earth, ben, 3434, '/mnt/c3434', '#dev');
    expect(await ends(earth, his, 'Confirmed')).toContain('shop-3434');
    hers.lets();
    const card = await earth.until(() => earth.cards('#databases')[0], 'her message');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3433');
    expect(earth.writes()).toHaveLength(2);
  });
});
