import { join } from 'node:path';
import { WebClient } from '@slack/web-api';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Stage, stage, tokens } from '../sandbox/playground/bolt.ts';
import { openWindow, startBrowser } from './chromium.ts';
import { barriers, say } from './screen.ts';

/* Each place of the local Slack's page, in light and dark, wide and as narrow as a phone: axe finds no barrier there. */

const plain = (text: string) => ({ type: 'plain_text' as const, text });
const shortcuts = [
  { name: 'Clone a database', type: 'global' as const, callback_id: 'clone', description: 'Opens the form' },
  { name: 'Ask Dolly about this', type: 'message' as const, callback_id: 'ask', description: 'Looks up what it names' },
];
const functions = {
  clone: {
    title: 'Clone a database',
    description: 'Clones it, and waits until the clone is there.',
    input_parameters: {
      database: { type: 'string', title: 'Database', description: 'Its name or identifier', is_required: true },
      kind: { type: 'string', title: 'Kind', enum: ['virtual', 'physical'] },
      person: { type: 'slack#/types/user_id', title: 'In whose name', is_required: true },
      channel: { type: 'slack#/types/channel_id', title: 'Channel' },
      protect: { type: 'boolean', title: 'Protect it' },
    },
    output_parameters: {
      outcome: { type: 'string', title: 'Outcome', is_required: true },
      name: { type: 'string', title: 'Name of the clone' },
    },
  },
  wait: {
    title: 'Wait until a record is …',
    description: 'Waits for a state.',
    input_parameters: { record: { type: 'string', title: 'Record', is_required: true } },
    output_parameters: {},
  },
};

let on: Stage;
let browser: Browser;
let page: Page;
const executions: string[] = [];
const form = { type: 'modal' as const, callback_id: 'form', title: plain('Clone'), blocks: [] };

beforeAll(async () => {
  on = await stage(
    app => {
      app.shortcut(/.*/, async ({ ack, body, client }) => {
        await ack();
        await client.views.open({ trigger_id: body.trigger_id, view: form });
      });
      app.event('app_mention', async ({ event, client }) => {
        const { channel, ts, thread_ts = ts } = event;
        await client.chat.postMessage({ channel, thread_ts, text: 'Cloning shop.' });
      });
      app.message(async ({ message, client }) => {
        await client.chat.postMessage({ channel: message.channel, text: 'This is help.' });
      });
      app.function('clone', { autoAcknowledge: true }, async ({ payload }) => {
        executions.push(payload.function_execution_id);
      });
      app.function('wait', { autoAcknowledge: true }, async ({ payload }) => {
        executions.push(payload.function_execution_id);
      });
    },
    'http',
    { shortcuts, functions, client: { id: '11.22', secret: 's' } },
  );
  browser = await startBrowser();
  page = await (await openWindow(browser, 900)).newPage();
});
afterAll(async () => {
  await browser?.close();
  await on?.[Symbol.asyncDispose]();
});

const wide = ['light', 1_100] as const;
const phone = ['dark', 380] as const;
type Size = readonly ['light' | 'dark', number];

/**
 * Looks at the page as it is now, on a phone in the dark and, unless it is only a part of a place, wide and light, too.
 * Pictures go into the folder LOOKS, for whoever wants to look at them.
 */
async function looks(name: string, ...sizes: readonly Size[]): Promise<void> {
  for (const [colorScheme, width] of sizes.length > 0 ? sizes : [wide, phone]) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), name).toBeLessThanOrEqual(width);
    expect(await barriers(page), name).toEqual([]);
    const folder = process.env.LOOKS;
    if (folder) await page.screenshot({ path: join(folder, `${name}-${colorScheme}.png`), animations: 'disabled' });
  }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize({ width: 1_100, height: 900 });
}
const side = () => page.getByRole('navigation', { name: 'Workspace' });

