import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { looks, say } from './screen.ts';

/* Screens of daily work that no other browser test opens, each in light and dark, wide and on a phone. */

let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' }, service: { tokenLifetime: 30 * day } });
  await earth.enters('Dev', 'dev');
  browser = await startBrowser();
  page = await (await openWindow(browser, 900)).newPage();
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Dev · DBA' });
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

const answer = (words: string) => page.locator('[data-ts]', { hasText: words }).last();
const dialog = () => page.getByRole('dialog').last();

test('a batch shows its form, its running and its ended message without barriers, and so do forms for several', async () => {
  await say(page, '/db backup shop billing failing_feed');
  await dialog().getByText('failing_feed').first().waitFor();
  await looks(page, 'batch-page');
  await dialog().locator('button[type=submit]').click();
  await answer('Backing up 3 databases').waitFor();
  await looks(page, 'batch-running');
  await earth.until(async () => (await page.getByText('Retry failed').count()) > 0, 'the end');
  await looks(page, 'batch-ended');

  await say(page, '/db several orders');
  await dialog().getByText('Back up logs').first().waitFor();
  await looks(page, 'several');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });

  await say(page, '/db delete orders-3320, orders-3321');
  await dialog().getByText('2 clones will be deleted').waitFor();
  await looks(page, 'several-deletions');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('maintenance shows its answer and its announcement on the page without barriers', async () => {
  await say(page, '/db maintenance mysql-prod until=4h why="Kernel update of all three hosts"');
  await answer('is in maintenance').waitFor();
  await say(page, '/db maintenance');
  await page.getByText('Kernel update').nth(1).waitFor();
  await looks(page, 'maintenance');
});

test('the form that saves a preset and the list of presets have no barriers', async () => {
  await say(page, '/clone shop targetEnvironment=dev port=3391 mountBase=/mnt/c3391');
  await page.getByRole('button', { name: 'Save as preset…' }).click();
  const form = page.getByRole('dialog', { name: 'Save as preset' });
  await form.locator('[data-block-id^="name"] input').fill('qa');
  await looks(page, 'preset-form');
  await form.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByText('/clone preset=qa').waitFor();
  await dialog().getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog', { name: 'Clone' }).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await say(page, '/db presets');
  await answer('qa').waitFor();
  await looks(page, 'presets');
});

test('the audit trail shows on the page without barriers', async () => {
  await say(page, '/db audit');
  await answer('maintenance').waitFor();
  await looks(page, 'audit');
  expect(earth.playground.slack.violations()).toEqual([]);
});
