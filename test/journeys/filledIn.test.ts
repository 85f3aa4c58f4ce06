import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { ends, opensForm } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* Forms that are filled in, in bad conditions: others are quicker, the service hangs, records show little or too much. */

let earth: World;
let road: Crossing;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterEach(async () => {
  for (const someone of [ana, ben]) if (someone.hasModal()) await someone.cancels(true);
  // What is remembered is forgotten.
  await earth.clock.advance(20_000);
});
afterAll(() => earth.close());

const view = (someone = ana) => JSON.stringify(someone.sees().views.at(-1)?.view ?? {});
const line = '/clone shop targetEnvironment=dev';

/** The text with which the open form fills in a field. */
async function fieldOf(someone: Someone, name: string): Promise<string | undefined> {
  const { fields } = await someone.modal();
  const found = Object.entries(fields).find(([block]) => block.split(':')[0] === name)?.[1];
  return /"(?:value|text)":"([^"]+)"/.exec(JSON.stringify(found?.value ?? {}).replace('"type":"plain_text"', ''))?.[1];
}

test('of two people who are offered the same free port, the second is told so and gets the next one', async () => {
  const [cards, writes] = [earth.cards('#dev').length, earth.writes().length];
  await opensForm(ana, '#dev', line);
  await opensForm(ben, '#dev', line);
  const port = Number(await fieldOf(ana, 'port'));
  expect(Number(await fieldOf(ben, 'port'))).toBe(port);
  await ana.submits();
  expect(await ben.submits()).toEqual({ errors: {}, error: '', open: true });
  expect((await ben.modal()).text).toContain(`Another request under way has *Port* \`${port}\``);
  expect(await fieldOf(ben, 'port')).toBe(String(port + 1));
  expect(await fieldOf(ben, 'mountBase')).toBe(`/mnt/shop-${port + 1}`);
  expect(await ben.submits()).toEqual({ errors: {}, error: '', open: false });
  const both = await earth.until(
    () => earth.cards('#dev').length === cards + 2 && earth.cards('#dev').slice(cards),
    '',
  );
  for (const card of both) await ends(earth, card, 'Confirmed');
  const ports = earth
    .writes()
    .slice(writes)
    .map(({ body }) => JSON.stringify(body).match(/"port":(\d+)/)?.[1]);
  expect(ports.toSorted()).toEqual([String(port), String(port + 1)]);
});

test('the port of a clone that waits for its backup is not offered to another person', async () => {
  await opensForm(ana, '#dev', `${line} backUpFirst=true`);
  const port = Number(await fieldOf(ana, 'port'));
  const writes = earth.writes().length;
  await ana.submits();
  await earth.until(() => earth.writes().length > writes, 'the backup');
  await opensForm(ben, '#dev', line);
  expect(Number(await fieldOf(ben, 'port'))).toBe(port + 1);
  expect(earth.writes().slice(writes)).toHaveLength(1);
  await ends(earth, await earth.until(() => earth.cards('#dev').at(-1), 'the message'), 'both steps are confirmed');
});

test('a form that is submitted twice is sent once', async () => {
  const [cards, writes] = [earth.cards('#dev').length, earth.writes().length];
  await opensForm(ana, '#dev', line);
  expect(await ana.submits()).toMatchObject({ open: false });
  const answer = await earth.replays('view_submission');
  expect(await answer.json()).toEqual({ response_action: 'clear' });
  await ends(earth, await earth.until(() => earth.cards('#dev')[cards], 'the message'), 'Confirmed');
  expect(earth.writes()).toHaveLength(writes + 1);
});

test('a form opens within three seconds, with what was typed, although the service hangs', async () => {
  const gate = Promise.withResolvers<void>();
  const hung = ['/database/list', '/environment/list', '/environment/HOST_ENVIRONMENT-4'].map(path =>
    road.meets(path, async (_request, next) => {
      await gate.promise;
      return next();
    }),
  );
  const typed = earth.clock.now();
  await ana.types('#dev', '/clone MYSQL_LIVE_SERVER-2 targetEnvironment=HOST_ENVIRONMENT-4 parallel=3');
  await earth.until(() => ana.hasModal(), 'the form', 3_000);
  expect(earth.clock.now() - typed).toBeLessThan(3_000);
  await earth.until(() => view().includes('did not answer in time'), 'the fields', 6_000);
  expect(await fieldOf(ana, 'parallel')).toBe('3');
  expect(view()).toContain('HOST_ENVIRONMENT-4');
  expect(view()).not.toContain('Filled in for you');
  gate.resolve();
  for (const { leave } of hung) leave();
});

