import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Surroundings } from '../../src/app/app.ts';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete } from './approvals.ts';
import { answerTo } from './asking.ts';
import { keepsClone, plain, requestsTo } from './keeping.ts';

/* A store that was restored from a backup: what waited then may have been sent since, and what was promised changed. */

const policy = `leases:
  - title: clones on dev are deleted
    environment: dev
    warn: [1d]
    end: delete
    grace: 1h
`;

const folder = scratchFolder('restored');
const surroundings: Surroundings = {};
let earth: World;
let ana: Someone;
let ben: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  const environment = { ...approvalKeys, POLICY_FILE: file };
  earth = await world({ environment, service: { tokenLifetime: 900 * day }, surroundings });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

test('after its store was restored, Dolly sends no waiting request, warns of leases anew, and tells approvers', async () => {
  await keepsClone(earth, ana, 3310, 'keepFor=2d');
  expect(textOf(await answerTo(ana, '/db schedule backup shop every=day at=03:00'))).toContain('runs');
  // Shortly before the clone ends: its owner was warned, and may have been told something else since the backup.
  await earth.clock.leap(day + 2 * minute);
  const { own, card } = await asksToDelete(earth, ben, '/db delete orders-3320', 'orders-3320');
  earth.service.service.signOut('ben');
  await ben.types('#databases', '/db backup orders');
  await earth.clock.advance(minute);
  await earth.stop();
  await earth.clock.advance(day - 20 * minute);
  const before = earth.writes().length;
  Object.assign(surroundings, { isRestored: true });
  await earth.start();
  Object.assign(surroundings, { isRestored: false });

  await earth.until(() => /Nothing was sent since then\. Check/.test(earth.text(own)), 'the end of the request');
  expect(earth.text(card)).not.toContain('[Approve]');
  const warned = () =>
    ana
      .messages('@dolly')
      .filter(one => plain(textOf(one)).includes('shop-3310'))
      .at(-1);
  await earth.until(() => /ends|warn/i.test(textOf(warned())), 'the warning');
  const told = await earth.until(
    () => earth.cards(approvalChannel).find(one => earth.text(one).startsWith(':warning: My store was restored')),
    'the word to those who approve',
  );
  const text = earth.text(told);
  for (const part of ['that waited ended without being sent', '1 lease', '1 schedule goes on with the next time'])
    expect(text).toContain(part);
  await earth.signsIn(ben, '#databases', 'ben');
  await earth.clock.advance(30 * minute);
  expect(earth.writes()).toHaveLength(before);
  // Then the whole grace is over, and the lease does what the policy says.
  await earth.until(() => requestsTo(earth, '/service/database/stop') > 0, 'the end of the clone', 3 * hour);
  await earth.restart();
  expect(
    earth.cards(approvalChannel).filter(one => earth.text(one).startsWith(':warning: My store was restored')),
  ).toHaveLength(1);
});
