import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { type Someone, textOf } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import { scratchFolder } from '../scratch.ts';
import { type Bot, type World, world } from '../world.ts';
import { approvalChannel, approvalKeys, clicks } from './approvals.ts';
import { answerAfter } from './asking.ts';

/* Steps of Workflow Builder, from the person who is asked for their consent to the outputs that Slack gets. */

type Inputs = Readonly<Record<string, unknown>>;

/** The gestures of these journeys in one world. */
function gestures(earth: () => World) {
  const runs = () => earth().playground.slack.runs();
  /** Builds a workflow of one step, and starts it. Gives that step, which changes as the run goes on. */
  const starts = async (someone: Someone, step: string, inputs: Inputs, name = 'Nightly') => {
    const whole = { workflow: name, channel: '{{channel}}', ...inputs };
    const { channel, ...rest } = whole;
    const given = step === 'wait_until' ? rest : { channel, ...rest };
    const workflow = await someone.buildsWorkflow({ name, steps: [{ function: step, inputs: given }] });
    const before = runs().length;
    await someone.runsWorkflow(workflow, { channel: '#databases' });
    return earth().until(() => runs()[before]?.steps[0], 'the step');
  };
  type Step = Awaited<ReturnType<typeof starts>>;
  const ends = (step: Step, most?: number) =>
    earth().until(() => step.state !== 'running' && step, 'the end of the step', most);
  /** The questions that a person was asked, also those that are decided. */
  const asksOf = (someone: Someone) =>
    someone.messages('@dolly').filter(({ text }) => /Let the workflow|The workflow .* asked to/.test(text));
  /** Waits until a person is asked once more than before, and decides. */
  const decides = async (someone: Someone, button: string, before: number) => {
    const message = await earth().until(() => asksOf(someone)[before], 'the question');
    return textOf(await answerAfter(someone, '@dolly', () => someone.presses(button, { message }), 'an answer'));
  };
  const writesTo = (end: string) =>
    earth()
      .writes()
      .filter(({ path }) => path.endsWith(end)).length;
  const backups = () => writesTo('/database/sync');
  const clones = () => writesTo('/database/clone/create');
  return { runs, starts, ends, asksOf, decides, backups, clones };
}

