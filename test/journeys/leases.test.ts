import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, minute } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys } from './approvals.ts';
import { answerTo } from './asking.ts';
import { asksForClone, ends, quickLine } from './clones.ts';
import { isTold, keepsClone, plain, pressesThere, requestsTo, sleepsUntil } from './keeping.ts';

/* Clones that are kept for a time, from the form to the end, on a clock that the test turns by days. */

const policy = `leases:
  - title: clones on dev live for two weeks
    environment: dev
    default: 1w
    longest: 2w
    warn: [1d]
    end: delete
    grace: 1d
`;

const folder = scratchFolder('leases');
let earth: World;
let ana: Someone;
let dev: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  const environment = { ...approvalKeys, POLICY_FILE: file };
  earth = await world({ environment, service: { tokenLifetime: 900 * day } });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a leased clone is warned of, extended, stopped, brought back and at last deleted, as the policy says', async () => {
  const card = await keepsClone(earth, ana, 3310, 'keepFor=3d');
  const endsAt = earth.clock.now() + 3 * day;
  expect(plain((await answerTo(ana, '/db leases shop-3310')).text)).toMatch(/shop-3310.* kept until/);

  await sleepsUntil(earth, endsAt - day);
  const warning = await isTold(earth, ana, 'shop-3310 is kept until');
  expect(textOf(warning)).toContain('Then I stop it, and delete it 1 day later (clones on dev live for two weeks).');
  const inThread = await earth.until(() => earth.replies(card)[1], 'the warning in the thread');
  expect(plain(earth.text(inThread))).toContain('shop-3310 is kept until');
  expect(plain(textOf(await pressesThere(ana, '3 days longer', warning)))).toContain('shop-3310 is kept until');
  await earth.until(() => plain(earth.text(inThread)).includes('keeps it until'), 'the outcome in the thread');

  await sleepsUntil(earth, endsAt + 3 * day - day);
  await earth.until(() => earth.replies(card)[2], 'the second warning');
  await sleepsUntil(earth, endsAt + 3 * day);
  const stopped = await isTold(earth, ana, 'shop-3310 is stopped: its time is up');
  expect(requestsTo(earth, '/service/database/stop')).toBe(1);
  await pressesThere(ana, 'Bring it back', stopped);
  await earth.until(() => requestsTo(earth, '/service/database/start') === 1, 'the start');

  await sleepsUntil(earth, earth.clock.now() + 6 * day);
  await isTold(earth, ana, /shop-3310 is kept until(?!.*keeps it)/);
  await sleepsUntil(earth, earth.clock.now() + day);
  await earth.until(() => requestsTo(earth, '/service/database/stop') === 2, 'the second stop');
  const grace = await isTold(earth, ana, /shop-3310 is stopped.*It is deleted/);
  expect(textOf(grace)).toContain('unless somebody brings it back');
  await sleepsUntil(earth, earth.clock.now() + day);
  await earth.until(() => requestsTo(earth, '/service/database/delete') === 1, 'the deletion');
  const trail = await answerTo(dev, '/db audit lease', '#databases');
  expect(textOf(trail)).toContain('clones on dev live for two weeks');
});

test('a lease longer than the policy allows needs approval, and is set once an approver approves it', async () => {
  const card = await keepsClone(earth, ana, 3311, '');
  expect(plain(earth.text(await earth.until(() => earth.replies(card)[1], 'the policy’s time')))).toContain(
    'shop-3311 is kept until',
  );
  const answer = await answerTo(ana, '/db lease shop-3311 4w');
  expect(textOf(answer)).toContain('Keeping it longer needs approval.');
  await ana.presses('Ask for approval…', { message: answer });
  await ana.fills({ reason: 'The audit takes four weeks.' });
  const before = earth.cards(approvalChannel).length;
  expect(await ana.submits()).toMatchObject({ errors: {}, error: '' });
  const request = await earth.until(() => earth.cards(approvalChannel)[before], 'the card');
  await earth.until(() => earth.text(request).includes('The audit takes four weeks.'), 'the reason');
  await dev.presses('Approve', { message: await isShown(dev, request) });
  const isLonger = async () => /kept until/.test(plain(textOf(await answerTo(ana, '/db lease shop-3311'))));
  await earth.until(() => earth.text(request).includes('kept longer'), 'the outcome');
  expect(await isLonger()).toBe(true);
  const shown = plain((await answerTo(ana, '/db leases shop-3311')).text);
  expect(shown).toContain(`${new Date(earth.clock.now() + 28 * day).toISOString().slice(0, 10)}`);
});

