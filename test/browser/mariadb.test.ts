import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type BrowserContext, type BrowserServer, chromium, type Locator, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
import { machineClock } from '../../src/sandbox/service/clock.ts';
import { lacking, openEngine, stateFolder, testOnServers } from '../mariadb.ts';
import { newPort } from '../sandbox/service/mariadb/newPort.ts';
import { type World, world } from '../world.ts';
import { openWindow } from './chromium.ts';
import { launch } from './launch.ts';
import { choose, picture, say } from './screen.ts';

let real: ReturnType<typeof stateFolder>;
let earth: World;
let server: BrowserServer;
let context: BrowserContext;

beforeAll(async () => {
  if (lacking !== undefined) return;
  real = stateFolder();
  earth = await world({
    ownProcess: true,
    service: { engines: { MARIADB: await openEngine(real.folder) }, stateDir: real.folder, clock: machineClock },
  });
  await earth.enters('Ana', 'ana');
  server = await launch();
  context = await openWindow(await chromium.connect(server.wsEndpoint()), 900);
});
afterAll(async () => {
  await server?.close();
  await earth?.close();
  real?.remove();
});

testOnServers(
  'on the page, a person backs up a real server, clones it, queries the clone by the command that the message shows, resets, shares and converts it, and restores a table',
  async () => {
    const page = await context.newPage();
    await page.goto(earth.playground.url);
    await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
    const mounts = join(real.folder, 'mounts');
    const live = `mariadb --defaults-file=${join(real.folder, 'live', 'webshop', 'client.cnf')}`;
    const [port, otherPort] = [await newPort(), await newPort()];
    const count = 'SELECT COUNT(*) FROM shop.customers';

    await say(page, '/db backup webshop');
    await ended(page, 'Backup of webshop');
    const before = await query(live, count);

    await say(page, `/clone webshop port=${port} mountBase=${join(mounts, 'ana')}`);
    const form = page.getByRole('dialog', { name: 'Clone' });
    await choose(page, form, 'targetEnvironment', 'this-machine');
    await choose(page, form, 'environmentUser', '');
    await choose(page, form, 'install', 'MARIADB');
    await submit(form, 'Clone');
    const card = await ended(page, 'Virtual clone of webshop');
    const clone = await commandIn(card);
    await picture(page, 'mariadb-clone');
    expect(await query(clone, count)).toBe(before);

    await query(clone, 'DELETE FROM shop.order_lines; DELETE FROM shop.customers');
    expect([await query(clone, count), await query(live, count)]).toEqual(['0', before]);
    const name = `webshop-${port}`;
    await say(page, `/db reset ${name}`);
    await confirm(page, 'Reset', name);
    await ended(page, `Reset of ${name}`);
    expect(await query(clone, count)).toBe(before);

    await query(clone, "UPDATE shop.customers SET name = 'Only in this clone' WHERE id = 1");
    await say(page, `/db share ${name} port=${otherPort} mountBase=${join(mounts, 'shared')}`);
    const sharing = page.getByRole('dialog', { name: 'Share' });
    await choose(page, sharing, 'environment', 'this-machine');
    await choose(page, sharing, 'environmentUser', '');
    await choose(page, sharing, 'install', 'MARIADB');
    await submit(sharing, 'Share');
    const shared = await commandIn(await ended(page, `Shared clone of ${name}`));
    expect(await query(shared, 'SELECT name FROM shop.customers WHERE id = 1')).toBe('Only in this clone');

    await say(page, `/db convert ${name} localDirectory=${join(mounts, 'own')}`);
    await confirm(page, 'Convert', name);
    await ended(page, `Conversion to physical of ${name}`);
    expect(await query(clone, 'SELECT @@datadir')).toBe(`${join(mounts, 'own', 'data')}/`);

    await query(live, 'UPDATE shop.products SET price = 0; UPDATE shop.sold SET quantity = 7');
    await say(page, '/restore webshop backUpFirst=false');
    const restoring = page.getByRole('dialog', { name: 'Restore' });
    await choose(page, restoring, 'objectType', 'table');
    await choose(page, restoring, 'databaseName', 'shop');
    await choose(page, restoring, 'tableName', 'products');
    await picture(page, 'mariadb-restore');
    await confirm(page, 'Restore', 'webshop');
    await ended(page, 'Restore of webshop');
    expect(await query(live, 'SELECT COUNT(*) FROM shop.products WHERE price = 0')).toBe('0');
    expect(await query(live, 'SELECT COUNT(*) FROM shop.sold WHERE quantity <> 7')).toBe('0');
    await picture(page, 'mariadb-all');
    expect(earth.playground.slack.violations()).toEqual([]);
  },
  300_000,
);

/** The message of a job, once it has ended: confirmed, or the test fails with its words. */
async function ended(page: Page, what: string): Promise<Locator> {
  const card = page.locator('[data-ts]', { hasText: what }).first();
  await card
    .getByText(/\b(Confirmed|Failed|Unconfirmed|Finished)\b/)
    .first()
    .waitFor({ timeout: 90_000 });
  expect(await card.innerText()).toContain('Confirmed');
  return card;
}

/** The command that a message shows to open a session. */
async function commandIn(card: Locator): Promise<string> {
  return card.locator('pre', { hasText: 'mariadb --' }).first().innerText();
}

/** Runs that command as it is, in no shell, with one more option. */
async function query(command: string, statement: string): Promise<string> {
  const [program = '', ...options] = command.split(' ');
  const { stdout } = await promisify(execFile)(program, [...options, '-BN', '-e', statement]);
  return stdout.trim();
}

async function submit(form: Locator, label: string): Promise<void> {
  await form.getByRole('button', { name: label, exact: true }).click();
  await form.waitFor({ state: 'detached' });
}

/** Reads the last page of a form, which warns, and types the name where it asks for it. */
async function confirm(page: Page, title: string, name: string): Promise<void> {
  const form = page.getByRole('dialog', { name: title });
  const next = form.getByRole('button', { name: 'Next' });
  await form.getByRole('button', { name: new RegExp(`^(Next|${title})$`) }).waitFor();
  if ((await next.count()) > 0) await next.click();
  await form.getByRole('button', { name: title, exact: true }).waitFor();
  const input = form.locator('[data-block-id^="confirm"] input');
  if ((await input.count()) > 0) await input.fill(name);
  await submit(form, title);
}
