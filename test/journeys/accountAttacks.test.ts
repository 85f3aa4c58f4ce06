import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Someone } from '../person.ts';
import { scratchFolder } from '../scratch.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, clicks } from './approvals.ts';
import { answerTo } from './asking.ts';
import { forgedClick } from './attacking.ts';

/*
 * Attempts to get the service account to do what its asker may not, and the life of a schedule that it runs. Ben, who
 * is no approver, asks; Ana and Dev may approve.
 */

const shop = 'MYSQL_LIVE_SERVER-2';
const folder = scratchFolder('account');
const file = join(folder, 'password');
let earth: World;
let ana: Someone;
let ben: Someone;
/** An approver, who is signed in as the user that Ben is. */
let dev: Someone;
/** Who sent each backup: the user name of the token with which it came. */
const senders: string[] = [];
/** Whether the account’s token ends as soon as its request was accepted. */
let dies = false;
const logins = new Map<string, string>();

/** The longest time that anything takes here, on the clock that the tests turn. */
const wait = 10 * minute;

/** Turns the clock to a minute before an hour of the day, UTC, as a machine that slept does. */
async function comesTo(at: number): Promise<void> {
  const now = earth.clock.now();
  const time = now - (now % day) + at * hour - minute;
  await earth.clock.leap(time > now ? time - now : time + day - now);
}

beforeAll(async () => {
  writeFileSync(file, 'svc-password\n', { mode: 0o600 });
  earth = await world({
    environment: { ...approvalKeys, SERVICE_USER: 'svc', SERVICE_PASSWORD_FILE: file },
    service: {
      tokenLifetime: 900 * day,
      async middleware(request, next) {
        const token = request.headers.get('authorization')?.replace('Bearer ', '');
        if (request.url.includes('/database/sync')) {
          senders.push(logins.get(token ?? '') ?? 'nobody');
          const answer = await next(request);
          if (dies) earth.service.service.signOut('svc');
          return answer;
        }
        if (!request.url.endsWith('/user/user/token')) return next(request);
        const { username = '' }: Record<string, string> = await request.clone().json();
        const answer = await next(request);
        const { token: given = '' }: Record<string, string> = await answer.clone().json();
        logins.set(given, username);
        return answer;
      },
    },
  });
  const { users } = earth.service.service.estate;
  const someUser = [...users.values()].find(({ username }) => username === 'ana');
  if (!someUser) throw new Error('there is no Ana');
  users.set('USER-900', { ...someUser, id: 'USER-900', username: 'svc', password: 'svc-password' });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'ben');
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await earth.close();
});

/** Asks for a schedule of backups with the service account; gives the card of those who approve. */
async function asksFor(line: string): Promise<StoredMessage> {
  const before = earth.cards(approvalChannel).length;
  const answer = await answerTo(ben, line);
  expect(JSON.stringify(answer.blocks)).toContain('I ask the approvers');
  const card = await earth.until(() => earth.cards(approvalChannel)[before], 'the card', wait);
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons', wait);
  return card;
}

const list = async (someone: Someone) => JSON.stringify((await answerTo(someone, '/db schedules')).blocks);
/** The list of schedules as somebody sees it, with the buttons of the one that runs at this time. */
async function shownList(someone: Someone, at: string) {
  return answerTo(someone, `/db schedules ${at}`);
}
const accountSignIns = () => [...logins.values()].filter(name => name === 'svc').length;

test('nothing runs with the service account before another person, as another user, has approved exactly that', async () => {
  const card = await asksFor(`/db schedule backup ${shop} every=day at=02:00 zone=UTC as=service`);
  const text = earth.text(card);
  for (const seen of ['shop', shop, 'every day at 02:00', '*ben*', 'the service account']) expect(text).toContain(seen);
  expect(await clicks(ben, card, 'Approve')).toContain('another person has to approve it');
  // Another Slack account of the same person: it is an approver's, and signed in as the same user.
  expect(await clicks(dev, card, 'Approve')).toContain('and so is the person who asked');
  await earth.clock.leap(25 * hour);
  await earth.until(() => earth.text(card).includes('Expired'), 'the end of the request', wait);
  expect(earth.text(card)).not.toMatch(/ask again|\/db schedule approve/);
  expect(senders).toEqual([]);
  expect(accountSignIns()).toBe(0);
  expect(await list(ben)).toContain('paused: It was not approved');
});

