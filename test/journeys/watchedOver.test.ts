import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openLog } from '../../src/ground/log.ts';
import type { Someone } from '../person.ts';
import { hasPostgres, type Postgres, startPostgres } from '../postgresServer.ts';
import { type World, world } from '../world.ts';
import { ends, quickClone } from './clones.ts';

/* What somebody sees who runs Dolly: its figures, its log, and whether it is ready. */

const token = 'a-token-for-prometheus';
const asks = (earth: World, path: string) =>
  fetch(`${earth.dolly().url}${path}`, { headers: { authorization: `Bearer ${token}` } });
const flag = z.boolean();
const loops = {
  watch: flag,
  inbox: flag,
  homes: flag,
  contact: flag,
  protection: flag,
  leases: flag,
  schedules: flag,
  secondLooks: flag,
  steps: flag,
  account: flag,
  alerts: flag,
  retention: flag,
  deliver: flag,
  outbox: flag,
};
const Readiness = z.strictObject({ ready: flag, store: flag, slack: flag, ...loops });
const readiness = async (earth: World) => {
  const answer = await asks(earth, '/readyz');
  return { status: answer.status, ...Readiness.parse(await answer.json()) };
};
const turning = {
  watch: true,
  inbox: true,
  homes: true,
  contact: true,
  protection: true,
  leases: true,
  schedules: true,
  secondLooks: true,
  steps: true,
  account: true,
  alerts: true,
  retention: true,
  deliver: true,
  outbox: true,
};
const whole = { status: 200, ready: true, store: true, slack: true, ...turning };

const Line = z.looseObject({ msg: z.string(), request: z.string().optional(), job: z.string().optional() });
type Line = z.infer<typeof Line>;

