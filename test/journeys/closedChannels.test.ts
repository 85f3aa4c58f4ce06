import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, asksToDelete, clicks } from './approvals.ts';
import { asks } from './asking.ts';
import { ends, quickClone } from './clones.ts';

/* Channels that are archived while something is told there. Each test finds those closed that an earlier one closed. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  const monthLong = 30 * 24 * 3_600_000;
  earth = await world({ service: { tokenLifetime: monthLong }, environment: approvalKeys });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const direct = (someone: Someone) => someone.messages('@dolly').map(({ text }) => text);

test('approvers hear by direct message of a request whose approval channel was archived, and can decide on it', async () => {
  const { own } = await asksToDelete(earth, ana, '/db project delete finance', 'finance');
  earth.playground.slack.archive(approvalChannel);
  await earth.clock.advance(0.6 * 3_600_000);
  await earth.until(() => direct(dev).some(text => text.includes('still waits for approval')), 'the reminder');
  expect([ana, ben].flatMap(direct)).toEqual([]);
  await earth.until(() => earth.text(own).includes('Approve'), 'the buttons on the job’s own message');
  await dev.presses('What waits for me', { message: dev.lastMessage('@dolly') });
  await dev.until(
    () => dev.messages('@dolly').some(({ blocks }) => JSON.stringify(blocks).includes('finance')),
    'the list',
  );
  expect(await clicks(dev, own, 'Approve')).toContain('You approved it');
  await ends(earth, own, 'Confirmed');
});

test('approvers hear by direct message of a request whose card Slack does not take at all', async () => {
  const before = direct(dev).length;
  const own = await asks(earth, ben, '/db user delete frank', { name: 'frank' });
  await earth.until(() => earth.text(own).includes('Approve'), 'the buttons on the job’s own message');
  await earth.until(() => direct(dev).length > before, 'the call');
  expect(direct(dev).at(-1)).toContain('waits for approval');
});

test('the end of a job whose channel is archived while it runs is told by direct message, once', async () => {
  const before = earth.cards('@dolly').length;
  const card = await quickClone(earth, ana, 3401);
  await earth.until(() => earth.text(card).includes('Running'), 'running');
  earth.playground.slack.archive('#databases');
  const mine = () => ana.messages('@dolly').slice(before);
  const told = await earth.until(() => mine().find(({ text }) => text.includes(`<@${ana.id}>`)), 'the end');
  expect(told.text).toContain('shop');
  await earth.clock.advance(600_000);
  expect(mine().filter(({ text }) => text.includes(`<@${ana.id}>`))).toHaveLength(1);
});
