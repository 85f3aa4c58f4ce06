import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { inboxIn, type NewInteraction } from '../../src/store/tables/inbox.ts';
import { openVault } from '../../src/store/vault.ts';
import type { Someone } from '../person.ts';
import { tokenKey, type World, world } from '../world.ts';
import { approvalKeys, asksToDelete } from './approvals.ts';
import { answerAfter, answerTo } from './asking.ts';
import { ends, quickClone } from './clones.ts';
import { type Crossing, crossing } from './crossing.ts';

/* What is asked for by a command or a button without a form is kept before Slack hears that it was taken. */

const vault = openVault([new Uint8Array(Buffer.from(tokenKey, 'base64'))]);
let earth: World;
let road: Crossing;
let ana: Someone;
let dev: Someone;
let cards = 0;

beforeAll(async () => {
  road = crossing();
  earth = await world({ handsOnStore: true, environment: approvalKeys, service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());
beforeEach(() => {
  cards = earth.cards('#databases').length;
});

const team = () => earth.playground.slack.workspace.team.id;
const channel = () => earth.playground.slack.workspace.channels.find(({ name }) => name === 'databases')?.id ?? '';
const kept = () => earth.store().selectFrom('inbox').selectAll().execute();
const theCard = () => earth.until(() => earth.cards('#databases')[cards], 'the message');
const backups = () => earth.writes().filter(({ path }) => path.endsWith('/database/sync')).length;

let count = 0;
/** Leaves in the store what a bot leaves that was killed right after its ack. */
async function wasLeft(interaction: Partial<NewInteraction>): Promise<void> {
  count += 1;
  const by = { team: team(), person: ana.id, channel: channel(), thread: null, createdAt: earth.clock.now() };
  const left = { id: `left-${count}`, action: 'command', value: '', ...by, ...interaction };
  // Nobody has it: its process is gone for longer than it would have kept it.
  await inboxIn(earth.store(), vault).keep(left, 0);
  await earth.clock.advance(11_000);
}
const isTakenUp = () => earth.until(async () => (await kept()).length === 0, 'nothing to be left');

describe('what a bot left that was killed after its ack', () => {
  test('a command that a killed bot left is done once by the next bot', async () => {
    const before = backups();
    await wasLeft({ value: 'backup orders' });
    await ends(earth, await theCard(), 'Confirmed');
    expect(backups() - before).toBe(1);
    await isTakenUp();
  });

  test('a command that a killed bot left is not done again where its job stands already', async () => {
    const before = backups();
    await wasLeft({ id: 'twice', value: 'backup orders' });
    await ends(earth, await theCard(), 'Confirmed');
    await isTakenUp();
    await wasLeft({ id: 'twice', value: 'backup orders' });
    await isTakenUp();
    await earth.clock.advance(60_000);
    expect(earth.cards('#databases')).toHaveLength(cards + 1);
    expect(backups() - before).toBe(1);
  });

  test('a command that a killed bot left is answered with a choice where several databases have the name', async () => {
    for (const id of ['ORACLE_LIVE_DATABASE-1', 'MARIADB_LIVE_SERVER-1']) earth.service.service.rename(id, 'twin');
    await wasLeft({ value: 'backup twin' });
    const choice = await ana.reads('#databases', 'are called');
    expect(choice.onlyFor).toBe(ana.id);
    await isTakenUp();
  });

  test('a command that a killed bot left is answered with a hint where nothing has the name', async () => {
    await wasLeft({ value: 'backup ordres' });
    await ana.reads('#databases', 'Nothing is called');
    await isTakenUp();
  });

  test('a command that a killed bot left is answered with a sign-in where the person is signed out', async () => {
    await wasLeft({ person: dev.id, value: 'logout' });
    await dev.reads('#databases', 'You are signed out');
    await wasLeft({ person: dev.id, value: 'backup orders' });
    await dev.reads('#databases', 'You are not signed in');
    await isTakenUp();
    expect(earth.cards('#databases')).toHaveLength(cards);
    await earth.signsIn(dev, '#databases', 'dev');
  });

  test('a command that a killed bot left is told as too old after a day, and not done', async () => {
    const before = backups();
    await wasLeft({ value: 'backup orders', createdAt: earth.clock.now() - hoursToMilliseconds(25) });
    await ana.reads('#databases', 'could not do this for a day');
    await isTakenUp();
    expect(backups()).toBe(before);
  });

  test('a click on “Stop checking” that a killed bot left is done by the next bot', async () => {
    const card = await quickClone(earth, ana, 3401, '/mnt/stuck-kept');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    const { id = '' } =
      (await earth.store().selectFrom('jobs').select('id').orderBy('createdAt', 'desc').executeTakeFirst()) ?? {};
    await wasLeft({ action: 'job.stop', value: id });
    await ends(earth, card, 'Unconfirmed');
    await isTakenUp();
  });

  test.each([
    ['a click that approves', 'approval.approve', undefined, 'Confirmed'],
    ['a form that denies with a reason', 'deny', 'It is still in use.', 'Denied'],
  ])('%s and was left by a killed bot is done by the next bot', async (_what, action, reason, end) => {
    const name = action === 'deny' ? 'archive_2023' : 'CRMTEST';
    const { own } = await asksToDelete(earth, ana, `/db delete ${name}`, name);
    const job = await earth
      .store()
      .selectFrom('jobs')
      .selectAll()
      .where('state', '=', 'awaiting')
      .executeTakeFirstOrThrow();
    await wasLeft({ person: dev.id, action, value: JSON.stringify({ j: job.id, d: job.digest, reason }) });
    expect(await ends(earth, own, end)).toContain(reason ?? '');
    await isTakenUp();
  });
});

describe('a command without a form', () => {
  test('a command is kept in the store, sealed, before it is acknowledged, and removed once its job is there', async () => {
    const look = road.holds('/database/list', 'before');
    const typing = ana.types('#databases', '/db backup orders');
    await look.arrived;
    await typing;
    const [row] = await kept();
    expect(row).toMatchObject({ person: ana.id, action: 'command' });
    // What was typed is for nobody else.
    expect(row?.value).not.toContain('orders');
    expect(await vault.open({ team: team(), person: ana.id }, row?.value ?? '')).toBe('backup orders');
    look.lets();
    await ends(earth, await theCard(), 'Confirmed');
    await isTakenUp();
  });

  test('a command is tried again by itself where the service does not answer, and says so once', async () => {
    const trouble = road.meets('/database/list', () => Response.json({ message: 'out of order' }, { status: 503 }));
    const told = await answerTo(ana, '/db backup orders');
    expect(told.text).toContain('try again by myself');
    const before = ana.messages('#databases').length;
    await earth.clock.advance(60_000);
    expect(ana.messages('#databases')).toHaveLength(before);
    trouble.leave();
    await ends(earth, await theCard(), 'Confirmed');
    await isTakenUp();
  });

  test('a kept command is dropped at “Forget it” by its own person alone, and is then not done', async () => {
    const trouble = road.meets('/database/list', () => Response.json({ message: 'out of order' }, { status: 503 }));
    const told = await answerTo(ana, '/db backup orders');
    const [row] = await kept();
    await wasLeft({ person: dev.id, action: 'kept.forget', value: row?.id ?? '' });
    await dev.reads('#databases', 'It is already done, or under way at this moment.');
    expect((await kept()).map(({ id }) => id)).toEqual([row?.id]);
    const said = await answerAfter(ana, '#databases', () => ana.presses('Forget it', { message: told }), 'the answer');
    expect(said.text).toContain('I dropped it, and will not try it again.');
    trouble.leave();
    await earth.clock.advance(10 * 60_000);
    expect(await kept()).toEqual([]);
    expect(earth.cards('#databases')).toHaveLength(cards);
  });

  test('a command that waits for Slack says that it is kept, and is then done by itself', async () => {
    const ben = await earth.enters('Ben');
    earth.playground.slack.faults.add({ method: 'users.info', kind: 'error', times: 99 });
    const told = await answerTo(ben, '/db logout');
    earth.playground.slack.faults.clear();
    expect(told.text).toMatch(/Slack cannot tell me .* so I did nothing\. I keep your request, and will try/);
    await earth.until(() => ben.lastMessage('#databases').text.includes('You were not signed in.'), 'the answer');
    await isTakenUp();
  });

  test('a kept command is given up in the end, with the reason, where the service stays away', async () => {
    const trouble = road.meets('/database/list', () => Response.json({ message: 'out of order' }, { status: 503 }));
    expect((await answerTo(ana, '/db backup orders')).text).toContain('try again by myself');
    const before = ana.messages('#databases').length;
    const last = () => ana.messages('#databases')[before];
    const end = await earth.until(last, 'the end', 1_200_000);
    expect(end.text).toContain('out of order');
    expect(end.text).not.toContain('try again by myself');
    trouble.leave();
    await isTakenUp();
    expect(earth.cards('#databases')).toHaveLength(cards);
  });

  test('a command that the store cannot keep is refused at once, and nothing is sent', async () => {
    await sql`pragma query_only = 1`.execute(earth.store());
    const told = await answerTo(ana, '/db backup orders');
    await sql`pragma query_only = 0`.execute(earth.store());
    expect(told.text).toContain('My store has a problem');
    expect(told.text).toContain('nothing was sent');
    await earth.clock.advance(60_000);
    expect(earth.cards('#databases')).toHaveLength(cards);
  });
});
