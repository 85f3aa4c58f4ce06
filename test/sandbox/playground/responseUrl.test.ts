import type { App } from '@slack/bolt';
import { expect, test } from 'vitest';
import { testClock } from '../../clock.ts';
import { stage } from './bolt.ts';

const answering = (urls: string[]) => (app: App) => {
  app.command('/db', async ({ ack, command }) => {
    urls.push(command.response_url);
    await ack({
      text: 'only you',
      blocks: [
        {
          type: 'actions',
          elements: [{ type: 'button', action_id: 'go', text: { type: 'plain_text', text: 'Go' } }],
        },
      ],
    });
  });
  app.action('go', async ({ ack, body }) => {
    if ('response_url' in body) urls.push(body.response_url);
    await ack();
  });
};
const post = async (url: string | undefined, body: object) => {
  const response = await fetch(url ?? '', {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json' },
  });
  return { status: response.status, body: await response.json() };
};
const taken = { status: 200, body: { ok: true } };

test('a response URL is good for five uses', async () => {
  const urls: string[] = [];
  await using on = await stage(answering(urls));
  const ana = await on.someone('Ana');
  await ana.types('#databases', '/db');
  for (let use = 1; use <= 5; use += 1) expect(await post(urls[0], { text: `use ${use}` })).toEqual(taken);
  expect(await post(urls[0], { text: 'use 6' })).toEqual({ status: 404, body: { ok: false, error: 'used_url' } });
  await ana.reads('#databases', 'use 5');
  expect(on.playground.slack.violations()).toMatchObject([{ what: 'response_url: used_url' }]);
});

test('a response URL is good for thirty minutes', async () => {
  const clock = testClock();
  const urls: string[] = [];
  await using on = await stage(answering(urls), 'http', { clock });
  const ana = await on.someone('Ana');
  await ana.types('#databases', '/db');
  await clock.advance(30 * 60_000);
  expect(await post(urls[0], { text: 'just in time' })).toEqual(taken);
  await clock.advance(1);
  expect(await post(urls[0], { text: 'late' })).toMatchObject({ status: 404, body: { error: 'expired_url' } });
});

test('a command’s response URL replaces nothing; a button’s replaces or deletes its message, even a private one', async () => {
  const urls: string[] = [];
  await using on = await stage(answering(urls));
  const ana = await on.someone('Ana');
  const ben = await on.someone('Ben');
  await ana.types('#databases', '/db');
  await ana.presses('Go');
  expect(await post(urls[0], { text: 'new', replace_original: true })).toEqual(taken);
  await ana.until(() => ana.messages('#databases').length === 2, 'a second message');
  expect(await post(urls[1], { text: 'replaced', replace_original: true })).toEqual(taken);
  await ana.reads('#databases', 'replaced');
  expect(ana.messages('#databases').map(({ text }) => text)).toEqual(['replaced', 'new']);
  expect(await post(urls[1], { delete_original: true })).toEqual(taken);
  await ana.until(() => ana.messages('#databases').length === 1, 'the deletion');
  expect(ben.messages('#databases')).toEqual([]);
});

test('a response for the channel is seen by all, even where the bot is no member', async () => {
  const urls: string[] = [];
  await using on = await stage(answering(urls));
  const ana = await on.someone('Ana');
  const ben = await on.someone('Ben');
  await ana.types('#random', '/db');
  expect(await post(urls[0], { text: 'for all', response_type: 'in_channel' })).toEqual(taken);
  await ben.reads('#random', 'for all');
  expect(await post(urls[0], {})).toMatchObject({ status: 500, body: { error: 'no_text' } });
});

test('an answer to a click that does not say whether it replaces the message is shown as a violation', async () => {
  const urls: string[] = [];
  await using on = await stage(answering(urls));
  const ana = await on.someone('Ana');
  await ana.types('#databases', '/db');
  await ana.presses('Go');
  await post(urls[1], { text: 'new', replace_original: false });
  expect(on.playground.slack.violations()).toEqual([]);
  await post(urls[1], { text: 'perhaps' });
  expect(on.playground.slack.violations()).toMatchObject([{ detail: expect.stringContaining('replace_original') }]);
});
