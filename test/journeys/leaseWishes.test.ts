import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import type { Message } from '../../src/sandbox/playground/protocol.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalKeys } from './approvals.ts';
import { answerAfter, answerTo } from './asking.ts';
import { isTold, keepsClone, plain, pressesThere, requestsTo, sleepsUntil } from './keeping.ts';

/* Ends that act with one person's sign-in, as somebody else wishes them. Ana and Dev approve; Eve only looks. */

const policy = `leases:
  - title: clones on dev are deleted
    environment: dev
    default: 1w
    longest: 2w
    warn: [1d]
    end: delete
    grace: 1h
`;

const folder = scratchFolder('leaseWishes');
let earth: World;
let ben: Someone;
let dev: Someone;
let eve: Someone;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  const environment = { ...approvalKeys, POLICY_FILE: file };
  earth = await world({ environment, service: { tokenLifetime: 900 * day } });
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
  eve = await earth.enters('Eve', 'eve');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A moment from now on, as people type it: to the minute. */
const momentIn = (time: number) => new Date(earth.clock.now() + time).toISOString().slice(0, 16);

const leaseOf = async (port: number) => plain(textOf(await answerTo(ben, `/db lease shop-${port}`)));

/** The questions to Ben about a clone that still have their buttons. */
const questions = (port: number) =>
  ben
    .messages('@dolly')
    .filter(message => textOf(message).includes(`shop-${port}`) && textOf(message).includes('Set this end'));

const isAsked = (port: number): Promise<Message> => earth.until(() => questions(port).at(-1), `a question to Ben`);

test('a lease end that one person wishes for another’s clone is set only once the clone’s holder agrees', async () => {
  await keepsClone(earth, ben, 3310, '');
  const before = await leaseOf(3310);
  const wished = plain(textOf(await answerTo(eve, `/db lease shop-3310 until=${momentIn(2 * minute)}`)));
  expect(wished).toContain(`<@${ben.id}>`);
  expect(wished).toContain('stays as it was');
  expect(plain(textOf(await isAsked(3310)))).toContain(`<@${eve.id}>`);
  expect(await leaseOf(3310)).toBe(before);
  await earth.clock.advance(3 * hour);
  expect(requestsTo(earth, '/service/database/stop')).toBe(0);
  expect(await leaseOf(3310)).toBe(before);
  // Its time is over meanwhile.
  expect(textOf(await pressesThere(ben, 'Set this end', await isAsked(3310)))).toContain('That time has passed');

  await answerTo(eve, '/db lease shop-3310 3d');
  const question = await earth.until(() => questions(3310)[1], 'the second question');
  expect(plain(textOf(await pressesThere(ben, 'Set this end', question)))).toContain('shop-3310 is kept until');
  expect(await leaseOf(3310)).not.toBe(before);
  await isTold(earth, eve, `<@${ben.id}> agreed to what you asked for shop-3310`);
  // Both questions are answered by that.
  await earth.until(() => questions(3310).length === 0, 'the questions to lose their buttons');
  const trail = plain(textOf(await answerTo(dev, '/db audit shop-3310 lease')));
  expect(trail).toContain('lease wished');
  expect(trail).toContain('lease set');
});

test('a wished lease end that is declined changes nothing, its asker hears of it, and a later click is too late', async () => {
  await keepsClone(earth, ben, 3311, '');
  const before = await leaseOf(3311);
  await answerTo(eve, '/db lease shop-3311 12h', '#dev');
  const question = await isAsked(3311);
  const answers = await Promise.all([
    pressesThere(ben, 'Leave it as it is', question),
    ben.presses('Leave it as it is', { message: question }).then(() => undefined),
  ]);
  expect(plain(textOf(answers[0]))).toMatch(/stays as it was|was answered before/);
  await isTold(earth, eve, `<@${ben.id}> left shop-3311 as it is`);
  await earth.clock.advance(minute);
  const declined = () => eve.messages('@dolly').filter(message => textOf(message).includes('as it is'));
  expect(declined()).toHaveLength(1);
  expect(await leaseOf(3311)).toBe(before);
  const { payload } = clickOn(question);
  const late = await answerAfter(ben, '@dolly', () => payload, 'an answer to a late click');
  expect(textOf(late)).toContain('was already answered');
  expect(await leaseOf(3311)).toBe(before);
  expect(plain(textOf(await answerTo(dev, '/db audit shop-3311')))).toContain('lease wish declined');
});

test('whoever wished for a lease end can withdraw the wish, once, and the holder is asked no longer', async () => {
  await keepsClone(earth, ben, 3314, '');
  const before = await leaseOf(3314);
  const told = await answerTo(eve, '/db lease shop-3314 12h');
  await isAsked(3314);
  expect(
    plain(textOf(await answerAfter(eve, '#databases', () => eve.presses('Withdraw', { message: told }), 'it'))),
  ).toBe(`shop-3314 stays as it was, and I no longer ask <@${ben.id}>.`);
  await earth.until(() => questions(3314).length === 0, 'the question to lose its buttons');
  const late = await answerAfter(eve, '#databases', () => eve.presses('Withdraw', { message: told }), 'a late answer');
  expect(textOf(late)).toContain('was already answered');
  expect(await leaseOf(3314)).toBe(before);
  expect(plain(textOf(await answerTo(dev, '/db audit shop-3314')))).toContain('lease wish withdrawn');
});

/** Delivers the click that declined once more, as one that confirms: from a client that shows the old buttons. */
function clickOn(question: Message) {
  const confirm = /"action_id":"(lease\.grant[^"]*)"/.exec(JSON.stringify(question.blocks))?.[1] ?? '';
  expect(confirm).not.toBe('');
  const payload = earth.replays('block_actions', sent =>
    sent.replace(/lease\.decline[^"]*/g, confirm).replace(/"trigger_id":"[^"]*"/, '"trigger_id":"1.2.late"'),
  );
  return { payload };
}

test('a wish for another’s lease asks the holder by the form, a mention and a warning’s button, too', async () => {
  const card = await keepsClone(earth, ben, 3312, 'keepFor=3d');
  const before = await leaseOf(3312);
  const shown = await answerTo(eve, '/db lease shop-3312');
  await eve.presses('Keep for…', { message: shown });
  await eve.fills({ time: '12 hours' });
  await answerAfter(eve, '#databases', () => eve.submits(), 'an answer to the form');
  await earth.until(() => questions(3312).length === 1, 'the question of the form');

  // A wish that is open takes the later one.
  const first = textOf(await isAsked(3312));
  await eve.types('#databases', '@dolly lease shop-3312 1d');
  await earth.until(async () => textOf(await isAsked(3312)) !== first, 'the question of the mention');
  expect(questions(3312)).toHaveLength(1);

  await sleepsUntil(earth, earth.clock.now() + 2 * day);
  const reply = await earth.until(
    () => earth.replies(card).find(one => earth.text(one).includes('3 days longer')),
    'the warning in the thread',
  );
  const message = await eve.until(() => eve.messages('#databases').find(({ ts }) => ts === reply.ts), 'the warning');
  await eve.presses('3 days longer', { message });
  await earth.until(() => questions(3312).length === 2, 'the question of the button');
  expect(await leaseOf(3312)).toBe(before);
});

test('an approver sets the end of another’s lease without asking, and its holder hears of it', async () => {
  await keepsClone(earth, ben, 3313, '');
  expect(plain(textOf(await answerTo(dev, '/db lease shop-3313 2d')))).toContain('shop-3313 is kept until');
  await isTold(earth, ben, `<@${dev.id}> has changed how long your clone shop-3313 is kept`);
  expect(questions(3313)).toEqual([]);
});
