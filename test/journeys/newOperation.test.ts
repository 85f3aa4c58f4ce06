import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { parsed, recordOf, recordsOf } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, approves, comesToAnEnd } from './asking.ts';
import { opensForm } from './clones.ts';

/*
 * An operation is added by one entry in one file of the catalogue: here in databases.ts, as it would be for good, and
 * nowhere else. The service that does it is the sandbox's, with an endpoint that only this test has.
 */
vi.mock('../../src/operations/databases.ts', async original => {
  const actual = await original<typeof import('../../src/operations/databases.ts')>();
  const { verifyDatabase } = await import('./verifyDatabase.ts');
  return { ...actual, databaseOperations: [...actual.databaseOperations, verifyDatabase] };
});

const orders = 'MYSQL_LIVE_SERVER-1';
const takes = 40_000;
let earth: World;
let ana: Someone;
/** What the service was asked to verify, and when. */
const asked: { at: number; body: unknown }[] = [];

/** The sandbox service with one endpoint more, whose record tells by `verifiedAt` alone that it was verified. */
const verifying: Middleware = async (request, next) => {
  const { pathname } = new URL(request.url);
  if (pathname.endsWith('/database/verify')) {
    asked.push({ at: earth.clock.now(), body: await request.json() });
    return Response.json({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });
  }
  const answer = await next(request);
  if (request.method !== 'GET' || !pathname.includes('/database/')) return answer;
  const body = parsed(await answer.text());
  const [last] = asked;
  const isUnderWay = last !== undefined && earth.clock.now() < last.at + takes;
  const verifiedAt = new Date(last && !isUnderWay ? last.at + takes : Date.UTC(2026, 9, 1)).toISOString();
  const shown = (record: object) =>
    recordOf(record).id === orders ? { ...record, verifiedAt, ...(isUnderWay ? { state: 'VERIFYING' } : {}) } : record;
  return Response.json(Array.isArray(body) ? recordsOf(body).map(shown) : shown(recordOf(body)), {
    status: answer.status,
  });
};

beforeAll(async () => {
  earth = await world({ service: { middleware: verifying } });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

test('a new operation in the catalogue is in the help, on its targets’ cards, and among what may have been meant', async () => {
  expect(textOf(await answerTo(ana, '/db help verify'))).toContain('/db verify [name or identifier] [field=value …]');
  expect(JSON.stringify((await answerTo(ana, '/db show orders')).blocks)).toContain('operation:database.verify');
  expect(JSON.stringify((await answerTo(ana, '/db show orders-3320')).blocks)).not.toContain('database.verify');
  expect(textOf(await answerTo(ana, '/db verfy orders'))).toContain('/db verify');
});

test('a new operation in the catalogue has a form with pickers, an approval, and its proof at the end', async () => {
  const dev = await earth.enters('Dev', 'dev');
  await opensForm(ana, '#databases', '/db verify orders');
  expect(await ana.choices('snapshot', '11-18')).toEqual(['orders-2026-11-18T02:00']);
  await ana.fills({ snapshot: '11-18', thorough: 'Yes', reason: 'The audit asks for it.' });
  expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
  const card = await earth.until(() => earth.cards('#databases').at(-1), 'the message of the job');
  await earth.until(() => earth.text(card).includes('Waits for approval'), 'the card');
  expect(earth.text(card)).toContain('Verification of orders');
  expect(asked).toEqual([]);
  await approves(earth, dev, card);
  const end = await comesToAnEnd(earth, card);
  expect(asked.map(({ body }) => body)).toEqual([
    { database: orders, snapshot: expect.stringMatching(/^MYSQL_SNAPSHOT-\d+$/), thorough: true },
  ]);
  expect(end).toContain('Confirmed');
  expect(end).toContain('Its record shows a new time, verifiedAt: ');
});
