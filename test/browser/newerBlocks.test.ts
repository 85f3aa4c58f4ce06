import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Playground, startPlayground } from '../../src/sandbox/playground/server.ts';
import { section } from '../../src/slack/blocks/blocks.ts';
import { seriesChart } from '../../src/slack/blocks/chart.ts';
import { dataTable } from '../../src/slack/blocks/dataTable.ts';
import { message } from '../../src/slack/blocks/message.ts';
import { tokens } from '../sandbox/playground/bolt.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers } from './screen.ts';

const rows = Array.from({ length: 23 }, (_, at) => [
  `database_${String.fromCharCode(97 + ((at * 7) % 23))}`,
  { text: `${at * 3 + 1} h`, value: at * 3 + 1 },
  { text: 'a day', value: 24 },
  at > 7 ? 'late' : 'protected',
]);
const labels = rows.slice(0, 12).map(([name]) => String(name));
const ages = { name: 'age', values: labels.map((_, at) => at * 3 + 1) };
const wanted = { name: 'wanted', values: labels.map(() => 24) };
const shown = [
  message([
    section('*15 of 23 databases are late.*'),
    ...dataTable({ caption: 'Backups', header: ['Database', 'Age', 'Wanted', 'Protection'], rows }),
    ...seriesChart({ type: 'bar', title: 'Ages', categories: labels, series: [ages, wanted], y: 'hours' }),
  ]),
  message([
    ...seriesChart({
      type: 'line',
      title: 'How long clones take',
      categories: ['1', '2', '3'],
      series: [
        { name: 'median', values: [3, 5, 4] },
        { name: '95 %', values: [9, 14, 11] },
      ],
      x: 'week',
      y: 'minutes',
    }),
    ...seriesChart({
      type: 'area',
      title: 'Clones',
      categories: ['Mon', 'Tue', 'Wed'],
      series: [{ name: 'all', values: [1, 4, 2] }],
    }),
  ]),
];

let playground: Playground;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  playground = await startPlayground({ port: 0, ...tokens, commands: [] });
  browser = await startBrowser();
  page = await (await openWindow(browser, 1_500)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await playground?.close();
});

/** Keeps a picture for whoever wants to look at it. */
const look = async (name: string) => {
  const folder = process.env.LOOKS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
};

test('data tables are sorted and paged by mouse and keyboard, and charts are drawn and described', async () => {
  const slack = new WebClient(tokens.botToken, { slackApiUrl: playground.apiUrl, retryConfig: { retries: 0 } });
  const channel = playground.slack.workspace.channels.find(({ name }) => name === 'databases')?.id ?? '';
  for (const { text, blocks } of shown) await slack.chat.postMessage({ channel, text, blocks });
  await page.goto(playground.url);
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();

  const table = page.getByRole('table', { name: 'Backups' });
  const names = () => table.locator('tbody th').allInnerTexts();
  await table.waitFor();
  expect((await names()).slice(0, 3)).toEqual(['database_a', 'database_h', 'database_o']);
  await table.getByRole('button', { name: 'Age' }).click();
  await table.getByRole('button', { name: 'Age' }).press('Enter');
  expect((await names())[0]).toBe(String(rows[22]?.[0]));
  expect(await table.getByRole('columnheader', { name: 'Age' }).getAttribute('aria-sort')).toBe('descending');
  const pages = page.getByRole('navigation', { name: 'Pages of Backups' });
  await pages.getByRole('button', { name: 'Next' }).press('Enter');
  await pages.getByText('11–20 of 23').waitFor();
  await pages.getByRole('button', { name: 'Next' }).click();
  expect(await names()).toHaveLength(3);
  expect(await pages.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true);

  for (const words of ['bar chart: Ages (hours)', 'line chart: How long', 'area chart'])
    await page.getByRole('img', { name: words }).waitFor();

  for (const [colorScheme, width] of [
    ['light', 1_100],
    ['dark', 380],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 1_500 });
    await page.getByRole('img', { name: 'bar chart: Ages' }).scrollIntoViewIfNeeded();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await barriers(page)).toEqual([]);
    await look(`newer-${colorScheme}-${width}`);
  }
  expect(playground.slack.violations()).toEqual([]);
});
