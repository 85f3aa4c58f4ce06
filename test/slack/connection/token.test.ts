import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { openLog } from '../../../src/ground/log.ts';
import { honours, whenSlackIsThere } from '../../../src/slack/connection/token.ts';
import { testClock } from '../../clock.ts';

const log = openLog('silent');
const minute = 60_000;

/** A Slack that answers each call with a status and a body; `says` changes what it answers from then on. */
async function slackThat(status: number, body: object) {
  let answer = { status, body };
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const slackApiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/`;
  const options = { slackApiUrl, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true, logLevel: LogLevel.ERROR };
  return {
    slack: new WebClient('xoxb-test', options),
    asked: () => asked,
    says(status: number, body: object) {
      answer = { status, body };
    },
  };
}

test('a bot token is honoured until Slack refuses it, and again once Slack takes it; Slack is asked twice a minute', async () => {
  const clock = testClock();
  const { slack, says, asked } = await slackThat(200, { ok: true });
  const isHonoured = honours(slack, clock, log);
  expect([await isHonoured(), await isHonoured(), asked()]).toEqual([true, true, 1]);
  for (const error of ['token_revoked', 'invalid_auth', 'account_inactive', 'token_expired']) {
    says(200, { ok: false, error });
    await clock.advance(minute / 2);
    expect([error, await isHonoured()]).toEqual([error, false]);
  }
  says(200, { ok: true });
  await clock.advance(minute / 2);
  expect(await isHonoured()).toBe(true);
});

test.each([
  [503, {}],
  [429, {}],
  [200, { ok: false, error: 'internal_error' }],
])('an answer of a Slack in trouble (status %i) does not count as a refusal of the token', async (status, body) => {
  const { slack } = await slackThat(status, body);
  expect(await honours(slack, testClock(), log)()).toBe(true);
});

test('Dolly’s start waits while Slack is away, and goes on when it is back', async () => {
  const clock = testClock();
  const { slack, says, asked } = await slackThat(503, {});
  const starting = whenSlackIsThere(clock, log, () => slack.auth.test());
  while (asked() < 4) await clock.advance(5_000);
  says(200, { ok: true });
  const end = { done: false };
  void starting.then(() => Object.assign(end, { done: true }));
  while (!end.done) await clock.advance(5_000);
  expect((await starting).ok).toBe(true);
});

test('Dolly’s start ends with an error after about ten minutes without Slack', async () => {
  const clock = testClock();
  const { slack } = await slackThat(503, {});
  const began = clock.now();
  const end = { done: false };
  const starting = whenSlackIsThere(clock, log, () => slack.auth.test()).catch((error: unknown) => {
    end.done = true;
    return error;
  });
  while (!end.done) await clock.advance(5_000);
  expect(await starting).toBeInstanceOf(Error);
  expect(clock.now() - began).toBeGreaterThan(9 * minute);
  expect(clock.now() - began).toBeLessThan(12 * minute);
});

test('Dolly’s start ends at once with a token that Slack refuses', async () => {
  const { slack, asked } = await slackThat(200, { ok: false, error: 'invalid_auth' });
  await expect(whenSlackIsThere(testClock(), log, () => slack.auth.test())).rejects.toThrow('invalid_auth');
  expect(asked()).toBe(1);
});