/** Takes out of each answer what forms are filled in from. */
const bare: Middleware = async (_request, next) => {
  const answer = await next();
  const known =
    /^(port|vendor|mountBase|install|installs|installations|environmentUser|users|environmentUsers|connection)$/;
  const kept = JSON.stringify(await answer.json(), (key, value) => (known.test(key) ? undefined : value));
  return new Response(kept, { status: answer.status, headers: { 'content-type': 'application/json' } });
};

test('a form leaves its port and installation empty where the records show none, and can be used', async () => {
  const paths = ['/database/list', '/environment/list', '/environment/HOST_ENVIRONMENT-5'];
  const met = paths.map(path => road.meets(path, bare));
  await opensForm(ben, '#dev', '/clone orders targetEnvironment=test');
  expect(await fieldOf(ben, 'port')).toBeUndefined();
  expect(await fieldOf(ben, 'install')).toBeUndefined();
  expect((await ben.modal()).text).not.toMatch(/undefined|null|NaN/);
  await ben.fills({ port: 4801, mountBase: '/mnt/c4801' });
  for (const { leave } of met) leave();
});

test('a database’s hostile name mentions nobody in what a form says of it', async () => {
  earth.service.service.rename('MYSQL_LIVE_SERVER-2', '"><!channel> *x* \u202egnp `y`');
  await earth.clock.advance(20_000);
  await opensForm(ana, '#dev', '/clone');
  await ana.presses('shop');
  await ana.until(() => view().includes('Why these values'), 'what is filled in');
  await ana.presses('Why these values');
  await ana.until(() => view().includes('as you chose last'), 'from where it was filled in');
  const [block] = (await ana.modal()).blocks.filter(one => one.block_id === 'filled');
  const said = JSON.stringify(block);
  expect(said).toContain('&lt;!channel&gt; ∗x∗');
  expect(said).not.toMatch(/<!channel>|\u202e|`/);
  expect(await fieldOf(ana, 'mountBase')).toMatch(/^\/mnt\/shop-\d+$/);
  earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'shop');
});

test('a port that is typed in two forms at once is sent once, also where both forms are one person’s', async () => {
  const writes = earth.writes().length;
  await opensForm(ana, '#dev', `${line} port=4555`);
  await opensForm(ben, '#dev', `${line} port=4555`);
  await ana.submits();
  expect((await ben.submits()).open).toBe(true);
  expect((await ben.modal()).text).toContain('Another request under way has *Port* `4555`');
  await ben.cancels();
  await opensForm(ana, '#dev', `${line} port=4555`);
  expect((await ana.submits()).open).toBe(true);
  expect(Number(await fieldOf(ana, 'port'))).toBeGreaterThan(0);
  expect(await fieldOf(ana, 'port')).not.toBe('4555');
  await ana.cancels();
  await ends(earth, await earth.until(() => earth.cards('#dev').at(-1), 'the message'), 'Confirmed');
  expect(earth.writes().slice(writes)).toHaveLength(1);
});

test('a clone’s name with a blank at its end counts as the same name, and is not sent twice at once', async () => {
  const writes = earth.writes().length;
  const named = '/clone payroll targetEnvironment=dev databaseName=QA77';
  await opensForm(ana, '#dev', named);
  await opensForm(ben, '#dev', named);
  await ana.submits();
  await ben.fills({ databaseName: 'QA77 ' });
  expect((await ben.submits()).open).toBe(true);
  expect((await ben.modal()).text).toContain('Another request under way has *Name of the clone* `QA77');
  await ben.cancels();
  await ends(earth, await earth.until(() => earth.cards('#dev').at(-1), 'the message'), 'Confirmed');
  expect(earth.writes().slice(writes)).toHaveLength(1);
});
