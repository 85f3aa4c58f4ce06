import { expect, test } from 'vitest';
import { endpoints } from '../../../src/sandbox/service/catalogue.ts';
import { changeDatabase } from '../../../src/sandbox/service/change.ts';
import { databaseWrite } from '../../../src/sandbox/service/databaseWrite.ts';
import { plainString } from '../../../src/sandbox/service/input.ts';
import { letPass } from '../../../src/sandbox/service/jobs.ts';
import { findLive } from '../../../src/sandbox/service/lookups.ts';
import { accepted, field, startSandbox } from './client.ts';

/** An endpoint that the specification does not have: everything about it stands here. */
const verify = databaseWrite({
  method: 'PUT',
  path: '/database/verify',
  input: plainString,
  developer: 'none',
  states: ['RUNNING'],
  find: ({ estate }, id) => ({ database: findLive(estate, id) }),
  begin: verifying =>
    changeDatabase(verifying, {
      during: 'VERIFYING',
      lasts: 5_000,
      async work(task) {
        await letPass(verifying.context.clock, task);
        if (task.effects.fault) throw new Error('page 17 has another checksum');
        return {};
      },
      shows: time => ({ verifiedAt: time }),
    }),
});

const id = 'MYSQL_LIVE_SERVER-1';
const open = () => startSandbox({ endpoints: [...endpoints, verify] });

test('a new endpoint of the simulated service is one entry, with its input, rules, job and what its record shows', async () => {
  const { as, clock } = await open();
  const [ana, ben] = [await as('ana'), await as('ben')];
  const record = async () => (await ana(`GET /database/${id}`)).body;
  expect(await record()).toMatchObject({ state: 'RUNNING' });
  expect((await ana('PUT /database/verify', { database: id })).status).toBe(400);
  expect((await ana('PUT /database/verify', 'MYSQL_LIVE_SERVER-99')).status).toBe(404);
  expect((await ben('PUT /database/verify', id)).status).toBe(403);
  expect((await ana('GET /database/verify')).status).toBe(400);
  expect((await ana('POST /database/verify', id)).headers.get('allow')).toContain('PUT');

  expect((await ana('PUT /database/verify', id)).body).toEqual(accepted);
  expect(await record()).toMatchObject({ state: 'VERIFYING' });
  const second = await ana('PUT /database/verify', id);
  expect([second.status, field(second.body, 'error.message')]).toEqual([
    409,
    `${id} is VERIFYING; database/verify needs RUNNING`,
  ]);
  await clock.advance(4_999);
  expect(field(await record(), 'verifiedAt')).toBeUndefined();
  await clock.advance(1);
  expect(await record()).toMatchObject({ state: 'RUNNING', verifiedAt: new Date(clock.now()).toISOString() });
});

test('the rules of the specification and the words that provoke failures hold for a new endpoint, too', async () => {
  const { as, clock } = await open();
  const ana = await as('ana');
  const onDisabled = await ana('PUT /database/verify', 'MYSQL_LIVE_SERVER-4');
  expect(field(onDisabled.body, 'error.code')).toBe('ENVIRONMENT_DISABLED');
  expect((await ana('PUT /database/verify', 'MARIADB_LIVE_SERVER-4')).body).toEqual(accepted);
  await clock.advance(5_000);
  expect((await ana('GET /database/MARIADB_LIVE_SERVER-4')).body).toMatchObject({
    name: 'failing_feed',
    state: 'FAILED',
    error: 'page 17 has another checksum',
  });
});