describe('a step of a workflow', () => {
  const folder = scratchFolder('workflows');
  let earth: World;
  let ana: Someone;
  let ben: Someone;
  let dev: Someone;
  const { starts, ends, asksOf, decides, backups, clones, runs } = gestures(() => earth);

  beforeAll(async () => {
    const file = join(folder, 'password');
    writeFileSync(file, 'dev-password\n', { mode: 0o600 });
    const account = { SERVICE_USER: 'dev', SERVICE_PASSWORD_FILE: file };
    earth = await world({ environment: { ...approvalKeys, ...account }, service: { tokenLifetime: 900 * day } });
    ana = await earth.enters('Ana', 'ana');
    ben = await earth.enters('Ben', 'ben');
    dev = await earth.enters('Dev', 'dev');
  });
  afterAll(async () => {
    await earth.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Lets time pass at once, in which the bot is down. */
  const passes = async (time: number) => {
    await earth.stop();
    await earth.clock.advance(time);
    await earth.start();
  };
  const nightly = () => ({ person: ana.id, database: 'shop' });
  const weekly = () => {
    const kind = { cloneType: 'VIRTUALCLONE', targetEnvironment: 'dev', mountBase: '/mnt/weekly' };
    return { person: ben.id, sourceDatabase: 'shop', ...kind, account: true };
  };

  test('a workflow’s step asks its person once, then runs by itself, and ends with its outputs', async () => {
    const before = backups();
    const first = await starts(ben, 'back_up', nightly());
    expect(await decides(ana, 'Allow', 0)).toContain('Allowed');
    await ends(first);
    expect(first).toMatchObject({
      state: 'completed',
      outputs: {
        ...{ outcome: 'confirmed', identifier: expect.stringMatching(/SNAPSHOT-\d+/) },
        link: expect.stringMatching(/^http.*\/archives\/C0DATABASE\/p\d+$/),
      },
    });
    const second = await ends(await starts(ben, 'back_up', nightly()));
    expect(second.state).toBe('completed');
    expect(asksOf(ana)).toHaveLength(1);
    expect(asksOf(ben)).toHaveLength(0);
    expect(backups() - before).toBe(2);
    expect(earth.text(earth.cards('#databases').at(-1) ?? { channel: '', ts: '' })).toContain('Run by a workflow for');
  });

  test('a workflow’s step asks anew after each change, and fails with a sentence where its person does not allow it', async () => {
    const [before, asked] = [backups(), asksOf(ana).length];
    const step = await starts(ben, 'back_up', { ...nightly(), why: 'before the release' });
    expect(await decides(ana, 'Don’t allow', asked)).toContain('Not allowed');
    expect(await ends(step)).toMatchObject({ state: 'failed', error: expect.stringContaining('has not allowed') });
    // The next run asks nobody: Home has the button.
    const again = await ends(await starts(ben, 'back_up', { ...nightly(), why: 'before the release' }));
    expect(again.state).toBe('failed');
    const renamed = await starts(ben, 'back_up', nightly(), 'Other');
    await earth.until(() => asksOf(ana)[asked + 1], 'another question');
    expect([renamed.state, backups()]).toEqual(['running', before]);
    await decides(ana, 'Don’t allow', asked + 1);
    await ends(renamed);
  });

  test('a workflow’s step asks anew where another record has its identifier, and then runs by itself', async () => {
    const { service } = earth.service;
    const [before, asked] = [backups(), asksOf(ana).length];
    const old = service.estate.databases.values().find(({ name }) => name === 'helpdesk');
    if (!old) throw new Error('there is no such record');
    const runs = () => starts(ben, 'back_up', { person: ana.id, database: old.id }, 'By its number');
    const first = await runs();
    await decides(ana, 'Allow', asked);
    await ends(first);
    service.remove(old.id);
    service.add({ ...old, name: 'desk', createdAt: old.createdAt + 1 });
    const second = await runs();
    expect(textOf(await earth.until(() => asksOf(ana)[asked + 1], 'another question'))).toContain('desk (');
    expect([second.state, backups() - before]).toEqual(['running', 1]);
    await decides(ana, 'Allow', asked + 1);
    await ends(second);
    await ends(await runs());
    expect([backups() - before, asksOf(ana).length - asked]).toEqual([3, 2]);
  });

  test('a workflow’s step that Slack delivers three times is done once', async () => {
    const before = backups();
    const { faults } = earth.playground.slack;
    faults.add({ method: 'functions.completeSuccess', kind: 'lose-answer' });
    faults.add({ method: 'functions.completeSuccess', kind: 'rate-limit', retryAfter: 5 });
    const step = await starts(ben, 'back_up', nightly());
    for (let times = 0; times < 2; times++) await earth.playground.slack.redelivers('event function_executed back_up');
    await ends(step);
    expect(step.state).toBe('completed');
    await earth.clock.advance(minute);
    expect(backups() - before).toBe(1);
  });

  test('a workflow’s step that waits for approval is withdrawn when its person revokes the consent in Home', async () => {
    const asked = asksOf(ana).length;
    // How the clone was made is filled in from its record.
    const renewal = { person: ana.id, database: 'shop-3322' };
    const cards = earth.cards(approvalChannel).length;
    const step = await starts(ben, 'renew', renewal, 'Fresh');
    await decides(ana, 'Allow', asked);
    const card = await earth.until(() => earth.cards(approvalChannel)[cards], 'the request for approval');
    await earth.until(() => /Approve/.test(earth.text(card)), 'the buttons');
    await ana.opensHome();
    await earth.until(() => JSON.stringify(ana.sees().home).includes('Fresh'), 'the workflow in Home');
    await ana.presses('Revoke', { home: true });
    expect(await ends(step)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('ended before anything'),
    });
    await earth.until(() => earth.text(card).includes('Withdrawn'), 'the request to be withdrawn');
  });

  test('a workflow’s step with the service account runs only once an approver has approved exactly that step', async () => {
    const [asked, cards, before] = [asksOf(ben).length, earth.cards(approvalChannel).length, clones()];
    const step = await starts(ben, 'clone', weekly(), 'Weekly');
    expect(await decides(ben, 'Allow', asked)).toContain('Waits for the approvers');
    const card = await earth.until(() => earth.cards(approvalChannel)[cards], 'the request');
    await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
    for (const part of ['Weekly', 'clone shop to dev', 'Mount base: `/mnt/weekly`', 'asks for exactly this'])
      expect(earth.text(card)).toContain(part);
    expect([step.state, clones()]).toEqual(['running', before]);
    expect(await clicks(dev, card, 'Approve')).toContain('pproved');
    await ends(step);
    expect(step).toMatchObject({ state: 'completed', outputs: { connection: expect.stringContaining('--port=') } });
    expect(clones() - before).toBe(1);
    // Another name is another workflow: nobody has allowed that.
    const other = await starts(ben, 'clone', weekly(), 'Weekly 2');
    await decides(ben, 'Don’t allow', asked + 1);
    expect((await ends(other)).state).toBe('failed');
  });

  test('a workflow’s step whose service account was signed out goes on, and asks nobody to sign in', async () => {
    const before = ben.messages('@dolly').length;
    earth.service.service.signOut('dev');
    const step = await ends(await starts(ben, 'clone', weekly(), 'Weekly'));
    // The service was asked for a second clone in the place of the first one.
    expect(step.error).toContain('/mnt/weekly is in use');
    const told = ben.messages('@dolly').slice(before).map(textOf);
    expect(told.filter(text => text.includes('waits for you'))).toEqual([]);
    await earth.signsIn(dev, '#dev', 'dev');
  });

  test('a workflow’s step that waits for a record ends when it is there, and fails when its time is over', async () => {
    const asked = asksOf(ana).length;
    const until = { person: ana.id, record: 'qa-9999', until: 'there', hours: 2 };
    const vain = await starts(ben, 'wait_until', until, 'Watch');
    await decides(ana, 'Allow', asked);
    const there = await starts(ben, 'wait_until', { ...until, record: 'shop', until: 'ok' }, 'Watch');
    await decides(ana, 'Allow', asked + 1);
    expect(await ends(there)).toMatchObject({
      state: 'completed',
      outputs: { outcome: 'ok', name: 'shop', state: 'RUNNING' },
    });
    await passes(3 * hour);
    expect(await ends(vain)).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('I waited, but never saw that qa-9999 is there. No record shows it.'),
    });
  });

  test('a workflow’s step that waits for a record fails once its consent is revoked or its person has left', async () => {
    const asked = asksOf(dev).length;
    const until = { person: dev.id, record: 'qa-9999', until: 'there', hours: 5 };
    const first = await starts(ben, 'wait_until', until, 'Watch one');
    await decides(dev, 'Allow', asked);
    const second = await starts(ben, 'wait_until', until, 'Watch two');
    await decides(dev, 'Allow', asked + 1);
    await dev.opensHome();
    await earth.until(() => JSON.stringify(dev.sees().home).includes('Watch two'), 'the workflow in Home');
    await dev.presses('Revoke', { home: true });
    const taken = await earth.until(() => [first, second].find(({ state }) => state === 'failed'), 'the end of one');
    expect(taken.error).toContain('has ended');
    const left = taken === first ? second : first;
    const person = earth.playground.slack.workspace.people.find(({ id }) => id === dev.id);
    if (!person) throw new Error('there is no Dev');
    Object.assign(person, { kind: 'guest' });
    try {
      await passes(hour);
      expect(await ends(left)).toMatchObject({ state: 'failed', error: expect.stringContaining('is not a member') });
    } finally {
      Object.assign(person, { kind: undefined });
    }
  });

  test('a workflow’s step that nobody allows fails after days, and a late answer holds for the next run', async () => {
    const asked = asksOf(ana).length;
    const step = await starts(ben, 'refresh', { person: ana.id, database: 'shop' }, 'Slow');
    await earth.until(() => asksOf(ana)[asked], 'the question');
    await passes(4 * day);
    expect(await ends(step)).toMatchObject({ error: expect.stringContaining('Nobody allowed this step') });
    expect(await decides(ana, 'Allow', asked)).toContain('Allowed');
    expect(await ends(await starts(ben, 'refresh', { person: ana.id, database: 'shop' }, 'Slow'))).toMatchObject({
      state: 'completed',
    });
  });

  test('a workflow’s step waits for the sign-in of its person', async () => {
    const eve = await earth.enters('Eve');
    const step = await starts(ben, 'refresh', { person: eve.id, database: 'shop' }, 'For Eve');
    await eve.reads('@dolly', 'you are not signed in to the service');
    await earth.signsIn(eve, '@dolly', 'dev');
    await decides(eve, 'Allow', 0);
    expect((await ends(step)).state).toBe('completed');
  });

  test.each([
    ['a guest', () => ({ person: 'U0GUS00001', database: 'shop' }), 'is not a member'],
    ['somebody of another workspace', () => ({ person: 'U0OLI00001', database: 'shop' }), 'is not a member'],
  ])('a workflow’s step in the name of %s fails', async (_, inputs, words) => {
    const step = await starts(ben, 'back_up', inputs());
    expect(await ends(step)).toMatchObject({ state: 'failed', error: expect.stringContaining(words) });
  });

  test('a workflow’s step tells nothing of the records before its person has allowed it', async () => {
    const asked = asksOf(ana).length;
    const step = await starts(ben, 'back_up', { person: ana.id, database: 'sho' });
    await earth.until(() => asksOf(ana)[asked], 'the question');
    expect(step).toMatchObject({ state: 'running', error: '' });
    await decides(ana, 'Allow', asked);
    expect(await ends(step)).toMatchObject({ state: 'failed', error: expect.stringContaining('Did you mean') });
  });

  test.each([
    ['a word that is no identifier', { database: 'MYSQL_LIVE_SERVER-1; drop' }, 'Nothing is called'],
    ['an identifier of nothing', { database: 'PROJECT-1' }, 'needs a live database'],
    ['markup', { database: '<!channel> *x*' }, '&lt;!channel&gt;'],
  ])('a workflow’s step with %s as its database fails with a sentence', async (_, inputs, words) => {
    const asked = asksOf(ana).length;
    const step = await starts(ben, 'back_up', { person: ana.id, ...inputs }, 'Odd');
    await decides(ana, 'Allow', asked);
    expect(await ends(step)).toMatchObject({ state: 'failed', error: expect.stringContaining(words) });
  });

  test('a person has five open questions of workflows at most, and a sixth step fails', async () => {
    const asked = asksOf(dev).length;
    const steps = [];
    for (let at = 0; at < 6; at++)
      steps.push(await starts(ben, 'back_up', { person: dev.id, database: 'shop', why: `reason ${at}` }, 'Flood'));
    const last = steps.at(-1);
    if (last) expect(await ends(last)).toMatchObject({ error: expect.stringContaining('too many open questions') });
    expect(asksOf(dev)).toHaveLength(asked + 5);
  });

  test('no step of a workflow ends twice for Slack', () => {
    const over = runs()
      .flatMap(({ steps }) => steps)
      .filter(({ state }) => state !== 'running');
    expect(over.length).toBeGreaterThan(10);
    expect(earth.playground.slack.violations()).toEqual([]);
  });
});

