import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { day, hour, minute } from '../../src/ground/durations.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { textOf } from '../person.ts';
import { type World, world } from '../world.ts';
import { answerTo } from './asking.ts';

/* An environment that is worked on: what fails there is excused until the end, which tells what is left. */

let earth: World;
/** The status with which the service refuses to list databases. */
let refusal: number | undefined;
/** Whether the service lists no database, and says that there are more. */
let isCut = false;
const refusing: Middleware = (request, next) => {
  if (!request.url.endsWith('/database/list')) return next();
  if (isCut) return Response.json({ items: [], hasMore: true });
  return refusal === undefined ? next() : Response.json({ message: 'Not now.' }, { status: refusal });
};
beforeAll(async () => {
  const service = { tokenLifetime: 30 * day, middleware: refusing };
  earth = await world({ environment: { APPROVERS: 'U0DEV00001' }, service });
});
afterAll(() => earth.close());

const channel = '#databases';
const database = (name: string) => {
  const found = [...earth.service.service.estate.databases.values()].find(one => one.name === name);
  if (!found) throw new Error(`there is no ${name}`);
  return found;
};
const cards = () => earth.cards(channel).map(card => earth.text(card));
const looks = async () => {
  await earth.clock.leap(5 * minute);
  await earth.clock.advance(10_000);
};

test('maintenance is declared by approvers alone, excuses failures until its end, and then tells what still fails', async () => {
  const ana = await earth.enters('Ana', 'ana');
  const ben = await earth.enters('Ben', 'ben');
  const dba = await earth.enters('Dev', 'dev');
  const says = async (text: string, who = ana) => textOf(await answerTo(who, text, channel));
  await says('/db alerts on');
  await looks();
  const declared = '/db maintenance mysql-prod until=4h why="Kernel update"';
  expect(await says(declared, ben)).toContain('Only approvers');
  expect(await says('/db maintenance mysql-prd until=4h why=x', dba)).toContain('Did you mean `mysql-prod`?');
  expect(await says('/db maintenance mysql-prod why=x', dba)).toContain('Say until when');
  expect(await says('/db maintenance mysql-prod until=4h', dba)).toContain('Say why');
  expect(await says('/db maintenance mysql-prod Until=4h why=\u2800', dba)).toContain('Say why');
  expect(await says('/db maintenance mysql-prod until=31d why=x', dba)).toContain('within 30 days');
  expect(await says(declared, dba)).toContain('is in maintenance');
  expect(await says('/db maintenance', ben)).toContain('Kernel update');

  const { environment } = database('shop');
  const others = [...earth.service.service.estate.databases.values()].filter(one => one.environment === environment);
  const [vanishing] = others.filter(one => one.name !== 'shop' && one.cloneType !== undefined);
  Object.assign(database('shop'), { state: 'FAILED', error: 'It restarts.' });
  await looks();
  await looks();
  expect(cards().filter(text => text.includes('It restarts'))).toEqual([]);
  expect(await says('/db status')).not.toContain('1 failed');
  if (vanishing) {
    earth.service.service.estate.databases.delete(vanishing.id);
    await earth.until(
      () => cards().some(text => text.includes('vanished without a job')),
      'what vanished',
      20 * minute,
    );
  }
  await earth.clock.leap(4 * hour);
  await earth.until(() => cards().some(text => text.includes('It restarts')), 'what is left', 20 * minute);
  const head = earth.cards(channel).find(card => earth.text(card).includes('Kernel update'));
  expect(head && earth.text(head)).toContain('is no longer in maintenance');
  const replies = head ? earth.replies(head).map(reply => earth.text(reply)) : [];
  expect(replies.join()).toContain('shop: failed');
  expect(await says('/db maintenance')).toContain('No environment is in maintenance');
});

test('maintenance that is declared again gets the new end, in one and the same message', async () => {
  const dba = await earth.enters('Dev', 'dev');
  const declares = async (words: string) => answerTo(dba, `/db maintenance mysql-prod ${words}`, channel);
  await declares('until=1h why="The disk is changed"');
  const isIts = (text: string) => /The disk is changed|It takes longer/.test(text);
  const first = await earth.until(() => earth.cards(channel).find(card => isIts(earth.text(card))), 'the message');
  await declares('until=3h why="It takes longer"');
  await earth.until(() => earth.text(first).includes('It takes longer'), 'the other end');
  await earth.clock.leap(2 * hour);
  await looks();
  expect(earth.text(first)).toContain('is in maintenance');
  await earth.clock.leap(hour);
  await earth.until(() => earth.text(first).includes('is no longer in maintenance'), 'the end', 20 * minute);
  expect(cards().filter(isIts)).toHaveLength(1);
});

test('an approver can end maintenance before its time', async () => {
  const dba = await earth.enters('Dev', 'dev');
  expect(textOf(await answerTo(dba, '/db maintenance mysql-prod until=23:59 why=again', channel))).toContain('is in');
  expect(textOf(await answerTo(dba, '/db maintenance mysql-prod off', channel))).toContain('is over');
  expect(textOf(await answerTo(dba, '/db maintenance mysql-prod off', channel))).toContain('is not in maintenance');
});

describe('where nobody can look at its end', () => {
  afterEach(() => {
    refusal = undefined;
    isCut = false;
  });
  const cardOf = (why: string) => earth.cards(channel).find(card => earth.text(card).includes(why));
  const begins = async (why: string) => {
    const dba = await earth.enters('Dev', 'dev');
    await earth.clock.advance(10_000);
    await answerTo(dba, `/db maintenance mysql-prod until=1h why="${why}"`, channel);
    return earth.until(() => cardOf(why), 'the message');
  };

  test.each([
    { why: 'the right to read is taken away', status: 403, within: 5 * minute },
    { why: 'the service goes down', status: 500, within: 30 * minute },
  ])(
    'maintenance ends in time although nobody can look at what still fails ($why)',
    async ({ why, status, within }) => {
      const card = await begins(why);
      refusal = status;
      await earth.clock.leap(hour);
      await earth.until(() => earth.replies(card).length > 0, 'the end', within);
      expect(earth.text(card)).toContain('is no longer in maintenance');
      expect(earth.replies(card).map(reply => earth.text(reply))).toEqual([
        expect.stringContaining('Alerts and reports count this environment again.'),
      ]);
    },
  );

  test('the end of maintenance does not say that all is well where the service shows only some records', async () => {
    const card = await begins('the lists are cut');
    isCut = true;
    await earth.clock.leap(hour);
    await earth.until(() => earth.replies(card).length > 0, 'the end', 5 * minute);
    expect(earth.replies(card).map(reply => earth.text(reply))).toEqual([
      expect.stringContaining('Alerts and reports count this environment again.'),
    ]);
  });

  test('new maintenance has a message of its own, though the end of the one before is not told yet', async () => {
    const first = await begins('The first disk');
    refusal = 500;
    await earth.clock.leap(hour);
    await earth.clock.advance(10_000);
    expect(earth.text(first)).toContain('is in maintenance');
    refusal = undefined;
    const second = await begins('The second disk');
    expect(earth.text(second)).toContain('is in maintenance');
    await earth.until(() => earth.text(first).includes('is no longer in maintenance'), 'the first end');
    expect(earth.text(first)).toContain('The first disk');
  });
});
