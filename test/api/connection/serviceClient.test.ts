import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { get, lists, post, put, remove } from '../../../src/api/call.ts';
import { connectService, type Service } from '../../../src/api/connection/serviceClient.ts';
import type { ServiceOptions } from '../../../src/api/connection/transport.ts';
import { readAnyList } from '../../../src/api/longLists/listAnswer.ts';
import { Failure } from '../../../src/ground/failure.ts';
import { testClock } from '../../clock.ts';

type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };
type Answer = (request: Seen, response: ServerResponse) => unknown;

const success = { objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null };
const secret = 'pa55-w0rd-of-ben';
const token = 'tok-en.of-ben-7f3a9c';
const open: (() => Promise<unknown> | unknown)[] = [];

afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

function connect(options: Partial<ServiceOptions> & { url: string }): Service {
  const service = connectService({ prefix: '/service', clock: testClock(), ...options });
  open.push(() => service.close());
  return service;
}

async function listen(server: Server | ReturnType<typeof createSocketServer>): Promise<string> {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!isAddress(address)) throw new Error('no address');
  return `http://127.0.0.1:${address.port}`;
}
function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

/** A service that answers as told, and remembers what it was asked. */
async function serve(
  answer: Answer,
  options: Partial<ServiceOptions> = {},
): Promise<{ service: Service; seen: Seen[] }> {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const asked = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    seen.push(asked);
    answer(asked, response);
  });
  open.push(() => {
    server.closeAllConnections();
    return new Promise(resolve => server.close(resolve));
  });
  return { service: connect({ url: await listen(server), ...options }), seen };
}

function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
  return (_, response) =>
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}
function text(status: number, body: string, headers: Record<string, string> = {}): Answer {
  return (_, response) => response.writeHead(status, headers).end(body);
}

/** The failure of a promise that must fail, with what a log would hold of it. */
async function failureOf(work: Promise<unknown>): Promise<Failure & { logged: string }> {
  const error = await work.then(
    () => undefined,
    (caught: unknown) => caught,
  );
  if (!(error instanceof Failure)) throw new Error(`expected a Failure, got ${String(error)}`);
  const lines: string[] = [];
  pino({ serializers: { error: pino.stdSerializers.err } }, { write: line => lines.push(line) }).error({ error });
  return Object.assign(error, { logged: lines.join('') });
}

const clone = post('/database/clone/create', { vendor: 'MYSQL', port: 3310 });

describe('a request', () => {
  test('a request for a list or a record is a GET with the token and without a body', async () => {
    const { service, seen } = await serve(json(200, []));
    await service.fetch(token, lists.databases);
    await service.fetch(token, get('/database', 'MYSQL_LIVE_SERVER-1'));
    await service.fetch(token, get('/user/user', 'USER-1'));
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['GET', '/service/database/list', ''],
      ['GET', '/service/database/MYSQL_LIVE_SERVER-1', ''],
      ['GET', '/service/user/user/USER-1', ''],
    ]);
    expect(seen[0]?.headers).toMatchObject({ authorization: `Bearer ${token}`, accept: 'application/json' });
    expect(seen[0]?.headers).not.toHaveProperty('content-type');
  });

  test('a request that writes carries JSON, an identifier as a JSON string, or a query', async () => {
    const { service, seen } = await serve(json(200, success));
    await service.submit(token, clone);
    await service.submit(token, put('/environment/refresh', 'HOST_ENVIRONMENT-1'));
    await service.submit(token, put('/database/sync', { database: 'MYSQL_LIVE_SERVER-1', syncType: 'LOG' }));
    await service.submit(token, remove('/database/delete', 'MYSQL_CLONE_SERVER-1'));
    await service.submit(token, remove('/snapshot/delete', 'MYSQL_SNAPSHOT-1', 'PUT'));
    expect(seen.map(({ method, url, body, headers }) => [method, url, headers['content-type'], body])).toEqual([
      ['POST', '/service/database/clone/create', 'application/json', '{"vendor":"MYSQL","port":3310}'],
      ['PUT', '/service/environment/refresh', 'application/json', '"HOST_ENVIRONMENT-1"'],
      ['PUT', '/service/database/sync', 'application/json', '{"database":"MYSQL_LIVE_SERVER-1","syncType":"LOG"}'],
      ['DELETE', '/service/database/delete?input=MYSQL_CLONE_SERVER-1', undefined, ''],
      ['PUT', '/service/snapshot/delete?input=MYSQL_SNAPSHOT-1', undefined, ''],
    ]);
    for (const { headers } of seen) expect(headers.authorization).toBe(`Bearer ${token}`);
  });

  test('a request goes to a path without a prefix where none is set', async () => {
    const { service, seen } = await serve(json(200, []), { prefix: '' });
    await service.fetch(token, lists.projects);
    expect(seen[0]?.url).toBe('/project/list');
  });

  test('a request cannot leave its path by an identifier', async () => {
    const { service, seen } = await serve(json(200, []));
    await service.fetch(token, get('/database', '../user/list?x=1#y'));
    expect(seen[0]?.url).toBe('/service/database/..%2Fuser%2Flist%3Fx%3D1%23y');
  });
});

