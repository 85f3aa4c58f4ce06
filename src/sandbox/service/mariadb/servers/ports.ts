import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** Why a clone cannot listen on this port, for people; undefined where it can. */
export function portFault(port: number): string | undefined {
  return port >= 1_024 && port <= 65_535
    ? undefined
    : `${port} is no port for a clone: those below 1024 belong to the system, and 65535 is the last one`;
}

/** Whether a server of ours could listen on this port. */
export function isFree(port: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false)).listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  return promise;
}

/** Ports below those that systems give to callers: such a caller could take the port of a server that just stopped. */
const [lowest, highest] = [10_000, 30_000];

/**
 * Listens on a port and hands the socket, by its number, to what `start` begins. It is done in one turn: nobody who calls
 * there comes to this process. Undefined where somebody else has the port for longer than `limit` milliseconds.
 */
export async function handOverSocket<Started>(
  port: number,
  limit: number,
  start: (socket: number) => Started,
): Promise<Started | undefined> {
  for (const end = performance.now() + limit; performance.now() < end; await sleep(5)) {
    const { promise, resolve, reject } = Promise.withResolvers<Started | undefined>();
    const server = createServer().once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      try {
        resolve(start(numberOf(server)));
      } catch (error) {
        reject(error);
      }
      server.close();
    });
    const started = await promise;
    if (started !== undefined) return started;
  }
  return undefined;
}

/** The number by which the system knows a socket that listens (`server.listen` of Node tells of this handle). */
function numberOf(server: Server): number {
  const handle: unknown = Reflect.get(server, '_handle');
  if (typeof handle === 'object' && handle !== null && 'fd' in handle && typeof handle.fd === 'number')
    return handle.fd;
  throw new Error('the socket has no number');
}

/**
 * A port of this machine that nobody uses.
 * @throws Error where none is found
 */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port from ${lowest} to ${highest} is free on this machine`);
}

/**
 * Whether a server listens there. It is read, not tried: who tries to connect to a port that nobody has, in the range that
 * the kernel gives to callers, once in some thousand times is given that port and reaches nobody but itself.
 */
export async function listens(port: number): Promise<boolean> {
  const wanted = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const table = await readFile('/proc/net/tcp', 'utf8');
  // Number, local address, remote address, state: 0A is LISTEN (proc(5)).
  return table.split('\n').some(line => {
    const [, local, , state] = line.trim().split(/\s+/);
    return local === wanted && state === '0A';
  });
}
