import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, clicks } from './approvals.ts';
import { answerAfter, answerTo } from './asking.ts';
import { sleepsUntil } from './calendarTurns.ts';
import { quickClone } from './clones.ts';

/* Clones that renew themselves each Monday: each time, another record takes the place of the one before. */

const folder = scratchFolder('weekly-renewals');
const [policy, password] = [join(folder, 'policy.yml'), join(folder, 'password')];
let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  writeFileSync(policy, 'rules: [{ operation: clone.renew, schedule: allow }]');
  writeFileSync(password, 'svc-password', { mode: 0o600 });
  const account = { SERVICE_USER: 'svc', SERVICE_PASSWORD_FILE: password };
  earth = await world({
    environment: { ...approvalKeys, ...account, POLICY_FILE: policy },
    service: { tokenLifetime: 900 * day },
  });
  const { users } = earth.service.service.estate;
  const administrator = [...users.values()].find(({ username }) => username === 'ana');
  if (!administrator) throw new Error('there is no Ana');
  users.set('USER-900', { ...administrator, id: 'USER-900', username: 'svc', password: 'svc-password' });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The identifiers of the clones of a name, as they are now. */
const standing = (name: string) =>
  [...earth.service.service.estate.databases.values()].filter(one => one.name === name).map(({ id }) => id);
const says = (card: StoredMessage, words: RegExp) =>
  earth.until(() => words.test(earth.text(card)), `${words}; the message says: ${earth.text(card)}`);
const listed = async (words: string) => textOf(await answerTo(ana, `/db schedules ${words}`));

/** Sleeps to the time of a Monday, and waits until the clone is renewed; gives the identifier of the new one. */
async function isRenewed(name: string, time: string): Promise<string> {
  const [before] = standing(name);
  const cards = earth.cards('#databases').length;
  await sleepsUntil(earth, Date.parse(`${time}Z`));
  const card = await earth.until(() => earth.cards('#databases')[cards], `the run of ${time}`);
  await says(card, new RegExp(`${name} is renewed`));
  const [now, ...others] = standing(name);
  expect(others).toEqual([]);
  expect(now).not.toBe(before);
  return now ?? '';
}

test('a scheduled renewal makes its clone anew on three Mondays in a row with the owner’s sign-in', async () => {
  await says(await quickClone(earth, ana, 3401), /is ready/);
  const made = await answerTo(ana, '/db schedule renew shop-3401 every=mon at=06:00');
  expect(textOf(made)).toContain('*Renewal of shop-3401* runs every Monday at 06:00 (UTC).');
  const clones = [standing('shop-3401')[0]];
  for (const monday of ['2026-11-23', '2026-11-30', '2026-12-07'])
    clones.push(await isRenewed('shop-3401', `${monday}T06:00`));
  expect(new Set(clones).size).toBe(4);
  expect(await listed('shop-3401')).toContain('next ');
  await answerAfter(
    ana,
    '#databases',
    async () => ana.presses('Delete…', { message: await answerTo(ana, '/db schedules') }),
    'an answer',
  );
});

test('a scheduled renewal’s approval holds for the clones that its runs make, and not for one that a click makes', async () => {
  await says(await quickClone(earth, ana, 3402), /is ready/);
  const cards = () => earth.cards(approvalChannel);
  const before = cards().length;
  await ana.types('#databases', '/db schedule renew shop-3402');
  expect((await ana.modal()).text).toContain('When should I renew *shop-3402*?');
  await ana.fills({ days: ['Monday'], at: '06:00', runs: 'The service account' });
  const asked = await answerAfter(ana, '#databases', () => ana.submits(), 'the schedule');
  expect(textOf(asked)).toContain('I ask the approvers whether *Renewal of shop-3402* may run every Monday');
  const card = await earth.until(() => cards()[before], 'the card');
  await says(card, /Approve…/);
  expect(earth.text(card)).toMatch(/Does\*: renew shop-3402[\s\S]*\*Environment\*\s+dev/);
  expect(await clicks(dev, card, 'Approve')).toContain('pproved');
  await says(card, /When it was requested: .*Environment: dev/);
  expect(await listed('shop-3402')).toContain('next ');
  for (const monday of ['2026-12-14', '2026-12-21']) await isRenewed('shop-3402', `${monday}T06:00`);
  expect(cards()).toHaveLength(before + 1);

  // A click runs with the owner’s own sign-in, which nobody has approved for the clone that it makes.
  const runs = earth.cards('#databases').length;
  await ana.presses('Run now', { message: await answerTo(ana, '/db schedules shop-3402') });
  await says(await earth.until(() => earth.cards('#databases')[runs], 'the run'), /shop-3402 is renewed/);
  const anew = await earth.until(() => cards()[before + 1], 'another request');
  await says(anew, /Approve…/);
  expect(earth.text(anew)).toContain(standing('shop-3402')[0]);
  expect(await listed('shop-3402')).toContain('waits for approval');
});
