import { afterEach, expect, test } from 'vitest';
import { type Json, parsed, recordOf, recordsOf } from '../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../journeys/asking.ts';
import { type World, world } from '../world.ts';

/* Services that tell of work in reports alone, and whose clock may differ from Dolly's. */

let earth: World;
afterEach(() => earth.close());

/** The work that the record of `orders` reports, by the service's clock. */
type Work = Readonly<{ type?: string; status: string; began: number; error?: string }>;

/** A world in which Dolly's clock is ahead of the service's by so much, and records show the given work and no state. */
async function opens(ahead: number, works: () => readonly Work[]) {
  earth = await world({
    skew: () => ahead,
    service: {
      async middleware(request, next) {
        const answer = await next();
        if (request.method !== 'GET' || !request.url.includes('/database/')) return answer;
        const body = parsed(await answer.text());
        const withoutState = ({ id, name }: Json): Json => ({ id, name });
        if (Array.isArray(body)) return Response.json(recordsOf(body).map(withoutState));
        const { id, name } = withoutState(recordOf(body));
        const history = works().map(
          ({ type = 'REFRESH', status, began, error }): Json => ({
            ...{ type, status, startedAt: new Date(began).toISOString() },
            ...(error === undefined ? {} : { error }),
          }),
        );
        return Response.json({ id, name, history });
      },
    },
  });
  return earth.enters('Ana', 'ana');
}

test('a failure that a clock two minutes behind reports is told with its reason', async () => {
  let begun: number | undefined;
  const ana = await opens(120_000, () =>
    begun === undefined ? [] : [{ status: 'FAILED', began: begun, error: 'the host did not answer' }],
  );
  const card = await asks(earth, ana, '/db refresh MYSQL_LIVE_SERVER-1');
  begun = earth.clock.now();
  const text = await comesToAnEnd(earth, card);
  expect(text).toContain('· Failed');
  expect(text).toContain('the host did not answer');
});

test('an earlier success that a clock two minutes ahead reports confirms nothing', async () => {
  let began: number | undefined;
  const ana = await opens(-120_000, () => (began === undefined ? [] : [{ status: 'SUCCEEDED', began }]));
  const card = await asks(earth, ana, '/db refresh MYSQL_LIVE_SERVER-1');
  began = earth.clock.now() - 60_000;
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});

test('the kind of work in a report is told as work, and not as a state', async () => {
  let works: readonly Work[] = [];
  const ana = await opens(0, () => works);
  const card = await asks(earth, ana, '/db refresh MYSQL_LIVE_SERVER-1');
  works = [{ status: 'RUNNING', began: earth.clock.now() }];
  await earth.clock.advance(5_000);
  works = [];
  const text = await comesToAnEnd(earth, card);
  expect(text).toContain('It was at work (REFRESH), and no longer is.');
});

test('work whose report gives way to a later one is not told as over', async () => {
  let works: readonly Work[] = [];
  const ana = await opens(0, () => works);
  const card = await asks(earth, ana, '/db refresh MYSQL_LIVE_SERVER-1');
  works = [{ status: 'RUNNING', began: earth.clock.now() }];
  await earth.clock.advance(5_000);
  works = [{ type: 'HEALTH_CHECK', status: 'SUCCEEDED', began: earth.clock.now() }];
  expect(await comesToAnEnd(earth, card)).toContain('· Unconfirmed');
});
