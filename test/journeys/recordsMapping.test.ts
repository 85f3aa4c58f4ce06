import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { asks, comesToAnEnd } from './asking.ts';

/* A service that reports its work where no guess looks, in words that nobody knows: RECORDS_FILE tells them. */

let outcome = '';
const oddly: Middleware = async (request, next) => {
  const answer = await next(request);
  if (request.method !== 'GET' || outcome === '' || !answer.headers.get('content-type')?.includes('json'))
    return answer;
  const time = new Date(earth.clock.now()).toISOString();
  began ||= time;
  const note = JSON.stringify({ wot: outcome === 'ZULU' ? 'BKP' : 'RFS', out: outcome, nr: outcome, since: began });
  const text = (await answer.text()).replaceAll(
    /"id":"MYSQL_LIVE_SERVER-\d+",/g,
    (id: string) => `${id}"ledger":[${note}],`,
  );
  return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
};
let began = '';

const mapping = `
database:
  reports: [{ at: ledger, kind: wot, outcome: out, number: nr, begin: since }]
works: { backup: [BKP], refresh: [RFS] }
outcomes: { failed: [ZULU], done: [YANKEE] }
`;

let earth: World;
let ana: Someone;

beforeAll(async () => {
  const file = join(scratchFolder('mapping'), 'records.yml');
  writeFileSync(file, mapping);
  earth = await world({ environment: { RECORDS_FILE: file }, service: { middleware: oddly } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

test.each([
  ['backup orders', 'ZULU', '· Failed', 'ZULU, meaning failed'],
  ['refresh shop', 'YANKEE', '· Confirmed', 'YANKEE, meaning done'],
])(
  'a job (%s) whose report says %s is told as the operator’s mapping reads that word',
  async (line, word, end, said) => {
    outcome = '';
    began = '';
    const card = await asks(earth, ana, `/db ${line}`);
    outcome = word;
    const text = await comesToAnEnd(earth, card);
    expect(text).toContain(end);
    expect(text).toContain(said);
  },
);
