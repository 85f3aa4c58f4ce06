import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { day, minute, second } from '../../src/ground/durations.ts';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { asks, comesToAnEnd } from './asking.ts';

/* A state word that nothing explains is asked about, once, and the verdict says whose word it rests on. */

/** The new clones of this service stand in words that no other record shows, and that no dictionary has. */
const inTeal: Middleware = async (request, next) => {
  const answer = await next(request);
  if (request.method !== 'GET' || !answer.headers.get('content-type')?.includes('json')) return answer;
  const text = (await answer.text()).replaceAll(/\{[^{}]*"name":"shop-34(\d)\d"[^{}]*/g, (record, digit) =>
    record.replace('"state":"RUNNING"', digit === '0' ? '"state":"TEAL"' : '"state":"PLUM"'),
  );
  const one = text.replaceAll(/\{[^{}]*"name":"billing-3330"[^{}]*/g, record =>
    record.replace('"state":"RUNNING"', '"state":"MAUVE"'),
  );
  return new Response(one, { status: answer.status, headers: { 'content-type': 'application/json' } });
};

const token = 'metrics-token-of-the-test';
const figures = async () =>
  (await fetch(`${earth.dolly().url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).text();

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;

beforeAll(async () => {
  earth = await world({
    environment: { APPROVERS: 'U0DEV00001', METRICS_TOKEN: token },
    service: { middleware: inTeal, tokenLifetime: 900 * day },
  });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

const cloneLine = (port: number) =>
  `/clone shop port=${port} mountBase=/mnt/v${port} cloneType=VIRTUALCLONE targetEnvironment=dev install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8`;
const clones = (port: number) => asks(earth, ana, cloneLine(port), { fields: {} });
const question = 'Is it ready? I cannot tell from the records.';
const isAsked = (card: StoredMessage) =>
  earth.until(() => earth.text(card).includes(question), 'the question', 60 * second);

describe('a new clone in a word that nobody knows', () => {
  test('a new clone in an unknown state word is asked about in one message, and its requester can answer for that job', async () => {
    const first = await clones(3401);
    await isAsked(first);
    expect(await figures()).toMatch(/dolly_state_doubts\{kind="[^"]+"\} 1\b/);
    const second_ = await clones(3402);
    await earth.until(() => earth.text(second_).includes('in another job’s message'), 'the pointer to the question');
    expect(await clicks(ben, first, 'Yes, it is ready')).toContain('who can see the record, and approvers');
    expect(await clicks(ana, first, 'Yes, it is ready')).toContain('I noted for this job');
    expect(await comesToAnEnd(earth, first)).toContain('ana says that it is ready');
    // The other job asks for itself now.
    await isAsked(second_);
    expect(await clicks(dev, second_, 'Yes, it is ready')).toContain('I noted for this workspace');
    expect(await comesToAnEnd(earth, second_)).toContain('dev says that it is ready');
    expect(await figures()).not.toContain('dolly_state_doubts{');
  });

  test('an approver’s answer about a state word holds for later clones, until it is taken back', async () => {
    const third = await clones(3403);
    const told = await comesToAnEnd(earth, third);
    expect(told).toContain('· Confirmed');
    expect(told).toContain('dev says that it is ready');
    const doctor = async (who: Someone) => {
      await who.types('#databases', '/db doctor');
      return who.reads('#databases', /State words that people explained/);
    };
    await ben.presses('Take back', { message: await doctor(ben) });
    await ben.reads('#databases', /Only approvers/);
    await dev.presses('Take back', { message: await doctor(dev) });
    await dev.reads('#databases', /The results of these jobs rested on it, so check them: .*shop/);
    const fourth = await comesToAnEnd(earth, await clones(3404));
    // By now clones were seen to rest in that word, which does not say that they went well.
    expect(fourth).toContain('· Finished, result not shown');
    expect(fourth).not.toContain('says that it is ready');
  });

  test('a new clone in an unknown state word is told as failed if its requester says so', async () => {
    const card = await clones(3411);
    await isAsked(card);
    expect(await clicks(ana, card, 'It failed')).toContain('that it failed');
    const told = await comesToAnEnd(earth, card);
    expect(told).toContain('· Failed');
    expect(told).toContain('ana says that it failed');
  });
});

describe('a word of which two accounts in Slack say the same', () => {
  /** The new clones of this service stand in a word that no other record shows. */
  const middleware: Middleware = async (request, next) => {
    const answer = await next(request);
    if (request.method !== 'GET' || !answer.headers.get('content-type')?.includes('json')) return answer;
    const text = (await answer.text()).replaceAll(/\{[^{}]*"name":"shop-34\d\d"[^{}]*/g, record =>
      record.replace('"state":"RUNNING"', '"state":"OCHRE"'),
    );
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  test.each([
    ['is known from then on if they are two people', 'ben', true],
    ['is asked about again if they are one person', 'ana', false],
  ])('what two Slack accounts say about a state word %s', async (_, login, isTaught) => {
    const alone = await world({ service: { middleware } });
    onTestFinished(() => alone.close());
    const [one, other] = [await alone.enters('Ana', 'ana'), await alone.enters('Ben', login)];
    const eve = await alone.enters('Eve', 'dev');
    const clonesOf = (who: Someone, port: number) => asks(alone, who, cloneLine(port), { fields: {} });
    const says = async (who: Someone, port: number) => {
      const card = await clonesOf(who, port);
      await alone.until(() => alone.text(card).includes(question), 'the question', minute);
      expect(await clicks(who, card, 'Yes, it is ready')).toContain('I noted for this job');
      await comesToAnEnd(alone, card);
    };
    await says(one, 3431);
    await says(other, 3432);
    const told = await comesToAnEnd(alone, await clonesOf(eve, 3433));
    expect(told.includes('says that it is ready')).toBe(isTaught);
  });
});

test('a person who is signed out cannot say what a state word means', async () => {
  const card = await clones(3413);
  await isAsked(card);
  await ana.types('#databases', '/db logout');
  await ana.reads('#databases', /signed out/i);
  const answer = await clicks(ana, card, 'Yes, it is ready');
  expect(answer).toContain('not signed in');
  await earth.signsIn(ana, '#databases', 'ana');
});

test('“/db doctor” asks what an unknown state word means, and takes the answer from approvers alone', async () => {
  const asks = async (who: Someone) => {
    await who.types('#databases', '/db doctor');
    return who.reads('#databases', /are in .*MAUVE.*Does that mean that they are ready/);
  };
  await ben.presses('No, work goes on', { message: await asks(ben) });
  await ben.reads('#databases', /Only approvers can say this/);
  await dev.presses('No, work goes on', { message: await asks(dev) });
  await dev.reads('#databases', /I noted for this workspace: .* means that the work goes on/);
});

test('a clone that its requester calls still working is asked about again, and ends as unconfirmed', async () => {
  /** Shows no state but that of the new clone, so that nothing is known of its word. */
  const middleware: Middleware = async (request, next) => {
    const answer = await next(request);
    if (request.method !== 'GET' || !answer.headers.get('content-type')?.includes('json')) return answer;
    const text = (await answer.text())
      .replaceAll(/\{[^{}]*"name":"shop-3421"[^{}]*/g, record => record.replace('"state":"RUNNING"', '"state":"OCHRE"'))
      .replaceAll('"state":"RUNNING"', '"state":null');
    return new Response(text, { status: answer.status, headers: { 'content-type': 'application/json' } });
  };
  const alone = await world({ service: { middleware } });
  try {
    const cleo = await alone.enters('Ana', 'ana');
    const card = await asks(alone, cleo, cloneLine(3421), { fields: {} });
    await alone.until(() => alone.text(card).includes(question), 'the question', minute);
    expect(await clicks(cleo, card, 'No, still working')).toContain('I noted for this job');
    await alone.clock.advance(8 * minute);
    expect(alone.text(card)).toContain(question);
    expect(await clicks(cleo, card, 'No, still working')).toContain('I noted for this job');
    // Nor at the deadline, where nobody takes that back.
    expect(await comesToAnEnd(alone, card)).toContain('· Unconfirmed');
  } finally {
    await alone.close();
  }
});
