import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { approvalKeys } from '../journeys/approvals.ts';
import type { World } from '../world.ts';
import { openWindow, startBrowser, worldWithPage } from './chromium.ts';
import { choose, say } from './screen.ts';

/* The first tour of the README, word for word: what stands there as a command, a name or a button is what is done. */

const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
const tour = /^1\. Type `[\s\S]*?(?=\n\n)/m.exec(readme)?.[0] ?? '';
const words = [...tour.matchAll(/`([^`]+)`|\*([^*]+)\*/g)].map(([, code, name]) => code ?? name);
const walked: string[] = [];

/** A word of the tour, in the order in which they stand there. */
function next(word: string): string {
  expect(words[walked.length]).toBe(word);
  walked.push(word);
  return word;
}

let earth: World;
let browser: Browser;
beforeAll(async () => {
  earth = await worldWithPage(approvalKeys);
  browser = await startBrowser();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

/** Signs in on the page to which the last offer leads. */
async function signsIn(page: Page, [username, password]: readonly [string, string]): Promise<void> {
  const opening = page.context().waitForEvent('page');
  await page.getByRole('link', { name: 'Sign in' }).last().click();
  const own = await opening;
  await own.getByLabel('User name').fill(username);
  await own.getByLabel('Password').fill(password);
  await own.getByRole('button', { name: 'Sign in' }).click();
  await own.getByText('You are signed in').first().waitFor();
  await own.close();
  await page.getByText('You are signed in to').last().waitFor();
}

test('The first tour of the README ends as it says, at the first try', async () => {
  const page = await (await openWindow(browser, 900)).newPage();
  const confirmed = async (title: string) => {
    const card = page.locator('[data-ts]', { hasText: title }).first();
    await card.waitFor();
    await earth.until(async () => /Confirmed|Failed/.test((await card.textContent()) ?? ''), `the end of ${title}`);
    expect(await card.textContent()).toContain('Confirmed');
  };
  await page.goto(earth.playground.url);

  await say(page, next('/db login'));
  await signsIn(page, [next('ana'), next('ana-password')]);
  await say(page, next('/clone shop'));
  const clone = page.getByRole('dialog', { name: 'Clone' });
  await clone.locator('[data-block-id="targetEnvironment"]').waitFor();
  await choose(page, clone, 'targetEnvironment', next('dev'));
  await clone.getByText('Filled in for you').waitFor();
  await clone.getByRole('button', { name: next('Clone'), exact: true }).click();
  await clone.waitFor({ state: 'detached' });
  await confirmed('Virtual clone of shop');

  await say(page, next('/db delete CRMTEST'));
  const deletion = page.getByRole('dialog', { name: 'Delete CRMTEST?' });
  await deletion.locator('[data-block-id="reason"] textarea').fill('It was only a test.');
  await deletion.locator('[data-block-id="confirm"] input').fill('CRMTEST');
  await deletion.getByRole('button', { name: next('Ask for approval') }).click();
  await deletion.waitFor({ state: 'detached' });
  const person = next('Dev');
  await page.getByLabel('Person').selectOption({ label: `${person} · DBA` });
  const channels = page.getByRole('navigation', { name: 'Workspace' });
  await channels.getByText(next('dba-approvals'), { exact: true }).click();
  const approve = page.getByRole('button', { name: next('Approve…') });
  const reallyApprove = () => page.getByRole('alertdialog').getByRole('button', { name: 'Approve' }).click();
  await approve.first().click();
  await reallyApprove();
  await signsIn(page, [next('dev'), next('dev-password')]);
  await earth.until(async () => (await approve.count()) > 1, 'the request itself');
  await approve.last().click();
  await reallyApprove();
  await confirmed('Deletion of CRMTEST');

  await page.getByRole('button', { name: next('Inspector') }).click();
  await page.getByText('chat.postMessage').first().waitFor();
  expect(walked).toEqual(words);
  expect(earth.writes()).toHaveLength(2);
  expect(earth.playground.slack.violations()).toEqual([]);
});