test('mentions, an edited message and a message of another app show on the page without barriers', async () => {
  await page.goto(on.playground.url);
  on.playground.slack.otherApp('#dev', {
    text: 'shop is late',
    attachments: [
      {
        color: 'danger',
        title: 'Backup of shop',
        text: 'I-4711 is 30 hours old',
        fields: [{ title: 'Host', value: 'db1' }],
      },
    ],
  });
  await side().getByText('dev', { exact: true }).click();
  await page.getByText('shop is late').waitFor();
  const composer = page.getByRole('textbox', { name: 'Message #dev' });
  await composer.fill('@do');
  await page.getByRole('option', { name: /@dolly/ }).waitFor();
  await looks('suggestions', phone);
  await composer.press('Enter');
  await composer.pressSequentially('clone shop');
  await composer.press('Enter');
  const mention = page.getByRole('article', { name: /^Ana/ }).first();
  await mention.getByRole('button', { name: /1 reply/ }).click();
  const thread = page.getByRole('complementary', { name: 'Thread' });
  await thread.getByText('Cloning shop.').waitFor();
  await thread.getByRole('textbox', { name: 'Reply in thread' }).fill('@dolly list');
  await thread.getByRole('textbox', { name: 'Reply in thread' }).press('Enter');
  await thread.getByText('Cloning shop.').nth(1).waitFor();
  await looks('thread');
  await page.getByRole('button', { name: 'Close thread' }).click();

  await mention.hover();
  await mention.getByRole('button', { name: 'More message actions' }).click();
  await looks('message-menu');
  await page.getByRole('menuitem', { name: 'Edit message' }).click();
  await page.getByRole('textbox', { name: 'Edit message' }).fill('@dolly clone crm');
  await looks('edit', phone);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('(edited)').first().waitFor();
  await mention.hover();
  await mention.getByRole('button', { name: 'More message actions' }).click();
  await page.getByRole('menuitem', { name: /Ask Dolly/ }).press('Enter');
  await page.getByRole('dialog', { name: 'Clone' }).waitFor();
  await looks('asked', phone);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('shortcuts open from the composer by mouse and by keys, without barriers', async () => {
  await page.getByRole('button', { name: 'Shortcuts' }).click();
  await looks('shortcuts');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Clone' }).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('a direct message to the app is answered on the page, without barriers', async () => {
  await page.getByTestId('app-link').click();
  await page.getByRole('tab', { name: 'Messages' }).click();
  await say(page, 'help');
  await page.getByText('This is help.').waitFor();
  await looks('direct');
});

test('a small workflow is built and started on the page, which shows its steps and errors without barriers', async () => {
  await side().getByRole('button', { name: 'Workflows' }).click();
  await page.getByText('Nothing has run yet.').waitFor();
  await looks('no-workflow', phone);
  await page.getByRole('button', { name: 'New workflow' }).click();
  const builder = page.getByRole('form', { name: 'New workflow' });
  await builder.getByLabel('Name of the workflow').fill('Fresh shop');
  await builder.getByRole('button', { name: 'Save the workflow' }).click();
  await builder.getByRole('alert').getByText('missing required field').waitFor();
  await builder.getByLabel('Database').fill('shop');
  await builder.getByLabel('Kind').selectOption('virtual');
  await builder.getByLabel('In whose name').selectOption({ label: 'Whoever starts the workflow' });
  await builder.getByLabel('Protect it').selectOption({ label: 'Yes' });
  await builder.getByRole('button', { name: 'Add a step' }).click();
  const second = builder.getByRole('group', { name: 'Step 2' });
  await second.getByRole('combobox', { name: 'Step 2' }).selectOption({ label: 'Wait until a record is …' });
  await second.getByLabel('Record').fill('{{steps.0.name}}');
  await looks('builder');
  await builder.getByRole('button', { name: 'Save the workflow' }).click();
  await page.getByRole('combobox', { name: /Channel in which/ }).selectOption({ label: '#dev' });
  await page.getByRole('button', { name: 'Start Fresh shop' }).click();
  const run = page.getByRole('article', { name: /^Fresh shop, / });
  await run.getByText('Running').waitFor();
  await expect.poll(() => executions.length).toBe(1);
  const slack = new WebClient(tokens.botToken, { slackApiUrl: on.playground.apiUrl });
  const outputs = { outcome: 'Confirmed', name: 'shop_2' };
  await slack.functions.completeSuccess({ function_execution_id: executions[0] ?? '', outputs });
  await expect.poll(() => executions.length).toBe(2);
  await slack.functions.completeError({ function_execution_id: executions[1] ?? '', error: 'shop_2 is gone.' });
  await run.getByText('shop_2 is gone.').waitFor();
  expect(await run.getByText('Completed').count()).toBe(1);
  await looks('workflow');
});

test('the inspector, the broken rules and the way to other channels show without barriers, also on a phone', async () => {
  const slack = new WebClient(tokens.botToken, { slackApiUrl: on.playground.apiUrl });
  await side().getByText('dev', { exact: true }).click();
  await page.getByRole('button', { name: 'Inspector' }).click();
  await page.getByText('event app_mention').first().click();
  await looks('inspector', phone);
  await slack.chat.postMessage({ channel: 'C0DEV00001', text: ' ', blocks: [{ type: 'divider' }] });
  const details = page.getByTestId('violation').getByRole('button', { name: 'Details' });
  await details.hover();
  await looks('violation', ['dark', 1_100]);
  await details.click();
  await page.getByRole('complementary', { name: 'Violations' }).getByText('missing_text_in_message').waitFor();
  await looks('violations', phone);
  await page.getByRole('button', { name: 'Close violations' }).click();
  await page.getByRole('button', { name: 'Jump to…' }).click();
  await page.getByRole('dialog', { name: 'Jump to a channel' }).waitFor();
  await looks('jump', phone);
  await page.keyboard.press('Escape');
  await page.setViewportSize({ width: 380, height: 900 });
  await page.getByRole('button', { name: 'Open the side bar' }).click();
  expect(await barriers(page)).toEqual([]);
  await page.setViewportSize({ width: 1_100, height: 900 });
});

test('the page on which the app is installed has no barriers, also where it refuses', async () => {
  const asked = {
    client_id: '11.22',
    scope: 'commands,chat:write,im:history',
    redirect_uri: 'http://dolly.invalid/back',
  };
  await page.goto(`${on.playground.url}/oauth/v2/authorize?${new URLSearchParams(asked)}`);
  await page.getByRole('heading', { name: 'Dolly wants to be installed' }).waitFor();
  await looks('authorize');
  await page.getByLabel('Install it in which workspace').selectOption({ label: 'Partner, as Pia' });
  await page.goto(`${on.playground.url}/oauth/v2/authorize?client_id=x`);
  await page.getByRole('alert').getByText('invalid_client_id').waitFor();
  await looks('authorize-refused', phone);
});
