import { join } from 'node:path';
import type { ModalView } from '@slack/types';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { evidenceOf } from '../../src/jobs/evidence/evidence.ts';
import { restoreDatabase } from '../../src/operations/restores.ts';
import type { Content } from '../../src/slack/blocks/message.ts';
import { lastPage } from '../../src/slack/forms/formModal.ts';
import { jobCard } from '../../src/slack/messages/jobMessage.ts';
import { planCard } from '../../src/slack/messages/planMessage.ts';
import { isPlan } from '../../src/store/jobs/rows/job.ts';
import { offers } from '../house.ts';
import { approval, jobIn, now } from '../jobs/jobIn.ts';
import { job, recordOf } from '../jobs/rows.ts';
import { type Stage, stage } from '../sandbox/playground/bolt.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, say } from './screen.ts';

const names = { db: '/db', clone: '/clone', restore: '/restore' };
const options = { offers, hasGlass: false, asker: '*Ana*', names };
const labels = '{"HOST_ENVIRONMENT-4":"dev-1"}';
const connection = 'mysql -h dev-1.example.com -P 3310 -u app -p';
const record = { name: 'shop-3310', environment: 'HOST_ENVIRONMENT-4', port: 3310, state: 'RUNNING', connection };
const evidence = JSON.stringify({
  ...evidenceOf(recordOf('MYSQL_CLONE_SERVER-9', record), undefined, now),
  snapshot: { id: 'MYSQL_SNAPSHOT-9', takenAt: now - 14_520_000 },
});
const seen = { targetName: 'shop', labels, claimed: 'MYSQL_CLONE_SERVER-9', evidence };
const doubted = JSON.stringify({
  ...evidenceOf(recordOf('MYSQL_CLONE_SERVER-9', { ...record, state: 'TEAL' }), undefined, now),
  doubt: { kind: 'MySQL clones', word: 'TEAL', askedIn: '0a6e9c1e-0000-4000-8000-000000000001' },
});
const reason = 'shop-3310 is there; its state is RUNNING.';
const error =
  `ORA-19502: write error on file "/u02/oradata/shop/system01.dbf", block number 61696 ${'ORA-27072: File I/O error, Linux-x86_64 Error: 28: No space left on device '.repeat(4)}`.trim();
const broken = evidenceOf(recordOf('MYSQL_CLONE_SERVER-9', { ...record, state: 'FAILED', error }), undefined, now);

const steps = Array.from({ length: 7 }, (_, at) => ({
  operation: 'database.delete',
  values: { database: `MYSQL_CLONE_SERVER-${at + 1}` },
  labels: {},
  target: `MYSQL_CLONE_SERVER-${at + 1}`,
  targetName: `shop-dev-${at + 1}`,
}));
const plan = jobIn('running', {
  operation: 'database.teardown',
  steps: JSON.stringify(steps),
  step: 2,
  targetName: 'shop',
});
const ofStep = (step: number, state: 'succeeded' | 'running') =>
  jobIn(state, { plan: 'job-1', step, targetName: `shop-dev-${step + 1}` });
const facts = JSON.stringify(
  Object.entries({ Identifier: 'MYSQL_LIVE_SERVER-1', State: 'RUNNING', Version: '8.4.2', Size: '812 GB' }).map(
    ([label, value]) => ({ key: label, label, value, compared: value }),
  ),
);

function shown(): Content[] {
  if (!isPlan(plan)) throw new Error('it is no plan');
  return [
    jobCard(job({ ...seen, state: 'running', evidence: null, claimed: null }), 'card', options),
    jobCard(job({ ...seen, state: 'succeeded', reason, endedAt: now }), 'card', options),
    jobCard(job({ ...seen, state: 'running', evidence: doubted }), 'card', options),
    jobCard(
      job({
        ...seen,
        state: 'failed',
        reason: broken.error ?? '',
        evidence: JSON.stringify(broken),
        endedAt: now,
        sentAt: now,
      }),
      'card',
      options,
    ),
    jobCard(
      jobIn('awaiting', {
        ...approval,
        facts,
        targetName: 'shop',
        purpose: 'It moved to the new cluster.\nNobody reads it.',
      }),
      'card',
      options,
    ),
    planCard(
      { plan, jobs: [ofStep(0, 'succeeded'), ofStep(1, 'succeeded'), ofStep(2, 'running')] },
      { ...options, part: 'card' },
    ),
  ];
}

/** The last page of a restore that loses much and meets much. */
function warning(channel: string): ModalView {
  const impact = {
    ...{ at: now, snapshot: { id: 'MYSQL_SNAPSHOT-9', takenAt: now - 22_320_000, isLatest: true }, jobs: [] },
    ...{ newer: { names: ['MYSQL_SNAPSHOT-11'], more: 0 }, clones: { names: ['shop-3310', 'shop-3311'], more: 2 } },
  };
  return lastPage(
    restoreDatabase,
    { request: 'r', channel, chosen: {}, labels: {}, asksWhy: true },
    { database: 'MYSQL_LIVE_SERVER-1' },
    {
      sentence: restoreDatabase.warning?.('shop', {}) ?? '',
      name: 'shop',
      known: {
        what: 'database on *prod*, RUNNING (`MYSQL_LIVE_SERVER-1`).',
        approval: 'Anybody else who is signed in to the service must approve.',
        impact,
        warnings: [{ level: 'error', text: 'The service will refuse this: a clone depends on it.' }],
      },
    },
  );
}

let on: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  on = await stage(app =>
    app.command('/db', async ({ ack, client, body }) => {
      await ack();
      await client.views.open({ trigger_id: body.trigger_id, view: warning(body.channel_id) });
    }),
  );
  browser = await startBrowser();
  page = await (await openWindow(browser, 2_200)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await on?.[Symbol.asyncDispose]();
});

/** Keeps a picture for whoever wants to look at it. */
const look = async (name: string) => {
  const folder = process.env.LOOKS;
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' });
};

test('cards fold their facts, plans show their steps and warnings stand out, wide and narrow, light and dark', async () => {
  const { playground, app } = on;
  const channel = playground.slack.workspace.channels.find(({ name }) => name === 'databases')?.id ?? '';
  for (const { text, blocks } of shown()) await app.client.chat.postMessage({ channel, text, blocks });
  await page.goto(playground.url);
  await page.getByRole('navigation', { name: 'Workspace' }).getByText('databases', { exact: true }).click();

  const folds = page.getByText(/· (Running|In doubt|Confirmed|Waits for approval)$|^Details$/);
  await folds.first().waitFor();
  const port = page.getByText('done', { exact: false });
  expect(await folds.count()).toBe(5);
  expect(await port.count()).toBeGreaterThan(0);
  const command = page.getByText('/clone MYSQL_LIVE_SERVER-1', { exact: false }).first();
  expect(await command.isVisible()).toBe(false);
  await folds.nth(1).click();
  await page.getByText('Steps: 2 of 7 done').waitFor();
  expect(await page.getByRole('img', { name: 'Under way' }).count()).toBe(1);

  for (const [colorScheme, width] of [
    ['light', 1_100],
    ['dark', 380],
  ] as const) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 2_200 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
    expect(await barriers(page)).toEqual([]);
    await look(`cards-${colorScheme}-${width}`);
  }

  await say(page, '/db');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('note', { name: 'Warning' }).waitFor();
  expect(await barriers(page)).toEqual([]);
  await look('warning-dark-380');
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_100, height: 1_000 });
  await look('warning-light-1100');
  expect(playground.slack.violations()).toEqual([]);
});