describe('a store that takes nothing', () => {
  let earth: World;
  const { starts, ends, decides, backups } = gestures(() => earth);
  beforeAll(async () => {
    earth = await world({ handsOnStore: true });
  });
  // Not to acknowledge what is not stored is the point here.
  afterAll(() => expect(earth.close()).rejects.toThrow('function_executed back_up was not acknowledged'));

  test('a workflow’s step that the store could not take is delivered again by Slack, and done once', async () => {
    const ana = await earth.enters('Ana', 'ana');
    await sql`pragma query_only = 1`.execute(earth.store());
    const step = await starts(ana, 'back_up', { person: ana.id, database: 'shop' });
    await earth.clock.advance(5_000);
    expect([step.state, ana.messages('@dolly').length]).toEqual(['running', 0]);
    await sql`pragma query_only = 0`.execute(earth.store());
    await earth.clock.advance(61_000);
    await decides(ana, 'Allow', 0);
    expect((await ends(step)).state).toBe('completed');
    expect(backups()).toBe(1);
  });
});

describe.runIf(hasPostgres)('with two replicas on one PostgreSQL', () => {
  let earth: World;
  let other: Bot;
  let ana: Someone;
  const { starts, ends, decides, backups } = gestures(() => earth);
  beforeAll(async () => {
    earth = await world({ store: 'PostgreSQL', environment: approvalKeys, balanced: true });
    other = await earth.joins();
    ana = await earth.enters('Ana', 'ana');
  });
  afterAll(async () => {
    await other.stop();
    await earth.close();
  });

  test('a workflow’s step on two replicas is asked for and done once, also if one of them restarts', async () => {
    const step = await starts(ana, 'back_up', { person: ana.id, database: 'shop' });
    for (let times = 0; times < 2; times++) await earth.playground.slack.redelivers('event function_executed back_up');
    await decides(ana, 'Allow', 0);
    await earth.restart();
    expect((await ends(step)).state).toBe('completed');
    expect(backups()).toBe(1);
    expect(ana.messages('@dolly').filter(({ text }) => text.includes('asked to back up'))).toHaveLength(1);
  });
});

