import { EventEmitter } from 'node:events';
import { IncomingMessage, type RequestListener, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import { runningKernel } from './kernel.ts';
import { type Answer, type Network, networkOf, type Wire } from './network.ts';

/** Stands in for the HTTP server of a bot: its listener gets real requests and answers, and no socket. */
export class SimulatedServer extends EventEmitter {
  readonly #listener: RequestListener;
  readonly #network: Network;
  #port = 0;
  constructor(listener: RequestListener) {
    super();
    const kernel = runningKernel();
    if (!kernel) throw new Error('no world runs');
    this.#listener = listener;
    this.#network = networkOf(kernel);
  }
  listen(port: number, _host: string, listening: () => void): this {
    const kernel = runningKernel();
    if (!kernel) throw new Error('no world runs');
    this.#port = this.#network.listen(port, kernel.host(), wire => answerOf(this.#listener, wire));
    queueMicrotask(listening);
    return this;
  }
  address() {
    return { address: '127.0.0.1', family: 'IPv4', port: this.#port };
  }
  close(closed?: () => void): this {
    this.#network.close(this.#port);
    if (closed) queueMicrotask(closed);
    return this;
  }
  closeIdleConnections(): void {
    // None is kept open.
  }
  closeAllConnections(): void {
    // None is kept open.
  }
}

/** Hands a request to a listener, and reads what it answers off the wire. */
function answerOf(listener: RequestListener, { method, url, headers, body }: Wire): Promise<Answer> {
  const bytes = Buffer.from(body);
  const request = new IncomingMessage(new Socket());
  Object.assign(request, {
    method,
    url: url.pathname + url.search,
    headers: { host: url.host, ...headers, 'content-length': String(bytes.length) },
    httpVersionMajor: 1,
    httpVersionMinor: 0,
    httpVersion: '1.0',
  });
  request.push(bytes);
  request.push(null);
  request.complete = true;
  const response = new ServerResponse(request);
  // Node takes the date from the machine, and keeps it by a real timer.
  response.sendDate = false;
  const chunks: Buffer[] = [];
  const wire = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk));
      done();
    },
  });
  Reflect.apply(response.assignSocket, response, [wire]);
  return new Promise((resolve, reject) => {
    response.on('finish', () => resolve(readAnswer(Buffer.concat(chunks).toString('utf8'))));
    wire.on('close', () => reject(new Error('broken off')));
    listener(request, response);
  });
}

/** Reads an answer of HTTP/1.0, whose body ends with the connection. */
function readAnswer(text: string): Answer {
  const end = text.indexOf('\r\n\r\n');
  const [first = '', ...lines] = text.slice(0, end).split('\r\n');
  const headers = lines.map(line => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const;
  });
  const kept = headers.filter(([name]) => name !== 'connection' && name !== 'transfer-encoding');
  return { status: Number(first.split(' ')[1]), headers: Object.fromEntries(kept), body: text.slice(end + 4) };
}