const answers: readonly [string, Answer, { fetch: string; submit: string; says: string }][] = [
  [
    '401',
    json(401, { message: 'Token expired' }),
    { fetch: 'signed-out', submit: 'signed-out', says: 'Your sign-in at the service is no longer valid.' },
  ],
  [
    '403',
    json(403, { error: { message: 'Operators only.' } }),
    { fetch: 'forbidden', submit: 'forbidden', says: 'The service does not allow you to do this: “Operators only”.' },
  ],
  [
    '403 without a word',
    text(403, ''),
    { fetch: 'forbidden', submit: 'forbidden', says: 'The service does not allow you to do this.' },
  ],
  ['404', json(404, {}), { fetch: 'missing', submit: 'missing', says: 'The service does not know it (any more).' }],
  [
    '410',
    text(410, 'Gone for good'),
    { fetch: 'missing', submit: 'missing', says: 'The service does not know it (any more): “Gone for good”.' },
  ],
  [
    '409',
    json(409, { message: 'It has clones' }),
    { fetch: 'refused', submit: 'refused', says: 'The service refused: “It has clones”.' },
  ],
  [
    '400 with a page',
    text(400, '<html><title>Bad Request</title></html>'),
    { fetch: 'refused', submit: 'refused', says: 'The service refused: “Bad Request”.' },
  ],
  ['429', text(429, ''), { fetch: 'busy', submit: 'busy', says: 'The service asks me to wait.' }],
  [
    'a redirect',
    text(302, '', { location: '/elsewhere' }),
    {
      fetch: 'unreadable',
      submit: 'unclear',
      says: 'The service redirects elsewhere (HTTP 302). Check SERVICE_URL and SERVICE_PREFIX.',
    },
  ],
  [
    '304',
    text(304, ''),
    {
      fetch: 'unreadable',
      submit: 'unclear',
      says: 'The service redirects elsewhere (HTTP 304). Check SERVICE_URL and SERVICE_PREFIX.',
    },
  ],
  [
    '408',
    text(408, ''),
    { fetch: 'unreadable', submit: 'unclear', says: 'The service answered with an error (HTTP 408).' },
  ],
  [
    '500',
    json(500, { message: 'Out of cheese' }),
    { fetch: 'unreadable', submit: 'unclear', says: 'The service answered with an error (HTTP 500): “Out of cheese”.' },
  ],
  [
    '502 with a page',
    text(502, '<html><h1>Bad Gateway</h1></html>'),
    { fetch: 'unreadable', submit: 'unclear', says: 'The service answered with an error (HTTP 502): “Bad Gateway”.' },
  ],
  [
    '503',
    text(503, ''),
    { fetch: 'unreadable', submit: 'unclear', says: 'The service answered with an error (HTTP 503).' },
  ],
  [
    '200 that refuses',
    json(200, { objectType: 'ERROR_RESULT', status: 'FAILED', error: { message: 'It is locked' } }),
    { fetch: 'refused', submit: 'refused', says: 'The service refused: “It is locked”.' },
  ],
  [
    '200 that refuses with a status of its own',
    json(200, { success: false, code: 403, messages: ['Operators only.'] }),
    { fetch: 'forbidden', submit: 'forbidden', says: 'The service does not allow you to do this: “Operators only”.' },
  ],
  [
    '200 that refuses with a number of its own',
    json(200, { success: false, code: 500, messages: ['It is locked'] }),
    { fetch: 'refused', submit: 'refused', says: 'The service refused: “It is locked”.' },
  ],
  [
    '200 that refuses with nothing but a number',
    json(200, { code: 500, msg: 'It is locked', data: null }),
    { fetch: 'refused', submit: 'refused', says: 'The service refused: “It is locked”.' },
  ],
];

