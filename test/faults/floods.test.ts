import type { MiddlewareHandler } from 'hono';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { signatureHeaders } from '../../src/sandbox/playground/signature.ts';
import { floodGate } from '../../src/slack/inbox/flood.ts';
import { testClock } from '../clock.ts';
import { ends, opensForm, quickClone, quickLine } from '../journeys/clones.ts';
import type { Someone } from '../person.ts';
import { signingSecret, type World, world } from '../world.ts';

/* More is asked at once than anybody needs. The clock stands still, unless a test turns it. */

let earth: World;
let ana: Someone;
let ben: Someone;

/** What the bot said at the response URL of a flood, which stands for any number of them. */
const said: string[] = [];
const responsePath = '/response/flood';
const responses: MiddlewareHandler = async (c, next) => {
  if (c.req.path !== responsePath) return next();
  said.push(await c.req.text());
  return c.text('ok');
};
const responseUrl = () => earth.playground.url + responsePath;

beforeEach(async () => {
  said.length = 0;
  earth = await world({ slack: { middleware: responses } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  // Their sign-ins were commands, too.
  await earth.clock.advance(30_000);
});
afterEach(() => earth.close());

const Answer = z.object({ response_type: z.literal('ephemeral'), text: z.string() });

/** Sends one request as Slack does; gives the text of the answer to it, or nothing. */
async function sends(fields: Record<string, string>): Promise<string> {
  const body = new URLSearchParams(fields).toString();
  const answer = await fetch(`${earth.dolly().url}/slack/events`, {
    method: 'POST',
    body,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      ...signatureHeaders(signingSecret, Math.floor(Date.now() / 1_000), body),
    },
  });
  expect(answer.status).toBe(200);
  const text = await answer.text();
  return text === '' ? '' : Answer.parse(JSON.parse(text)).text;
}

function types(person: string, text: string): Promise<string> {
  return sends({
    team_id: 'T0PLAYGRND',
    channel_id: 'C0DATABASE',
    user_id: person,
    command: '/db',
    text,
    response_url: responseUrl(),
    trigger_id: '1.1',
  });
}

function clicks(person: string): Promise<string> {
  const action = { type: 'button', block_id: 'b', action_id: 'command.run', value: 'help', action_ts: '1.1' };
  const payload = {
    type: 'block_actions',
    team: { id: 'T0PLAYGRND', domain: 'playground' },
    user: { id: person, username: 'ana', team_id: 'T0PLAYGRND' },
    channel: { id: 'C0DATABASE', name: 'databases' },
    container: { type: 'message', message_ts: '1.1', channel_id: 'C0DATABASE' },
    response_url: responseUrl(),
    trigger_id: '1.1',
    actions: [action],
  };
  return sends({ payload: JSON.stringify(payload) });
}

/** So many at once, as far as the machine lets them. */
async function flood(count: number, send: (at: number) => Promise<string>): Promise<string[]> {
  const texts: string[] = [];
  for (let at = 0; at < count; at += 250)
    texts.push(...(await Promise.all(Array.from({ length: Math.min(250, count - at) }, (_, i) => send(at + i)))));
  return texts;
}

describe('a flood of one person', () => {
  test('a flood of 3,000 commands by one person has sixty carried out, is told once, and delays nobody else', async () => {
    const flooding = flood(3_000, () => types(ana.id, 'list'));
    await ben.types('#databases', '/db list orders');
    await ben.reads('#databases', 'orders-3320');
    const answers = await flooding;
    const told = answers.filter(text => text !== '');
    expect(told).toHaveLength(1);
    expect(told[0]).toContain('more at once than I do for one person');
    await expect.poll(() => said.length).toBe(60);
    expect(said.filter(text => text.includes('orders-3320') || text.includes('21 databases'))).toHaveLength(60);
    // They shared what the service answered.
    expect(earth.service.service.count('GET /database/list')).toBeLessThan(5);
  });

  test('a flood of clicks by one person has sixty carried out, and is told once', async () => {
    await flood(200, () => clicks(ana.id));
    await expect.poll(() => said.length).toBe(61);
    expect(said.filter(text => text.includes('more at once'))).toHaveLength(1);
  });

  test('a flood ends with itself: what the person asks some seconds later is done', async () => {
    await flood(120, () => types(ana.id, 'help'));
    await expect.poll(() => said.length).toBe(60);
    await earth.clock.advance(3_000);
    const later = await flood(20, () => types(ana.id, 'help'));
    // Told a moment ago, so not told again.
    expect(later.every(text => text === '')).toBe(true);
    await expect.poll(() => said.length).toBe(75);
    await earth.clock.advance(10_000);
    const again = await flood(60, () => types(ana.id, 'help'));
    expect(again.filter(text => text !== '')).toHaveLength(1);
    await expect.poll(() => said.length).toBe(125);
  });

  test('a flood of commands does not cost the person the form that they fill in', async () => {
    await opensForm(ana, '#databases', quickLine(3401));
    await flood(120, () => types(ana.id, 'help'));
    expect(await ana.submits()).toEqual({ errors: {}, error: '', open: false });
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message');
    expect(await ends(earth, card, 'Confirmed')).toContain('shop-3401');
  });
});

test('a flood of many people is carried out in part, each of the others is told once, and jobs go on', async () => {
  const card = await quickClone(earth, ben, 3402);
  await earth.until(() => earth.text(card).includes('Running'), 'running');
  // Nobody knows who they are, as long as Slack does not say so: each command stays in hand for a second.
  earth.playground.slack.faults.add({ method: 'users.info', kind: 'hang', times: 10_000 });
  const people = Array.from({ length: 40 }, (_, at) => `U0CROWD${at}`);
  const answers = await flood(800, at => types(people[at % people.length] ?? '', 'help'));
  const told = answers.filter(text => text !== '');
  expect(told.length).toBeGreaterThan(0);
  expect(told.length).toBeLessThanOrEqual(people.length);
  expect(new Set(told).size).toBe(1);
  expect(told[0]).toContain('too busy at the moment');
  earth.playground.slack.faults.clear();
  expect(await ends(earth, card, 'Confirmed')).toContain('shop-3402');
  await expect.poll(() => said.length, { timeout: 20_000 }).toBe(500);
  await ben.types('#databases', '/db list orders');
  await ben.reads('#databases', 'orders-3320');
});

describe('the gate against floods', () => {
  const one = { team: 'T1', person: 'U1' };

  test('the flood gate takes the same id in another workspace for another person', () => {
    const gate = floodGate(testClock(0), 1);
    expect(gate(one, 0)).toBe('passes');
    expect(gate({ ...one, team: 'T2' }, 0)).toBe('passes');
    expect(gate(one, 0)).not.toBe('passes');
  });

  test('the flood gate lets sixty commands of a person pass at once, and five more a second', () => {
    let now = 0;
    const gate = floodGate({ ...testClock(0), steady: () => now }, 60);
    const passing = (person: string, count: number) =>
      Array.from({ length: count }, () => gate({ team: 'T1', person }, 0)).filter(result => result === 'passes').length;
    expect(passing('U1', 100)).toBe(60);
    expect(passing('U2', 5)).toBe(5);
    now = 7_000;
    expect(passing('U1', 100)).toBe(35);
    now = 3_600_000;
    expect(passing('U1', 100)).toBe(60);
  });

  test('the flood gate does not go by the time of day', () => {
    let time = 0;
    const gate = floodGate({ ...testClock(0), now: () => time }, 1);
    expect(gate(one, 0)).toBe('passes');
    time = 3_600_000;
    expect(gate(one, 0)).not.toBe('passes');
  });

  test('the flood gate forgets people, so that its memory is bounded', () => {
    const gate = floodGate(testClock(0), 60);
    for (let at = 0; at < 60; at++) gate(one, 0);
    expect(gate(one, 0)).not.toBe('passes');
    for (let at = 0; at < 5_000; at++) gate({ team: 'T1', person: `U1${at}` }, 0);
    expect(gate(one, 0)).toBe('passes');
  });
});
