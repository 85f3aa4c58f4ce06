import type { MiddlewareHandler } from 'hono';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Dolly } from '../../src/app/app.ts';
import { day, hour, minute } from '../../src/ground/durations.ts';
import { recordOf } from '../../src/sandbox/playground/json.ts';
import type { Middleware } from '../../src/sandbox/service/application.ts';
import { type Someone, textOf } from '../person.ts';
import { hasPostgres } from '../postgresServer.ts';
import { isWhole } from '../whole.ts';
import { type World, world } from '../world.ts';
import { approvalChannel, approvalKeys } from './approvals.ts';
import { answerTo } from './asking.ts';
import { passes, sleepsUntil, timesOf } from './calendarTurns.ts';

/* What runs by itself, over months on a clock that the test turns: by one bot, and by two on one store. */

const orders = 'MYSQL_LIVE_SERVER-1';
const shop = 'MYSQL_LIVE_SERVER-2';
const inventory = 'MARIADB_LIVE_SERVER-2';
const stores = [['embedded', 1], ...(hasPostgres ? ([['PostgreSQL', 2]] as const) : [])] as const;

describe.each(stores)('on the %s store, with as many bots as %i', (store, bots) => {
  let earth: World;
  let other: Dolly | undefined;
  let ana: Someone;
  let dev: Someone;
  /** How the service meets a backup. */
  let meets: 'well' | 'refuses' = 'well';
  let isUninstalled = false;

  const middleware: Middleware = async (request, next) => {
    if (!request.url.endsWith('/database/sync') || meets === 'well') return next();
    // The service sees the request, so that it is counted.
    await next();
    return Response.json({ error: { code: 'CONFLICT', message: 'The backup server is full.' } }, { status: 409 });
  };

  const directory: MiddlewareHandler = async (c, next) => {
    await next();
    if (!isUninstalled || c.req.path !== '/api/users.info') return;
    const told = recordOf(await c.res.json());
    const user = recordOf(told.user);
    c.res = Response.json({ ...told, user: { ...user, deleted: user.id === ana.id } });
  };

  beforeAll(async () => {
    earth = await world({
      ...{ store, environment: approvalKeys, slack: { middleware: directory } },
      service: { tokenLifetime: 900 * day, middleware },
    });
    await earth.clock.leap(Date.UTC(2027, 2, 27, 12) - earth.clock.now());
    ana = await earth.enters('Ana', 'ana');
    dev = await earth.enters('Dev', 'dev');
    if (bots > 1) other = await earth.joins();
  });
  afterAll(async () => {
    await other?.stop();
    await earth.close();
  });

  const nights = (record: string, times: readonly string[]) =>
    passes(earth, times, time => timesOf(earth, 'sync', record).includes(time));
  /** Stops all bots, and starts them again at a later time. */
  const isAway = async (until: string) => {
    await other?.stop();
    await earth.stop();
    await earth.clock.leap(Date.parse(`${until}Z`) - earth.clock.now());
    await earth.start();
    if (other) other = await earth.joins();
    await earth.clock.advance(minute);
  };
  /** The messages of a channel since a number of them, as far as they have these words. */
  /** All that stands in a channel and in its threads, in the order in which it was posted. */
  const told = (channel = '#databases') =>
    earth
      .cards(channel)
      .flatMap(card => [card, ...earth.replies(card)])
      .toSorted((one, other) => Number(one.ts) - Number(other.ts));
  const said = (from: number, words: RegExp, channel = '#databases') =>
    told(channel)
      .slice(from)
      .filter(message => words.test(earth.text(message)));
  /** The next time at which it is half past two in Berlin, in winter. */
  const nextNight = () => Math.ceil((earth.clock.now() - 1.5 * hour) / day) * day + 1.5 * hour;
  const listed = async (someone: Someone, words: string) => textOf(await answerTo(someone, `/db schedules ${words}`));

  /** Each day has one run of orders at most, told in its own name; of shop only failures are told. */
  const eachNightHasOne = () => {
    const times = timesOf(earth, 'sync', orders);
    expect(new Set(times.map(time => time.slice(0, 10))).size).toBe(times.length);
    expect(said(0, /shop is backed up/)).toEqual([]);
    const card = said(0, /By schedule[\s\S]*orders|orders is backed up[\s\S]*Run by/).at(-1);
    expect(card && earth.text(card)).toContain('Run by *ana*’s schedule');
  };

  test('a nightly schedule runs once a night through changes of daylight saving, and after days without a bot', async () => {
    const made = textOf(await answerTo(ana, '/db schedule backup orders every=day at=02:30 zone=Europe/Berlin'));
    expect(made).toContain('every day at 02:30 (Europe/Berlin)');
    await answerTo(ana, '/db schedule backup shop every=day at=02:30 zone=Australia/Sydney tells=failures');
    // Berlin changes on March 28 and October 31, Sydney on April 4 and October 3, each in the hour of these runs.
    await nights(orders, ['2027-03-28T01:00', '2027-03-29T00:30']);
    // Two days later the last night of orders is eleven hours ago, and that of shop twenty: only the first one is made up for.
    const before = told().length;
    await isAway('2027-03-31T12:00');
    await earth.until(
      () => timesOf(earth, 'sync', orders).at(-1)?.startsWith('2027-03-31T12:0'),
      'the run of last night',
    );
    await nights(shop, ['2027-03-31T15:30']);
    await sleepsUntil(earth, Date.parse('2027-03-31T22:00Z'));
    // In Sydney’s morning, a line tells of the runs of which only failures are told.
    await earth.until(() => said(before, /1 of the scheduled runs went well.* 1 skipped/)[0], 'the line of the day');
    await isAway('2027-04-03T13:00');
    await nights(shop, ['2027-04-03T15:30', '2027-04-04T16:30']);
    eachNightHasOne();
  });

  // What one bot does then, two do as in spring.
  test.skipIf(bots > 1 && !isWhole)(
    'a nightly schedule runs once a night after months without a bot, and when daylight saving ends',
    async () => {
      const before = told().length;
      await isAway('2027-10-02T13:00');
      await nights(shop, ['2027-10-02T16:00', '2027-10-03T15:30']);
      await isAway('2027-10-30T13:00');
      await nights(orders, ['2027-10-31T00:30', '2027-11-01T01:30']);
      expect(said(before, /orders.* skipped/).length).toBeGreaterThan(0);
      eachNightHasOne();
    },
  );

  // The rest does not depend on the store.
  if (store !== 'embedded') return;

  test('a scheduled backup that fails goes on after the third failure in a row, and each failure is told', async () => {
    const before = told().length;
    await answerTo(ana, '/db schedule backup inventory every=6h');
    meets = 'refuses';
    const failures = () => said(before, /Backup of inventory[\s\S]*· Failed/);
    for (const count of [1, 2, 3, 4]) {
      await sleepsUntil(earth, earth.clock.now() + 6 * hour);
      await earth.until(() => failures().length === count, `failure ${count}`);
    }
    const troubles = said(before, /inventory.* failed several times in a row/);
    const [trouble] = troubles;
    expect(troubles).toHaveLength(1);
    expect(await listed(ana, 'inventory')).not.toContain('paused');
    meets = 'well';
    await sleepsUntil(earth, earth.clock.now() + 6 * hour);
    await earth.until(() => said(before, /inventory is backed up/)[0], 'the next run');
    expect(timesOf(earth, 'sync', inventory)).toHaveLength(5);
    await earth.until(() => trouble && earth.text(trouble).includes('It went well again.'), 'the end of the trouble');
  });

  test('a schedule whose owner leaves does not run until an approver takes it over', async () => {
    const before = timesOf(earth, 'sync', orders).length;
    isUninstalled = true;
    await sleepsUntil(earth, nextNight());
    const calls = () => said(0, /Backup of orders.* has left/, approvalChannel);
    const call = await earth.until(() => calls()[0], 'the call to the approvers');
    expect(timesOf(earth, 'sync', orders)).toHaveLength(before);
    const message = await dev.until(() => dev.messages(call.channel).find(({ ts }) => ts === call.ts), 'the call');
    await dev.presses('Take over', { message });
    await earth.until(() => earth.text(call).includes('took it over'), 'the outcome');
    await sleepsUntil(earth, nextNight());
    await earth.until(() => timesOf(earth, 'sync', orders).length > before, 'the next night');
    await earth.until(
      () => said(0, /orders is backed up[\s\S]*Run by \*dev\*’s schedule/)[0],
      'a run of the new owner',
    );
    expect(said(0, /Backup of orders/, approvalChannel)).toHaveLength(1);
  });

  test('a channel gets its report once a morning or once a week, as it was asked for, and none after “report off”', async () => {
    const from = told().length;
    const reports = () => said(from, /databases protected/).length;
    const atHour = (hours: number) => Math.ceil((earth.clock.now() - hours * hour) / day) * day + hours * hour;
    await answerTo(dev, '/db report daily at=08:30');
    await sleepsUntil(earth, atHour(8.5));
    await earth.until(() => reports() === 1, 'the report of the morning');
    await answerTo(dev, '/db report weekly at=09:30 only=wrong');
    for (let morning = 0; morning < 7; morning++) {
      await sleepsUntil(earth, atHour(9.5));
      await earth.clock.advance(3 * minute);
    }
    expect(reports()).toBe(2);
    await answerTo(dev, '/db report off');
    await earth.clock.leap(8 * day);
    await earth.clock.advance(3 * minute);
    expect(reports()).toBe(2);
  });
});
