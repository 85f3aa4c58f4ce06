import { request as ask, createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** A proxy of HTTP, as companies have one before the internet. `refuses` is the status with which it lets nobody through. */
export async function openProxy() {
  const passed: string[] = [];
  const sockets = new Set<Socket>();
  let refuses: number | undefined;
  const server = createServer((request, response) => {
    if (refuses !== undefined) return void response.writeHead(refuses).end();
    passed.push(`${request.method} ${request.url}`);
    const { method, headers } = request;
    const onward = ask(request.url ?? '', { method, headers });
    onward.on('response', answer => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  const tunnel = (from: Socket, to: URL, began: (socket: Socket) => void) => {
    const socket = connect(Number(to.port), to.hostname, () => {
      began(socket);
      socket.pipe(from).pipe(socket);
    });
    socket.on('error', () => from.destroy());
    from.on('close', () => socket.destroy());
    sockets.add(socket);
  };
  server.on('connect', (request, from: Socket) => {
    if (refuses !== undefined) return void from.end(`HTTP/1.1 ${refuses} No\r\ncontent-length: 0\r\n\r\n`);
    passed.push(`CONNECT ${request.url}`);
    tunnel(from, new URL(`http://${request.url}`), () => from.write('HTTP/1.1 200 Go on\r\n\r\n'));
  });
  server.on('upgrade', (request, from: Socket) => {
    const to = new URL(request.url ?? '');
    passed.push(`${request.headers.upgrade} ${to.origin}`);
    const headers = request.rawHeaders.map((text, at) => (at % 2 === 0 ? `${text}: ` : `${text}\r\n`)).join('');
    tunnel(from, to, socket => socket.write(`GET ${to.pathname}${to.search} HTTP/1.1\r\n${headers}\r\n`));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (!isAddress(address)) throw new Error('no address');
  return {
    url: `http://127.0.0.1:${address.port}`,
    /** What it let through, in the order of its coming. */
    passed,
    refuse(status: number | undefined) {
      refuses = status;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

function isAddress(address: unknown): address is AddressInfo {
  return typeof address === 'object' && address !== null;
}
