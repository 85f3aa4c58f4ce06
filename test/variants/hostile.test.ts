import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRecord } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { writeCommand } from '../../src/slack/words/commandText.ts';
import { answerTo, approves, asks, comesToAnEnd } from '../journeys/asking.ts';
import { opensForm } from '../journeys/clones.ts';
import { type Someone, textOf } from '../person.ts';
import { few } from '../whole.ts';
import { type World, world } from '../world.ts';

/** Names as nobody should give them. Each is the name of one live database, and of everything else in turn. */
const names = [
  ['Slack mark-up for everybody', '<!channel> <!here> <!everyone>'],
  ['Slack mark-up for a person and a channel', '<@U0BEN00001> <#C0DEV00001|dev> <!subteam^S1>'],
  ['a link', '<https://evil.example|orders> & &lt;b&gt;'],
  ['formatting', '*bold* _so_ ~not~ >quoted\n> twice'],
  ['backticks', '`code` ```more``` `'],
  ['control characters', 'bell\u0007 nul\u0000 esc\u001b[31m\r\n\ttab\u007f\u0085'],
  ['2,000 characters', 'long '.repeat(400)],
  ['2,000 characters without a blank', '&'.repeat(2_000)],
  ['nothing', ''],
  ['blanks', ' \t\n '],
  ['nothing to be seen', '\u200b\u200e\u202e\u2066'],
  ['the name of a prototype', '__proto__'],
  ['the name of a constructor', 'constructor'],
  ['the name of a method', 'toString'],
  ['text from right to left', '\u202Etxet\u202C \u05e9\u05dc\u05d5\u05dd \u200Fabc'],
  ['emoji', '👩‍👩‍👧‍👦 família :tada: 🎉'.repeat(12)],
  ['half an emoji', 'half \ud83d and \udc00'],
  ['JSON', '{"id":"MYSQL_LIVE_SERVER-1"}'],
  ['the word null', 'null'],
  ['an identifier of something else', 'USER-1'],
  ['an identifier of another database', 'MYSQL_LIVE_SERVER-1'],
  ['a name that is there twice', 'orders'],
] as const;
const idOf = (at: number) => `MYSQL_LIVE_SERVER-${100 + at}`;
const records = names.map(([what, name], at) => ({ what, name, id: idOf(at) }));

/** Identifiers where none belong, and keys that objects have by nature. */
const misplaced: Middleware = async (request, next) => {
  const answer = await next();
  if (!new URL(request.url).pathname.endsWith('/database/list')) return answer;
  const text = await answer.text();
  const strays = [
    '{"__proto__":{"id":"MYSQL_LIVE_SERVER-900","name":"inherited"},"note":"no record"}',
    '{"id":"MYSQL_LIVE_SERVER-901","name":"USER-7","state":"PROJECT-2","port":"MYSQL_SNAPSHOT-1","error":null,"constructor":{"name":"x"},"toString":"MYSQL_CLONE_SERVER-1"}',
    '{"id":"MYSQL_LIVE_SERVER-902","name":{"first":"MYSQL_LIVE_SERVER-1"},"state":["HOST_ENVIRONMENT-1"],"hasOwnProperty":1}',
    '"MYSQL_LIVE_SERVER-903"',
    'null',
    '17',
    '[["MYSQL_LIVE_SERVER-904"]]',
  ];
  return new Response(`${text.trimEnd().slice(0, -1)},${strays.join(',')}]`, { headers: answer.headers });
};

let earth: World;
let ana: Someone;

beforeAll(async () => {
  earth = await world({ service: { middleware: misplaced } });
  const { estate, add, rename, change } = earth.service.service;
  const model = estate.databases.get('MYSQL_LIVE_SERVER-2');
  if (!model) throw new Error('the example has changed');
  for (const [at, { id, name }] of records.entries()) {
    const snapshots = model.snapshots.map((snapshot, index) => ({
      ...snapshot,
      id: `MYSQL_SNAPSHOT-${1_000 + at * 10 + index}`,
      name: `${name} ${index}`,
    }));
    add({ ...model, id, name, port: 5_000 + at, snapshots, error: name, facts: { connection: name, host: name } });
  }
  const others = ['HOST_ENVIRONMENT-3', 'HOST_ENVIRONMENT-5', 'PROJECT-1', 'PROJECT-3', 'USER-2', 'USER-5'];
  for (const [at, id] of others.entries()) rename(id, names[at]?.[1] ?? '');
  change('HOST_ENVIRONMENT-4', {
    installs: records.map(({ name }, at) => ({
      id: `MYSQL_INSTALL-${100 + at}`,
      vendor: 'MYSQL',
      name,
      version: name,
      path: name,
    })),
    environmentUsers: records.map(({ name }, at) => ({ id: `ENVIRONMENT_USER-${100 + at}`, name })),
  });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});

/**
 * All text of a message in which Slack looks for mentions and links: its own, and mrkdwn. plain_text, the raw cells of
 * tables and the text of rich text are shown as they are.
 */
function marked(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(marked);
  if (!isRecord(value)) return [];
  const isPlain = ['plain_text', 'raw_text', 'raw_number', 'text'].includes(String(value.type));
  const own = !isPlain && typeof value.text === 'string' ? [value.text] : [];
  return [...own, ...Object.values(value).flatMap(marked)];
}

