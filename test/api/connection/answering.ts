import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Asked = Readonly<{ method: string; url: string; headers: IncomingHttpHeaders; body: string }>;
export type Answered = Readonly<{ status: number; headers?: Record<string, string>; text: string | Buffer }>;

/** A server that answers each request as told, until the test is over. */
export async function serveAnswers(answer: (asked: Asked) => Answered): Promise<{ url: string }> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    const { status, text, headers: given = {} } = answer({ method, url, headers, body });
    response.writeHead(status, { 'content-type': 'application/json', ...given }).end(text);
  });
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(resolve => server.close(resolve));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!isAddress(address)) throw new Error('no address');
  return { url: `http://127.0.0.1:${address.port}` };
}

function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
