import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, choose, looks, picture, say } from './screen.ts';

const folder = scratchFolder('schedule');
let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const file = join(folder, 'password');
  writeFileSync(file, 'demo');
  chmodSync(file, 0o600);
  const environment = { SERVICE_USER: 'ben', SERVICE_PASSWORD_FILE: file, APPROVERS: 'S0DBAS0001' };
  earth = await world({ environment, service: { tokenLifetime: 30 * day } });
  browser = await startBrowser();
  page = await (await openWindow(browser, 1_060)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('A schedule is made in a form with days and a time, listed, and changed on a narrow screen', async () => {
  await earth.enters('Ana', 'ana');
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
  const places = page.getByRole('navigation', { name: 'Workspace' });
  await places.getByText('databases', { exact: true }).click();
  await say(page, '/db schedule backup shop zone=Europe/Berlin');

  const form = page.getByRole('dialog', { name: 'On a schedule' });
  await form.getByText('When should I back up').waitFor();
  for (const dayOff of ['Saturday', 'Sunday']) await form.getByLabel(dayOff).uncheck();
  await form.getByLabel('At', { exact: true }).fill('23:30');
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'schedule');
  await form.getByRole('button', { name: 'Schedule', exact: true }).click();
  await page.getByText('runs every weekday at 23:30 (Europe/Berlin)').waitFor();
  await say(page, '/db schedules');
  const list = page.locator('[data-ts]', { hasText: '1 schedule' }).last();
  await list.getByText('yours').waitFor();
  await looks(page, 'schedules');

  await page.setViewportSize({ width: 380, height: 760 });
  await list.getByRole('button', { name: 'Change…' }).click();
  const change = page.getByRole('dialog', { name: 'Change schedule' });
  await choose(page, change, 'repeats', 'Several times');
  await change.getByText('How often').waitFor();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
  expect(await barriers(page)).toEqual([]);
  await change.getByRole('button', { name: 'Save' }).click();
  await page.getByText('every 6 hours').first().waitFor();
  expect(earth.playground.slack.violations()).toEqual([]);
});
