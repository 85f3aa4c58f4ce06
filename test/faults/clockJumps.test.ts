import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { approvalKeys, asksToDelete } from '../journeys/approvals.ts';
import { answerTo } from '../journeys/asking.ts';
import { ends, opensForm, quickClone, quickLine, submitsClone, toldAlone } from '../journeys/clones.ts';
import { type Crossing, crossing } from '../journeys/crossing.ts';
import type { Someone } from '../person.ts';
import { type World, world } from '../world.ts';

/* The machine’s clock is set forwards by a day, or back by an hour or some minutes, while the bot runs. */

const day = hoursToMilliseconds(24);
const hour = hoursToMilliseconds(1);
/** Within this all goes on, in milliseconds. */
const soon = 180_000;

let earth: World;
let road: Crossing;
let ana: Someone;
let skew = 0;

beforeEach(async () => {
  skew = 0;
  road = crossing();
  earth = await world({ skew: () => skew, environment: approvalKeys, service: { middleware: road.middleware } });
  ana = await earth.enters('Ana', 'ana');
});
afterEach(() => earth.close());

const looks = () =>
  earth.service.service.count('GET /database/list') + earth.service.service.count('GET /database/{id}');
const theCard = () => earth.until(() => earth.cards('#databases')[0], 'the message');

async function passes(milliseconds: number): Promise<void> {
  const end = earth.clock.now() + milliseconds;
  await earth.until(() => earth.clock.now() >= end, 'time to pass');
}

// Minutes are less than what the service or Slack may ask to wait for: the time alone does not tell that it was set.
describe.each([
  ['an hour', hour],
  ['eight minutes', minutesToMilliseconds(8)],
])('a clock that is set back by %s', (_what, back) => {
  test('a clock that is set back while a job runs neither stops the looks at it nor makes a storm of them', async () => {
    const card = await quickClone(earth, ana, 3401);
    await earth.until(() => earth.text(card).includes('Running'), 'running');
    await passes(5_000);
    skew = -back;
    const before = looks();
    await earth.until(() => earth.text(card).includes('Confirmed'), 'the end', soon);
    await earth.until(() => earth.replies(card).length === 1, 'the reply', soon);
    expect(looks() - before).toBeLessThan(40);
    expect(earth.writes()).toHaveLength(1);
  });

  test('a clock that is set back while a request is on its way changes nothing about the request', async () => {
    await opensForm(ana, '#databases', quickLine(3402));
    const create = road.holds('/database/clone/create', 'after');
    await ana.submits();
    await create.arrived;
    skew = -back;
    await passes(8_000);
    create.lets();
    const card = await theCard();
    await earth.until(() => earth.text(card).includes('Confirmed'), 'the end', soon);
    expect(earth.text(card)).not.toContain('may or may not have been accepted');
    expect(earth.writes()).toHaveLength(1);
    expect(earth.cards('#databases')).toHaveLength(1);
  });

  test('a clock that is set back while a job waits for a busy service does not keep it waiting', async () => {
    const busy = road.meets('/database/clone/create', () =>
      Response.json({ error: 'slow down' }, { status: 429, headers: { 'retry-after': '30' } }),
    );
    await submitsClone(ana, '#databases', quickLine(3403), {});
    await earth.until(() => toldAlone(ana).some(({ text }) => text.includes('asks me to wait')), 'the wait');
    skew = -back;
    busy.leave();
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message', soon);
    await earth.until(() => earth.text(card).includes('Confirmed'), 'the end', soon);
  });

  test('a clock that is set back while Slack wants to be left alone silences no message', async () => {
    earth.playground.slack.faults.add({ method: 'chat.postMessage', kind: 'rate-limit', retryAfter: 30 });
    await submitsClone(ana, '#databases', quickLine(3404), {});
    await earth.until(() => earth.writes().length > 0, 'the request');
    skew = -back;
    const card = await earth.until(() => earth.cards('#databases')[0], 'the message', soon);
    await earth.until(
      () => earth.text(card).includes('Confirmed') && earth.replies(card).length === 1,
      'the end',
      soon,
    );
  });

  test('a clock that is set back does not let an open Home or a list grow old', async () => {
    await ana.opensHome();
    await quickClone(earth, ana, 3405, '/mnt/stuck-home');
    await ana.until(() => JSON.stringify(ana.sees().home).includes('shop'), 'the job in Home');
    await ana.types('#databases', '/db list orders');
    await ana.reads('#databases', 'orders-3320');
    skew = -back;
    earth.service.service.rename('MYSQL_LIVE_SERVER-1', 'orders-renamed');
    const card = await theCard();
    await ana.presses('Stop checking', { message: card });
    const hasEnded = () => JSON.stringify(ana.sees().home).includes('Unconfirmed');
    await earth.until(hasEnded, 'the end in Home', soon);
    await ana.types('#databases', '/db list orders');
    await ana.reads('#databases', 'orders-renamed');
  });
});

test('a clock that is set back after the job of a button has ended does not swallow the next press', async () => {
  const message = await answerTo(ana, '/db show orders');
  await ana.presses('Back up', { message });
  await ends(earth, await theCard(), 'Confirmed');
  skew = -hour;
  await ana.presses('Back up', { message });
  const next = await earth.until(() => earth.cards('#databases')[1], 'the next job', soon);
  await ends(earth, next, 'Confirmed');
  // While the clock stands behind that job too, a press counts again.
  await ana.presses('Back up', { message });
  await ends(earth, await earth.until(() => earth.cards('#databases')[2], 'the third job', soon), 'Confirmed');
});

describe('a clock that is set forwards by a day', () => {
  test('a clock that is set forwards by a day during a request does not have it sent or told twice', async () => {
    await opensForm(ana, '#databases', quickLine(3411));
    const create = road.holds('/database/clone/create', 'after');
    await ana.submits();
    await create.arrived;
    skew = day;
    await passes(30_000);
    create.lets();
    const card = await theCard();
    const told = await earth.until(() => /Confirmed|Unconfirmed/.exec(earth.text(card))?.[0], 'the end', soon);
    // Its time is over by this clock: what is not seen by then is not claimed, and can be looked for again.
    if (told === 'Unconfirmed') {
      await passes(60_000);
      await ana.presses('Check now', { message: card });
      await ends(earth, card, 'Confirmed');
    }
    expect(earth.writes()).toHaveLength(1);
    expect(earth.cards('#databases')).toHaveLength(1);
  });

  test('a clock that is set forwards while a deletion waits for approval ends it once, with one reply', async () => {
    const { own, card } = await asksToDelete(earth, ana, '/db delete archive_2023', 'archive_2023');
    skew = 8 * day;
    await earth.until(() => earth.text(own).includes('Expired'), 'the end', soon);
    await passes(60_000);
    expect(earth.replies(own)).toHaveLength(1);
    expect(earth.replies(card).length).toBeLessThan(2);
    expect(earth.writes()).toEqual([]);
  });

  test('a clock that is set back by an hour and right again leaves a running job where it was', async () => {
    const card = await quickClone(earth, ana, 3412, '/mnt/stuck-there');
    await earth.until(() => earth.text(card).includes('CREATING'), 'running');
    skew = -hour;
    await passes(90_000);
    skew = 0;
    await passes(90_000);
    expect(earth.text(card)).toContain('Running');
    await ana.presses('Stop checking', { message: card });
    await earth.until(() => earth.replies(card).length === 1, 'the reply', soon);
    expect(earth.writes()).toHaveLength(1);
  });
});
