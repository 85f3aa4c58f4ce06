import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { LogLevel } from '@slack/web-api';
import { describe, expect, onTestFinished, test } from 'vitest';
import { noMeter } from '../../../src/ground/meter.ts';
import { clientOptionsFor } from '../../../src/slack/connection/askSlack.ts';
import { MeteredClient } from '../../../src/slack/connection/meteredClient.ts';
import { isLimited, pauseAfter } from '../../../src/slack/connection/retryAfter.ts';
import { isOutage } from '../../../src/slack/connection/slackErrors.ts';
import { isCertain } from '../../../src/slack/outbox/post.ts';

type Says = (response: ServerResponse) => unknown;

/** A server in Slack's place, which answers everything as `says`, and the client of a bot that asks it. */
async function slackThat(says: Says) {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    request.resume().on('end', () => says(response));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const options = clientOptionsFor(`${origin}/api/`);
  const met: string[] = [];
  const meter = { ...noMeter, count: (_: unknown, labels: object = {}) => met.push(JSON.stringify(labels)) };
  const slack = new MeteredClient('xoxb-test', { ...options, timeout: 300, logLevel: LogLevel.ERROR }, meter);
  const post = (metadata: object = {}) =>
    slack.chat.postMessage({ channel: 'C1', text: 'x', metadata: { event_type: 'x', event_payload: { ...metadata } } });
  return { origin, options, post, met, asked: () => asked };
}

const failureOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

const breaksOff = (response: ServerResponse) => response.socket?.destroy();
const whole = '{"ok":true,"ts":"1.2"}';
const answers = (status: number, body: string, headers: Record<string, string> = {}): Says => {
  return response => response.writeHead(status, headers).end(body);
};
const posted = (more: object) => answers(200, JSON.stringify({ ok: true, ts: '1.2', ...more }));

const unusable: readonly (readonly [string, Says])[] = [
  ['no head', breaksOff],
  ['half a head', response => response.socket?.write('HTTP/1.1 200 OK\r\nContent-Ty', () => breaksOff(response))],
  [
    'half of the body that it announced',
    response => response.writeHead(200, { 'content-length': 99 }).write(whole, () => breaksOff(response)),
  ],
  ['chunks without an end', response => response.writeHead(200).write(whole, () => breaksOff(response))],
  ['half a body, and then silence', response => response.writeHead(200, { 'content-length': 99 }).write(whole)],
  ['half of a page', response => response.writeHead(502).write('<html>', () => breaksOff(response))],
  ['silence', () => undefined],
  ['an empty 200', answers(200, '')],
  ['an empty 204', answers(204, '')],
  ['a redirect', answers(302, '', { location: 'https://slack.com/' })],
  ['a page', answers(200, '<html>It is 9 o’clock.</html>', { 'content-type': 'text/html' })],
  ['a page that it calls packed', answers(200, '<html></html>', { 'content-type': 'application/gzip' })],
  ['a page as 502', answers(502, '<html></html>')],
  ['null', answers(200, 'null')],
  ['a number', answers(200, '7')],
  ['a list', answers(200, '[]')],
  ['no ok', answers(200, '{}')],
  ['no word', answers(200, '{"ok":false}')],
  ['null for a word', answers(200, '{"ok":false,"error":null}')],
  ['a sentence for a word', answers(200, '{"ok":false,"error":"It is closed"}')],
  ['a word as 503', answers(503, '{"ok":false,"error":"service_unavailable"}')],
  ['no ts', posted({ ts: undefined })],
  ['null for the metadata', posted({ response_metadata: null })],
  ['a text for the warnings', posted({ response_metadata: { warnings: 'x' } })],
];

