import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lists, put } from '../../../src/api/call.ts';
import { connectService, type Service } from '../../../src/api/connection/serviceClient.ts';
import type { ServiceOptions } from '../../../src/api/connection/transport.ts';
import { systemClock } from '../../../src/ground/clock.ts';
import { testClock } from '../../clock.ts';

/* What a fault says of a write hangs on how far it had come: nothing of it left, or it may have been accepted. */

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

const stop = put('/database/stop', 'MARIADB_CLONE_SERVER-7');
const success = JSON.stringify({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });

async function portOf(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  open.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise(resolve => server.close(resolve));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!isAddress(address)) throw new Error('no address');
  return address.port;
}
function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

function connect(options: Partial<ServiceOptions> & { url: string }): Service {
  const service = connectService({ prefix: '/service', clock: systemClock, ...options });
  open.push(() => service.close());
  return service;
}

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'dolly-phases-'));
type Pair = Readonly<{ key: string; cert: string }>;

/** A certificate that signs itself, valid between two times as openssl writes them, and its key, in PEM. */
function certificate(name: string, from: string, until: string): Pair {
  const at = (end: string) => join(folder, `${name}.${end}`);
  const database = [at('index'), at('serial'), at('config')] as const;
  writeFileSync(database[0], '');
  writeFileSync(database[1], '01');
  const config = [
    '[ca]\ndefault_ca=own\n[own]',
    `database=${database[0]}\nserial=${database[1]}\nnew_certs_dir=${folder}`,
    'default_md=sha256\npolicy=any\nx509_extensions=alt\n[any]\ncommonName=supplied\n[alt]\nsubjectAltName=IP:127.0.0.1',
  ];
  writeFileSync(database[2], config.join('\n'));
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const run = (...words: string[]) => execFileSync('openssl', words, { stdio: 'ignore' });
  run('req', '-new', ...curve, '-subj', `/CN=${name}`, '-keyout', at('key'), '-out', at('csr'));
  const own = ['-selfsign', '-keyfile', at('key'), '-in', at('csr'), '-out', at('crt'), '-notext', '-batch'];
  run('ca', '-config', database[2], ...own, '-startdate', from, '-enddate', until);
  return { key: readFileSync(at('key'), 'utf8'), cert: readFileSync(at('crt'), 'utf8') };
}