describe('a consent', () => {
  const folder = scratchFolder('leaves');
  let earth: World;
  let ana: Someone;
  const { starts, ends, decides, asksOf, backups } = gestures(() => earth);
  const step = () => starts(ana, 'back_up', { person: ana.id, database: 'shop' });

  beforeEach(async () => {
    const file = join(folder, 'policy.yml');
    writeFileSync(file, 'consentLifetime: 5d');
    earth = await world({ environment: { POLICY_FILE: file }, service: { tokenLifetime: 900 * day } });
    ana = await earth.enters('Ana', 'ana');
    const first = await step();
    await decides(ana, 'Allow', 0);
    expect((await ends(first)).state).toBe('completed');
  });
  afterEach(() => earth.close());

  const allows = async () => {
    await ana.opensHome();
    await ana.presses('Allow', { home: true });
    await earth.until(() => JSON.stringify(ana.sees().home).includes('Revoke'), 'the consent in Home');
  };

  test('a consent lets a workflow’s step run six times within an hour', async () => {
    const steps = [await step(), await step(), await step()];
    for (const one of steps) expect((await ends(one)).state).toBe('completed');
    expect(backups()).toBe(4);
    const more = [await ends(await step()), await ends(await step()), await ends(await step())];
    expect(more.map(({ state }) => state)).toEqual(['completed', 'completed', 'failed']);
    expect(more.at(-1)?.error).toContain('has run 6 times within an hour. Nothing was sent.');
    await earth.clock.leap(2 * hour);
    expect((await ends(await step())).state).toBe('completed');
    expect(backups()).toBe(7);
  });

  test('a consent is asked for anew once shortly before its end, and not for a step that cannot run', async () => {
    await earth.stop();
    await earth.clock.advance(4 * day);
    await earth.start();
    for (let times = 0; times < 2; times++) expect((await ends(await step())).state).toBe('completed');
    expect(asksOf(ana)).toHaveLength(2);
    expect(await decides(ana, 'Allow', 1)).toContain('Allowed');
    await earth.stop();
    await earth.clock.advance(2 * day);
    await earth.start();
    expect((await ends(await step())).state).toBe('completed');
    expect(asksOf(ana)).toHaveLength(2);
    const clone = { person: ana.id, sourceDatabase: 'shop', cloneType: 'no kind' };
    const never = await ends(await starts(ana, 'clone', clone));
    expect([never.state, asksOf(ana).length]).toEqual(['failed', 2]);
  });

  test('a consent ends after its time, and once its person signs in as another user', async () => {
    await earth.stop();
    await earth.clock.advance(6 * day);
    await earth.start();
    expect((await ends(await step())).error).toContain('has not allowed this step');
    await allows();
    expect((await ends(await step())).state).toBe('completed');
    await earth.signsIn(ana, '#databases', 'ben');
    expect((await ends(await step())).error).toContain('has not allowed this step');
    expect(backups()).toBe(2);
  });
});

test('a request to approve a consent is closed once its person signs in as another user', async () => {
  const folder = scratchFolder('consents');
  const file = join(folder, 'password');
  writeFileSync(file, 'dev-password\n', { mode: 0o600 });
  const earth = await world({ environment: { ...approvalKeys, SERVICE_USER: 'dev', SERVICE_PASSWORD_FILE: file } });
  onTestFinished(async () => {
    await earth.close();
    rmSync(folder, { recursive: true, force: true });
  });
  const ben = await earth.enters('Ben', 'ben');
  const { starts, decides } = gestures(() => earth);
  const backup = { person: ben.id, database: 'shop', account: true };
  await starts(ben, 'back_up', backup);
  await decides(ben, 'Allow', 0);
  const card = await earth.until(() => earth.cards(approvalChannel)[0], 'the request');
  await earth.until(() => earth.text(card).includes('Approve…'), 'the buttons');
  await earth.signsIn(ben, '#databases', 'ana');
  await earth.until(() => earth.text(card).includes('The consent has ended. Nothing was sent.'), 'the card to close');
  expect(earth.text(card)).not.toContain('Approve…');
});