describe('through a clone that is asked for and ends, and a command that nobody knows,', () => {
  let earth: World;
  let ana: Someone;
  const lines: Line[] = [];

  beforeAll(async () => {
    const stream = new Writable({
      write(chunk, _encoding, done) {
        lines.push(Line.parse(JSON.parse(String(chunk))));
        done();
      },
    });
    earth = await world({ environment: { METRICS_TOKEN: token }, surroundings: { log: openLog('info', stream) } });
    ana = await earth.enters('Ana', 'ana');
    await ends(earth, await quickClone(earth, ana, 3401), 'Confirmed');
    await quickClone(earth, ana, 3402, '/mnt/stuck');
    await ana.types('#databases', '/db hoard gold');
    await ana.reads('#databases', 'I do not know');
  });
  afterAll(() => earth.close());

  /** The value of the one series of this name whose labels hold all of these. */
  const value = async (name: string, labels: Record<string, string> = {}) => {
    const parts = Object.entries(labels).map(([label, text]) => `${label}="${text}"`);
    const text = await (await asks(earth, '/metrics')).text();
    const found = text
      .split('\n')
      .filter(line => new RegExp(`^${name}[ {]`).test(line) && parts.every(part => line.includes(part)));
    expect([name, labels, found.length]).toEqual([name, labels, 1]);
    return Number(found[0]?.split(' ').at(-1));
  };

  test('the metrics tell what was asked, what came of it, and what is still at work', async () => {
    expect(await value('dolly_commands_total', { command: 'clone.create', outcome: 'form' })).toBe(2);
    expect(await value('dolly_commands_total', { command: 'unknown', outcome: 'answered' })).toBe(1);
    expect(await value('dolly_jobs_ended_total', { operation: 'clone.create', state: 'succeeded' })).toBe(1);
    expect(await value('dolly_ends_total', { state: 'succeeded' })).toBe(1);
    expect(await (await asks(earth, '/metrics')).text()).toMatch(/^dolly_ends_total\{[^}]*row="[^"]*there[^"]*"/m);
    await earth.until(
      async () => (await (await asks(earth, '/metrics')).text()).includes('state="running"'),
      'running',
    );
    expect(await value('dolly_jobs', { operation: 'clone.create', state: 'running' })).toBe(1);
    expect(await value('dolly_looks_total', { operation: 'clone.create' })).toBeGreaterThan(0);
    expect(await value('dolly_look_lists_total')).toBeGreaterThan(0);
  });

  test('the metrics tell how long acks, follow-ups, the service, Slack and the store took', async () => {
    // Each command, each click on the form; the pickers ask of their own accord.
    expect(await value('dolly_ack_seconds_count', { request: 'command' })).toBe(4);
    expect(await value('dolly_ack_seconds_count', { request: 'view_submission' })).toBe(2);
    expect(await value('dolly_follow_up_lag_seconds_count')).toBe(1);
    expect(await value('dolly_follow_up_lag_seconds_sum')).toBeLessThan(60);
    const create = earth.writes().length;
    expect(create).toBe(2);
    expect(
      await value('dolly_service_requests_total', { endpoint: 'POST /database/clone/create', outcome: 'ok' }),
    ).toBe(create);
    expect(await value('dolly_service_requests_total', { endpoint: 'sign-in', outcome: 'ok' })).toBe(1);
    expect(await value('dolly_service_request_seconds_count', { endpoint: 'GET /database/{id}' })).toBeGreaterThan(0);
    // Two messages, one reply.
    expect(await value('dolly_slack_calls_total', { method: 'chat.postMessage', outcome: 'ok' })).toBe(3);
    expect(await value('dolly_slack_call_seconds_count', { method: 'views.open' })).toBe(2);
    expect(await value('dolly_store_statement_seconds_count', { statement: 'commit' })).toBeGreaterThan(5);
  });

  test('the metrics hold nobody’s name, no identifier and nothing that was typed', async () => {
    const text = await (await asks(earth, '/metrics')).text();
    for (const secret of ['ana', ana.id, 'shop', 'hoard', 'MYSQL', '3401', '/mnt', token, 'xoxb'])
      expect([secret, new RegExp(`\\b${secret}\\b`, 'i').test(text)]).toEqual([secret, false]);
    // Less than two thousand lines, whatever people do: what is measured is bounded.
    expect(text.split('\n').length).toBeLessThan(2_000);
  });

  test('the metrics count a form that Slack’s rate limit kept from opening', async () => {
    earth.playground.slack.faults.add({ method: 'views.open', kind: 'rate-limit' });
    await ana.types('#databases', '/clone shop');
    await ana.reads('#databases', 'could not open the form in time');
    expect(await value('dolly_slack_calls_total', { method: 'views.open', outcome: 'rate limited' })).toBe(1);
    expect(await value('dolly_commands_total', { command: 'clone.create', outcome: 'input' })).toBe(1);
  });

  test('the log’s lines can be followed from a command and its form to the end of the job', async () => {
    const command = lines.find(({ command, outcome }) => command === 'clone.create' && outcome === 'form');
    const asked = lines.find(({ msg }) => msg === 'asked');
    expect(command?.request).toMatch(/^[\w-]{13}$/);
    expect(asked?.request).toMatch(/^[\w-]{13}$/);
    // The command and the submitted form are two requests of Slack.
    expect(asked?.request).not.toBe(command?.request);
    const steps = lines.filter(({ job, audit }) => job === asked?.job && audit !== undefined);
    expect(steps.map(({ msg }) => msg)).toEqual(['asked', 'sending', 'accepted', 'succeeded']);
    // The form brought the first of them; nobody asked for the others at that moment: they fell due.
    expect(steps.map(({ request }) => request)).toEqual([asked?.request, undefined, undefined, undefined]);
  });

  test('each request of Slack has an id of its own in the log', () => {
    const answered = lines.filter(({ msg }) => msg === 'a command was answered');
    expect(answered.length).toBeGreaterThan(3);
    expect(answered.map(({ request }) => typeof request)).toEqual(answered.map(() => 'string'));
    expect(new Set(answered.map(({ request }) => request)).size).toBe(answered.length);
    const refused = lines.find(({ msg }) => msg === 'could not do what was asked');
    expect(answered.find(({ outcome }) => outcome === 'input')?.request).toBe(refused?.request);
    const signedIn = lines.find(({ msg }) => msg === 'signed in');
    expect(signedIn?.request).toMatch(/^[\w-]{13}$/);
  });

  test('the bot is not ready while Slack does not accept its token', async () => {
    earth.playground.slack.faults.add({ method: 'auth.test', kind: 'refuse', word: 'token_revoked' });
    await earth.clock.advance(30_000);
    expect(await readiness(earth)).toEqual({ ...whole, status: 503, ready: false, slack: false });
    await earth.clock.advance(30_000);
    expect(await readiness(earth)).toEqual(whole);
  });

  test('the bot says that it is ready, and gives its metrics only for their token', async () => {
    expect(await readiness(earth)).toEqual(whole);
    expect((await fetch(`${earth.dolly().url}/healthz`)).status).toBe(200);
    expect((await fetch(`${earth.dolly().url}/metrics`)).status).toBe(401);
  });
});

