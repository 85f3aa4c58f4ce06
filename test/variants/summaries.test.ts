import { expect, test } from 'vitest';
import { day } from '../../src/ground/durations.ts';
import { parsed, recordOf, recordsOf } from '../../src/sandbox/playground/json.ts';
import { asks, comesToAnEnd } from '../journeys/asking.ts';
import { world } from '../world.ts';

test('a state word that only single records show is learned before the first clone that rests in it', async () => {
  const earth = await world({
    service: {
      tokenLifetime: 30 * day,
      async middleware(request, next) {
        const answer = await next();
        if (request.method !== 'GET' || !request.url.includes('/database/')) return answer;
        const text = (await answer.text()).replaceAll('"RUNNING"', '"TEAL"');
        const body = parsed(text);
        if (!Array.isArray(body)) return Response.json(recordOf(body), { status: answer.status });
        return Response.json(recordsOf(body).map(({ id, name }) => ({ id, name })));
      },
    },
  });
  const ana = await earth.enters('Ana', 'ana');
  const line =
    '/clone shop port=3401 mountBase=/mnt/c3401 cloneType=VIRTUALCLONE targetEnvironment=dev ' +
    'install=MYSQL_INSTALL-2 environmentUser=ENVIRONMENT_USER-8';
  const text = await comesToAnEnd(earth, await asks(earth, ana, line, { fields: {} }));
  expect(text).toContain('· Confirmed');
  await earth.close();
});