test('a clone whose signed-out owner does not answer at its end is offered to the approvers, and one takes it over', async () => {
  await keepsClone(earth, ana, 3312, 'keepFor=2d');
  const endsAt = earth.clock.now() + 2 * day;
  await answerTo(ana, '/db logout', '#dev');
  await sleepsUntil(earth, endsAt - day);
  await isTold(earth, ana, 'shop-3312 is kept until');
  await sleepsUntil(earth, endsAt);
  expect(plain(textOf(await isTold(earth, ana, 'Time is up for shop-3312')))).toContain('Nothing was done to it.');
  const before = earth.cards(approvalChannel).length;
  await sleepsUntil(earth, endsAt + day);
  const call = await earth.until(() => earth.cards(approvalChannel)[before], 'the approvers to be told');
  expect(plain(earth.text(call))).toContain('has not answered');
  await dev.presses('Take it over', { message: await isShown(dev, call) });
  await earth.until(() => earth.text(call).includes('took it over'), 'the outcome');
  await isTold(earth, ana, 'has taken over your clone shop-3312');
  await sleepsUntil(earth, earth.clock.now() + day);
  await isTold(earth, dev, 'shop-3312 is stopped');
  await earth.signsIn(ana, '#dev', 'ana');
});

test('a bot that was down for a week warns before it stops a clone, and a vanished clone’s lease ends silently', async () => {
  await keepsClone(earth, ana, 3313, 'keepFor=3d');
  const stops = requestsTo(earth, '/service/database/stop');
  await earth.stop();
  await earth.clock.advance(9 * day);
  await earth.start();
  expect(plain(textOf(await isTold(earth, ana, 'shop-3313')))).toContain('I could not warn you before');
  await sleepsUntil(earth, earth.clock.now() + day);
  await isTold(earth, ana, 'shop-3313 is stopped');
  expect(requestsTo(earth, '/service/database/stop')).toBe(stops + 1);

  await keepsClone(earth, ana, 3314, 'keepFor=3d');
  const clone = [...earth.service.service.estate.databases.values()].find(({ name }) => name === 'shop-3314');
  earth.service.service.estate.databases.delete(clone?.id ?? '');
  await sleepsUntil(earth, earth.clock.now() + 2 * day);
  await earth.clock.advance(2 * minute);
  expect(ana.messages('@dolly').filter(message => textOf(message).includes('shop-3314'))).toEqual([]);
  expect(textOf(await answerTo(ana, '/db lease shop-3314'))).toContain('is gone, and its lease has ended');
});

test('the end of a clone that is still being made is set by its requester alone, and stays after the job’s end', async () => {
  const line = `${quickLine(3315)} cloneType=PHYSICAL keepFor=2d`;
  const card = await asksForClone(earth, ana, '#databases', line, {});
  const { databases } = earth.service.service.estate;
  const made = () => [...databases.values()].find(({ name }) => name === 'shop-3315');
  const { id } = await earth.until(made, 'the clone, which is being copied');
  await earth.clock.advance(3_000);
  expect(textOf(await answerTo(dev, `/db lease ${id} 2h`))).toContain(
    'only the person who asked for it can set its end',
  );
  expect(plain(textOf(await answerTo(ana, `/db lease ${id} 12d`)))).toContain('shop-3315 is kept until');
  const endsAt = earth.clock.now() + 12 * day;
  expect(earth.text(card)).not.toContain('· Confirmed');
  await ends(earth, card, 'shop-3315');
  await earth.clock.advance(10_000);
  const kept = plain((await answerTo(ana, '/db leases shop-3315')).text);
  expect(kept).toContain(`kept until ${new Date(endsAt).toISOString().slice(0, 10)}`);
});

/** A message of a channel as a person has it. */
function isShown(someone: Someone, card: StoredMessage): Promise<Message> {
  return someone.until(() => someone.messages(card.channel).find(({ ts }) => ts === card.ts), 'the message');
}

test('a day that is typed as the end of a lease is read in the person’s time zone', async () => {
  const zone = new URLSearchParams({ as: 'U0BEN00001', zone: 'Asia/Kolkata' });
  await (await fetch(`${earth.playground.url}/play/events?${zone}`)).body?.cancel();
  const ben = await earth.enters('Ben', 'ben');
  const typed = new Date(earth.clock.now() + 3 * day).toISOString().slice(0, 10);
  // The last minute of that day there.
  const end = (Date.parse(typed) + day - 331 * minute) / 1_000;
  await keepsClone(earth, ben, 3371, `keepFor=${typed}`);
  expect(textOf(await answerTo(ben, '/db lease shop-3371'))).toContain(`<!date^${end}^`);
  await answerTo(ben, '/db lease shop-3371 5d');
  expect(textOf(await answerTo(ben, `/db lease shop-3371 ${typed}`))).toContain(`<!date^${end}^`);
});
