import { once } from 'node:events';
import { createServer } from 'node:http';
import { LogLevel, WebClient } from '@slack/web-api';
import { expect, onTestFinished, test } from 'vitest';
import { findLostPost, marked } from '../../../src/slack/outbox/lostPost.ts';
import { newSlackStub } from '../../bench/slackStub.ts';

const since = Date.UTC(2026, 10, 21, 9);
const lost = { job: 'job-1', part: 'card', place: 'C1', threadTs: undefined, since };

/** A Slack that answers each page of a history, and what it was asked for. */
async function slackWith(page: (cursor: number) => object) {
  const asked: URLSearchParams[] = [];
  const stub = newSlackStub((_, parameters) => {
    asked.push(parameters);
    return { ok: true, ...page(Number(parameters.get('cursor') ?? 0)) };
  });
  const server = createServer(stub);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.closeAllConnections());
  onTestFinished(() => void server.close());
  const address = server.address();
  const slackApiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/dolly/api/`;
  const slack = new WebClient('xoxb-test', { slackApiUrl, retryConfig: { retries: 0 }, logLevel: LogLevel.ERROR });
  return { slack, asked };
}

const others = Array.from({ length: 15 }, (_, index) => ({
  ts: `${since / 1_000}.${index}`,
  metadata: marked(`job-9${index}`, { part: 'card' }),
}));
const next = (cursor: number) => ({ response_metadata: { next_cursor: String(cursor + 1) } });

test.each([undefined, '1.1'])(
  'a lost post is found behind forty pages of newer messages (in thread %s)',
  async threadTs => {
    const { slack, asked } = await slackWith(cursor =>
      cursor < 40
        ? { messages: others, has_more: true, ...next(cursor) }
        : { messages: [...others, { ts: '5.5', metadata: marked('job-1', { part: 'card' }) }] },
    );
    expect(await findLostPost(slack, { ...lost, threadTs })).toBe('5.5');
    expect(asked).toHaveLength(41);
  },
);

test('the search for a lost post starts at the newest message, and stops some minutes before the post’s begin', async () => {
  const old = { ts: String(since / 1_000 - 601), metadata: marked('job-9', { part: 'card' }) };
  const pages = (cursor: number) => ({ messages: cursor < 2 ? others : [...others, old], ...next(cursor) });
  const { slack, asked } = await slackWith(pages);
  expect(await findLostPost(slack, lost)).toBeUndefined();
  expect(asked).toHaveLength(3);
  expect(asked.flatMap(one => [one.get('oldest'), one.get('latest')]).filter(Boolean)).toEqual([]);
});

test('the search for a lost post ends even if Slack’s pages do not', async () => {
  const { slack, asked } = await slackWith(() => ({ messages: others, ...next(0) }));
  expect(await findLostPost(slack, lost)).toBeUndefined();
  expect(asked.length).toBeLessThanOrEqual(100);
});

test('a lost post counts as absent where Slack lets nothing be read, but not where Slack is in trouble', async () => {
  const answers = async (error: string) => findLostPost((await slackWith(() => ({ ok: false, error }))).slack, lost);
  for (const word of ['missing_scope', 'not_in_channel', 'channel_not_found', 'thread_not_found'])
    expect(await answers(word)).toBeUndefined();
  await expect(answers('internal_error')).rejects.toThrow('internal_error');
});

test('a lost call to an approver is found by its round and person, and not by calls to others', async () => {
  const call = { ...lost, part: 'call', round: 3, person: 'U1' };
  const marks = [
    marked('job-1', { part: 'call', round: 3 }),
    marked('job-1', { part: 'call', round: 3, person: 'U2' }),
    marked('job-1', { part: 'call', round: 2, person: 'U1' }),
    marked('job-2', { part: 'call', round: 3, person: 'U1' }),
  ];
  const posted = marks.map((metadata, at) => ({ ts: `7.${at}`, metadata }));
  const { slack: without } = await slackWith(() => ({ messages: posted }));
  expect(await findLostPost(without, call)).toBeUndefined();
  const own = { ts: '8.1', metadata: marked('job-1', { part: 'call', round: 3, person: 'U1' }) };
  const { slack } = await slackWith(() => ({ messages: [...posted, own] }));
  expect(await findLostPost(slack, call)).toBe('8.1');
});
