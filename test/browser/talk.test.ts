import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, choose, picture, say } from './screen.ts';

let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  earth = await world();
  browser = await startBrowser();
  page = await (await openWindow(browser)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

test('a mention in a thread opens the clone form by a button, and the clone is reported in that thread', async () => {
  const ben = await earth.enters('Ben');
  await earth.enters('Ana', 'ana');
  await ben.types('#databases', 'Can QA have a fresh copy of shop for the regression run?');
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();
  const question = page.locator('[data-ts]', { hasText: 'Can QA have' });
  await question.hover();
  await question.getByRole('button', { name: 'Reply in thread' }).click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  const composer = thread.getByRole('textbox', { name: 'Reply in thread' });
  await composer.fill('@dolly clone shop port=3310');
  await composer.press('Enter');
  await thread.getByRole('button', { name: 'Open the form' }).click();
  const form = page.getByRole('dialog', { name: 'Clone' });
  await choose(page, form, 'targetEnvironment', 'dev');
  await form.getByText('Filled in for you').waitFor();
  await form.getByRole('button', { name: 'Clone', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  const card = thread.locator('[data-ts]', { hasText: 'Virtual clone of shop' }).first();
  await earth.until(async () => (await card.getByText('Confirmed').count()) > 0, 'the proof');
  await earth.until(async () => (await thread.getByText('confirmed after').count()) > 0, 'the end');
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'mention');

  await page.getByRole('button', { name: 'Close' }).click();
  await say(page, '/db list');
  const list = page.locator('[data-ts]', { hasText: '22 databases' }).last();
  await list.getByRole('table').waitFor();
  await list.evaluate(message => message.scrollIntoView());
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'list');
  expect(earth.playground.slack.violations()).toEqual([]);
});
