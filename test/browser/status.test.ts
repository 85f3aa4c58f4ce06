import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Json, parsed, recordOf, recordsOf, stringOf } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, picture, say } from './screen.ts';

const policy = `protect:
  - title: Oracle each night
    name: [payroll, crm, warehouse]
    backup: 1d
  - title: all others
    backup: 3d
    keepClones: 36h
`;

/** What the service shows of some databases: one never backed up, one whose backups are not shown, one that failed. */
const edits: Readonly<Record<string, (record: Json) => Json>> = {
  crm: record => ({ ...record, snapshots: [] }),
  billing: ({ snapshots: _, ...record }) => record,
  failing_feed: record => ({ ...record, state: 'FAILED', error: 'ORA-19809: limit exceeded for recovery files' }),
};

const editing: Middleware = async (request, next) => {
  const answer = await next(request);
  const { pathname } = new URL(request.url);
  if (request.method !== 'GET' || !answer.ok || !pathname.includes('/database/')) return answer;
  const body = parsed(await answer.text());
  const edited = (record: Json) => edits[stringOf(record.name)]?.(record) ?? record;
  return Response.json(Array.isArray(body) ? recordsOf(body).map(edited) : edited(recordOf(body)));
};

const folder = scratchFolder('status');
let earth: World;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  earth = await world({ environment: { POLICY_FILE: file }, service: { middleware: editing } });
  browser = await startBrowser();
  page = await (await openWindow(browser, 1_250)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
  rmSync(folder, { recursive: true, force: true });
});

test('the protection status shows what was never backed up, and starts a backup at a click, also on a phone', async () => {
  await earth.enters('Ana', 'ana');
  await page.goto(earth.playground.url);
  await page.getByLabel('Person').selectOption({ label: 'Ana · DBA lead' });
  const channels = page.getByRole('navigation', { name: 'Workspace' });
  await channels.getByText('databases', { exact: true }).click();
  await say(page, '/db status');
  const answer = page.locator('[data-ts]', { hasText: 'databases protected' }).last();
  await answer.waitFor();
  await answer.getByText('1 never backed up').first().waitFor();
  expect(await barriers(page)).toEqual([]);
  await answer.evaluate(message => message.scrollIntoView());
  await picture(page, 'status');
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await barriers(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 380, height: 760 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(wide).toBeLessThanOrEqual(380);
  expect(await barriers(page)).toEqual([]);
  await answer
    .getByRole('button', { name: /^Back up now/ })
    .first()
    .click();
  await page.getByText('Backing up').first().waitFor();
  expect(earth.playground.slack.violations()).toEqual([]);
});
