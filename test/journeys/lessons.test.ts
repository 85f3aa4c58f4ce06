import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordOf, stringOf } from '../../src/sandbox/playground/json.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';
import { ends, opensForm, quickLine, submitsClone, toldAlone } from './clones.ts';

/* What the sandbox requires is in no specification: its first refusal tells it, and is its last. */

let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
});
afterAll(() => earth.close());

/** The labels of the open form's inputs that must be filled in. */
async function asksFor(someone: Someone): Promise<string[]> {
  const { blocks } = await someone.modal();
  return blocks.flatMap(({ type, optional, label }) =>
    type === 'input' && optional === false ? [stringOf(recordOf(label).text)] : [],
  );
}

/** Opens the form of a clone on `dev` without anything that Dolly fills in. */
async function opensEmpty(someone: Someone): Promise<void> {
  await opensForm(someone, '#databases', '/clone shop targetEnvironment=HOST_ENVIRONMENT-4');
  await someone.presses('Start empty');
  await someone.until(() => !JSON.stringify(someone.sees().views).includes('Filled in for you'), 'an empty form');
}

const needed = ['Port', 'Mount base', 'Environment user', 'Installation'];

test('a refusal for missing fields is told to the requester alone, with the form to fill in again', async () => {
  await opensEmpty(ana);
  expect((await ana.modal()).text).not.toContain('Needed');
  await ana.submits();
  const told = await earth.until(() => toldAlone(ana)[0], 'the refusal');
  expect(told).toMatchObject({ onlyFor: ana.id });
  expect(told.text).toMatch(/^:x: \*Not cloned\*: the service also needs \*.*\*\.\n\[Fill these in\]\n/);
  for (const label of needed) expect(told.text).toContain(label);
  expect(told.text).toContain('/clone shop cloneType=VIRTUALCLONE targetEnvironment=dev');
  expect(earth.cards('#databases')).toEqual([]);
  expect(ben.messages('#databases')).toEqual([]);

  await ana.presses('Fill these in', { message: told });
  await ana.until(() => JSON.stringify(ana.sees().views).includes('"submit":{'), 'the form');
  expect((await asksFor(ana)).filter(label => needed.includes(label)).toSorted()).toEqual(needed.toSorted());
  expect((await ana.modal()).text).toContain('The service needs this.');
  await ana.fills({ port: 3501, mountBase: '/mnt/c3501', environmentUser: 'backup' });
  expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
  const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
  expect(await ends(earth, card, 'Confirmed')).toContain('`/clone shop cloneType=VIRTUALCLONE targetEnvironment=dev');
  expect(toldAlone(ana)).toHaveLength(1);
});

test('the fields that one refusal named are then required in everybody’s form, for that vendor alone', async () => {
  await opensForm(ben, '#databases', '/clone shop targetEnvironment=HOST_ENVIRONMENT-4');
  expect(await asksFor(ben)).toEqual(expect.arrayContaining(needed));
  expect((await ben.modal()).text).toContain('/db doctor');
  await ben.cancels();
  await opensEmpty(ben);
  const { errors, open } = await ben.submits();
  expect(open).toBe(true);
  const blocks = Object.keys(errors).map(block => block.split(':')[0]);
  expect(blocks.toSorted()).toEqual(['environmentUser', 'install', 'mountBase', 'port']);
  await ben.cancels();
  await opensForm(ben, '#databases', '/clone billing targetEnvironment=HOST_ENVIRONMENT-4');
  expect(await asksFor(ben)).not.toContain('Port');
  await ben.cancels();
  expect((await answerTo(ben, '/db why clone shop')).text).toContain('Mount base');
});

test('a refusal for a wrong value is shown in the form again, in the service’s words', async () => {
  const before = toldAlone(ben).length;
  await submitsClone(ben, '#databases', quickLine(3501, '/mnt/other'), {});
  const told = await earth.until(() => toldAlone(ben)[before], 'the refusal');
  expect(told.text).toContain('3501 is in use');
  await ben.presses('Change and ask again', { message: told });
  await ben.until(() => JSON.stringify(ben.sees().views).includes('"submit":{'), 'the form');
  expect((await ben.modal()).text).toMatch(/The service says: .*3501 is in use/);
  await ben.cancels();
});

test('a lesson about required fields is forgotten by a button of “/db doctor”, and can be learned anew', async () => {
  await ben.types('#databases', '/db doctor');
  const told = await ben.reads('#databases', /clone, MySQL: .*Mount base/);
  await ben.presses('Forget', { message: told });
  await ben.reads('#databases', 'Forgotten');
  await opensEmpty(ben);
  expect(await asksFor(ben)).not.toContain('Port');
  const before = toldAlone(ben).length;
  await ben.submits();
  await earth.until(() => toldAlone(ben)[before], 'the refusal');
  await opensEmpty(ben);
  expect(await asksFor(ben)).toContain('Port');
  await ben.cancels();
});
