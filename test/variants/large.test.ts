import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { answerTo } from '../journeys/asking.ts';
import { ends, opensForm, quickClone } from '../journeys/clones.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';

const others = 50_000;

/** What else there is, beside the sandbox's estate: as much as a list says of each of its own. */
const estate = Array.from({ length: others }, (_, at) => ({
  id: `MARIADB_LIVE_SERVER-${1_000 + at}`,
  objectType: 'MARIADB_LIVE_SERVER',
  name: `estate-${at}`,
  vendor: 'MARIADB',
  state: at % 10 === 0 ? 'STOPPED' : 'RUNNING',
  role: 'LIVE',
  environment: 'HOST_ENVIRONMENT-3',
  environmentName: 'mariadb-prod',
  project: 'PROJECT-2',
  projectName: 'finance',
  port: 3_306,
  version: '10.11.9',
  snapshots: [
    {
      id: `MARIADB_SNAPSHOT-${9_000 + at}`,
      name: `estate-${at}-1`,
      type: 'FULL',
      createdAt: '2026-11-20T02:00:00.000Z',
    },
  ],
  connection: 'mariadb --host=mariadb-prod.example.com --port=3306 --user=root -p',
  createdAt: '2026-06-24T09:00:00.000Z',
  updatedAt: '2026-11-20T23:00:00.000Z',
}));
const text = JSON.stringify(estate).slice(1);

const crowded: Middleware = async (request, next) => {
  const answer = await next();
  if (!new URL(request.url).pathname.endsWith('/database/list') || !answer.ok) return answer;
  return new Response(`${(await answer.text()).trimEnd().slice(0, -1)},${text}`, { headers: answer.headers });
};

let earth: World;
let ana: Someone;
beforeAll(async () => {
  earth = await world({ service: { middleware: crowded } });
  ana = await earth.enters('Ana', 'ana');
  earth.approver = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const answered = (line: string) => answerTo(ana, line, '#databases');
const now = (message: Message) => textOf(ana.messages('#databases').find(({ ts }) => ts === message.ts));

test('a list of 50,000 databases turns its pages, and knows how many there are', async () => {
  const list = await answered('/db list');
  expect(now(list)).toContain('50021 databases');
  expect(now(list)).toContain('1 to 50 of 50021');
  await ana.presses('Next', { message: list });
  await ana.until(() => now(list).includes('51 to 100 of'), 'the second page');
});

test.each([
  ['/db list estate-4999 stopped', '1 database'],
  ['/db list mysql orders', '3 databases'],
  ['/db list estate stopped', '5000 databases'],
])('the command %s finds what fits among 50,000 databases', async (line, count) => {
  expect(now(await answered(line))).toContain(count);
});

test('one of 50,000 databases is shown by its name', async () => {
  expect(now(await answered('/db show orders'))).toContain('MYSQL_SNAPSHOT-4');
});

test('a picker on 50,000 databases offers at most 100, and finds each by a few letters', async () => {
  await opensForm(ana, '#databases', '/clone');
  const found = async (words: string) => {
    let choices: string[] = [];
    // What takes too long for Slack is there at the next letter.
    for (let tries = 0; tries < 3 && choices.length === 0; tries++)
      choices = await ana.choices('sourceDatabase', words);
    return choices;
  };
  const all = await found('');
  expect(all.length).toBeGreaterThan(90);
  expect(all.length).toBeLessThanOrEqual(100);
  expect(await found('estate-49999')).toEqual(['estate-49999']);
  expect(await found('orders')).toEqual(['orders']);
  await ana.cancels();
});

test('a clone form opens with a port that is free among 50,000 databases', async () => {
  await opensForm(ana, '#databases', '/clone estate-4242 targetEnvironment=mariadb-prod');
  const { text, fields } = await ana.modal();
  expect(text).toMatch(/Filled in for you: .*\*Port\*/);
  expect(JSON.stringify(fields.port)).toContain('"value":"3311"');
  await ana.cancels();
});

test('a clone among 50,000 databases is followed to its end', async () => {
  const card = await quickClone(earth, ana, 3_401);
  expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
});
