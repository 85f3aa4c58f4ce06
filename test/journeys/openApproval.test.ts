import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks, readsShutPage } from './asking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* Where nobody is named in APPROVERS, anybody may decide: who then is shown what others ask for, maybe in a private channel. */

let earth: World;
let road: Crossing;
let ana: Someone;
let ben: Someone;
let chi: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  chi = await earth.enters('Chi');
  const card = await asks(earth, ana, '/db delete archive_2023', { name: 'archive_2023' });
  await earth.until(() => earth.text(card).includes('Waits for approval'), 'the request');
});
afterAll(() => earth.close());

const listFor = async (someone: Someone) => JSON.stringify((await answerTo(someone, '/db approvals', '#dev')).blocks);

test('where anybody may approve, a person whose sign-in shows the target is shown the request', async () => {
  expect(await listFor(ben)).toContain('archive_2023');
  expect(await ben.opensHome()).toContain('Waits for you');
  await ben.until(() => JSON.stringify(ben.sees().home).includes('archive_2023'), 'the request in Home');
});

test('where anybody may approve, a person who is signed out is shown no request, and is offered a sign-in', async () => {
  const shown = await listFor(chi);
  expect(shown).toContain('Sign in');
  expect(shown).not.toContain('archive_2023');
  await chi.opensHome();
  await earth.restart();
  expect(JSON.stringify(chi.sees().home)).not.toContain('archive_2023');
});

test('where anybody may approve, a person whose sign-in does not show the target is not shown the request', async () => {
  const dev = await earth.enters('Dev', 'dev');
  const [nothing, unread] = ['Nothing waits for your approval.', 'I could not check everything that waits'];
  for (const [answer, says] of [
    [() => Response.json([]), nothing],
    [() => Response.json({ message: 'not yours' }, { status: 403 }), nothing],
    [() => new Response('', { status: 503 }), unread],
  ] as const) {
    const meetings = ['/database/list', '/database/MARIADB_LIVE_SERVER-5'].map(path => road.meets(path, answer));
    await earth.clock.advance(60_000);
    const shown = await listFor(dev);
    expect(shown).not.toContain('archive_2023');
    expect(shown).toContain(says);
    for (const meeting of meetings) meeting.leave();
  }
  await earth.clock.advance(60_000);
  expect(await listFor(dev)).toContain('archive_2023');
});

describe('what the service would refuse', () => {
  test.each([
    ['/db delete orders', 'orders-3320 (MYSQL_CLONE_SERVER-1), orders-3321 (MYSQL_CLONE_SERVER-2) depend on it.'],
    ['/db delete loadtest', 'perf-lab (HOST_ENVIRONMENT-6) is DISABLED, so nothing runs on it.'],
    ['/db snapshot delete MARIADB_SNAPSHOT-2', 'billing-3330 (MARIADB_CLONE_SERVER-1) depends on it.'],
  ])(
    'a deletion that the service would refuse says so on its last page, and cannot be submitted (%s)',
    async (line, why) => {
      const cards = earth.cards('#databases').length;
      expect(await readsShutPage(ana, line, /The service will refuse this/)).toContain(`refuse this: ${why}`);
      expect(earth.cards('#databases')).toHaveLength(cards);
      expect(earth.writes()).toEqual([]);
    },
  );

  test('a deletion’s last page names the target by its identifier and environment', async () => {
    await ana.types('#databases', '/db delete archive_2023');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('"confirm"'), 'the last page');
    const { text } = await ana.modal();
    expect(text).toMatch(
      /\*Delete archive_2023\*: live database on \*mariadb-prod\*, DISABLED \(`MARIADB_LIVE_SERVER-5`\)/,
    );
    expect(text).not.toContain('will refuse');
    await ana.cancels(true);
  });

  test('a deletion of a clone whose name looks like another’s says so, and is confirmed by the identifier', async () => {
    earth.service.service.rename('MYSQL_CLONE_SERVER-1', 'twin-main');
    earth.service.service.rename('MYSQL_CLONE_SERVER-2', 'twin-mаin');
    await earth.clock.advance(60_000);
    await ana.types('#databases', '/db delete MYSQL_CLONE_SERVER-2');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('"confirm"'), 'the last page');
    expect((await ana.modal()).text).toMatch(
      /virtual clone of orders on .*`MYSQL_CLONE_SERVER-2`.*looks like the name of MYSQL_CLONE_SERVER-1 on /s,
    );
    await ana.fills({ confirm: 'twin-main', reason: 'It is old.' });
    expect((await ana.submits()).errors).toHaveProperty('confirm');
    const cards = earth.cards('#databases').length;
    await ana.fills({ confirm: 'MYSQL_CLONE_SERVER-2' });
    await ana.submits();
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message');
    await earth.until(() => earth.text(card).includes('Waits for approval'), 'the request');
    expect(earth.text(card)).toContain('its source and the snapshots of its source stay');
    expect(earth.text(card)).not.toMatch(/its snapshots are deleted|deleted with it/i);
    expect(earth.text(card)).toContain('It looks like the name of MYSQL_CLONE_SERVER-1');
  });
});

test('“/db doctor” warns that anybody may approve where no approver is listed', async () => {
  await ana.types('#dev', '/db doctor');
  const found = await ana.reads('#dev', 'Approvers: ');
  expect(JSON.stringify(found.blocks)).toContain(
    ':warning: Approvers: nobody is listed, so anybody else who is signed in to the service may approve',
  );
});