describe('an answer', () => {
  test.each(answers)(
    'an answer of %s is told as one kind of failure in one sentence, and a write is sent once',
    async (_, answer, expected) => {
      const { service, seen } = await serve(answer);
      const read = await failureOf(service.fetch(token, lists.databases));
      expect([read.kind, read.message]).toEqual([expected.fetch, expected.says]);
      const write = await failureOf(service.submit(token, clone));
      expect([write.kind, write.message]).toEqual([expected.submit, expected.says]);
      // Before a sign-in counts as lost, harmless reads are tried; nothing else is asked twice.
      expect(seen.filter(({ method }) => method !== 'GET')).toHaveLength(1);
      expect(seen.filter(({ method }) => method === 'GET')).toHaveLength(expected.fetch === 'signed-out' ? 9 : 1);
      expect(`${read.logged}${write.logged}`).not.toContain(token);
    },
  );

  test.each([
    ['17', 17_000],
    ['0', 1_000],
    ['86400', 600_000],
    ['soon', 10_000],
    [undefined, 10_000],
  ])('an answer of 429 with Retry-After %s says when to ask again, within bounds', async (header, wait) => {
    const { service } = await serve(text(429, '', header === undefined ? {} : { 'retry-after': header }));
    expect((await failureOf(service.fetch(token, lists.databases))).retryAfter).toBe(wait);
  });

  test.each([
    [503, '17', 17_000],
    [503, undefined, undefined],
    [500, '20', 20_000],
  ])(
    'an answer of %i with Retry-After %s says when to ask again only if that is told',
    async (status, header, wait) => {
      const { service } = await serve(text(status, '', header === undefined ? {} : { 'retry-after': header }));
      expect((await failureOf(service.fetch(token, lists.databases))).retryAfter).toBe(wait);
    },
  );

  test.each([-3_600_000, 0, 3_600_000])(
    'an answer of 429 may say until which date to wait, by a clock that is %i ms apart',
    async apart => {
      const date = (later: number) => new Date(Date.now() + apart + later).toUTCString();
      const { service } = await serve((_, response) =>
        response.writeHead(429, { date: date(0), 'retry-after': date(60_000) }).end(),
      );
      const { retryAfter = 0 } = await failureOf(service.fetch(token, lists.databases));
      expect(Math.abs(retryAfter - 60_000)).toBeLessThanOrEqual(1_000);
    },
  );

  test.each([
    ['nothing', text(200, '')],
    ['204', text(204, '')],
    ['a page', text(200, '<html><title>Welcome</title></html>')],
    ['a text', text(200, 'hello')],
    ['a number', json(200, 7)],
    ['null', json(200, null)],
    ['half of JSON', text(200, '[{"id":"MYSQL_LIVE')],
    ['100,000 nested lists', text(200, `${'['.repeat(100_000)}${']'.repeat(100_000)}`)],
    [
      '100,000 nested lists beside others',
      text(200, `[${'[],'.repeat(500)}${'['.repeat(100_000)}${']'.repeat(100_000)}]`),
    ],
    ['a record in a hundred of another', text(200, `${'{"data":'.repeat(100)}{}${'}'.repeat(100)}`)],
  ])('an answer to a GET that is %s is not read as a record', async (_, answer) => {
    const { service } = await serve(answer);
    const { kind, message } = await failureOf(service.fetch(token, lists.databases));
    expect(kind).toBe('unreadable');
    expect(message).toBe('The service answered /database/list with something that is not a record. Check SERVICE_URL.');
  });

  test.each([
    ['nothing', text(200, '')],
    ['204', text(204, '')],
    ['null', json(200, null)],
  ])('an answer to the GET of one record that is %s says that it is not there', async (_, answer) => {
    const { service } = await serve(answer);
    const { kind } = await failureOf(service.fetch(token, get('/database', 'MYSQL_CLONE_SERVER-1')));
    expect(kind).toBe('missing');
  });

  test('a successful answer that says that the session expired asks for a new sign-in', async () => {
    const { service } = await serve(json(200, { success: false, messages: ['The session has expired'] }));
    expect((await failureOf(service.fetch(token, lists.databases))).kind).toBe('signed-out');
    expect((await failureOf(service.submit(token, clone))).kind).toBe('signed-out');
  });

  test('a successful answer to a write that speaks of another session is its refusal', async () => {
    const { service } = await serve((request, response) =>
      json(200, request.method === 'GET' ? [] : { success: false, messages: ['The session of the host is unknown'] })(
        request,
        response,
      ),
    );
    const { kind, message } = await failureOf(service.submit(token, clone));
    expect([kind, message]).toEqual(['refused', 'The service refused: “The session of the host is unknown”.']);
  });

  test.each([
    [400, 'Invalid token supplied', { alive: 'refused', dead: 'signed-out' }],
    [401, 'user viewer may not call POST /database/clone/create', { alive: 'forbidden', dead: 'signed-out' }],
    [401, 'Token expired', { alive: 'forbidden', dead: 'signed-out' }],
    [401, '', { alive: 'forbidden', dead: 'signed-out' }],
    [403, 'The token has expired', { alive: 'forbidden', dead: 'signed-out' }],
    [403, 'Operators only', { alive: 'forbidden', dead: 'forbidden' }],
    [404, 'No such token', { alive: 'missing', dead: 'missing' }],
  ])(
    'an answer of %i “%s” ends the sign-in only where the token is honoured nowhere',
    async (status, words, expected) => {
      for (const life of ['alive', 'dead'] as const) {
        const probe = life === 'alive' ? json(200, []) : json(401, { message: 'Unauthorized' });
        const { service, seen } = await serve((request, response) =>
          (request.method === 'GET' ? probe : json(status, { message: words }))(request, response),
        );
        const { kind, message } = await failureOf(service.submit(token, clone));
        expect([life, kind]).toEqual([life, expected[life]]);
        if (kind === 'forbidden' && words) expect(message).toContain(words);
        expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
      }
    },
  );

  test.each(['/login', 'https://sso.example.com/oauth2/auth?client=db'])(
    'an answer of 302 to %s asks for a new sign-in where every reading is answered so',
    async location => {
      const { service, seen } = await serve(text(302, '', { location }));
      expect((await failureOf(service.fetch(token, lists.databases))).kind).toBe('signed-out');
      expect((await failureOf(service.submit(token, clone))).kind).toBe('signed-out');
      expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
      const alive = await serve((request, response) =>
        (request.method === 'GET' ? json(200, []) : text(302, '', { location }))(request, response),
      );
      expect((await failureOf(alive.service.submit(token, clone))).kind).toBe('unclear');
    },
  );

  test('an answer of 401 does not end the sign-in while one reading is answered', async () => {
    const { service } = await serve((request, response) =>
      (request.url.endsWith('/environment/list') ? json(200, []) : json(401, { error: 'Unauthorized' }))(
        request,
        response,
      ),
    );
    const { kind, message } = await failureOf(service.fetch(token, lists.users));
    expect([kind, message]).toEqual(['forbidden', 'The service does not allow you to do this: “Unauthorized”.']);
  });

  test('an answer of 401 is judged by its words where nothing else tells', async () => {
    const at = (words: string) =>
      serve((request, response) =>
        (request.method === 'GET' ? text(503, '') : json(401, { message: words }))(request, response),
      );
    const [right, lost] = [await at('Your role lacks the permission'), await at('Please sign in')];
    expect((await failureOf(right.service.submit(token, clone))).kind).toBe('forbidden');
    expect((await failureOf(lost.service.submit(token, clone))).kind).toBe('signed-out');
  });

  test('an answer of 401 to many who ask at once makes Dolly try the token once', async () => {
    const { service, seen } = await serve(json(401, {}));
    const all = await Promise.all(Array.from({ length: 20 }, () => failureOf(service.submit(token, clone))));
    expect(new Set(all.map(({ kind }) => kind))).toEqual(new Set(['signed-out']));
    expect(seen.filter(({ method }) => method === 'GET').length).toBeLessThanOrEqual(12);
  });

  test('an answer that is a failed record is read as that record', async () => {
    const record = { id: 'MYSQL_CLONE_SERVER-1', status: 'FAILED', error: 'disk full' };
    const { service } = await serve(json(200, record));
    expect(await service.fetch(token, get('/database', 'MYSQL_CLONE_SERVER-1'))).toEqual(record);
  });

  test.each([
    ['the success envelope', json(200, success)],
    ['202', json(202, success)],
    ['nothing', text(200, '')],
    ['204', text(204, '')],
    ['other JSON', json(200, { job: 7 })],
  ])('an answer to a write that is %s counts as its acceptance', async (_, answer) => {
    const { service } = await serve(answer);
    await expect(service.submit(token, clone)).resolves.toBeUndefined();
  });

  test.each([
    ['a page', text(200, '<html><title>Sign in</title></html>')],
    ['half of JSON', text(200, '{"status":"SUCC')],
  ])('an answer to a write that is %s leaves it unclear', async (_, answer) => {
    const { service } = await serve(answer);
    const { kind, message } = await failureOf(service.submit(token, clone));
    expect([kind, message]).toEqual(['unclear', 'The service answered, but not with its success envelope.']);
  });

  test('an answer of 50 MB is not read to its end', async () => {
    let sent = 0;
    const { service } = await serve(
      (_, response) => {
        const chunk = Buffer.alloc(1024 * 1024, 0x20);
        const more = () => {
          while (sent < 50 && !response.destroyed) {
            sent += 1;
            if (!response.write(chunk)) return void response.once('drain', more);
          }
          response.end('[]');
        };
        more();
      },
      { maxSize: 4 * 1024 * 1024 },
    );
    const { kind, message } = await failureOf(service.fetch(token, lists.databases));
    expect([kind, message]).toEqual(['unreadable', 'The service’s answer is too large to read.']);
    expect(sent).toBeLessThan(50);
  });

  test('an answer of a megabyte is read, and what is no list is told as what it is', async () => {
    const answers = new Map([
      [
        'list',
        JSON.stringify(Array.from({ length: 9_000 }, (_, at) => ({ id: `MYSQL_LIVE_SERVER-${at}`, note: token }))),
      ],
      ['page', `<p>${token}</p>${'x'.repeat(1_000_000)}`],
      ['refusal', JSON.stringify({ error: 'The vault is closed', trace: 'x'.repeat(1_000_000) })],
    ]);
    const { service } = await serve((seen, response) => {
      const [, name = ''] = /database\/(\w+)/.exec(seen.url) ?? [];
      response.setHeader('Content-Type', 'application/json');
      response.end(answers.get(name));
    });
    const fetched = await service.fetch(token, lists.databases);
    const { records } = await readAnyList(fetched, ['live'], {});
    expect(records).toHaveLength(9_000);
    expect(JSON.stringify(records.map(({ values }) => values))).not.toContain(token);
    for (const [name, sentence] of [
      ['page', 'The service answered /database/list with something that is not a record. Check SERVICE_URL.'],
      ['refusal', 'The service refused: “The vault is closed”.'],
    ] as const) {
      answers.set('list', answers.get(name) ?? '');
      const failure = await failureOf(service.fetch(token, lists.databases));
      expect(failure.message).toBe(sentence);
      expect(String(failure.cause)).not.toContain(token);
    }
  });

  test.each([2, 9_000])('a list of %i records that begins with a byte order mark is read', async many => {
    const all = Array.from({ length: many }, (_, at) => ({ id: `MYSQL_LIVE_SERVER-${at}`, note: 'x'.repeat(60) }));
    const { service } = await serve(text(200, `\ufeff${JSON.stringify(all)}`));
    const { records } = await readAnyList(await service.fetch(token, lists.databases), ['live'], {});
    expect(records).toHaveLength(many);
  });

  test.each<[string, number, Record<string, string>, boolean]>([
    ['a link to the next page', 200, { link: '</list?page=1>; rel="first", </list?page=2>; rel="next"' }, true],
    ['a link to the first page', 200, { link: '</list?page=1>; rel="first"' }, false],
    ['a larger total', 200, { 'x-total-count': '9001' }, true],
    ['a total of one', 200, { 'x-total-count': '1' }, false],
    ['several pages', 200, { 'x-total-pages': '2', 'x-next-page': '2' }, true],
    ['no next page', 200, { 'x-total-pages': '1', 'x-next-page': '' }, false],
    ['a status for a part', 206, {}, true],
  ])('a list whose headers tell of %s is read as whole or as a part accordingly', async (_, status, headers, cut) => {
    for (const many of [1, 9_000]) {
      const all = Array.from({ length: many }, (__, at) => ({ id: `MYSQL_LIVE_SERVER-${at}`, note: 'x'.repeat(60) }));
      const { service } = await serve(json(status, all, headers));
      const list = await readAnyList(await service.fetch(token, lists.databases), ['live'], {});
      expect([list.records.length, list.cut]).toEqual([many, cut]);
    }
  });

  test('an answer to a write that is too large to read leaves the write unclear', async () => {
    const { service } = await serve(text(200, 'x'.repeat(5_000)), { maxSize: 1_000 });
    const { kind, message } = await failureOf(service.submit(token, clone));
    expect([kind, message]).toEqual(['unclear', 'The service’s answer is too large to read.']);
  });

  test('an answer that breaks off leaves a reading without a result and a write unclear', async () => {
    const { service } = await serve((_, response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('[{"id":');
      setImmediate(() => response.destroy());
    });
    const read = await failureOf(service.fetch(token, lists.databases));
    expect([read.kind, read.message]).toEqual([
      'unreadable',
      expect.stringMatching(/^The connection to the service broke \(\w+\)\.$/),
    ]);
    expect((await failureOf(service.submit(token, clone))).kind).toBe('unclear');
  });
});

