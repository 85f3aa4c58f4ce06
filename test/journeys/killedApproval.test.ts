import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { few } from '../whole.ts';
import { type World, world } from '../world.ts';
import { approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { trail } from './attacking.ts';
import { type Crossing, crossing } from './crossing.ts';

/* A bot that is killed between an approval and its call, and started again as it was, or by other rules. */

const folder = mkdtempSync(join(tmpdir(), 'dolly-killed-'));
const file = join(folder, 'policy.yml');
let earth: World;
let road: Crossing;
let ana: Someone;
let dev: Someone;

const never = () => new Promise<never>(() => undefined);
const target = 'MARIADB_LIVE_SERVER-5';

beforeAll(async () => {
  writeFileSync(file, 'rules: []');
  road = crossing();
  earth = await world({
    ownProcess: true,
    service: { middleware: road.middleware },
    environment: { ...approvalKeys, APPROVERS: 'U0DEV00001', POLICY_FILE: file },
  });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true });
});

/** Has it approved, and kills the bot while it looks at the target once more before the call. */
async function killedBeforeTheCall() {
  const request = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
  let reads = 0;
  const again = Promise.withResolvers<void>();
  // The first look is the approver's own.
  const meeting = road.meets(`/database/${target}`, (_request, next) => {
    reads += 1;
    if (reads === 1) return next();
    again.resolve();
    return never();
  });
  expect(await clicks(dev, request.card, 'Approve')).toContain('You approved it');
  await again.promise;
  await earth.kill();
  meeting.leave();
  return request;
}

/** In `npm test` one of them: each takes two starts of a process. */
const stricter = few(
  [
    ['somebody else is to approve', { APPROVERS: 'U0EVE00001' }, 'rules: []', 'of those given, 0 still count'],
    ['two are to approve', {}, 'approvals: 2', 'The policy asks for 2 approvals'],
    [
      'it is forbidden',
      {},
      'rules: [{ title: it stays, name: "archive*", decision: forbid }]',
      'The policy forbids this here: it stays.',
    ],
  ] as const,
  (_, at) => at === 1,
);

test.each(stricter)(
  'an approval is void after a kill and a start with new rules, by which %s',
  async (_, change, policy, sentence) => {
    const { own } = await killedBeforeTheCall();
    writeFileSync(file, policy);
    await earth.start(change);
    await earth.until(() => earth.text(own).includes('· Approval void'), 'the end of the approval');
    expect(earth.text(own)).toContain(sentence);
    expect(earth.writes()).toEqual([]);
    expect((await trail(earth, 1))[0]).toMatch(/^void dolly: .*Nothing was sent\.$/);
    writeFileSync(file, 'rules: []');
    await earth.restart({ APPROVERS: 'U0DEV00001' });
  },
);

test('an approval is void after a kill during which the target changed', async () => {
  const { own } = await killedBeforeTheCall();
  earth.service.service.rename(target, 'ledger');
  await earth.start();
  await earth.until(() => earth.text(own).includes('· Approval void'), 'the end of the approval');
  expect(earth.text(own)).toContain('Name was archive_2023, and is ledger.');
  earth.service.service.rename(target, 'archive_2023');
  expect(earth.writes()).toEqual([]);
});

test('an approved request is checked against its target again after a kill, and sent once', async () => {
  const { own } = await killedBeforeTheCall();
  const looks = () => earth.service.service.count('GET /database/{id}');
  const before = looks();
  await earth.start();
  await earth.until(() => earth.writes().length > 0, 'the call');
  expect(looks()).toBeGreaterThan(before);
  await earth.clock.advance(10_000);
  await earth.until(() => earth.text(own).includes('· Confirmed'), 'the proof');
  expect(earth.writes()).toHaveLength(1);
});

test('a bot that is killed during the call of an approved request never calls again', async () => {
  const before = earth.writes().length;
  const { own, card } = await asksToDelete(earth, ana, '/db delete inventory-3331', 'inventory-3331');
  const call = road.holds('/database/delete', 'before');
  expect(await clicks(dev, card, 'Approve')).toContain('You approved it');
  await call.arrived;
  await earth.kill();
  call.lets();
  await earth.start();
  await earth.until(() => /may or may not have been accepted|· Confirmed/.test(earth.text(own)), 'the doubt');
  await earth.clock.advance(10_000);
  await earth.until(() => earth.text(own).includes('· Confirmed'), 'the proof');
  expect(earth.writes().slice(before)).toHaveLength(1);
  const entries = await trail(earth, 9);
  const asked = entries.findLastIndex(entry => entry.startsWith('asked'));
  expect(entries.slice(asked).filter(entry => entry.startsWith('sending'))).toHaveLength(1);
});