test.each(unusable)(
  'a post that Slack answers with %s counts as an outage, and may have been posted',
  async (_, says) => {
    const { post, met } = await slackThat(says);
    const error = await failureOf(post());
    expect([isOutage(error), isLimited(error), isCertain(error)]).toEqual([true, false, false]);
    expect(pauseAfter(error, 30)).toBeLessThanOrEqual(6_000);
    expect(met).toEqual([JSON.stringify({ method: 'chat.postMessage', outcome: 'no answer' })]);
  },
);

const [now, later] = ['Sun, 22 Nov 2026 09:00:00 GMT', 'Sun, 22 Nov 2026 09:00:40 GMT'];
test.each([
  ['seconds', { 'retry-after': '40' }, 40],
  ['more seconds than the service may ask for', { 'retry-after': '900' }, 900],
  ['seconds without end', { 'retry-after': '9'.repeat(20) }, 600],
  ['less than a second', { 'retry-after': '0.9' }, 1],
  ['no time', { 'retry-after': '0' }, 1],
  ['less than no time', { 'retry-after': '-5' }, 1],
  ['a part of a second more', { 'retry-after': '40.2' }, 41],
  ['a date', { date: now, 'retry-after': later }, 40],
  ['a date in the old form', { date: now, 'retry-after': 'Sunday, 22-Nov-26 09:00:40 GMT' }, 40],
  ['a date that is over', { date: later, 'retry-after': now }, 1],
  ['a date that is far away', { date: now, 'retry-after': 'Mon, 22 Nov 2027 09:00:00 GMT' }, 600],
  ['a word', { 'retry-after': 'soon' }, 10],
  ['nothing', {}, 10],
])(
  'a 429 of Slack whose retry-after says %s is a rate limit, and its post was certainly not made',
  async (_, headers, seconds) => {
    for (const body of ['{"ok":false,"error":"ratelimited"}', '<html></html>', '']) {
      const { post, met } = await slackThat(answers(429, body, headers));
      const error = await failureOf(post());
      expect([isLimited(error), isOutage(error), isCertain(error)]).toEqual([true, false, true]);
      const pauses = Array.from({ length: 50 }, () => pauseAfter(error, 30));
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(seconds * 1_000);
      expect(Math.max(...pauses)).toBeLessThanOrEqual(seconds * 1_200);
      expect(met).toEqual([JSON.stringify({ method: 'chat.postMessage', outcome: 'rate limited' })]);
    }
  },
);

describe('what is Slack’s own', () => {
  test.each(['channel_not_found', 'moon_in_the_way'])(
    'a refusal of Slack with the word %s is passed on unchanged, and is no outage',
    async word => {
      const { post } = await slackThat(answers(200, JSON.stringify({ ok: false, error: word })));
      const error = await failureOf(post());
      expect(error).toHaveProperty('data.error', word);
      expect(isOutage(error)).toBe(false);
    },
  );

  test('an answer of the Web API or of a response URL is passed on unchanged', async () => {
    const { post } = await slackThat(posted({ response_metadata: { warnings: [], messages: [] } }));
    expect(await post()).toMatchObject({ ok: true, ts: '1.2' });
    for (const body of ['ok', '', '{"ok":false,"error":"used_url"}']) {
      const { options, origin } = await slackThat(answers(200, body));
      const answer = await options.fetch(`${origin}/response/1`, { method: 'POST' });
      expect([answer.status, await answer.text()]).toEqual([200, body]);
    }
  });

  test('a response URL whose answer breaks off counts as an outage of Slack', async () => {
    const { options, origin } = await slackThat(response =>
      response.writeHead(200).write('o', () => breaksOff(response)),
    );
    expect(isOutage(await failureOf(options.fetch(`${origin}/response/1`)))).toBe(true);
  });
});

test('a defect of Dolly’s own before anything is sent does not count as trouble of Slack', async () => {
  const { post, asked } = await slackThat(answers(200, whole));
  // JSON has no such number.
  const error = await failureOf(post({ number: 1n }));
  expect(error).toBeInstanceOf(TypeError);
  expect([isOutage(error), isLimited(error), asked()]).toEqual([false, false, 0]);
});
