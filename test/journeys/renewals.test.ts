import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { StoredMessage } from '../../src/sandbox/playground/messages.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { type Someone, textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { clicks } from './approvals.ts';
import { answerTo, confirms } from './asking.ts';
import { asksForClone, opensForm, quickClone, quickLine } from './clones.ts';

/* Renewals, and what is done after a backup: the same clone from newer data, and the newest data, as people ask for it. */

let earth: World;
let ana: Someone;
let ben: Someone;
let dev: Someone;
/** Happens when the service gets the next request for a clone, before it reads it. */
let beforeMaking: (() => void) | undefined;

const middleware: Middleware = (request, next) => {
  if (request.url.endsWith('/clone/create')) {
    beforeMaking?.();
    beforeMaking = undefined;
  }
  return next();
};

beforeAll(async () => {
  earth = await world({ service: { tokenLifetime: 30 * 24 * 3_600_000, middleware } });
  ana = await earth.enters('Ana', 'ana');
  ben = await earth.enters('Ben', 'ben');
  dev = await earth.enters('Dev', 'dev');
});
afterAll(() => earth.close());

/** The writes that the service received since. */
const writesSince = (from: number) =>
  earth
    .writes()
    .slice(from)
    .map(({ method, path, query, body }) => ({ what: `${method} ${path.replace('/service/', '')}`, query, body }));

async function says(card: StoredMessage, words: RegExp | string): Promise<string> {
  const isSaid = () => new RegExp(words).test(earth.text(card));
  await earth.until(isSaid, `${words}; the message says: ${earth.text(card)}`);
  return earth.text(card);
}

/** Types a command whose form is filled in, changes fields, and confirms; gives the message of the plan. */
async function renews(someone: Someone, line: string, fields: Parameters<Someone['fills']>[0] = {}) {
  const cards = earth.cards('#databases').length;
  await opensForm(someone, '#databases', line);
  await someone.fills(fields);
  expect((await someone.submits()).errors).toEqual({});
  await someone.until(
    async () => /after the one before is confirmed/.test((await someone.modal()).text),
    'the last page',
  );
  const page = (await someone.modal()).text;
  await confirms(someone);
  return { page, card: await earth.until(() => earth.cards('#databases')[cards], 'the message of the plan') };
}

const place = {
  ...{ vendor: 'MYSQL', cloneType: 'VIRTUALCLONE', sourceDatabase: 'MYSQL_LIVE_SERVER-2' },
  ...{ targetEnvironment: 'HOST_ENVIRONMENT-4', environmentUser: 'ENVIRONMENT_USER-8', install: 'MYSQL_INSTALL-2' },
};

describe('a clone is renewed', () => {
  test('a clone’s maker renews it without approval, and it is made again with the same values', async () => {
    await says(await quickClone(earth, ana, 3401), /is ready/);
    const before = earth.writes().length;
    expect(textOf(await answerTo(ana, '/db why renew shop-3401'))).toContain('It would be sent.');
    const { page, card } = await renews(ana, '/db renew shop-3401');
    expect(page).toContain('1. Deletion of shop-3401');
    expect(page).toContain('2. Virtual clone of shop, from the latest snapshot');
    expect(page).not.toContain('approve');
    await says(card, 'shop-3401 is renewed');
    const [deletion, making, ...others] = writesSince(before);
    expect(deletion).toMatchObject({ what: 'DELETE database/delete', query: { input: 'MYSQL_CLONE_SERVER-4' } });
    expect(making?.body).toEqual({ ...place, port: 3401, mountBase: '/mnt/c3401' });
    expect(others).toEqual([]);
    await earth.until(() => earth.replies(card).length === 1, 'a reply');
  });

  test('a renewal with a backup first makes the clone from the new snapshot, also through a restart', async () => {
    const before = earth.writes().length;
    const { page, card } = await renews(ana, '/db renew shop-3401 backUpFirst=true');
    expect(page).toContain('3. Virtual clone of shop, from the snapshot of step 1');
    await says(card, /1\. Backup of shop\nStarted/);
    await earth.restart();
    await says(card, 'shop-3401 is renewed');
    const writes = writesSince(before);
    expect(writes.map(({ what }) => what)).toEqual([
      'PUT database/sync',
      'DELETE database/delete',
      'POST database/clone/create',
    ]);
    expect(writes[2]?.body).toMatchObject({
      ...place,
      port: 3401,
      snapshot: expect.stringMatching(/^MYSQL_SNAPSHOT-/),
    });
  });

  test('a renewal whose sign-in is lost halfway says so, waits, and goes on after the next sign-in', async () => {
    const before = earth.writes().length;
    beforeMaking = () => earth.service.service.signOut('ana');
    const { card } = await renews(ana, '/db renew shop-3401');
    const text = await says(card, 'Your sign-in is missing or no longer valid');
    expect(text).toMatch(/^1\. Deletion of shop-3401$/m);
    expect(text).toContain('Sign in');
    await earth.clock.advance(600_000);
    expect(writesSince(before)).toHaveLength(2);
    await earth.signsIn(ana, '#databases', 'ana');
    await says(card, 'shop-3401 is renewed');
    // The first request for the clone was refused for its token, and nothing was made.
    const made = earth
      .writes()
      .slice(before)
      .map(({ method, status }) => `${method} ${status}`);
    expect(made).toEqual(['DELETE 200', 'POST 401', 'POST 200']);
    await earth.until(() => earth.replies(card).length === 1, 'a reply');
  });

  test('a renewal onto another port tells the clone’s new name and address', async () => {
    const { card } = await renews(ana, '/db renew shop-3401 port=3411', { mountBase: '/mnt/c3411' });
    const text = await says(card, 'shop-3401 is renewed');
    const now = / as \*shop-3411\* \(`MYSQL_CLONE_SERVER-\d+`\)/;
    expect(text).toMatch(now);
    expect(text).toMatch(/^mysql .*3411/m);
    for (const button of ['Keep for…', 'Stop', 'Delete…']) expect(text).toContain(button);
    await earth.until(() => earth.replies(card).length === 1, 'a reply');
    expect(earth.replies(card)[0]?.text).toMatch(now);
    const { card: back } = await renews(ana, '/db renew shop-3411 port=3401', { mountBase: '/mnt/c3401' });
    await says(back, 'shop-3411 is renewed');
  });

  test('a renewal by somebody who did not make the clone needs approval', async () => {
    const before = earth.writes().length;
    expect(textOf(await answerTo(dev, '/db why renew shop-3401'))).toContain('It would wait for approval');
    const { page, card } = await renews(dev, '/db renew shop-3401');
    expect(page).toContain('must approve');
    await says(card, /asks to \*renew/);
    expect(writesSince(before)).toEqual([]);
    expect(await clicks(ben, card, 'Approve…')).toContain('You approved it');
    await says(card, 'shop-3401 is renewed');
    expect(writesSince(before)).toHaveLength(2);
  });

  test('a renewal whose port was taken meanwhile says that the clone is deleted, and offers to make it again', async () => {
    await says(await quickClone(earth, ana, 3404), /is ready/);
    const other = earth.service.service.estate.databases.get('MYSQL_CLONE_SERVER-1');
    if (!other) throw new Error('there is no other clone');
    beforeMaking = () => {
      other.port = 3404;
    };
    const { card } = await renews(ana, '/db renew shop-3404');
    const text = await says(card, 'is deleted, and was not made again');
    expect(text).toContain('shop-3404 is deleted, and was not made again.* To make it again: `/clone shop');
    expect(text).toContain('port=3404');
    other.port = 3320;
    const [message] = ana.messages('#databases').filter(({ ts }) => ts === card.ts);
    if (!message) throw new Error('there is no message');
    const cards = earth.cards('#databases').length;
    await ana.presses('Change what is left…', { message });
    await ana.until(async () => 'port' in (await ana.modal()).fields, 'the form of the clone');
    await ana.fills({ port: '3404' });
    expect((await ana.submits()).errors).toEqual({});
    await says(await earth.until(() => earth.cards('#databases')[cards], 'the message'), 'shop-3404 is ready');
  });
});

