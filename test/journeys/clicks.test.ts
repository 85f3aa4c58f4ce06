import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Someone, textOf } from '../person.ts';
import { loginPath, type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { asks } from './asking.ts';
import { ends, opensForm } from './clones.ts';
import { type Cost, counting } from './counting.ts';

const lossAfterBackup =
  'The backup made first keeps everything up to its own moment. Whatever is written between that backup and the restore is lost. If you take the restore back, you lose what was written after it.';

/* What the usual work costs in clicks and typed characters after the command. A page of the documentation quotes these numbers. */

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world();
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

const page = readFileSync(join(import.meta.dirname, '../../docs/commands.md'), 'utf8');

/** Claims that the page says the same of this work. */
function isQuoted(work: string, { clicks, characters }: Cost): void {
  expect(page).toContain(`| ${work} | ${clicks} | ${characters} |`);
}

/** Waits for the message of the job that was just asked for, and for its good end. */
async function isDone(before: number, record: string): Promise<void> {
  const card = await earth.until(() => earth.cards('#dev')[before], 'the message');
  expect(await ends(earth, card, 'Confirmed')).toContain(record);
}

/** Waits for the message of the plan that was just asked for, and for its good end. */
async function isOver(before: number, words: string): Promise<void> {
  const card = await earth.until(() => earth.cards('#dev')[before], 'the message');
  await earth.until(() => earth.text(card).includes(words) && earth.text(card).includes('steps are confirmed'), words);
}

const sent = () => earth.writes().at(-1)?.body;

describe('a clone', () => {
  test('a person’s first clone of a database needs only the source and the environment, and five clicks', async () => {
    const before = earth.cards('#dev').length;
    await opensForm(ana, '#dev', '/clone');
    const form = counting(ana);
    await form.picks('sourceDatabase', 'shop');
    await form.picks('targetEnvironment', 'dev');
    await form.submits();
    expect(form.cost()).toEqual({ clicks: 5, characters: 0, typed: 0 });
    isQuoted('a first clone of a database: `/clone`', form.cost());
    await isDone(before, 'shop-3323');
    expect(sent()).toEqual({
      ...{ vendor: 'MYSQL', cloneType: 'VIRTUALCLONE', sourceDatabase: 'MYSQL_LIVE_SERVER-2' },
      ...{ targetEnvironment: 'HOST_ENVIRONMENT-4', port: 3323, mountBase: '/mnt/shop-3323' },
      ...{ environmentUser: 'ENVIRONMENT_USER-8', install: 'MYSQL_INSTALL-2' },
    });
  });

  test('a person’s usual clone needs two clicks and no typing', async () => {
    const before = earth.cards('#dev').length;
    await opensForm(ana, '#dev', '/clone');
    const form = counting(ana);
    await form.presses('shop');
    await form.submits();
    expect(form.cost()).toEqual({ clicks: 2, characters: 0, typed: 0 });
    isQuoted('the next one: `/clone`', form.cost());
    await isDone(before, 'shop-3324');
  });

  test('a usual clone whose source the command names needs one click', async () => {
    const before = earth.cards('#dev').length;
    await opensForm(ana, '#dev', '/clone shop');
    const form = counting(ana);
    await form.submits();
    expect(form.cost()).toEqual({ clicks: 1, characters: 0, typed: 0 });
    isQuoted('the next one: `/clone shop`', form.cost());
    await isDone(before, 'shop-3325');
  });

  test('“Clone again” makes another clone with two clicks', async () => {
    const before = earth.cards('#dev').length;
    const message = await ana.reads('#dev', 'shop-3325 is ready');
    const form = counting(ana);
    await form.presses('Clone again');
    await ana.until(() => JSON.stringify(ana.sees().views).includes('"submit":{'), 'the form');
    await form.submits();
    expect(message.text).not.toBe('');
    expect(form.cost()).toEqual({ clicks: 2, characters: 0, typed: 0 });
    await isDone(before, 'shop-3326');
  });
});

/** Waits until the page of a form has this field. */
async function has(field: string): Promise<void> {
  await ana.until(() => JSON.stringify(ana.sees().views).includes(`"block_id":"${field}`), `the field ${field}`);
}

test('a clone is renewed from newer data by its maker with two clicks', async () => {
  const before = earth.cards('#dev').length;
  await opensForm(ana, '#dev', '/db renew shop-3325');
  const form = counting(ana);
  await form.submits();
  await ana.until(() => JSON.stringify(ana.sees().views).includes('it is deleted and made again'), 'the last page');
  await form.submits();
  expect(form.cost()).toEqual({ clicks: 2, characters: 0, typed: 0 });
  isQuoted('a clone made again from newer data: `/db renew shop-3310`', form.cost());
  const card = await earth.until(() => earth.cards('#dev')[before], 'the message');
  await ends(earth, card, 'shop-3325 is renewed');
});

test('the deletion of one’s own young clone names the line of the policy that would free it', async () => {
  await ana.types('#dev', '/db delete shop-3326');
  await ana.until(() => ana.hasModal() && JSON.stringify(ana.sees().views).includes('must approve'), 'the last page');
  expect((await ana.modal()).text).toContain('With the line `ownClones: free` in the policy file, you could');
  await ana.cancels(true);
});

test('a database is torn down with three levels of clones for its name, the reason and three clicks', async () => {
  const place = 'environment=HOST_ENVIRONMENT-5 install=MYSQL_INSTALL-3 environmentUser=ENVIRONMENT_USER-12';
  const line = `/db share shop-3324 port=3402 mountBase=/mnt/c3402 ${place}`;
  await ends(earth, await asks(earth, ana, line, { fields: {}, channel: '#dev' }), 'Confirmed');
  const dev = await earth.enters('Dev', 'dev');
  const [before, writes] = [earth.cards('#dev').length, earth.writes().length];
  await ana.types('#dev', '/db delete shop');
  await has('offers');
  const page = counting(ana);
  await page.presses('Delete all 6, in order…');
  await has('reason');
  expect((await ana.modal()).text).toMatch(/\n│\s+└─ \*shop-3402/);
  await page.types('reason', 'Moved.');
  await page.types('confirm', 'shop');
  await page.submits();
  expect(page.cost()).toEqual({ clicks: 3, characters: 10, typed: 2 });
  const card = await earth.until(() => earth.cards('#dev')[before], 'the message');
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  isQuoted('a database torn down with its clones, and theirs: `/db delete shop`', page.cost());
  expect(await clicks(dev, card, 'Approve…')).toContain('You approved it');
  await ends(earth, card, 'shop is torn down');
  expect(earth.writes().slice(writes)).toHaveLength(6);
});

test('an approval by an approver who is signed out takes three clicks, beside the password', async () => {
  const chi = await earth.enters('Chi', 'chi');
  await chi.types('#dev', '/db logout');
  await chi.reads('#dev', 'You are signed out');
  const card = await asks(earth, ana, '/db delete CRMTEST', { name: 'CRMTEST', channel: '#dev' });
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  const [cost, writes] = [{ clicks: 0, characters: 0, typed: 0 }, earth.writes().length];
  cost.clicks += 1;
  const offer = await clicks(chi, card, 'Approve…');
  cost.clicks += 1;
  const body = new URLSearchParams({ username: 'chi', password: 'chi-password' });
  await fetch(`${earth.dolly().url}${loginPath({ blocks: JSON.parse(offer) })}`, { method: 'POST', body });
  // The press before the sign-in decided nothing.
  const request = await chi.reads('#dev', 'What waits for your approval');
  expect(earth.writes().slice(writes)).toEqual([]);
  cost.clicks += 1;
  await chi.presses('Approve…', { message: request });
  await earth.until(() => earth.text(card).includes('Approved by'), 'the approval');
  expect(cost).toEqual({ clicks: 3, characters: 0, typed: 0 });
  isQuoted('an approval with a sign-in, beside the password: *Approve…*', cost);
});

test('a table is restored, with a way back, for four clicks and the typed name of its database', async () => {
  const before = earth.cards('#dev').length;
  await opensForm(ana, '#dev', '/restore orders');
  const form = counting(ana);
  await form.finds('find', 'item');
  expect(JSON.stringify((await ana.modal()).fields)).toMatch(/_TABLE_.*"orders".*"item"/);
  await form.submits();
  await ana.until(async () => (await ana.modal()).text.includes('1. Backup of orders'), 'the last page');
  const { text } = await ana.modal();
  expect(text).toContain(lossAfterBackup);
  expect(text).not.toContain('will be lost');
  await form.types('confirm', 'orders');
  await form.submits();
  expect(form.cost()).toEqual({ clicks: 4, characters: 10, typed: 1 });
  isQuoted('a table of last night, with the way back: `/restore orders`', form.cost());
  await isOver(before, 'Restored');
  const { snapshot } = Object(sent());
  const message = await ana.reads('#dev', 'Take it back');
  expect(textOf(message)).toContain(lossAfterBackup);
  expect(textOf(message)).not.toMatch(/are lost|will be lost/);
  await ana.presses('Take it back…', { message });
  await ana.until(() => JSON.stringify(ana.sees().views).includes('"submit":{'), 'the form');
  // The way back is the snapshot of the first step, which is newer than the one that was restored.
  expect(snapshot).toBe('MYSQL_SNAPSHOT-4');
  const { fields } = await ana.modal();
  expect(JSON.stringify(fields.snapshot)).toMatch(/MYSQL_SNAPSHOT-(?!4")/);
  expect(JSON.stringify(fields.tableName)).toContain('item');
});