test('over Socket Mode the bot is not ready while the connection is lost, and its requests have ids, too', async () => {
  const lines: Line[] = [];
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(Line.parse(JSON.parse(String(chunk))));
      done();
    },
  });
  const earth = await world({
    socketMode: true,
    environment: { METRICS_TOKEN: token },
    surroundings: { log: openLog('info', stream) },
  });
  try {
    const ana = await earth.enters('Ana');
    await ana.types('#databases', '/db whoami');
    await ana.reads('#databases', 'not signed in');
    await earth.until(() => lines.some(({ command }) => command === 'whoami'), 'the line');
    expect(lines.find(({ command }) => command === 'whoami')?.request).toMatch(/^[\w-]{13}$/);
    expect(await (await asks(earth, '/metrics')).text()).toContain('dolly_ack_seconds_count{request="command"} 1\n');
    expect(await readiness(earth)).toEqual(whole);
    earth.playground.slack.faults.add({ method: 'apps.connections.open', kind: 'error', times: 99 });
    earth.playground.slack.dropSockets();
    await earth.until(() => !earth.playground.slack.isConnected(), 'the end of the connection');
    await earth.until(async () => (await readiness(earth)).slack === false, 'the news of it');
    expect(await readiness(earth)).toEqual({ ...whole, status: 503, ready: false, slack: false });
    expect((await asks(earth, '/healthz')).status).toBe(200);
  } finally {
    await earth.close();
  }
});

describe.runIf(hasPostgres)('with the store in PostgreSQL', () => {
  let postgres: Postgres;
  let earth: World;
  beforeAll(async () => {
    postgres = startPostgres();
    earth = await world({ environment: { METRICS_TOKEN: token, DATABASE_URL: await postgres.database() } });
  });
  afterAll(async () => {
    await earth.close();
    postgres.stop();
  });

  test('the bot is not ready while the store is gone, gives its metrics all the same, and is ready again after', async () => {
    await earth.until(async () => (await readiness(earth)).ready, 'the first turns');
    expect(await readiness(earth)).toEqual(whole);
    expect(await (await asks(earth, '/metrics')).text()).toMatch(/dolly_store_connections\{state="total"\} [1-9]/);
    postgres.kill();
    await earth.clock.advance(1_000);
    expect(await readiness(earth)).toMatchObject({ status: 503, ready: false, store: false, slack: true });
    const figures = await asks(earth, '/metrics');
    expect(figures.status).toBe(200);
    expect(await figures.text()).not.toContain('dolly_jobs{');
    // A loop that cannot read the store has no good turn.
    const loops = async () => {
      const { watch, deliver } = await readiness(earth);
      return watch === false && deliver === false;
    };
    await earth.until(loops, 'the loops');
    postgres.start();
    await earth.until(async () => (await readiness(earth)).ready, 'the store');
    expect(await readiness(earth)).toEqual(whole);
  });
});
