import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { fresh } from '../../src/store/jobs/rows/encode.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, say } from './screen.ts';

let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  earth = await world({ handsOnStore: true });
  browser = await startBrowser();
  page = await (await openWindow(browser, 1_000)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

/** Confirmed jobs of eleven weeks: clones, whose time grows, and backups. */
function history(team: string, person: string, now: number): JobRow[] {
  return Array.from({ length: 120 }, (_, at) => {
    const endedAt = now - Math.floor(at * 0.6 * day);
    const isClone = at % 3 > 0;
    const base = {
      ...{ id: `past-${at}`, requestKey: `past-${at}`, team, person, channel: 'C1', purpose: null },
      ...{ state: 'succeeded', dueAt: null, tellAt: null, createdAt: endedAt - 900_000, endedAt },
      ...{ target: 'MYSQL_LIVE_SERVER-2', targetName: at % 7 === 0 ? `shop_${'<x>&`*'.repeat(9)}` : 'shop' },
    };
    const took = (isClone ? 240_000 : 45_000) + ((at * 37) % 90) * 1_000 + (120 - at) * 500;
    return {
      ...{ ...fresh, ...base, operation: isClone ? 'clone.create' : 'database.backup', sentAt: endedAt - took },
      inputs: isClone
        ? JSON.stringify({ cloneType: 'VIRTUALCLONE', targetEnvironment: `HOST_ENVIRONMENT-${4 + (at % 2)}` })
        : '{}',
      labels: '{}',
    };
  });
}

test('Lists, jobs and the statistics are tables that fit on a phone, and the help leads by subjects', async () => {
  const ana = await earth.enters('Ana', 'ana');
  const { team } = earth.playground.slack.workspace;
  const rows = history(team.id, ana.id, earth.clock.now());
  for (let at = 0; at < rows.length; at += 60)
    await earth
      .store()
      .insertInto('jobs')
      .values(rows.slice(at, at + 60))
      .execute();
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();
  for (const [line, words] of [
    ['/db', 'All the rest, by subject'],
    ['/db list', '21 databases'],
    ['/db jobs', 'Your latest jobs'],
    ['/db stats', 'How long it takes'],
  ] as const) {
    await say(page, line);
    const answer = page.locator('[data-ts]', { hasText: words }).last();
    await answer.waitFor();
    for (const [width, scheme] of [
      [1_240, 'light'],
      [1_240, 'dark'],
      [380, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: width > 400 ? 1_000 : 800 });
      await page.emulateMedia({ colorScheme: scheme });
      await answer.evaluate(message => message.scrollIntoView({ block: 'start' }));
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      expect([line, width, wide <= width]).toEqual([line, width, true]);
      for (const caption of await answer.locator('caption span').all()) {
        const { x = 0, width: length = Infinity } = (await caption.boundingBox()) ?? {};
        expect(x + length, `the caption of ${line} fits into ${width}`).toBeLessThanOrEqual(width);
      }
    }
    expect(await barriers(page)).toEqual([]);
    await page.setViewportSize({ width: 1_240, height: 1_000 });
  }
  expect(earth.playground.slack.violations()).toEqual([]);
});
