import { createServer, type RequestListener, type Server } from 'node:http';
import { inRequest } from '../ground/log.ts';

/** The HTTP server that people's browsers, monitors and (in HTTP mode) Slack reach. */
type HttpServer = Readonly<{
  /** Scheme, host and port. */
  url: string;
  /**
   * Takes no new connection, waits until `drained` resolves, and closes. Answers in flight can be finished until then.
   */
  close(drained: Promise<unknown>): Promise<void>;
}>;

/**
 * The maximum time in which a client may send a request, in milliseconds. Slack sends it at once; a slower client holds
 * a connection for nothing.
 */
const requestTimeout = 30_000;

/** Starts to listen. @throws where the port is taken or may not be used */
export async function openServer(
  { host, port }: Readonly<{ host: string; port: number }>,
  listener: RequestListener,
): Promise<HttpServer> {
  const server = createServer({ requestTimeout }, (request, response) => inRequest(() => listener(request, response)));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  return {
    url: urlOf(server, host),
    async close(drained) {
      const closed = new Promise(resolve => server.close(resolve));
      server.closeIdleConnections();
      await drained;
      server.closeAllConnections();
      await closed;
    },
  };
}

function urlOf(server: Server, host: string): string {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