test('an approved schedule runs with the service account, and a click on “Run now” with the clicker’s own sign-in', async () => {
  // What was approved for one thing is void for another: the change asks anew, and the older card decides nothing.
  const first = await asksFor(`/db schedule backup ${shop} every=day at=03:00 zone=UTC as=service reason="By night."`);
  await clicks(ben, first, 'Withdraw');
  await earth.until(() => earth.text(first).includes('Withdrawn'), 'the withdrawal', wait);
  expect(senders).toEqual([]);
  const card = await asksFor(`/db schedule backup ${shop} every=day at=04:00 zone=UTC as=service reason="By night."`);
  await clicks(ana, card, 'Approve');
  await earth.until(async () => /04:00 \(UTC\)[^}]*next/.test(await list(ben)), 'the schedule to be on', wait);
  expect(accountSignIns()).toBe(0);
  const cards = earth.cards('#databases').length;
  await comesTo(4);
  await earth.until(() => senders.length > 0, 'the run', wait);
  expect(senders).toEqual(['svc']);
  const run = await earth.until(() => earth.cards('#databases')[cards], 'the message of the run', wait);
  await earth.until(() => earth.text(run).includes('is backed up'), 'its end', wait);
  await ben.presses('Run now', { message: await shownList(ben, '04:00') });
  await earth.until(() => senders.length > 1, 'the run by a click', wait);
  expect(senders).toEqual(['svc', 'ben']);
});

test('a token of the service account that dies in the middle of a run is replaced, and the run comes to its end', async () => {
  const [before, cards] = [accountSignIns(), earth.cards('#databases').length];
  dies = true;
  await comesTo(4);
  await earth.until(() => senders.length > 2, 'the next run', wait);
  dies = false;
  const run = await earth.until(() => earth.cards('#databases')[cards], 'the message of the run', wait);
  await earth.until(() => earth.text(run).includes('is backed up'), 'its end', wait);
  expect(senders.at(-1)).toBe('svc');
  expect(accountSignIns()).toBeGreaterThan(before);
});

test('somebody’s logout and login leave the service account’s sign-in alone, and a click as “service” runs nothing', async () => {
  await answerTo(ben, '/db logout');
  await earth.signsIn(ben, '#dev', 'ben');
  const before = [accountSignIns(), senders.length];
  await ben.presses('Run now', { message: await shownList(ben, '04:00') });
  await earth.until(() => senders.length > (before[1] ?? 0), 'a run by a click', wait);
  const answer = await earth.replays('block_actions schedule.run', forgedClick({ person: 'service' }));
  expect(answer.ok).toBe(true);
  await earth.clock.advance(minute);
  expect(senders.slice(before[1])).toEqual(['ben']);
  expect(accountSignIns()).toBe(before[0]);
});

test('a schedule whose target was renamed is paused before anything is sent', async () => {
  const before = senders.length;
  earth.service.service.rename(shop, 'shop-of-others');
  await comesTo(4);
  await earth.until(async () => (await list(ben)).includes('is now called shop-of-others'), 'the pause', wait);
  expect(senders).toHaveLength(before);
});

test('a schedule that its owner asked for as one user does not run once they sign in as another', async () => {
  const card = await asksFor(`/db schedule backup ${shop} every=day at=05:00 zone=UTC as=service`);
  await clicks(ana, card, 'Approve');
  await earth.until(async () => /05:00 \(UTC\)[^}]*next/.test(await list(ben)), 'the schedule to be on', wait);
  const before = senders.length;
  await earth.signsIn(ben, '#dev', 'dev');
  expect(await list(ben)).toContain('paused: You asked for it as ben');
  await comesTo(5);
  await earth.clock.advance(wait);
  expect(senders).toHaveLength(before);
});

test('the service account’s password is in no message', () => {
  const all = JSON.stringify(earth.playground.slack.traffic());
  expect(all).not.toContain('svc-password');
});
