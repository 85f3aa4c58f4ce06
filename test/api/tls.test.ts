import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createSecureServer, constants as http2 } from 'node:http2';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lists, put } from '../../src/api/call.ts';
import { connectService, type Service } from '../../src/api/connection/serviceClient.ts';
import { systemClock } from '../../src/ground/clock.ts';

const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
const place = { prefix: '/service', clock: systemClock };
const folder = mkdtempSync(join(tmpdir(), 'dolly-tls-'));

/** A certificate that signs itself, and its key, in PEM. */
function certificate(name: string, alternative: string): { cert: string; key: string } {
  const [key, cert] = [join(folder, `${name}.key`), join(folder, `${name}.crt`)];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const about = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${alternative}`, '-days', '2'];
  execFileSync('openssl', ['req', '-x509', ...curve, ...about, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
}

describe.skipIf(!hasOpenssl)('over TLS (with certificates made by openssl)', () => {
  const servers: Server[] = [];
  const services: Service[] = [];
  let own = { cert: '', key: '' };
  let other = { cert: '', key: '' };

  beforeAll(() => {
    own = certificate('own', 'IP:127.0.0.1');
    other = certificate('other', 'DNS:elsewhere.invalid');
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    for (const server of servers) server.closeAllConnections();
    for (const server of servers) server.close();
    rmSync(folder, { recursive: true });
  });

  async function serviceWith(pair: { cert: string; key: string }, ca: string | undefined): Promise<Service> {
    const server = createServer(pair, (_, response) => response.end('[]'));
    servers.push(server);
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = isAddress(address) ? address.port : 0;
    const service = connectService({ ...place, url: `https://127.0.0.1:${port}`, ca });
    services.push(service);
    return service;
  }

  test('a service’s certificate of a private authority that the operator names is trusted', async () => {
    const service = await serviceWith(own, own.cert);
    expect(await service.fetch('token', lists.databases)).toEqual([]);
  });

  test('a write to a service that offers HTTP/2 is sent once over HTTP/1.1, whatever becomes of it', async () => {
    const seen: string[] = [];
    const server = createSecureServer({ ...own, allowHTTP1: true }, ({ httpVersion, method, socket }, response) => {
      seen.push(`${method} ${httpVersion}`);
      if ('stream' in response) response.stream.close(http2.NGHTTP2_REFUSED_STREAM);
      else socket.destroy();
    });
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = isAddress(address) ? address.port : 0;
    const service = connectService({ ...place, url: `https://127.0.0.1:${port}`, ca: own.cert });
    await expect(service.submit('token', put('/database/stop', 'MYSQL_CLONE_SERVER-1'))).rejects.toMatchObject({
      kind: 'unclear',
    });
    expect(seen).toEqual(['PUT 1.1']);
    await service.close();
    server.close();
  });

  test.each([
    ['of an authority that is not named', () => serviceWith(own, undefined)],
    ['of another authority', () => serviceWith(own, other.cert)],
    ['for another host', () => serviceWith(other, other.cert)],
  ])('a certificate %s ends a request before anything is sent, and says what to do', async (_, connect) => {
    const service = await connect();
    await expect(service.submit('token', put('/database/stop', 'MYSQL_CLONE_SERVER-1'))).rejects.toMatchObject({
      kind: 'unsent',
      message: expect.stringMatching(
        /^The service at https:\/\/127\.0\.0\.1:\d+ cannot be reached \(\w+\)\. Nothing was sent\. Its certificate cannot be verified \(SERVICE_CA names a private authority\)\.$/,
      ),
    });
  });
});

function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
