import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { opensForm } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* What is filled into a form comes from the service, which may be late: the form stays usable, and says nothing untrue. */

let earth: World;
let road: Crossing;
let ana: Someone;

beforeAll(async () => {
  road = crossing();
  earth = await world({ service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(async () => {
  if (ana.hasModal()) await ana.cancels(true);
  // What is remembered is forgotten.
  await earth.clock.advance(20_000);
});
afterAll(() => earth.close());

const view = () => JSON.stringify(ana.sees().views.at(-1)?.view ?? {});
const devRecord = '/environment/HOST_ENVIRONMENT-4';
const testRecord = '/environment/HOST_ENVIRONMENT-5';

/** The texts of the form's fields by name, without those that are empty. */
async function content(): Promise<Record<string, string>> {
  const { fields } = await ana.modal();
  const texts = Object.entries(fields).map(([block, { value: state }]) => {
    const text = JSON.stringify(state ?? {});
    const [, value] = /"selected_option":\{.*"value":"([^"]+)"|"value":"([^"]*)"/.exec(text)?.filter(Boolean) ?? [];
    return [block.replace(/:.*/, ''), value ?? ''] as const;
  });
  return Object.fromEntries(texts.filter(([, text]) => text !== ''));
}

/** Chooses an environment whose record the service keeps to itself, and waits until the form says that it looks. */
async function choosesHeld(name: string, record: string) {
  const held = road.holds(record, 'before');
  const chosen = ana.fills({ targetEnvironment: name });
  await held.arrived;
  await earth.until(() => view().includes('Looking at the records'), 'the form to say so');
  await chosen;
  return held;
}

test('records that come late fill in a form’s fields, and change nothing that a person typed meanwhile', async () => {
  await opensForm(ana, '#dev', '/clone shop mountBase=/typed/by/ana');
  const held = await choosesHeld('dev', devRecord);
  expect(Object.keys(await content()).sort()).toEqual([
    'cloneType',
    'mountBase',
    'sourceDatabase',
    'targetEnvironment',
  ]);
  await ana.fills({ mountBase: '/typed/meanwhile' });
  held.lets();
  await ana.until(() => view().includes('Filled in for you'), 'what is filled in');
  expect(await content()).toMatchObject({
    mountBase: '/typed/meanwhile',
    port: '3323',
    install: 'MYSQL_INSTALL-2',
    environmentUser: 'ENVIRONMENT_USER-8',
  });
});

test('a form says that the service did not answer in time, and can be filled in by hand', async () => {
  await opensForm(ana, '#dev', '/clone shop');
  const held = await choosesHeld('dev', devRecord);
  await earth.until(() => view().includes('did not answer in time'), 'the empty fields');
  expect(view()).not.toContain('Filled in for you');
  await ana.fills({ port: 4711, mountBase: '/by/hand' });
  held.lets();
  await earth.clock.advance(5_000);
  expect(await content()).toMatchObject({ port: '4711', mountBase: '/by/hand' });
  expect(view()).not.toContain('Filled in for you');
});

test('late records of an environment that was chosen before change nothing in a form for another one', async () => {
  await opensForm(ana, '#dev', '/clone shop');
  const held = await choosesHeld('dev', devRecord);
  await ana.fills({ targetEnvironment: 'test' });
  await ana.until(() => view().includes('Filled in for you'), 'what fits test');
  const before = await content();
  expect(before).toMatchObject({ targetEnvironment: 'HOST_ENVIRONMENT-5', install: 'MYSQL_INSTALL-3', port: '3323' });
  held.lets();
  await earth.clock.advance(5_000);
  expect(await content()).toEqual(before);
});

test('a form that is submitted before its fields are there shows them, and sends nothing', async () => {
  const writes = earth.writes().length;
  await opensForm(ana, '#dev', '/clone shop');
  const held = await choosesHeld('test', testRecord);
  let answer: Awaited<ReturnType<Someone['submits']>> | undefined;
  const submitting = ana.submits().then(submitted => {
    answer = submitted;
  });
  await earth.until(() => answer, 'the answer to the submit');
  await submitting;
  expect(answer).toEqual({ errors: {}, error: '', open: true });
  expect(view()).toContain('"block_id":"port"');
  held.lets();
  await earth.clock.advance(5_000);
  expect(earth.writes()).toHaveLength(writes);
});

test('a form that is closed before its records come stays closed', async () => {
  await opensForm(ana, '#dev', '/clone shop');
  const held = await choosesHeld('dev', devRecord);
  await ana.cancels(true);
  held.lets();
  await earth.clock.advance(5_000);
  expect(ana.hasModal()).toBe(false);
  expect(earth.playground.slack.violations()).toEqual([]);
});

test('“Start empty” empties what Dolly filled into a form, and nothing is filled in after that', async () => {
  await opensForm(ana, '#dev', '/clone shop');
  await ana.fills({ targetEnvironment: 'dev' });
  await ana.until(() => view().includes('Filled in for you'), 'what fits dev');
  await ana.presses('Start empty');
  await ana.until(() => !view().includes('Filled in for you'), 'an empty form');
  expect(Object.keys(await content()).sort()).toEqual(['cloneType', 'sourceDatabase', 'targetEnvironment']);
  await ana.fills({ targetEnvironment: 'test' });
  expect(Object.keys(await content()).sort()).toEqual(['cloneType', 'sourceDatabase', 'targetEnvironment']);
  await ana.presses('More options');
  await ana.until(() => view().includes('"block_id":"databaseParams"'), 'all fields');
});
