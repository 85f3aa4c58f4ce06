import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { lists, put } from '../../../src/api/call.ts';
import { wayBy } from '../../../src/api/connection/proxy.ts';
import { connectService } from '../../../src/api/connection/serviceClient.ts';
import { systemClock } from '../../../src/ground/clock.ts';
import { openProxy } from '../../proxying.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const folder = mkdtempSync(join(tmpdir(), 'dolly-proxy-'));
afterAll(() => rmSync(folder, { recursive: true }));

const secret = 'pa55-of-the-proxy';
const stop = put('/database/stop', 'MYSQL_CLONE_SERVER-1');
const success = JSON.stringify({ objectType: 'SUCCESS_RESULT', status: 'SUCCESS', object: null });

let own: { key: string; cert: string } | undefined;
function certificate() {
  const [key, cert] = [join(folder, 'own.key'), join(folder, 'own.crt')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = ['-subj', '/CN=own', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
  if (!own) execFileSync('openssl', ['req', '-x509', ...curve, ...about, '-keyout', key, '-out', cert]);
  own ??= { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
  return own;
}

/** A service over TLS or without, a proxy, and a client that goes by it unless `noProxy` says otherwise. */
async function scene(scheme: 'http' | 'https', noProxy = '') {
  let acts: RequestListener = (request, response) => response.end(request.method === 'GET' ? '[]' : success);
  const seen: string[] = [];
  const listener: RequestListener = (request, response) => {
    seen.push(`${request.method} ${request.url} ${Object.keys(request.headers).includes('proxy-authorization')}`);
    acts(request, response);
  };
  const server = scheme === 'https' ? createTlsServer(certificate(), listener) : createHttpServer(listener);
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = isAddress(address) ? address.port : 0;
  const proxy = await openProxy();
  const named = proxy.url.replace('//', `//dolly:${secret}@`);
  const service = connectService({
    ...{ url: `${scheme}://127.0.0.1:${port}`, prefix: '/service', clock: systemClock, ca: own?.cert },
    proxies: { httpProxy: named, httpsProxy: named, noProxy },
  });
  onTestFinished(async () => {
    await Promise.all([service.close(), proxy.close()]);
    server.closeAllConnections();
    server.close();
  });
  const act = (next: RequestListener) => {
    acts = next;
  };
  return { service, proxy, port, seen, act };
}
function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}

describe.skipIf(!hasOpenssl).each(['https', 'http'] as const)('a service at %s behind a proxy', scheme => {
  test('a service is reached through its proxy, and over TLS does not see the proxy’s password', async () => {
    const { service, proxy, port, seen } = await scene(scheme);
    expect(await service.fetch('token', lists.projects)).toEqual([]);
    await service.submit('token', stop);
    expect(proxy.passed.join()).toContain(`127.0.0.1:${port}`);
    if (scheme === 'https') expect(proxy.passed.every(line => line === `CONNECT 127.0.0.1:${port}`)).toBe(true);
    expect(seen.map(line => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'GET /service/project/list',
      'PUT /service/database/stop',
    ]);
    if (scheme === 'https') expect(seen.join()).not.toContain('true');
  });

  test.each(['127.0.0.1', 'elsewhere.invalid, 127.0.0.1', '*'])(
    'a service is reached without the proxy where NO_PROXY is %s',
    async no => {
      const { service, proxy, seen } = await scene(scheme, no);
      await service.submit('token', stop);
      expect([proxy.passed, seen.length]).toEqual([[], 1]);
    },
  );

  const refusals = [
    [407, 'The proxy asks for a name and a password (HTTPS_PROXY).'],
    [403, 'The proxy refused to connect to it'],
    [502, 'The proxy refused to connect to it'],
  ] as const;
  // Without TLS, a proxy passes requests on one by one, and only 407 is certainly its own answer.
  test.each(scheme === 'https' ? refusals : refusals.slice(0, 1))(
    'a write is told as not sent where the proxy answers %i, without the proxy’s password',
    async (status, why) => {
      const { service, proxy, seen } = await scene(scheme);
      proxy.refuse(status);
      const failure = await service.submit('token', stop).catch((error: unknown) => error);
      expect(failure).toMatchObject({ kind: 'unsent', message: expect.stringContaining(`Nothing was sent. ${why}`) });
      expect(`${failure} ${JSON.stringify(failure)}`).not.toContain(secret);
      expect(seen).toEqual([]);
    },
  );

  test('a write is told as not sent where nobody runs the proxy', async () => {
    const { service, proxy, seen } = await scene(scheme);
    await proxy.close();
    await expect(service.submit('token', stop)).rejects.toMatchObject({ kind: 'unsent' });
    expect(seen).toEqual([]);
  });

  test('a write behind a proxy may have been accepted where the connection breaks off', async () => {
    const { service, seen, act } = await scene(scheme);
    act(request => void request.socket.destroy());
    await expect(service.submit('token', stop)).rejects.toMatchObject({ kind: 'unclear' });
    expect(seen).toHaveLength(1);
  });
});

test('requests to Slack go through the proxy, forms with files included', async () => {
  const proxy = await openProxy();
  const kinds: string[] = [];
  const server = createHttpServer((request, response) => {
    kinds.push(String(request.headers['content-type']).split(';')[0] ?? '');
    request.resume().on('end', () => response.end('{"ok":true}'));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${isAddress(address) ? address.port : 0}/api/x`;
  const way = wayBy({ httpProxy: proxy.url, httpsProxy: '', noProxy: '' });
  onTestFinished(async () => {
    await Promise.all([way.dispatcher.destroy(), proxy.close()]);
    server.closeAllConnections();
    server.close();
  });
  const form = new FormData();
  form.set('file', new Blob(['x']), 'x.txt');
  for (const body of [form, new URLSearchParams({ a: 'b' })])
    expect(await (await way.fetch(url, { method: 'POST', body })).json()).toEqual({ ok: true });
  expect(proxy.passed).toHaveLength(2);
  expect(kinds).toEqual(['multipart/form-data', 'application/x-www-form-urlencoded']);
});
