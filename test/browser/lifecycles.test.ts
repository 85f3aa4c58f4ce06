import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalKeys, clicks } from '../journeys/approvals.ts';
import { ends, quickClone } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, picture, say } from './screen.ts';

let earth: World;
let ana: Someone;
let dev: Someone;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  earth = await world({ environment: approvalKeys });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
  browser = await startBrowser();
  page = await (await openWindow(browser, 900)).newPage();
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

test('A teardown draws its tree, is approved as a whole, and shows each step', async () => {
  await ends(earth, await quickClone(earth, ana, 3310), 'shop-3310');
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();
  await say(page, '/db teardown shop');
  const form = page.getByRole('dialog', { name: 'Tear down shop?' });
  await form.getByText('└─').waitFor();
  await form.locator('[data-block-id="reason"] textarea').fill('The shop has moved to the new platform.');
  await form.locator('[data-block-id="confirm"] input').fill('shop');
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'teardown');
  const before = earth.cards('#dba-approvals').length;
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await form.waitFor({ state: 'detached' });
  const card = await earth.until(() => earth.cards('#dba-approvals')[before], 'the card');
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  await clicks(dev, card, 'Approve…');
  const plan = page.locator('[data-ts]', { hasText: 'Tearing down shop' }).first();
  await earth.until(
    async () => /2\. Deletion of shop\s*Started/.test((await plan.textContent()) ?? ''),
    'the second step',
  );
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'plan');
  const done = page.locator('[data-ts]', { hasText: 'shop is torn down' }).first();
  await earth.until(async () => (await done.count()) > 0, 'the end');
  expect(earth.playground.slack.violations()).toEqual([]);
});
