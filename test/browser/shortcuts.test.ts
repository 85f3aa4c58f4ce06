import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ends, quickClone } from '../journeys/clones.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers } from './screen.ts';

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

/**
 * The page as it is now, wide and on a phone in the dark: nothing is cut off, and axe finds no barrier. Pictures go into
 * the folder LOOKS, for whoever wants to look at them.
 */
async function looks(name: string): Promise<void> {
  for (const [colorScheme, width] of [
    ['light', 1240],
    ['dark', 380],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 760 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await barriers(page)).toEqual([]);
    const folder = process.env.LOOKS;
    if (folder) await page.screenshot({ path: join(folder, `shortcuts-${name}-${colorScheme}-${width}.png`) });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1240, height: 760 });
}

test('what a message of another app names is looked up from its menu, and Home leads through the first steps', async () => {
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
  await looks('steps-signed-in');
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
  await looks('own-clones');

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
  await looks('ask');
  await modal
    .getByRole('button', { name: /^Details/ })
    .first()
    .click();
  await modal.getByRole('button', { name: 'Back', exact: true }).waitFor();
  await looks('details');
  await modal.getByRole('button', { name: 'Back', exact: true }).click();
  await modal
    .getByRole('button', { name: /^Back up/ })
    .first()
    .click();
  await modal.getByText('I have it').last().waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await modal.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await page.getByRole('menuitem', { name: /Protection status/ }).click();
  await modal.getByText('databases protected').first().waitFor();
  await looks('status');
  expect(earth.playground.slack.violations()).toEqual([]);
});
