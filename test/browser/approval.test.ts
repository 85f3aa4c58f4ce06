import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalKeys } from '../journeys/approvals.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, picture, say } from './screen.ts';

let earth: World;
let browser: Browser;

beforeAll(async () => {
  earth = await world({ environment: approvalKeys });
  await earth.enters('Ana', 'ana');
  await earth.enters('Dev', 'dev');
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

/** The page as one person has it open, in one channel. */
async function opens(person: string, channel: string): Promise<Page> {
  const context = await openWindow(browser, 900);
  // The page says “tomorrow” by the machine's clock, and the world has its own.
  await context.clock.setFixedTime(earth.clock.now());
  const page = await context.newPage();
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: person });
  await page.getByRole('navigation', { name: 'Workspace' }).getByText(channel, { exact: true }).click();
  return page;
}

test('a deletion that is asked for on the page is approved there by another person, and both see its end', async () => {
  const ana = await opens('Ana · DBA lead', 'databases');
  const dev = await opens('Dev · DBA', 'dba-approvals');

  await say(ana, '/db delete archive_2023');
  const form = ana.getByRole('dialog', { name: 'Delete' });
  await form.getByText('This cannot be undone').waitFor();
  await form.locator('[data-block-id="reason"] textarea').fill('It was moved to the archive of 2026, see CHANGE-118.');
  await form.locator('[data-block-id="confirm"] input').fill('archive_2023');
  expect(await barriers(ana)).toEqual([]);
  await picture(ana, 'delete');
  await form.getByRole('button', { name: 'Ask for approval' }).click();
  await form.waitFor({ state: 'detached' });
  const own = ana.locator('[data-ts]', { hasText: 'Deletion of archive_2023' }).first();
  await own.getByText('· Waits for approval').waitFor();

  const card = dev.locator('[data-ts]', { hasText: 'Deletion of archive_2023' }).first();
  await card.getByText('see CHANGE-118').waitFor();
  expect(await barriers(dev)).toEqual([]);
  await picture(dev, 'approval');
  const channels = dev.getByRole('navigation', { name: 'Workspace' });
  await channels.getByText('Dolly', { exact: true }).click();
  await dev.getByRole('tab', { name: 'Home' }).click();
  const home = dev.getByRole('tabpanel', { name: 'Home' });
  await home.getByText('Waits for your approval').waitFor();
  await home.getByText('see CHANGE-118').waitFor();
  await home.getByText('billing-3330').first().waitFor();
  expect(await barriers(dev)).toEqual([]);
  await picture(dev, 'home');
  await channels.getByText('dba-approvals', { exact: true }).click();
  await card.getByRole('button', { name: 'Approve' }).click();
  await dev.getByText('on mariadb-prod (HOST_ENVIRONMENT-3)). It runs at once, as ana').waitFor();
  expect(earth.writes()).toEqual([]);
  await dev.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();

  await earth.until(async () => (await own.getByText('Confirmed').count()) > 0, 'the proof');
  await earth.until(async () => (await card.getByText('Confirmed').count()) > 0, 'the proof on the card');
  expect(await card.textContent()).toContain('Approved by @Dev as dev');
  await picture(dev, 'approved');
  expect(earth.writes()).toHaveLength(1);
  expect(earth.playground.slack.violations()).toEqual([]);
});
