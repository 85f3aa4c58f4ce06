import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import { nextIdentifier } from '../../src/sandbox/service/estate.ts';
import { textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { isWhole } from '../whole.ts';
import { world } from '../world.ts';
import { approvalChannel, approvalKeys } from './approvals.ts';
import { answerTo } from './asking.ts';
import { sleepsUntil, timesOf } from './calendarTurns.ts';
import { counting } from './counting.ts';

/* A schedule for an environment, over many nights in which it grows: one database always fails, and one hangs. */

/** After the ninth one, nothing grows any more. */
const nightCount = isWhole ? 14 : 10;

test('an environment’s nightly schedule backs up its databases, also new ones, whatever fails or hangs among them', async () => {
  const earth = await world({ service: { tokenLifetime: 900 * day } });
  onTestFinished(() => earth.close());
  const ana = await earth.enters('Ana', 'ana');
  const { estate } = earth.service.service;
  const named = (name: string) => [...estate.databases.values()].find(one => one.name === name);
  const like = named('billing');
  if (!like) throw new Error('the service has no billing');
  const grows = (name: string) => {
    const id = nextIdentifier(estate, 'MARIADB_LIVE_SERVER');
    estate.databases.set(id, { ...like, id, name, snapshots: [], facts: {} });
  };
  const said = (words: RegExp) => earth.cards('#databases').filter(card => words.test(earth.text(card)));
  const made = textOf(await answerTo(ana, '/db schedule backup env:mariadb-prod every=day at=02:00 zone=UTC'));
  expect(made).toContain('mariadb-prod');
  expect(made).toContain('every day at 02:00');
  const good = ['billing', 'inventory', 'helpdesk'];
  for (let night = 0; night < nightCount; night++) {
    if (night === 2) grows('stuck_jobs');
    if (night === 4) good.push('sales');
    if (night === 4) grows('sales');
    if (night === 6) good.push('stock', 'staff', 'spare');
    if (night === 6) for (const name of ['stock', 'staff', 'spare']) grows(name);
    // This one is more than was asked for.
    if (night === 8) grows('surplus');
    const at = Math.ceil((earth.clock.now() - 2 * 60 * minute) / day) * day + 2 * 60 * minute;
    await sleepsUntil(earth, at);
    const hour = new Date(at).toISOString().slice(0, 13);
    const isBackedUp = (name: string) =>
      timesOf(earth, 'sync', named(name)?.id ?? '').some(time => time.startsWith(hour));
    await earth.until(
      () => good.every(isBackedUp),
      `night ${night + 1}: ${good.filter(name => !isBackedUp(name))}`,
      60 * minute,
    );
    expect(isBackedUp('failing_feed')).toBe(true);
  }
  const nights = (name: string) => timesOf(earth, 'sync', named(name)?.id ?? '').length;
  expect(['billing', 'inventory', 'helpdesk', 'failing_feed'].map(nights)).toEqual(Array(4).fill(nightCount));
  expect([nights('sales'), nights('stock'), nights('surplus')]).toEqual([nightCount - 4, nightCount - 6, 0]);
  // The one that hangs was asked for once, and not again while it may still be at it.
  expect(nights('stuck_jobs')).toBeLessThan(nightCount - 2);
  await earth.until(() => said(/New here, but not included.*surplus/)[0], 'the word about what is too much');
  expect(said(/New here, but not included/)).toHaveLength(1);
  expect(said(/New here, and included: sales/)).toHaveLength(1);
  expect(said(/New here, and included: stock, staff, spare/)).toHaveLength(1);
  expect(said(/the last 3 runs of failing_feed failed/)).toHaveLength(1);
  await ana.presses('Run now', { message: await answerTo(ana, '/db schedules') });
  await earth.until(() => nights('billing') === nightCount + 1, 'a run at once');
  // What nobody wants is left out for good.
  const [news] = said(/New here, and included: sales/);
  if (!news) throw new Error('nobody told of it');
  const ben = await earth.enters('Ben', 'ben');
  await ben.presses('Leave out sales', { message: news });
  await ben.reads('#databases', 'Only its owner and approvers');
  await ana.presses('Leave out sales', { message: news });
  // What is more than was asked for comes in by the word of its owner.
  const [above] = said(/New here, but not included/);
  if (!above) throw new Error('nobody told of it');
  await ben.presses('Allow up to 16', { message: above });
  await ben.reads('#databases', 'Only its owner can include more');
  await ana.presses('Allow up to 16', { message: above });
  const before = nights('sales');
  await sleepsUntil(earth, earth.clock.now() + day);
  await earth.until(
    () => nights('billing') === nightCount + 2 && nights('surplus') === 1,
    'the next night',
    60 * minute,
  );
  expect(nights('sales')).toBe(before);
}, 400_000);

test('approvers of an environment’s schedule see that new databases join, those of now, and how many there may be', async () => {
  const folder = scratchFolder('environment');
  const file = join(folder, 'password');
  writeFileSync(file, 'ana-password\n', { mode: 0o600 });
  const earth = await world({
    environment: { ...approvalKeys, SERVICE_USER: 'ana', SERVICE_PASSWORD_FILE: file },
    service: { tokenLifetime: 900 * day },
  });
  onTestFinished(() => earth.close());
  const ben = await earth.enters('Ben', 'ben');
  const made = await answerTo(ben, '/db schedule backup env:mariadb-prod every=day at=02:00 as=service');
  expect(textOf(made)).toContain('I ask the approvers');
  const card = await earth.until(() => earth.cards(approvalChannel)[0], 'the card');
  const text = earth.text(card);
  for (const words of ['including new ones', 'billing, inventory', 'At most', '`10`', 'Approve…'])
    expect(text).toContain(words);
});

test('nightly backups of an environment cost two clicks and no typing', async () => {
  const earth = await world();
  onTestFinished(() => earth.close());
  const ana = await earth.enters('Ana', 'ana');
  const message = await answerTo(ana, '/db env show mariadb-prod');
  const hand = counting(ana);
  expect(textOf(message)).toContain('Back up nightly…');
  await hand.presses('Back up nightly');
  await ana.until(() => JSON.stringify(ana.sees().views).includes('"submit":{'), 'the form');
  await hand.submits();
  expect(hand.cost()).toEqual({ clicks: 2, characters: 0, typed: 0 });
  await ana.reads('#databases', 'Backup of mariadb-prod');
  expect(textOf(await answerTo(ana, '/db schedules'))).toContain('every day at');
});
