import { afterEach, expect, test } from 'vitest';
import { type Json, parsed, recordOf } from '../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../journeys/asking.ts';
import { type World, world } from '../world.ts';

/* Services whose clock differs from Dolly's: their reports have times of that clock. */

let earth: World;
afterEach(() => earth.close());

/** The work that the record of `orders` reports, by the service's clock. */
type Work = Readonly<{ status: string; began: number; error?: string }>;

/** A world in which Dolly's clock is ahead of the service's by so much, and `orders` shows the given work and nothing else. */
async function opens(ahead: number, works: () => readonly Work[]) {
  earth = await world({
    skew: () => ahead,
    service: {
      async middleware(request, next) {
        const answer = await next();
        if (request.method !== 'GET' || !request.url.endsWith('/database/MYSQL_LIVE_SERVER-1')) return answer;
        const { id, name } = recordOf(parsed(await answer.text()));
        const history = works().map(
          ({ status, began, error }): Json => ({
            ...{ type: 'REFRESH', status, startedAt: new Date(began).toISOString() },
            ...(error === undefined ? {} : { error }),
          }),
        );
        return Response.json({ id, name, history });
      },
    },
  });
  return earth.enters('Ana', 'ana');
}

test('a failure that is reported by a clock that is two minutes behind is told with its reason', async () => {
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

test('an earlier success that is reported by a clock that is two minutes ahead confirms nothing', async () => {
  let began: number | undefined;
  const ana = await opens(-120_000, () => (began === undefined ? [] : [{ status: 'SUCCEEDED', began }]));
  const card = await asks(earth, ana, '/db refresh MYSQL_LIVE_SERVER-1');
  began = earth.clock.now() - 60_000;
  expect(await comesToAnEnd(earth, card)).toContain('· Finished');
});
