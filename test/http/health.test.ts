import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { openLog } from '../../src/ground/log.ts';
import { healthPages, type Vitals } from '../../src/http/health.ts';
import { testClock } from '../clock.ts';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

const clock = testClock();
const well: Vitals = {
  store: async () => undefined,
  slack: async () => true,
  turns: () => ({ watch: clock.steady(), deliver: clock.steady() }),
};
const figures = { token: 'a-token-of-the-test', contentType: 'text/plain; version=0.0.4', text: async () => 'up 1\n' };

/** The pages over HTTP; gives what asks for one. */
async function pages(vitals: Partial<Vitals> = {}, told: typeof figures | null = figures) {
  const on = healthPages({ clock, log: openLog('silent') }, { ...well, ...vitals }, told ?? undefined);
  const server = createServer((request, response) => {
    if (!on(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => new Promise(resolve => server.close(resolve)));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  return (path: string, options: RequestInit = {}) => fetch(`http://127.0.0.1:${port}${path}`, options);
}

/** What `/readyz` answers. */
const readiness = async (vitals: Partial<Vitals>) => {
  const answer = await (await pages(vitals))('/readyz');
  return [answer.status, await answer.json()];
};

describe('/readyz', () => {
  const all = { ready: true, store: true, slack: true, watch: true, deliver: true };

  test('/readyz says that all is well where it is', async () => {
    expect(await readiness({})).toEqual([200, all]);
  });

  test.each<[string, Partial<Vitals>, Partial<typeof all>]>([
    ['the store refuses', { store: () => Promise.reject(new Error('no')) }, { store: false }],
    ['Slack is not connected', { slack: async () => false }, { slack: false }],
    ['a loop had no turn yet', { turns: () => ({ ...well.turns(), watch: undefined }) }, { watch: false }],
    [
      'a loop had no good turn for half a minute',
      { turns: () => ({ ...well.turns(), deliver: clock.steady() - 30_000 }) },
      { deliver: false },
    ],
  ])('/readyz says that Dolly is not ready where %s', async (_, vitals, difference) => {
    expect(await readiness(vitals)).toEqual([503, { ...all, ready: false, ...difference }]);
  });

  test('/readyz says that Dolly is not ready where the store does not answer at all', async () => {
    const asks = await pages({ store: () => new Promise(() => undefined) });
    const answering = asks('/readyz');
    while (!(await Promise.race([answering.then(() => true), clock.advance(500)])));
    expect((await answering).status).toBe(503);
  });

  test('/readyz asks the store once a second at most, whoever asks', async () => {
    let asked = 0;
    const asks = await pages({
      async store() {
        asked++;
      },
    });
    for (let times = 0; times < 5; times++) await asks('/readyz');
    expect(asked).toBe(1);
    await clock.advance(1_000);
    await asks('/readyz');
    expect(asked).toBe(2);
  });
});

describe('/metrics', () => {
  const asking = (authorization?: string) => ({ headers: authorization === undefined ? {} : { authorization } });

  test('/metrics answers only to those who know the token', async () => {
    const asks = await pages();
    for (const wrong of [undefined, 'Bearer', 'Bearer another', `Basic ${figures.token}`, figures.token]) {
      const answer = await asks('/metrics', asking(wrong));
      expect([wrong, answer.status, await answer.text()]).toEqual([wrong, 401, '']);
    }
    const answer = await asks('/metrics', asking(`Bearer ${figures.token}`));
    expect([answer.status, await answer.text()]).toEqual([200, 'up 1\n']);
    expect(answer.headers.get('content-type')).toBe(figures.contentType);
  });

  test('/metrics is not there where no token is set', async () => {
    expect((await (await pages({}, null))('/metrics')).status).toBe(404);
  });

  test('/metrics answers with an error where the figures cannot be told', async () => {
    const asks = await pages({}, { ...figures, text: () => Promise.reject(new Error('no')) });
    expect((await asks('/metrics', asking(`Bearer ${figures.token}`))).status).toBe(500);
  });
});

test('the health pages can only be read, and other methods are refused', async () => {
  const asks = await pages();
  for (const path of ['/healthz', '/readyz', '/metrics']) {
    const answer = await asks(path, { method: 'POST' });
    expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
  }
  expect([(await asks('/healthz')).status, (await asks('/healthz?x=1', { method: 'HEAD' })).status]).toEqual([
    200, 200,
  ]);
  expect((await asks('/health')).status).toBe(404);
});
