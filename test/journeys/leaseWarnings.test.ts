import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { isWhole } from '../whole.ts';
import { type World, world } from '../world.ts';
import { approvalKeys } from './approvals.ts';
import { answerTo } from './asking.ts';
import { isTold, keepsClone, plain, requestsTo, sleepsUntil } from './keeping.ts';

/* What hangs on a message to the owner of a lease, while Slack takes none. */

const policy = `leases:
  - title: clones on dev are deleted
    environment: dev
    warn: [1d]
    end: delete
    grace: 1h
`;

const folder = scratchFolder('leaseWarnings');
let earth: World;
let ana: Someone;
/** How far the machine's clock is off, in milliseconds. */
let skew = 0;

beforeAll(async () => {
  const file = join(folder, 'policy.yml');
  writeFileSync(file, policy);
  const service = { tokenLifetime: 900 * day };
  earth = await world({ environment: { ...approvalKeys, POLICY_FILE: file }, service, skew: () => skew });
  ana = await earth.enters('Ana', 'ana');
});
afterAll(async () => {
  await earth.close();
  rmSync(folder, { recursive: true, force: true });
});

const anasMessages = 'D0ANA00001';

/** Slack refuses every message to Ana with a word, until it is told to take them again. */
const refuses = (word: string) =>
  earth.playground.slack.faults.add({
    method: 'chat.postMessage',
    kind: 'refuse',
    word,
    channel: anasMessages,
    times: 100_000,
  });
/** Slack answers nothing that asks for its health or for a message, until then. */
const isAway = () => {
  for (const method of ['auth.test', 'chat.postMessage', 'chat.update', 'users.info', 'conversations.history'])
    earth.playground.slack.faults.add({ method, kind: 'error', times: 1_000_000 });
};
const takesAgain = () => earth.playground.slack.faults.clear();

/** The words of Dolly's direct messages to Ana about a clone. */
const toldOf = (name: string) =>
  ana.messages('@dolly').flatMap(message => (textOf(message).includes(name) ? [plain(textOf(message))] : []));

/** The moments of the writes on a path, by the clock of the test. */
async function sees(path: string): Promise<number> {
  const before = requestsTo(earth, path);
  await earth.until(() => requestsTo(earth, path) > before, `a request to ${path}`, 2 * day);
  return earth.clock.now();
}

const stop = '/service/database/stop';
const deletion = '/service/database/delete';

test('a clone’s owner whom Slack cut off after an approver had set a near end is warned anew before the stop', async () => {
  // The first test, since nothing else is promised to anybody yet for which Slack would be watched.
  await keepsClone(earth, ana, 3317, 'keepFor=none');
  const stops = requestsTo(earth, stop);
  const dev = await earth.enters('Dev', 'dev');
  const endsAt = earth.clock.now() + hour;
  expect(plain(textOf(await answerTo(dev, '/db lease shop-3317 1h')))).toContain('shop-3317 is kept until');
  await isTold(earth, ana, 'has changed how long your clone shop-3317 is kept');
  await earth.clock.advance(5 * minute);
  isAway();
  await earth.clock.advance(5 * minute);
  await earth.clock.leap(endsAt - earth.clock.now() - 5 * minute);
  takesAgain();
  await earth.clock.advance(15 * minute);
  expect(requestsTo(earth, stop)).toBe(stops);
  await isTold(earth, ana, 'Time is up for shop-3317, but I could not reach Slack for a while');
  const arrival = earth.clock.now();
  expect((await sees(stop)) - arrival).toBeGreaterThanOrEqual(hour - 15 * minute);
  await sees(deletion);
});

/** In `npm run whole` each of Slack's words, under clocks that are set by hours while it refuses. */
const byNight = [
  ...['not_in_channel', 'channel_not_found', 'is_archived', 'restricted_action', 'msg_too_long', 'ratelimited'],
  ...['internal_error', 'token_revoked', 'no_permission'],
].map((word, at) => ({ port: 3340 + at, word, off: [5 * hour, -5 * hour, 0][at % 3] ?? 0 }));