describe.skipIf(!hasOpenssl)('a write that fails before its first byte leaves', () => {
  let own: Pair = { key: '', cert: '' };
  let early = own;
  let late = own;
  let later = own;
  beforeAll(() => {
    own = certificate('own', '20200101000000Z', '20990101000000Z');
    later = certificate('own', '20210101000000Z', '20980101000000Z');
    early = certificate('early', '20980101000000Z', '20990101000000Z');
    late = certificate('late', '20190101000000Z', '20200101000000Z');
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const weak = 'DEFAULT@SECLEVEL=0';
  test.each<readonly [string, () => TlsOptions, RegExp]>([
    ['at a certificate of the future', () => early, /Its certificate is not valid yet: compare its clock/],
    ['at a certificate that has expired', () => late, /Its certificate has expired\./],
    ['at TLS 1.1', () => ({ ...own, maxVersion: 'TLSv1.1', minVersion: 'TLSv1', ciphers: weak }), /1\.2 or later/],
    ['at TLS 1.0', () => ({ ...own, maxVersion: 'TLSv1', minVersion: 'TLSv1', ciphers: weak }), /1\.2 or later/],
    ['at a certificate that belongs to another key', () => later, /cannot be verified \(SERVICE_CA/],
  ])('a write that fails %s is told as not sent, with the reason', async (_, options, why) => {
    const given = options();
    let requests = 0;
    const server = createTlsServer(given, (__, response) => {
      requests += 1;
      response.end(success);
    });
    const ca = given === later ? own.cert : String(given.cert);
    const service = connect({ url: `https://127.0.0.1:${await portOf(server)}`, ca });
    await expect(service.submit('token', stop)).rejects.toMatchObject({
      kind: 'unsent',
      message: expect.stringMatching(
        new RegExp(
          `^The service at \\S+ cannot be reached \\(\\w+\\)\\. Nothing was sent\\. .*${why.source.replace(/^\^/, '')}`,
        ),
      ),
    });
    expect(requests).toBe(0);
  });

  test('a write is told as not sent where the service’s certificate was changed since the last request', async () => {
    const server = createTlsServer(own, (_, response) => response.end('[]'));
    const service = connect({ url: `https://127.0.0.1:${await portOf(server)}`, ca: own.cert });
    expect(await service.fetch('token', lists.projects)).toEqual([]);
    server.setSecureContext(early);
    server.closeAllConnections();
    await expect(service.submit('token', stop)).rejects.toMatchObject({ kind: 'unsent' });
  });

  test('a write is told as not sent where the TLS handshake is cut off', async () => {
    const server = createServer(socket => socket.once('data', () => socket.resetAndDestroy()));
    const service = connect({ url: `https://127.0.0.1:${await portOf(server)}` });
    await expect(service.submit('token', stop)).rejects.toMatchObject({
      kind: 'unsent',
      message: expect.stringContaining('Nothing was sent.'),
    });
  });

  test('a write is told as not sent where it was given up while the TLS handshake hung', async () => {
    const clock = testClock();
    const server = createServer();
    const service = connect({ url: `https://127.0.0.1:${await portOf(server)}`, clock, timeout: 4_000 });
    const accepted = new Promise(resolve => server.once('connection', resolve));
    const write = expect(service.submit('token', stop)).rejects.toMatchObject({
      kind: 'unsent',
      message: expect.stringMatching(/Nothing was sent\. It did not accept a connection in time\.$/),
    });
    await accepted;
    await clock.advance(4_000);
    await write;
  });
});

describe('a request that has left', () => {
  /** Answers the first request of each connection, and lets `end` have the second one. */
  async function keeping(end: (socket: Socket) => unknown) {
    const seen: string[] = [];
    const server = createHttpServer((request, response) => {
      seen.push(`${request.method} ${request.url}`);
      const isFirst = !used.has(request.socket);
      used.add(request.socket);
      request.resume();
      request.once('end', () =>
        isFirst ? response.end(request.method === 'GET' ? '[]' : success) : end(request.socket),
      );
    });
    const used = new WeakSet<Socket>();
    const service = connect({ url: `http://127.0.0.1:${await portOf(server)}` });
    await service.fetch('token', lists.projects);
    // Until then, undici does not take the connection for a free one.
    await new Promise(setImmediate);
    return { service, seen };
  }

  const ends = [
    ['is reset', (socket: Socket) => socket.resetAndDestroy()],
    ['is closed', (socket: Socket) => socket.end()],
    ['is destroyed', (socket: Socket) => socket.destroy()],
  ] as const;

  test.each(ends)('a reading on a kept connection that %s is sent once more', async (_, end) => {
    const { service, seen } = await keeping(end);
    expect(await service.fetch('token', lists.users)).toEqual([]);
    expect(seen).toEqual(['GET /service/project/list', 'GET /service/user/list', 'GET /service/user/list']);
  });

  test.each(ends)(
    'a write on a kept connection that %s may have been accepted, and is not sent again',
    async (_, end) => {
      const { service, seen } = await keeping(end);
      await expect(service.submit('token', stop)).rejects.toMatchObject({ kind: 'unclear' });
      expect(seen).toEqual(['GET /service/project/list', 'PUT /service/database/stop']);
    },
  );

  test('a reading is sent twice at most, and no more once its answer has begun', async () => {
    let requests = 0;
    let says = '';
    const server = createServer(socket =>
      socket.once('data', () => {
        requests += 1;
        socket.end(says);
      }),
    );
    const service = connect({ url: `http://127.0.0.1:${await portOf(server)}` });
    await expect(service.fetch('token', lists.users)).rejects.toMatchObject({ kind: 'unreadable' });
    expect(requests).toBe(2);
    says = 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n[';
    await expect(service.fetch('token', lists.users)).rejects.toMatchObject({ kind: 'unreadable' });
    expect(requests).toBe(3);
  });

  test('a reading is not sent again once its time is over', async () => {
    const clock = testClock();
    let requests = 0;
    const server = createHttpServer(() => {
      requests += 1;
      arrived.resolve();
    });
    const arrived = Promise.withResolvers<void>();
    const service = connect({ url: `http://127.0.0.1:${await portOf(server)}`, clock, timeout: 4_000 });
    const read = expect(service.fetch('token', lists.users)).rejects.toMatchObject({ kind: 'unreadable' });
    await arrived.promise;
    await clock.advance(4_000);
    await read;
    expect(requests).toBe(1);
  });
});
