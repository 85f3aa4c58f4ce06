import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { answerAfter, answerTo } from './asking.ts';
import { asksForClone, ends, opensForm, quickLine } from './clones.ts';

/* A password that somebody typed into a form is shown to nobody else, whichever way a form is filled from their job. */

const secret = 'geheim-7';
const fields = { databaseParams: `max_connections=200\nroot_password=${secret}` };
const left = 'I left this out: root_password';

let earth: World;
let ana: Someone;
let ben: Someone;
let card: StoredMessage;

const folder = scratchFolder('typedPasswords');

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, 'rules: [{ operation: clone.renew, schedule: allow }]');
  earth = await world({ environment: { POLICY_FILE: file } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  card = await asksForClone(earth, ana, '#databases', quickLine(3401), fields);
  await ends(earth, card, 'shop-3401 is ready');
});
afterEach(async () => {
  for (const someone of [ana, ben]) while (someone.hasModal()) await someone.cancels(true);
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Presses a button of the clone's message; gives all of the form that opens, once it has this. */
async function formAfter(someone: Someone, button: string, has: string): Promise<string> {
  const find = () => someone.messages('#databases').find(({ ts }) => ts === card.ts);
  const message = await someone.until(find, 'the message');
  await someone.presses(button, { message });
  return formWith(someone, has);
}

function formWith(someone: Someone, has: string): Promise<string> {
  const view = () => JSON.stringify(someone.sees().views.at(-1)?.view ?? {});
  return someone.until(() => view().includes('"submit":{') && view().includes(has) && view(), has);
}

describe('a password among the parameters of a clone', () => {
  test('a password among a clone’s parameters is filled in again for the person who typed it', async () => {
    expect(await formAfter(ana, 'Clone again', secret)).not.toContain('left this out');
  });

  test('a password among a clone’s parameters is left out, with a note, for a colleague who asks again', async () => {
    const form = await formAfter(ben, 'Clone again', 'max_connections');
    expect(form).not.toContain(secret);
    expect(form).toContain(left);
    expect(form).toContain('# root_password is left out');
    await ben.cancels();
    // The offer to sign in, with which they go on, says the same.
    await answerTo(ben, '/db logout');
    const message = ben.messages('#databases').find(({ ts }) => ts === card.ts);
    const press = () => ben.presses('Clone again', message ? { message } : {});
    const offer = await answerAfter(ben, '#databases', press, 'the sign-in');
    expect(textOf(offer)).toContain(left);
    await earth.signsIn(ben, '#databases', 'ben');
  });

  test('a password among a clone’s parameters is left out of a preset, even for the person who typed it', async () => {
    for (const someone of [ana, ben]) {
      const form = await formAfter(someone, 'Save as preset', 'max_connections');
      expect(form).not.toContain(secret);
      expect(form).toContain('so this is left out: root_password');
      await someone.fills({ name: `of ${someone.name}` });
      expect((await someone.submits()).errors).toEqual({});
      await someone.cancels();
    }
  });

  test('a password among a clone’s parameters is filled into its maker’s renewal, and left out of a colleague’s', async () => {
    await opensForm(ben, '#databases', '/db renew shop-3401');
    const form = await formWith(ben, 'max_connections');
    expect(form).not.toContain(secret);
    expect(form).toContain(left);
    await opensForm(ana, '#databases', '/db renew shop-3401');
    expect(await formWith(ana, secret)).not.toContain('left this out');
  });

  test('a colleague who schedules a clone’s renewal is told that a password is left out of it', async () => {
    const told = await answerTo(ben, '/db schedule renew shop-3401 every=mon at=06:00');
    expect(textOf(told)).toContain(left);
  });
});