describe('requests that hang with one token', () => {
  test('requests that hang with one token do not hold up another token’s, and at most eight are sent', async () => {
    const held = Promise.withResolvers<void>();
    const { service, seen } = await serve(async (request, response) => {
      if (request.headers.authorization !== `Bearer ${token}`) await held.promise;
      json(200, [])(request, response);
    });
    const hanging = Array.from({ length: 300 }, () => service.fetch('hangs', lists.databases));
    const write = service.submit('hangs', clone);
    await service.submit(token, clone);
    expect(await service.fetch(token, lists.databases)).toEqual([]);
    expect(seen.filter(({ headers }) => headers.authorization === 'Bearer hangs').length).toBeLessThanOrEqual(8);
    expect(seen.filter(({ method }) => method === 'POST')).toHaveLength(1);
    held.resolve();
    await Promise.all([...hanging, write]);
    expect(seen).toHaveLength(303);
  });
});

const spellings: readonly (readonly [string, (secret: string) => string])[] = [
  ['as it is', secret => secret],
  ['in JSON escapes', secret => secret.replace(/./g, sign => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`)],
  ['for an address', secret => secret.replace(/./g, sign => `%${sign.charCodeAt(0).toString(16)}`)],
  ['in base64', secret => Buffer.from(`ben:${secret}`).toString('base64')],
  ['in hexadecimal', secret => Buffer.from(secret).toString('hex').toUpperCase()],
  ['cut short', secret => `${secret.slice(0, 9)}…`],
];

describe.each(spellings)('a secret that the service quotes %s', (_, spell) => {
  test.each([401, 403, 404, 409, 500, 302, 200])(
    'a secret that the service quotes in an answer of %i is neither shown nor logged',
    async status => {
      const said = `Secret ${spell(token)} and ${spell(secret)} are not good`;
      const { service } = await serve(text(status, `{"status":"ERROR","message":"${said}"}`));
      const failures = [
        failureOf(service.fetch(token, lists.databases)),
        failureOf(service.submit(token, clone)),
        failureOf(service.submit(token, put('/database/refresh', 'MYSQL_LIVE_SERVER-1'))),
      ];
      for (const { message, logged } of await Promise.all(failures)) {
        expect(`${message}${logged}`).not.toContain(spell(token));
      }
      const { message, logged } = await failureOf(service.signIn('ben', secret));
      expect(`${message}${logged}`).not.toContain(spell(secret));
    },
  );

  test('a secret that the service quotes in a page or a text is neither shown nor logged', async () => {
    for (const body of [
      `<html><h1>${spell(secret)}</h1><p>${spell(token)}</p></html>`,
      `${spell(secret)} ${spell(token)}`,
    ]) {
      for (const status of [200, 400]) {
        const { service } = await serve(text(status, body));
        const write = await failureOf(service.submit(token, clone));
        expect(`${write.message}${write.logged}`).not.toContain(spell(token));
        // A text of success is taken for a token where it may be one.
        const signed = await service.signIn('ben', secret).then(
          () => '',
          (error: Failure) => `${error.message}${String(error.cause)}`,
        );
        expect(signed).not.toContain(spell(secret));
      }
    }
  });

  test('a secret that the service quotes in a record is left out, and nothing else is', async () => {
    const record = {
      id: 'MYSQL_CLONE_SERVER-1',
      name: 'shop',
      state: 'FAILED',
      lastJob: { error: `Agent refused`, request: ['GET', 'x'], at: '2026-11-22T07:15:00.123Z' },
    };
    const quoting = structuredClone(record);
    quoting.lastJob.error = 'QUOTE';
    quoting.lastJob.request[1] = 'QUOTE';
    const { service } = await serve(
      text(200, JSON.stringify([quoting, record]).replaceAll('QUOTE', `Agent refused ${spell(token)}`)),
    );
    const left = '(left out: it quotes a sign-in)';
    expect(await service.fetch(token, lists.databases)).toEqual([
      { ...record, lastJob: { ...record.lastJob, error: left, request: ['GET', left] } },
      record,
    ]);
  });
});

describe('a password among the parameters of a request', () => {
  const password = 'Tr0ub4dor&3';
  const params = (name: string, value: string) =>
    post('/database/clone/create', { vendor: 'MYSQL', databaseParams: [{ name, type: 'STRING', value }] });

  test.each([400, 409, 500, 200])(
    'a password in a request’s parameters that the answer quotes is neither shown nor logged, at %i',
    async status => {
      const said = `The value ${password} of app_password is too short`;
      const { service } = await serve(json(status, { status: 'ERROR', message: said }));
      const { message, logged } = await failureOf(service.submit(token, params('app_password', password)));
      expect(message).not.toMatch(/Tr0ub4|too short/);
      expect(logged).not.toContain('Tr0ub4');
    },
  );

  test.each([
    ['validate_password', 'ON', 'validate_password cannot be ON'],
    ['charset', 'latin-1-swedish', 'There is no latin-1-swedish'],
  ])('a parameter called %s with the value %s is not taken for a password in a refusal', async (name, value, said) => {
    const { service } = await serve(json(400, { message: said }));
    expect((await failureOf(service.submit(token, params(name, value)))).message).toContain(said);
  });
});

test('an answer that is no HTTP leaves none of its bytes in the log', async () => {
  const server = createSocketServer((socket: Socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.end(`HTTP/1.1 4x1 no\r\nauthorization: ${token}\r\n\r\n${token}`));
  });
  open.push(() => new Promise(resolve => server.close(resolve)));
  const service = connect({ url: await listen(server) });
  const failures = [failureOf(service.fetch(token, lists.databases)), failureOf(service.submit(token, clone))];
  for (const { logged } of await Promise.all(failures)) expect(logged).not.toContain(token);
});

describe('a service', () => {
  test.each([
    ['that never answers', () => undefined],
    ['that never ends its answer', (_: Seen, response: ServerResponse) => void response.writeHead(200).write('[')],
  ])('a service %s is given up in time, and its write is unclear', async (_, answer) => {
    const clock = testClock();
    const { service, seen } = await serve(answer, { clock, timeout: 10_000 });
    const givenUp = async (work: Promise<unknown>) => {
      const failure = failureOf(work);
      await clock.advance(10_000);
      return failure;
    };
    const read = await givenUp(service.fetch(token, lists.databases));
    expect([read.kind, read.message]).toEqual(['unreadable', 'The service did not answer in time.']);
    const write = await givenUp(service.submit(token, clone));
    expect([write.kind, write.message]).toEqual(['unclear', 'The service did not answer in time.']);
    expect(seen).toHaveLength(2);
  });

  test('a request to a service that nobody runs is told as not sent', async () => {
    const server = createServer();
    const url = await listen(server);
    await new Promise(resolve => server.close(resolve));
    const service = connect({ url });
    const failures = [
      failureOf(service.fetch(token, lists.databases)),
      failureOf(service.submit(token, clone)),
      failureOf(service.signIn('ben', secret)),
    ];
    for (const { kind, message, logged } of await Promise.all(failures)) {
      expect([kind, message]).toEqual([
        'unsent',
        `The service at ${url} cannot be reached (ECONNREFUSED). Nothing was sent.`,
      ]);
      expect(logged).not.toContain(secret);
    }
  });

  test('a request to a service whose host name is unknown is told as not sent', async () => {
    const service = connect({ url: 'http://nowhere.invalid' });
    expect((await failureOf(service.submit(token, clone))).kind).toBe('unsent');
  });

  test('a write is unclear where the service closes the connection after the request', async () => {
    let requests = 0;
    const server = createSocketServer((socket: Socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => {
        requests += 1;
        socket.resetAndDestroy();
      });
    });
    open.push(() => new Promise(resolve => server.close(resolve)));
    const service = connect({ url: await listen(server) });
    const { kind, message } = await failureOf(service.submit(token, clone));
    expect([kind, message]).toEqual([
      'unclear',
      expect.stringMatching(/^The connection to the service broke \(\w+\)\.$/),
    ]);
    expect(requests).toBe(1);
  });

  test('a write to a service without TLS where TLS is expected is told as not sent', async () => {
    const { service, seen } = await serve(json(200, success));
    const overTls = connect({ url: service.url.replace('http:', 'https:') });
    const { kind, message } = await failureOf(overTls.submit(token, clone));
    expect(kind).toBe('unsent');
    expect(message).toContain('Nothing was sent.');
    expect(seen).toEqual([]);
  });
});

describe('signing in', () => {
  const at =
    (routes: Record<string, Answer>): Answer =>
    (request, response) =>
      (routes[request.url] ?? text(404, ''))(request, response);
  const tokenPath = '/service/user/user/token';
  const signinPath = '/service/user/user/signin';

  test('a sign-in asks the token endpoint for a token with the body of the specification', async () => {
    const { service, seen } = await serve(at({ [tokenPath]: json(200, { token }) }));
    expect(await service.signIn('ben', secret)).toBe(token);
    expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['POST', tokenPath, JSON.stringify({ username: 'ben', password: secret })],
    ]);
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['does not exist', text(404, '')],
    ['fails', text(500, '')],
    ['gives no token', json(200, success)],
  ])('a sign-in asks signin where the token endpoint %s', async (_, answer) => {
    const { service, seen } = await serve(
      at({ [tokenPath]: answer, [signinPath]: json(200, success, { authorization: `Bearer ${token}` }) }),
    );
    expect(await service.signIn('ben', secret)).toBe(token);
    expect(seen.map(({ url }) => url)).toEqual([tokenPath, signinPath]);
  });

  test.each([
    ['401', json(401, { message: 'Bad credentials.' })],
    ['403', json(403, { message: 'Bad credentials' })],
    ['400', json(400, { error: 'Bad credentials' })],
    ['200 that refuses', json(200, { status: 'ERROR', message: 'Bad credentials' })],
  ])('a sign-in with a wrong password is told as that at %s', async (_, answer) => {
    const { service } = await serve(at({ [tokenPath]: answer, [signinPath]: answer }));
    const { kind, message } = await failureOf(service.signIn('ben', secret));
    expect([kind, message]).toEqual([
      'refused',
      'The service did not accept this user name and password: “Bad credentials”. Check both and try again.',
    ]);
  });

  test.each([404, 405, 500, 429])(
    'a sign-in with a wrong password is told as that where signin itself answers %i',
    async status => {
      const { service } = await serve(
        at({ [tokenPath]: json(401, { message: 'Bad credentials' }), [signinPath]: text(status, '') }),
      );
      const { kind, message } = await failureOf(service.signIn('ben', secret));
      expect([kind, message]).toEqual([
        'refused',
        'The service did not accept this user name and password: “Bad credentials”. Check both and try again.',
      ]);
    },
  );

  test('a sign-in with a right password but without a token says so', async () => {
    const { service } = await serve(at({ [tokenPath]: text(503, ''), [signinPath]: json(200, success) }));
    const { kind, message } = await failureOf(service.signIn('ben', secret));
    expect([kind, message]).toEqual([
      'unreadable',
      'Your password is right, but the service gave no token: The service answered with an error (HTTP 503).',
    ]);
  });

  test('a sign-in for which neither answer holds a token says so', async () => {
    const { service } = await serve(json(200, success));
    const { kind, message } = await failureOf(service.signIn('ben', secret));
    expect([kind, message]).toEqual([
      'unreadable',
      'The service accepted the password, but I find no token in its answer.',
    ]);
  });

  test('a sign-in at a service in trouble says that, not that the password is wrong', async () => {
    const { service } = await serve(text(500, ''));
    const { kind, message } = await failureOf(service.signIn('ben', secret));
    expect([kind, message]).toEqual(['unreadable', 'The service answered with an error (HTTP 500).']);
  });

  test('a sign-in at a service that asks to wait says when to try again', async () => {
    const { service } = await serve(text(429, '', { 'retry-after': '5' }));
    expect(await failureOf(service.signIn('ben', secret))).toMatchObject({ kind: 'busy', retryAfter: 5_000 });
  });

  test('a sign-in takes the token that is honoured, where an answer holds several', async () => {
    const { service } = await serve((request, response) => {
      if (request.url === tokenPath)
        return json(200, { accessToken: 'not-this-one', sessionToken: token })(request, response);
      return (request.headers.authorization === `Bearer ${token}` ? json(200, []) : text(401, ''))(request, response);
    });
    expect(await service.signIn('ben', secret)).toBe(token);
  });

  test.each([
    ['refuses and quotes it', json(401, { message: `Wrong: ${secret}`, request: { password: secret } })],
    ['refuses with a text that quotes it', text(400, `{"username":"ben","password":"${secret}"}`)],
    ['fails and quotes it', text(500, `Stack: login(ben, ${secret})`)],
    ['accepts it without a token and quotes it', json(200, { status: 'SUCCESS', echo: secret })],
    ['answers nonsense', text(200, `<html>${secret}</html>`)],
    ['breaks off', (_: Seen, response: ServerResponse) => void response.destroy()],
    ['hangs', () => undefined],
  ])('a sign-in shows and logs no password where the service %s', async (_, answer) => {
    const clock = testClock();
    const { service } = await serve(answer, { clock });
    const failure = failureOf(service.signIn('ben', secret));
    await clock.advance(60_000);
    const { message, logged } = await failure;
    expect(message).not.toContain(secret);
    expect(logged).not.toContain(secret);
  });

  test('a sign-in works for a user who may not list users', async () => {
    const { service } = await serve((request, response) =>
      request.url === tokenPath
        ? json(200, { accessToken: token, idToken: 'another-one' })(request, response)
        : text(403, '')(request, response),
    );
    expect(await service.signIn('ben', secret)).toBe(token);
  });
});

test.each([
  ['behind', -90_000, -90_000],
  ['ahead', 3_600_000, 3_600_000],
  ['alike', 1_000, 0],
])('the date of an answer tells that the service’s clock is %s', async (_, apart, expected) => {
  const clock = testClock(Date.UTC(2026, 10, 21, 9));
  const date = new Date(clock.now() + apart).toUTCString();
  const { service } = await serve(json(200, [], { date }), { clock });
  expect(service.ahead()).toBe(0);
  await service.fetch(token, lists.databases);
  expect(service.ahead()).toBe(expected);
});