describe('a backup comes first', () => {
  test('a clone with a backup first is made from the new snapshot, and kept as its form says', async () => {
    const before = earth.writes().length;
    const line = `${quickLine(3406)} backUpFirst=true keepFor=2d`;
    const card = await asksForClone(earth, ana, '#databases', line, {});
    await says(card, 'both steps are confirmed');
    expect(earth.text(card)).toContain('shop-3406');
    const [backup, making, ...others] = writesSince(before);
    const { databases } = earth.service.service.estate;
    const newest = databases.get('MYSQL_LIVE_SERVER-2')?.snapshots.at(-1)?.id;
    expect(backup).toMatchObject({ what: 'PUT database/sync' });
    expect(making?.body).toEqual({ ...place, port: 3406, mountBase: '/mnt/c3406', snapshot: newest });
    expect(others).toEqual([]);
    await earth.clock.advance(10_000);
    expect(textOf(await answerTo(ana, '/db lease shop-3406'))).toMatch(/kept .*until/);
  });

  test('a deletion with a backup first is approved as one request, and sends both', async () => {
    const before = earth.writes().length;
    const cards = earth.cards('#databases').length;
    await ana.types('#databases', '/db delete helpdesk');
    await ana.until(() => ana.hasModal() && JSON.stringify(ana.sees().views).includes('backUpFirst'), 'the last page');
    await ana.fills({ backUpFirst: 'true' });
    await confirms(ana, 'helpdesk');
    const card = await earth.until(() => earth.cards('#databases')[cards], 'the message of the plan');
    await says(card, 'Approve…');
    expect(earth.text(card)).toMatch(/1\. Backup of helpdesk .*\n2\. Deletion of helpdesk /);
    expect(writesSince(before)).toEqual([]);
    expect(await clicks(dev, card, 'Approve…')).toContain('You approved it');
    await says(card, 'both steps are confirmed');
    expect(writesSince(before)).toEqual([
      { what: 'PUT database/sync', query: {}, body: { database: 'MARIADB_LIVE_SERVER-3' } },
      { what: 'DELETE database/delete', query: { input: 'MARIADB_LIVE_SERVER-3' }, body: undefined },
    ]);
    await earth.until(() => earth.replies(card).length === 1, 'a reply');
  });
});

test('a renewal whose parameters do not fit on its last page says so at their field, and takes shorter ones', async () => {
  const of = (count: number) => Array.from({ length: count }, (_, at) => `parameter_${at}=some value`).join('\n');
  const card = await asksForClone(earth, ana, '#databases', quickLine(3407), { databaseParams: of(110) });
  await says(card, /is ready/);
  await opensForm(ana, '#databases', '/db renew shop-3407');
  await ana.until(() => JSON.stringify(ana.sees().views).includes('parameter_109=some value'), 'the parameters');
  const { errors, open } = await ana.submits();
  expect(open).toBe(true);
  expect(Object.entries(errors)).toEqual([
    [expect.stringMatching(/^databaseParams/), expect.stringContaining('do not fit on the next page')],
  ]);
  await ana.fills({ databaseParams: of(5) });
  expect((await ana.submits()).errors).toEqual({});
  await ana.until(async () => /after the one before is confirmed/.test((await ana.modal()).text), 'the last page');
  await ana.cancels(true);
});
