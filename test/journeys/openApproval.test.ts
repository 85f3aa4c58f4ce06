import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks } from './asking.ts';
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

test('who sees the target with their own sign-in is shown the request', async () => {
  expect(await listFor(ben)).toContain('archive_2023');
  expect(await ben.opensHome()).toContain('Waits for you');
  await ben.until(() => JSON.stringify(ben.sees().home).includes('archive_2023'), 'the request in Home');
});

test('who is not signed in is shown nothing of it, and offered a sign-in', async () => {
  const shown = await listFor(chi);
  expect(shown).toContain('Sign in');
  expect(shown).not.toContain('archive_2023');
  await chi.opensHome();
  await earth.restart();
  expect(JSON.stringify(chi.sees().home)).not.toContain('archive_2023');
});

test('who does not see the target, or cannot know at the moment, is shown nothing of it', async () => {
  const dev = await earth.enters('Dev', 'dev');
  for (const answer of [
    () => Response.json([]),
    () => Response.json({ message: 'not yours' }, { status: 403 }),
    () => new Response('', { status: 503 }),
  ]) {
    const meetings = ['/database/list', '/database/MARIADB_LIVE_SERVER-5'].map(path => road.meets(path, answer));
    await earth.clock.advance(60_000);
    expect(await listFor(dev)).not.toContain('archive_2023');
    for (const meeting of meetings) meeting.leave();
  }
  await earth.clock.advance(60_000);
  expect(await listFor(dev)).toContain('archive_2023');
});

test('the doctor warns that anybody may approve', async () => {
  await ana.types('#dev', '/db doctor');
  const found = await ana.reads('#dev', 'Approvers: ');
  expect(JSON.stringify(found.blocks)).toContain(
    ':warning: Approvers: nobody is listed, so anybody else who is signed in to the service may approve',
  );
});
