import type { MiddlewareHandler } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Json, recordOf } from '../../src/sandbox/playground/json.ts';
import type { Someone } from '../person.ts';
import { loginPath, signInOfferTo, type World, world } from '../world.ts';
import { ends, opensForm, quickClone, quickLine } from './clones.ts';

let earth: World;
let ana: Someone;
let ben: Someone;
/** What Slack says of people besides what the playground does. */
let said: Record<string, Json>;

/** Who somebody is, is told as the test has it. */
const directory: MiddlewareHandler = async (c, next) => {
  await next();
  if (c.req.path !== '/api/users.info' || !c.res.headers.get('content-type')?.startsWith('application/json')) return;
  const told = recordOf(await c.res.json());
  const user = recordOf(told.user);
  c.res = Response.json({ ...told, user: { ...user, ...said[String(user.id)] } });
};

beforeEach(async () => {
  said = {};
  earth = await world({ slack: { middleware: directory } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben');
});
afterEach(() => earth.close());

const guest = { is_restricted: true };
const outsider = { team_id: 'T0THEIRS01', is_stranger: false };
const guestSentence = 'Guests of this workspace cannot use me';
/** Lets what is known of people grow old, so that Slack is asked again. */
const forgets = () => earth.clock.advance(11 * 60_000);
/** Everything that the service was asked. */
const requests = () => earth.service.service.requests.length;

describe('a guest', () => {
  test.each([
    '/db help',
    '/db login',
    '/db list',
    '/clone shop',
    '/db backup shop',
    '/db jobs',
    '/db doctor',
    '/db nonsense',
  ])('a guest who types %s is told in one sentence that Dolly is not for them, and nothing is done', async line => {
    said[ben.id] = guest;
    const before = requests();
    await ben.types('#databases', line);
    const answer = await ben.reads('#databases', guestSentence);
    expect(answer.onlyFor).toBe(ben.id);
    expect(() => loginPath(answer)).toThrow();
    expect(ben.hasModal()).toBe(false);
    expect(requests()).toBe(before);
  });

  test('a guest cannot use a form, a picker or a list that they were shown before they became one', async () => {
    await earth.signsIn(ben, '#dev', 'ben');
    earth.playground.slack.settings.newerBlocks = false;
    await ben.types('#databases', '/db list');
    const list = await ben.reads('#databases', 'Next');
    await opensForm(ben, '#databases', quickLine(3501));
    await ben.presses('Save as preset…');
    await ben.fills({ name: 'mine' });
    await ben.submits();
    await ben.cancels(true);
    await opensForm(ben, '#databases', quickLine(3501));
    expect(await ben.choices('preset', '')).toEqual(['mine']);
    said[ben.id] = guest;
    await forgets();
    const before = requests();

    expect(await ben.choices('targetEnvironment', '')).toEqual([]);
    expect(await ben.choices('preset', '')).toEqual([]);
    await ben.submits();
    await ben.until(() => JSON.stringify(ben.sees().views).includes(guestSentence), 'the sentence in the form');
    await ben.cancels(true);
    await ben.presses('Next', { message: list });
    await ben.reads('#databases', guestSentence);
    await earth.clock.advance(60_000);
    expect(earth.cards('#databases')).toEqual([]);
    expect(requests()).toBe(before);
  });

  test('a guest cannot press the buttons of a job', async () => {
    const card = await quickClone(earth, ana, 3502, '/mnt/fail-it');
    await ends(earth, card, 'Failed');
    said[ben.id] = guest;
    await ben.presses('Change and ask again', { message: card });
    await ben.reads('#databases', guestSentence);
    expect(ben.hasModal()).toBe(false);
  });

  test('a guest cannot use a sign-in link that they were given before they became one', async () => {
    const path = loginPath(await signInOfferTo(ben, '#databases'));
    said[ben.id] = guest;
    const before = requests();
    // What was known of them a moment ago does not count: a link lives for less time than that.
    const answer = await fetch(earth.dolly().url + path, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ben', password: 'ben-password' }),
    });
    expect(answer.status).toBe(403);
    const page = await answer.text();
    expect(page).toContain(guestSentence);
    expect(page).not.toContain('type="password"');
    expect(requests()).toBe(before);
  });

  test('a guest can neither send nor open the sign-in form in Slack', async () => {
    await earth.restart({ PUBLIC_URL: '' });
    const offer = await signInOfferTo(ben, '#databases');
    await ben.presses('Sign in', { message: offer });
    await ben.fills({ username: 'ben', password: 'ben-password' });
    said[ben.id] = guest;
    await forgets();
    const before = requests();
    await ben.submits();
    await ben.until(() => JSON.stringify(ben.sees().views).includes(guestSentence), 'the sentence in the form');
    await ben.cancels();
    await ben.presses('Sign in', { message: offer });
    await ben.reads('#databases', guestSentence);
    expect(ben.hasModal()).toBe(false);
    expect(requests()).toBe(before);
  });

  test('a guest is let in where the configuration allows guests', async () => {
    said[ben.id] = guest;
    await earth.restart({ ALLOW_GUESTS: 'true' });
    await earth.signsIn(ben, '#dev', 'ben');
  });
});

describe('a person of another workspace', () => {
  test('a person of another workspace is told that Dolly is for members only', async () => {
    said[ben.id] = outsider;
    await ben.types('#databases', '/db login');
    const answer = await ben.reads('#databases', 'Only members of this workspace');
    expect(() => loginPath(answer)).toThrow();
  });

  test('a person of another workspace is let in where the configuration names that workspace', async () => {
    said[ben.id] = outsider;
    await earth.restart({ ALLOW_TEAMS: 'T0THEIRS01' });
    await earth.signsIn(ben, '#dev', 'ben');
  });
});

test('a member’s form opens in time although Slack does not answer who they are', async () => {
  await forgets();
  earth.playground.slack.faults.add({ method: 'users.info', kind: 'hang', times: 9 });
  const before = earth.clock.now();
  await ana.types('#databases', '/clone');
  await earth.until(() => ana.hasModal(), 'the form');
  expect(earth.clock.now() - before).toBeLessThan(2_000);
});
