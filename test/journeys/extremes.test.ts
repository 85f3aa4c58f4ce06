import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { asksForClone, ends, opensForm, refusedClone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

/** Names as nobody should give them, and as somebody will. */
const names = [
  ['that mentions everybody', '<!channel> & <@U0BEN00001> <https://example.com|click>'],
  ['of 600 characters', 'n'.repeat(600)],
  ['of marks and pictures', '*_~`> ☃ 👩‍👩‍👧‍👦 \u202Egnp.exe'],
  ['with lines', 'first\nsecond\r\nthird\u0000'],
  ['with quotes', `it's "so" “called” \\`],
  ['that looks like an identifier', 'USER-1'],
  ['that is a number', '4711'],
] as const;

describe.each(names)('a database with a name %s', (_what, name) => {
  beforeAll(async () => {
    earth.service.service.rename('MYSQL_LIVE_SERVER-2', name);
    await earth.clock.advance(20_000);
  });
  afterAll(() => earth.service.service.rename('MYSQL_LIVE_SERVER-2', 'shop'));

  test('a database with an odd name is listed, shown, chosen and cloned, and its name mentions nobody', async () => {
    await ana.types('#databases', '/db list MYSQL_LIVE_SERVER-2');
    await ana.reads('#databases', 'MYSQL_LIVE_SERVER-2');
    await ana.types('#databases', '/db show MYSQL_LIVE_SERVER-2');
    await ana.reads('#databases', 'MYSQL_SNAPSHOT-8');
    await opensForm(ana, '#databases', '/clone');
    expect(await ana.choices('sourceDatabase', 'MYSQL_LIVE_SERVER-2')).toHaveLength(1);
    await ana.cancels();

    const port = 3400 + names.findIndex(([, other]) => other === name);
    const card = await asksForClone(earth, ana, '#databases', '/clone MYSQL_LIVE_SERVER-2', {
      targetEnvironment: 'dev',
      install: 'MYSQL',
      environmentUser: 'mysql',
      mountBase: `/mnt/${port}`,
      port,
    });
    await ends(earth, card, 'Confirmed');
    for (const message of earth.playground.slack.messages('#databases')) {
      // A button's label is spoken as it is: nothing in it mentions anybody.
      const parsed = JSON.stringify(message, (key, value: unknown) =>
        key === 'accessibility_label' ? undefined : value,
      );
      expect(parsed).not.toMatch(/<!channel>|<@U0BEN|<https:\/\/example|\u202e/i);
    }
  });
});

test('the longest texts that a clone form takes arrive at the service whole', async () => {
  const lines = Array.from({ length: 120 }, (_, at) => `a_parameter_${at}=\`<!here>\` & ${'v'.repeat(4)}`);
  const card = await asksForClone(earth, ana, '#databases', '/clone payroll', {
    targetEnvironment: 'dev',
    install: 'ORACLE',
    environmentUser: 'oracle',
    databaseName: 'LONGEST',
    dbUniqueName: 'u'.repeat(30),
    instanceName: 'i'.repeat(30),
    mountBase: `/${'m'.repeat(1023)}`,
    specificPostScriptPath: `/${'<!here>&`'.repeat(110)}`,
    databaseParams: lines.join('\n').slice(0, 2_900),
  });
  await ends(earth, card, 'Confirmed');
  const sent = JSON.stringify(earth.writes().at(-1)?.body);
  expect(sent).toContain('m'.repeat(1023));
  expect(sent).toContain('<!here>&`'.repeat(110));
  expect(earth.text(card)).not.toContain('<!here>');
});

test('a very long refusal of the service is told in a message, and mentions nobody', async () => {
  const refusal = road.meets('/database/clone/create', () =>
    Response.json({ message: `no, <!channel>, ${'because '.repeat(20_000)}` }, { status: 400 }),
  );
  const fields = {
    targetEnvironment: 'dev',
    install: 'MYSQL',
    environmentUser: 'mysql',
    mountBase: '/mnt/refused',
    port: 3450,
  };
  const { text } = await refusedClone(earth, ana, '/clone orders', { fields });
  refusal.leave();
  expect(text).toContain('because because');
  expect(text).not.toContain('<!channel>');
});

test('a list of 3,000 databases is searched, and one of them is chosen in a form', async () => {
  const [model] = [...earth.service.service.estate.databases.values()];
  if (!model) throw new Error('the example is empty');
  for (let at = 0; at < 3_000; at++)
    earth.service.service.add({ ...model, id: `ORACLE_LIVE_DATABASE-${1_000 + at}`, name: `estate${at}` });
  await earth.clock.advance(20_000);
  await ana.types('#databases', '/db list estate29');
  await ana.reads('#databases', '111 databases');
  await opensForm(ana, '#databases', '/clone');
  expect(await ana.choices('sourceDatabase', 'estate2999')).toEqual(['estate2999']);
  expect((await ana.choices('sourceDatabase', 'estate')).length).toBeGreaterThan(90);
  await ana.cancels();
  await opensForm(ana, '#databases', '/clone estate2999');
  expect(JSON.stringify((await ana.modal()).fields)).toContain('ORACLE_LIVE_DATABASE-3999');
  await ana.cancels();
});

test.each([
  ['/clone', 'sourceDatabase'],
  ['/db schedule backup', 'target'],
])(
  'choices in the form of %s that take too long are said to be loading, and are there at the next letter',
  async (command, field) => {
    await opensForm(ana, '#databases', command);
    await earth.clock.advance(20_000);
    const list = road.holds('/database/list', 'before');
    const early = ana.choices(field, '');
    await list.arrived;
    await earth.clock.advance(2_500);
    expect(await early).toEqual(['Still loading …']);
    list.lets();
    expect(await ana.choices(field, 'order')).toEqual(['orders']);
    await ana.cancels();
  },
);
