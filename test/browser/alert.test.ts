import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { answerTo } from '../journeys/asking.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, looks, picture } from './screen.ts';

let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 30 * day } });
  browser = await startBrowser();
  page = await (await openWindow(browser, 620)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

const database = (name: string) => {
  const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};

test('a channel reads an alert, and in its thread what is mended, also on a narrow screen and in the dark', async () => {
  const ana = await earth.enters('Ana', 'ana');
  await answerTo(ana, '/db alerts on');
  await earth.clock.advance(minute);
  await earth.clock.leap(5 * minute);
  await earth.clock.advance(10_000);
  const shop = database('shop');
  const others = [...earth.service.service.estate.databases.values()].filter(
    one => one.environment === shop.environment && one !== shop && one.cloneType === undefined,
  );
  Object.assign(shop, { state: 'FAILED', error: 'Replication stopped: the disk of prod is full.' });
  Object.assign(others[0] ?? {}, { state: 'DISABLED' });
  const isAlert = () => earth.cards('#databases').find(card => earth.text(card).includes('the disk of prod'));
  const card = await earth.until(isAlert, 'the alert', 20 * minute);
  await earth.clock.advance(12 * minute);
  Object.assign(shop, { state: 'RUNNING', error: undefined });
  await earth.until(() => earth.replies(card)[0], 'the reply', 20 * minute);
  await earth.until(() => earth.text(card).includes('no longer'), 'the message itself');

  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();
  await page.getByRole('button', { name: /^\d+ repl/ }).click();
  await page.getByRole('complementary', { name: 'Thread' }).getByText('1 problem is left.').waitFor();
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'alert');

  await page
    .getByRole('button', { name: /Choose who is notified/ })
    .first()
    .click();
  const form = page.getByRole('dialog');
  await form.getByText('@dbas').click();
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'called');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('from now on').waitFor();
  await page
    .getByRole('button', { name: /Hand over/ })
    .first()
    .click();
  await form.getByLabel('To').click();
  await page.getByRole('listbox').getByRole('option', { name: /Ben/ }).click();
  await looks(page, 'hand-over');
  await form.getByRole('button', { name: 'Hand over' }).click();
  await page.getByText('is on it until').first().waitFor();

  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barriers(page)).toEqual([]);
  await page.setViewportSize({ width: 380, height: 760 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(380);
  expect(await barriers(page)).toEqual([]);
  expect(earth.playground.slack.violations()).toEqual([]);
});
