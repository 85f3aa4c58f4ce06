import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ends, quickClone } from '../journeys/clones.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { looks } from './screen.ts';

let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  earth = await world();
  browser = await startBrowser();
  page = await (await openWindow(browser, 760)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

test('Dolly looks up what another app’s message names from its menu, and Home leads through the first steps', async () => {
  const ben = await earth.enters('Ben');
  await ben.opensHome();
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ben · Developer' });
  const channels = page.getByRole('navigation', { name: 'Workspace' });
  await channels.getByText('Dolly', { exact: true }).click();
  await page.getByText('Your first steps').waitFor();

  await earth.signsIn(ben, '#dev', 'ben');
  await earth.until(() => JSON.stringify(ben.sees().home).includes('at the service.'), 'the first step');
  await page.getByText('You are ben at the service.').waitFor();
  await looks(page, 'shortcuts-steps-signed-in');
  const card = await quickClone(earth, ben, 3401);
  await ends(earth, card, 'Confirmed');
  await earth.until(() => JSON.stringify(ben.sees().home).includes('shop-3401'), 'the clone in Home');
  // Home is published anew meanwhile, which replaces what is about to be scrolled to.
  const scrolls = () => page.getByText('Yours', { exact: true }).scrollIntoViewIfNeeded();
  await earth.until(
    () =>
      scrolls().then(
        () => true,
        () => false,
      ),
    'the clones in the page',
  );
  await looks(page, 'shortcuts-own-clones');

  const attachments = [
    {
      color: 'danger',
      title: 'Replication is late',
      text: 'shop (MYSQL_LIVE_SERVER-2) and billing, 340 s behind. MYSQL_LIVE_SERVER-99 is gone.',
    },
  ];
  earth.playground.slack.otherApp('#databases', { text: '', attachments });
  await channels.getByText('databases', { exact: true }).click();
  const message = page.locator('[data-ts]', { hasText: 'Replication is late' });
  await message.hover();
  await message.getByRole('button', { name: 'More message actions' }).click();
  await page.getByRole('menuitem', { name: /Ask Dolly/ }).click();
  const modal = page.getByRole('dialog');
  await modal.getByText('2 records').waitFor();
  await looks(page, 'shortcuts-ask');
  await modal
    .getByRole('button', { name: /^Details/ })
    .first()
    .click();
  await modal.getByRole('button', { name: 'Back', exact: true }).waitFor();
  await looks(page, 'shortcuts-details');
  await modal.getByRole('button', { name: 'Back', exact: true }).click();
  await modal
    .getByRole('button', { name: /^Back up/ })
    .first()
    .click();
  await modal.getByText('Got it').last().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('menuitem', { name: /Protection status/ }).click();
  await modal.getByText('databases protected').first().waitFor();
  await looks(page, 'shortcuts-status');
  expect(earth.playground.slack.violations()).toEqual([]);
});