test.each([
  // A word that nobody knows, and one that closes the place.
  { port: 3311, word: 'some_new_word', off: 5 * hour },
  { port: 3312, word: 'user_disabled', off: -5 * hour },
  ...(isWhole ? byNight : []),
])(
  'a lease’s warning that Slack refuses ($word) arrives at last, and only then the grace time begins',
  async ({ port, word, off }) => {
    await keepsClone(earth, ana, port, 'keepFor=2d');
    const endsAt = earth.clock.now() + 2 * day;
    const [stops, deletions] = [requestsTo(earth, stop), requestsTo(earth, deletion)];
    await answerTo(ana, '/db whoami', '@dolly');
    refuses(word);
    await sleepsUntil(earth, endsAt - day);
    await earth.clock.advance(2 * minute);
    skew = off;
    await earth.clock.advance(2 * minute);
    await sleepsUntil(earth, endsAt);
    skew = 0;
    await earth.clock.advance(15 * minute);
    expect(toldOf(`shop-${port}`)).toEqual([]);
    expect(requestsTo(earth, stop)).toBe(stops);

    takesAgain();
    await isTold(
      earth,
      ana,
      new RegExp(`Time is up for shop-${port}, but (I could not warn you before|my warning reached you late)`),
    );
    const arrival = earth.clock.now();
    const stopped = await sees(stop);
    expect(stopped - arrival).toBeGreaterThanOrEqual(hour - minute);
    expect(requestsTo(earth, deletion)).toBe(deletions);
    const told = await isTold(earth, ana, `shop-${port} is stopped`);
    expect(textOf(told)).toContain('unless somebody brings it back');
    const toldAt = earth.clock.now();
    expect((await sees(deletion)) - toldAt).toBeGreaterThanOrEqual(hour - minute);
  },
);

test('a stopped clone is not deleted before its owner was told of the stop and the grace time has passed', async () => {
  await keepsClone(earth, ana, 3313, 'keepFor=2d');
  const endsAt = earth.clock.now() + 2 * day;
  const deletions = requestsTo(earth, deletion);
  await sleepsUntil(earth, endsAt - day);
  await isTold(earth, ana, 'shop-3313 is kept until');
  refuses('fatal_error');
  await sleepsUntil(earth, endsAt);
  await sees(stop);
  await sleepsUntil(earth, earth.clock.now() + hour);
  await earth.clock.advance(20 * minute);
  expect(requestsTo(earth, deletion)).toBe(deletions);
  takesAgain();
  await isTold(earth, ana, /shop-3313 is stopped.*It is deleted/);
  const arrival = earth.clock.now();
  expect((await sees(deletion)) - arrival).toBeGreaterThanOrEqual(hour - minute);
});

test('a lease’s warning that is some minutes late puts the end off by as much', async () => {
  await keepsClone(earth, ana, 3314, 'keepFor=2d');
  const endsAt = earth.clock.now() + 2 * day;
  await sleepsUntil(earth, endsAt - day);
  refuses('internal_error');
  await earth.clock.advance(minute + 6 * minute);
  takesAgain();
  await isTold(earth, ana, 'shop-3314 is kept until');
  const arrival = earth.clock.now();
  await sleepsUntil(earth, endsAt);
  expect((await sees(stop)) - arrival).toBeGreaterThanOrEqual(day - minute);
});

test('a clone’s owner whom Slack cut off after the warning is warned anew, and gets the grace time anew', async () => {
  await keepsClone(earth, ana, 3315, 'keepFor=2d');
  const endsAt = earth.clock.now() + 2 * day;
  const stops = requestsTo(earth, stop);
  await sleepsUntil(earth, endsAt - day);
  await isTold(earth, ana, 'shop-3315 is kept until');
  await earth.clock.advance(5 * minute);
  isAway();
  await earth.clock.advance(5 * minute);
  await earth.clock.leap(endsAt - earth.clock.now() - 20 * minute);
  await earth.clock.advance(3 * minute);
  takesAgain();
  await sleepsUntil(earth, endsAt);
  await earth.clock.advance(10 * minute);
  expect(requestsTo(earth, stop)).toBe(stops);
  await isTold(earth, ana, 'Time is up for shop-3315, but I could not reach Slack for a while after I warned you');
  const arrival = earth.clock.now();
  expect((await sees(stop)) - arrival).toBeGreaterThanOrEqual(hour - 10 * minute);
});

test('a short outage of Slack after a lease’s warning does not put off its end', async () => {
  await keepsClone(earth, ana, 3316, 'keepFor=2d');
  const endsAt = earth.clock.now() + 2 * day;
  await sleepsUntil(earth, endsAt - day);
  await isTold(earth, ana, 'shop-3316 is kept until');
  earth.playground.slack.faults.add({ method: 'auth.test', kind: 'error', times: 1_000_000 });
  await earth.clock.advance(6 * minute);
  takesAgain();
  await earth.clock.advance(3 * minute);
  await sleepsUntil(earth, endsAt);
  expect((await sees(stop)) - endsAt).toBeLessThan(5 * minute);
});
