import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { asksForClone, ends, quickLine } from '../journeys/clones.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, looks, picture, say } from './screen.ts';

const policy = `leases:
  - title: clones on dev live for two weeks
    environment: dev
    longest: 2w
    warn: [1d]
    end: delete
`;

const folder = scratchFolder('lease');
let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  earth = await world({ environment: { POLICY_FILE: file }, service: { tokenLifetime: 30 * day } });
  browser = await startBrowser();
  page = await (await openWindow(browser, 620)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the owner of a clone is warned before its lease ends, also on a narrow screen, and keeps it by one click', async () => {
  const ana = await earth.enters('Ana', 'ana');
  const card = await asksForClone(earth, ana, '#databases', `${quickLine(3310)} keepFor=3d`, {});
  await ends(earth, card, 'is ready');
  await earth.clock.advance(10_000);
  await earth.clock.leap(2 * day - minute);
  await earth.until(() => earth.replies(card)[1], 'the warning');

  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
  const channels = page.getByRole('navigation', { name: 'Workspace' });
  await channels.getByText('databases', { exact: true }).click();
  await page.getByRole('button', { name: '2 replies' }).click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await thread.getByText('Then I stop it, and delete it 1 day later').waitFor();
  expect(await barriers(page)).toEqual([]);
  await picture(page, 'lease');

  await channels.getByText('Dolly', { exact: true }).click();
  await page.getByRole('tab', { name: 'Messages' }).click();
  const warning = page.locator('[data-ts]', { hasText: 'is kept until' }).last();
  await warning.waitFor();
  await page.setViewportSize({ width: 380, height: 760 });
  await warning.getByRole('button', { name: '3 days longer' }).scrollIntoViewIfNeeded();
  const ben = await earth.enters('Ben');
  await ben.types('#databases', '@ana do you still need it?');
  const notice = await page.getByTestId('notice').boundingBox();
  const button = await warning.getByRole('button', { name: '1 day longer' }).boundingBox();
  expect((notice?.y ?? Infinity) + (notice?.height ?? 0), 'a notice covers no button').toBeLessThan(button?.y ?? 0);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(380);
  expect(await barriers(page)).toEqual([]);
  await warning.getByRole('button', { name: '3 days longer' }).click();
  await page.getByText('keeps it until').waitFor();
  await page.setViewportSize({ width: 1_240, height: 620 });
  await channels.getByText('databases', { exact: true }).click();
  await say(page, '/db leases');
  await page.locator('[data-ts]', { hasText: 'shop-3310' }).last().waitFor();
  await looks(page, 'leases');
  expect(earth.playground.slack.violations()).toEqual([]);
});