/** Nothing of what the bot ever said mentions or links what a record says. */
afterAll(async () => {
  const said = ['#databases', '#dev'].flatMap(channel => marked(earth.playground.slack.messages(channel)));
  const signs = said.flatMap(text => text.match(/<[^>]*>?/g) ?? []);
  const people = [`<@${ana.id}>`, `<@${earth.approver?.id}>`];
  expect(signs.filter(sign => !people.includes(sign) && !/^<!date\^\d+\^[^|]*\|[^>]*>$/.test(sign))).toEqual([]);
  await earth.close();
});

const answered = (line: string, channel?: string) => answerTo(ana, line, channel);
const told = async (line: string) => textOf(await answered(line));

test('a list with hostile names shows every record, page by page, and none that is not there', async () => {
  const list = await answered('/db list');
  const now = () => textOf(ana.messages('#databases').find(({ ts }) => ts === list.ts));
  let all = now();
  for (let from = 51; all.endsWith('Next'); from += 50) {
    await ana.presses('Next', { message: list });
    all += await ana.until(() => now().includes(`${from} to `) && now(), `the page from ${from} on`);
  }
  const cells = all.split(/[\t\n]/);
  for (const { id } of records) expect(cells).toContain(id);
  for (const id of [901, 902, 903, 904]) expect(cells).toContain(`MYSQL_LIVE_SERVER-${id}`);
});

test.each(['/db env list', '/db project list', '/db user list'])(
  'the command %s shows what has hostile names',
  async line => {
    expect(await told(line)).toMatch(/HOST_ENVIRONMENT-5|PROJECT-3|USER-5/);
  },
);

test('identifiers where none belong are no facts, and make no records', async () => {
  expect(await told('/db list MYSQL_LIVE_SERVER-901')).toContain('PROJECT-2');
  expect(await told('/db show MYSQL_LIVE_SERVER-903')).toMatch(/does not know/);
  expect(await told('/db list inherited')).not.toContain('MYSQL_SNAPSHOT');
});

/** In `npm test` some of them: all stand in the lists, the pickers and the messages of these. */
const handled = few(records, ({ what }, at) => at % 3 === 0 || what === 'a link');

describe.each(handled)('a record whose name is $what', ({ name, id }) => {
  test('a record with a hostile name is shown by its identifier and by its name', async () => {
    expect(await told(`/db show ${id}`)).toContain(`\`${id}\``);
    // Whoever reads a name can type it, in quotes; what cannot be seen or is too long has its identifier.
    const typed = name.replace(/\p{Cc}+/gu, ' ').trim();
    if (typed.length > 250 || !/[\p{L}\p{P}]/u.test(typed)) return;
    const text = await told(`/db ${writeCommand({ words: ['show', typed], inputs: {} })}`);
    if (name === 'orders') expect(text).toContain('Which one?');
    else if (name === 'USER-1') expect(text).toContain('USER-1 is a user');
    else expect(text).toContain(name === 'MYSQL_LIVE_SERVER-1' ? name : id);
  });

  test('a record with a hostile name is offered by pickers, and so is what stands in it', async () => {
    await opensForm(ana, '#databases', '/clone');
    expect(await ana.choices('sourceDatabase', id)).toHaveLength(1);
    expect((await ana.choices('sourceDatabase', '')).length).toBeGreaterThan(15);
    await ana.fills({ sourceDatabase: id, targetEnvironment: 'HOST_ENVIRONMENT-4' });
    expect(await ana.choices('snapshot', '')).toHaveLength(4);
    expect(await ana.choices('install', '')).toHaveLength(records.length);
    expect(await ana.choices('environmentUser', '')).toHaveLength(records.length);
    await ana.fills({ install: 'MYSQL_INSTALL-108', snapshot: '', project: 'PROJECT-3' });
    await ana.cancels();
  });

  test('a job on a record with a hostile name says in its message and thread how it ends', async () => {
    const card = await asks(earth, ana, `/db backup ${id}`);
    expect(await comesToAnEnd(earth, card)).toMatch(/· (Confirmed|Failed)/);
    expect(earth.replies(card)).toHaveLength(1);
  });

  test('a record with a hostile name is deleted once the name is typed as the form shows it', async () => {
    await ana.types('#databases', `/db delete ${id}`);
    const page = () => ana.sees().views.some(({ view }) => JSON.stringify(view).includes('"confirm"'));
    await ana.until(page, 'the last page');
    const asked = /Type ([\s\S]*) to confirm/.exec((await ana.modal()).text)?.[1];
    await ana.fills({ confirm: 'something else', reason: 'It is hostile.' });
    expect(Object.keys((await ana.submits()).errors)).toEqual(['confirm']);
    const before = earth.cards('#databases').length;
    await ana.fills({ confirm: asked ?? '' });
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    const card = await earth.until(() => earth.cards('#databases')[before], 'the message');
    if (earth.approver) await approves(earth, earth.approver, card);
    await comesToAnEnd(earth, card);
    expect(earth.service.service.count('DELETE /database/delete')).toBeGreaterThan(0);
  });
});

test('a person chooses between two databases with one name', async () => {
  earth.service.service.rename('MARIADB_LIVE_SERVER-1', 'orders');
  await earth.clock.advance(20_000);
  expect(await told('/db show orders')).toContain('Which one?');
});
