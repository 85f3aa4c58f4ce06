import { createServer, type Server, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { minute, second } from '../../src/ground/durations.ts';
import { outboxIn } from '../../src/store/tables/outbox.ts';
import type { Someone } from '../person.ts';
import { few } from '../whole.ts';
import { type World, world } from '../world.ts';
import { ends, quickClone } from './clones.ts';

/* What stands between Dolly and Slack, or Slack itself, answers as no page of Slack's says. All is told in the end, and once. */

/** An answer in place of Slack's own, which a call may have been taken before, and the place in which it breaks off. */
type Strange = Readonly<{
  status: number;
  body: string;
  headers?: Readonly<Record<string, string>>;
  breaks?: 'in its head' | 'in its body' | 'between chunks';
}>;

const page = '<html><head><title>Gateway</title></head><body>It is 9 o’clock.</body></html>';
const html = { 'Content-Type': 'text/html' };
const json = { 'Content-Type': 'application/json' };
/** Slack's answer to a post, without what names the message. */
const posted = (more: object) => JSON.stringify({ ok: true, channel: 'C0DATABASE', ...more });
/** The beginning of Slack's answer to a post. */
const half = '{"ok":true,"chan';
const strange: Readonly<Record<string, Strange>> = {
  'HTTP 500 with a page': { status: 500, body: page, headers: html },
  'HTTP 503 without a word': { status: 503, body: '' },
  'HTTP 403 with a page': { status: 403, body: page, headers: html },
  'HTTP 200 with a page': { status: 200, body: page, headers: html },
  'HTTP 200 without a word': { status: 200, body: '' },
  'HTTP 200 with null': { status: 200, body: 'null', headers: json },
  'HTTP 200 with half an answer, sent whole': { status: 200, body: half, headers: json },
  'HTTP 200 that breaks off in its head': { status: 200, body: '', breaks: 'in its head' },
  'HTTP 200 that breaks off in its body': { status: 200, body: half, headers: json, breaks: 'in its body' },
  'HTTP 200 that breaks off between chunks': { status: 200, body: half, headers: json, breaks: 'between chunks' },
  'HTTP 200 without ok': { status: 200, body: '{}', headers: json },
  'HTTP 200 that refuses without a word': { status: 200, body: '{"ok":false}', headers: json },
  'HTTP 200 with a packed page': { status: 200, body: page, headers: { 'Content-Type': 'application/gzip' } },
  'HTTP 502 with a page': { status: 502, body: page, headers: html },
  'HTTP 429 without Retry-After': { status: 429, body: '{"ok":false,"error":"ratelimited"}', headers: json },
  'HTTP 429 until a date': {
    status: 429,
    body: '',
    headers: { Date: 'Sun, 22 Nov 2026 07:28:00 GMT', 'Retry-After': 'Sun, 22 Nov 2026 07:28:10 GMT' },
  },
  'HTTP 429 for less than no time': { status: 429, body: '', headers: { 'Retry-After': '-5' } },
  'HTTP 429 for less than a second': { status: 429, body: '', headers: { 'Retry-After': '0.9' } },
  'no ts': { status: 200, body: posted({}), headers: json },
  'an empty ts': { status: 200, body: posted({ ts: '' }), headers: json },
  'null as ts': { status: 200, body: posted({ ts: null }), headers: json },
  'a number as ts': { status: 200, body: posted({ ts: 1795251600.0001 }), headers: json },
  'a word that nobody knows': { status: 200, body: '{"ok":false,"error":"moon_in_the_way"}', headers: json },
  'ok as a text': { status: 200, body: '{"ok":"false"}', headers: json },
};

let earth: World;
let ana: Someone;
let gate: Server;
/** The answer to every call while Slack as a whole is away. */
let always: Strange | undefined;
/** The answers to the next calls of each method. `isTaken` tells that Slack did what the call asks for. */
const next: { method: string; isTaken: boolean; answer: Strange; left: number }[] = [];

/** Sends an answer as far as it goes. */
function says(response: ServerResponse, { status, body, headers = {}, breaks }: Strange): void {
  const { socket } = response;
  const end = () => socket?.destroy();
  if (breaks === 'in its head') return void socket?.write(`HTTP/1.1 ${status} OK\r\nContent-Ty`, end);
  const length = breaks === 'in its body' ? { 'Content-Length': body.length + 100 } : {};
  response.writeHead(status, { ...headers, ...length });
  if (breaks === undefined) response.end(body);
  else response.write(body, end);
}

beforeEach(async () => {
  next.length = 0;
  always = undefined;
  gate = createServer(async (request, response) => {
    const method = (request.url ?? '').split('/').at(-1) ?? '';
    const body = await text(request);
    const met = next.find(one => one.left > 0 && one.method === method);
    if (met) met.left -= 1;
    const forward = async () => {
      const headers = {
        'content-type': request.headers['content-type'] ?? '',
        authorization: request.headers.authorization ?? '',
      };
      const answer = await fetch(`${earth.playground.apiUrl}${method}`, { method: 'POST', headers, body });
      return { status: answer.status, body: await answer.text(), headers: json };
    };
    if (always) return says(response, always);
    const own = met && !met.isTaken ? undefined : await forward();
    says(response, met?.answer ?? own ?? { status: 500, body: '' });
  });
  await new Promise<void>(resolve => gate.listen(0, '127.0.0.1', resolve));
  const address = gate.address();
  const SLACK_API_URL = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/`;
  earth = await world({ handsOnStore: true });
  ana = await earth.enters('Ana', 'ana');
  await earth.restart({ SLACK_API_URL });
});
afterEach(async () => {
  await earth.close();
  gate.close();
});

const all = Object.entries(strange).flatMap(([what, answer], at) =>
  // Whoever asks to wait has taken nothing.
  [true, false]
    .filter(isTaken => !(isTaken && answer.status === 429))
    .map(isTaken => ({
      ...{ what, answer, isTaken, done: isTaken ? 'was taken' : 'was not taken' },
      isShort: answer.status === 429 || isTaken === (at % 2 === 0),
    })),
);
/** Half of the answers meet a post that was taken or one that was not; in `npm run whole` each meets both. */
const cases = few(all, ({ isShort }, at) => isShort && at % 8 < 4);

/** The warning of a lease, for Ana alone. */
const warning = {
  what: 'warned',
  record: 'MYSQL_CLONE_SERVER-90',
  name: 'shop-kept',
  person: 'U0ANA00001',
  endsAt: Date.UTC(2027, 0, 1),
};

test.each(cases)(
  'a job and a warning are told once where a post that $done is answered by $what',
  async ({ answer, isTaken }) => {
    const meets = (...methods: string[]) => next.push(...methods.map(method => ({ method, isTaken, answer, left: 3 })));
    const told = (words: string) => {
      const { slack } = earth.playground;
      return slack.workspace.channels
        .flatMap(({ id }) => slack.messages(id))
        .filter(({ text }) => text.includes(words));
    };
    meets('chat.postMessage', 'conversations.open');
    const [id, createdAt] = ['warning', earth.clock.now()];
    const notice = { id, subject: id, team: 'T0PLAYGRND', kind: 'lease', createdAt, isNews: true, data: warning };
    await outboxIn(earth.store()).add([{ ...notice, to: { person: warning.person } }]);
    const card = await quickClone(earth, ana, 3401);
    // Of a change, `ok` is all that Slack says.
    meets('chat.postMessage', ...(isTaken || !answer.body.endsWith('}') ? ['chat.update'] : []));
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
    await earth.clock.advance(600_000);
    expect(earth.cards('#databases')).toHaveLength(1);
    expect(earth.replies(card)).toHaveLength(1);
    expect(told('3401').map(({ ts }) => ts)).toHaveLength(2);
    expect(told('shop-kept').map(({ channel }) => channel)).toEqual(['D0ANA00001']);
  },
);

/** What Slack as a whole may answer while it is away; a limit that ends each second makes the test long. */
const aways = Object.entries(strange).filter(
  ([what, { body }]) => !what.includes('less than') && !/"ok":true,.*}|"error"/.test(body),
);

test.each(few(aways, ([what]) => /in its body|date/.test(what)))(
  'the end of a job is told soon after Slack is back, having answered every call by %s',
  async (_, answer) => {
    const card = await quickClone(earth, ana, 3401);
    always = answer;
    await earth.clock.advance(20 * minute);
    always = undefined;
    const back = earth.clock.now();
    while (earth.replies(card).length === 0) await earth.clock.advance(second);
    expect(earth.clock.now() - back).toBeLessThanOrEqual(15 * second);
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
    expect(earth.cards('#databases')).toHaveLength(1);
  },
  60_000,
);
