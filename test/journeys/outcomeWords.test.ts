import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { isRecord, parsed } from '../../src/sandbox/playground/json.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo, asks } from './asking.ts';

/* A service whose reports say how work ended in words between good and bad. */

let earth: World;
let ana: Someone;
/** The word of the report of the latest backup, and when that was asked for. */
let word = '';
let askedAt = 0;
/** More that the record shows. */
let more: object = {};

beforeAll(async () => {
  earth = await world({
    service: {
      tokenLifetime: 900 * day,
      async middleware(request, next) {
        if (request.method === 'PUT' && request.url.includes('/database/sync')) askedAt = earth.clock.now();
        const answer = await next();
        if (request.method !== 'GET' || !request.url.includes('/database/')) return answer;
        return Response.json(withReport(parsed(await answer.text())), { status: answer.status });
      },
    },
  });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(() => earth.close());

/** The record of `shop` with a report of its latest backup: it runs with errors for a minute, and ends in the word. */
function withReport(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(withReport);
  if (!isRecord(node)) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withReport(value)]));
  if (node.name !== 'shop' || askedAt === 0) return { ...inner, ...(node.name === 'shop' ? more : {}) };
  const isOver = earth.clock.now() - askedAt > minute;
  const end = isOver ? { endedAt: new Date(askedAt + minute).toISOString() } : {};
  const status = isOver ? word : 'RUNNING WITH ERRORS';
  const startedAt = new Date(askedAt).toISOString();
  return { ...inner, ...more, lastJob: { id: askedAt, type: 'BACKUP', status, startedAt, ...end } };
}

/** Backs shop up, and gives its message once that has ended. */
async function backsUp(ending: string) {
  word = ending;
  const card = await asks(earth, ana, '/db backup shop');
  await earth.clock.advance(30_000);
  await earth.until(() => earth.text(card).includes('Running'), 'the message while it runs');
  await earth.until(() => !earth.text(card).includes('Running'), 'the end');
  return earth.text(card);
}

test('a backup that the service calls partially successful is told as finished in part, and has no tick', async () => {
  const told = await backsUp('Partially successful');
  expect(told).toContain('Finished in part');
  expect(told).toContain('Partially successful');
  expect(told).not.toMatch(/result not shown|white_check_mark|:x:/);
  expect(textOf(await answerTo(ana, '/db jobs'))).toMatch(/1 finished in part/);
});

test('a backup that completed with warnings is confirmed, and the warning is told', async () => {
  expect(await backsUp('Completed with warnings')).toMatch(/white_check_mark[\s\S]*Completed with warnings/);
});

test('a backup that completed with errors is told as failed once it is over, and not while it runs', async () => {
  expect(await backsUp('Completed with 2 errors')).toMatch(/:x:[\s\S]*Completed with 2 errors/);
});

test('a backup that finished with “0 failed” is confirmed', async () => {
  expect(await backsUp('Finished: 0 failed, 3 succeeded')).toContain('white_check_mark');
});

test('“/db status” shows the service’s word beside a backup time, which protects nothing if the word is bad', async () => {
  askedAt = 0;
  const { estate } = earth.service.service;
  const shop = [...estate.databases.values()].find(({ name }) => name === 'shop');
  if (!shop) throw new Error('the service has no shop');
  shop.snapshots = [];
  const rowOf = async (fields: object) => {
    more = { ...fields, snapshots: undefined };
    await earth.clock.advance(20_000);
    return textOf(await answerTo(ana, '/db status')).match(/^shop\t.*$/m)?.[0];
  };
  const lastBackupAt = new Date(earth.clock.now() - 30 * minute).toISOString();
  expect(await rowOf({ lastBackupAt, lastBackupStatus: 'UNSUCCESSFUL' })).toMatch(/not visible: UNSUCCESSFUL/);
  expect(await rowOf({ lastBackupAt, lastBackupStatus: 'Completed with warnings' })).toMatch(
    /protected\t30 min ago: Completed with warnings/,
  );
  expect(await rowOf({ lastBackupAt, lastBackupStatus: 'Completed (0 errors)' })).toMatch(/protected\t31 min ago\t/);
});
