import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { World } from '../world.ts';
import { openWindow, startBrowser, worldWithPage } from './chromium.ts';
import { barriers, choose, picture, say } from './screen.ts';

let earth: World;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  earth = await worldWithPage();
  browser = await startBrowser();
  context = await openWindow(browser);
  page = await context.newPage();
});
afterAll(async () => {
  await browser?.close();
  await earth?.close();
});

describe('on the page, a person', () => {
  test('a person on the page signs in, asks for a clone with its vendor’s fields, and is told when it is there', async () => {
    await page.goto(earth.playground.url);
    await page.getByLabel('Person').selectOption({ label: 'Ben · Developer' });
    await say(page, '/db login');

    const opening = context.waitForEvent('page');
    await page.getByRole('link', { name: 'Sign in' }).last().click();
    const signIn = await opening;
    await signIn.getByLabel('User name').fill('ben');
    await signIn.getByLabel('Password').fill('ben-password');
    expect(await signIn.getByLabel('Password').getAttribute('type')).toBe('password');
    await signIn.setViewportSize({ width: 720, height: 640 });
    expect(await barriers(signIn)).toEqual([]);
    await picture(signIn, 'sign-in');
    await signIn.getByRole('button', { name: 'Sign in' }).click();
    await signIn.getByText('You are signed in').first().waitFor();
    await signIn.close();
    await page.getByText('You are signed in to').waitFor();

    await say(page, '/clone');
    const form = page.getByRole('dialog', { name: 'Clone' });
    await form.getByText('Choose the source database first').waitFor();
    expect(await form.getByText('Port', { exact: true }).count()).toBe(0);
    await choose(page, form, 'sourceDatabase', 'billing');
    await form.getByText('Choose the target environment').waitFor();
    await choose(page, form, 'targetEnvironment', 'dev');
    await form.getByText('Filled in for you').waitFor();
    await form.locator('[data-block-id="sourceDatabase"]').scrollIntoViewIfNeeded();
    expect(await barriers(page)).toEqual([]);
    await picture(page, 'form');
    // On a phone, too.
    await page.setViewportSize({ width: 380, height: 840 });
    expect(await barriers(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(380);
    await page.setViewportSize({ width: 1240, height: 840 });
    await form.locator('[data-block-id="port"] input').fill('3399');
    await form.locator('[data-block-id="mountBase"] input').fill('/mnt/clones/ben');
    await form.getByRole('button', { name: 'More options' }).click();
    await form.locator('[data-block-id="databaseParams"] textarea').fill('max_connections=200');
    await choose(page, form, 'environmentUser', 'mariadb');
    await choose(page, form, 'install', 'MARIADB');
    await form.getByRole('button', { name: 'Clone', exact: true }).click();
    await form.waitFor({ state: 'detached' });

    const card = page.locator('[data-ts]', { hasText: 'Virtual clone of billing' }).first();
    await card.getByText('Running').waitFor();
    await picture(page, 'running');
    await earth.until(async () => (await card.getByText('Confirmed').count()) > 0, 'the proof');
    expect(await card.textContent()).toContain('MARIADB_CLONE_SERVER-4');
    expect(await card.textContent()).toContain('mariadb --host=dev.example.com --port=3399');

    await earth.until(async () => (await card.getByRole('button', { name: '1 reply' }).count()) > 0, 'the reply');
    await card.getByRole('button', { name: '1 reply' }).click();
    const thread = page.getByRole('complementary', { name: 'Thread' });
    await thread.getByText('confirmed after').waitFor();
    expect(await thread.textContent()).toContain('@Ben');
    expect(await barriers(page)).toEqual([]);
    await picture(page, 'confirmed');
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers(page)).toEqual([]);
    await picture(page, 'dark');
    expect(earth.playground.slack.violations()).toEqual([]);
  });
});
