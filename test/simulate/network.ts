import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { type Errand, type Host, type Kernel, runningKernel } from './kernel.ts';

/** A request as it goes over the wire, with its whole body. */
export type Wire = Readonly<{
  method: string;
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

/** An answer as it goes over the wire. */
export type Answer = Readonly<{ status: number; headers: Readonly<Record<string, string>>; body: string }>;

/** One request and what came of it. Times are the world's true time. */
export type Exchange = Wire & {
  readonly number: number;
  readonly from: Host;
  readonly sentAt: number;
  /** By how much the clock of its sender was ahead then, in milliseconds. */
  readonly ahead: number;
  arrivedAt?: number;
  /** The process that took it, and by how much its clock was ahead then. */
  to?: Host;
  toAhead?: number;
  /** What the server answered, whether it was heard or not. */
  answer?: Answer;
  /**
   * What the sender knows: nothing yet; that nothing left; an answer; or that there was none, which says nothing of what
   * the server did.
   */
  known: 'nothing' | 'unsent' | 'answered' | 'unclear';
};

/** What happens to one exchange on its way. Times are milliseconds. */
export type Fate = Readonly<{
  requestTakes: number;
  answerTakes: number;
  /** The request, or the answer to it, never arrives. The sender sees a reset, or nothing at all if `isSilent`. */
  lost?: 'request' | 'answer' | undefined;
  isSilent?: boolean;
  /** Nothing listens. */
  isAway?: boolean;
  /** The answer of something on the way, in place of the server's. */
  instead?: Answer | undefined;
}>;

/** Serves requests in the name of a process. */
export type Handler = (wire: Wire) => Promise<Answer>;

/** Hears of what goes over the wire. */
export type Listening = Readonly<{
  fate(exchange: Exchange): Fate;
  errandOf(exchange: Pick<Exchange, 'method' | 'url'>): Errand;
  sent(exchange: Exchange): void;
  arrived(exchange: Exchange): void;
}>;

/** The wires between all processes of a world. */
export type Network = Readonly<{
  /** @returns the port: `port`, or a new one for 0 */
  listen(port: number, host: Host, handler: Handler): number;
  close(port: number): void;
  /** A name for whatever port answers to it at the time of a request. */
  name(host: string, port: () => number | undefined): void;
  /**
   * Sends a request. `leaves` is told once a connection is there and the request goes on its way: one that is given up
   * before never arrives. Without it, all of them go at once.
   */
  send(wire: Wire, signal?: AbortSignal, leaves?: () => void): Promise<Answer>;
  /** Breaks whatever a process had in its hands when it died. */
  died(host: Host): void;
  exchanges: readonly Exchange[];
}>;

const networks = new WeakMap<Kernel, Network>();
/** The longest time until a broken connection shows, in milliseconds. */
const longestBreak = 3_000;

/** The error of a connection, as the system names it. */
class WireFault extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

/** Lays the wires of a world. */
export function layNetwork(kernel: Kernel, { fate: fateOf, errandOf, sent: hears, arrived }: Listening): Network {
  type Server = Readonly<{ host: Host; handler: Handler }>;
  const servers = new Map<number, Server>();
  const names = new Map<string, () => number | undefined>();
  const exchanges: Exchange[] = [];
  /** What the servers have in their hands, and how each is broken. */
  const open = new Map<Exchange, Readonly<{ host: Host; breaks(): void }>>();
  const chance = kernel.random('wires');
  const wires = kernel.raise('wires', 'machinery');
  let ports = 40_000;

  const serverAt = ({ hostname, port }: URL): Server | undefined => {
    const named = names.get(hostname);
    const at = named ? named() : Number(port);
    return at === undefined ? undefined : servers.get(at);
  };

  const network: Network = {
    listen(port, host, handler) {
      const at = port === 0 ? ports++ : port;
      servers.set(at, { host, handler });
      return at;
    },
    close: port => void servers.delete(port),
    name: (host, port) => void names.set(host, port),
    send(wire, signal, leaves) {
      const from = kernel.host();
      const { promise, resolve, reject } = Promise.withResolvers<Answer>();
      if (signal?.aborted) return Promise.reject(signal.reason);
      const errand = errandOf(wire);
      if (!kernel.pass(from, 'request', 'before', errand)) return promise;
      const sent = { from, sentAt: kernel.now(), ahead: from.ahead };
      const exchange: Exchange = { ...wire, number: exchanges.length, ...sent, known: 'nothing' };
      exchanges.push(exchange);
      kernel.note(`${wire.method} ${wire.url.href} ${wire.body}`);
      hears(exchange);
      const fate = fateOf(exchange);
      let hasLeft = leaves === undefined;
      const fails = (code: string, known: Exchange['known'], ms: number) =>
        kernel.after(
          ms,
          from,
          'answer',
          () => {
            if (exchange.known !== 'nothing') return;
            exchange.known = known;
            reject(new WireFault(code));
          },
          errand,
        );
      const breaks = () => void fails('ECONNRESET', 'unclear', chance.whole(1, longestBreak));
      const answers = (answer: Answer, server?: Host) => {
        // Of a dead server nothing comes any more: its connection broke when it died.
        if (server?.isUp === false) return;
        open.delete(exchange);
        exchange.answer = answer;
        if (fate.lost === 'answer') return fate.isSilent ? undefined : breaks();
        kernel.after(
          fate.answerTakes,
          from,
          'answer',
          () => {
            if (exchange.known !== 'nothing') return;
            exchange.known = 'answered';
            kernel.note(`${answer.status} ${answer.body}`);
            resolve(answer);
          },
          errand,
        );
      };
      signal?.addEventListener(
        'abort',
        () => {
          if (exchange.known !== 'nothing') return;
          exchange.known = hasLeft ? 'unclear' : 'unsent';
          reject(signal.reason);
        },
        { once: true },
      );
      const setOff = () => {
        leaves?.();
        hasLeft = true;
      };
      if (!hasLeft && !fate.isAway && serverAt(wire.url)?.host.isUp) setOff();
      kernel.after(fate.requestTakes, wires, 'arrival', () => {
        const server = fate.isAway ? undefined : serverAt(wire.url);
        if (!server?.host.isUp && fate.lost !== 'request') return void fails('ECONNREFUSED', 'unsent', 1);
        if (!hasLeft) setOff();
        if (exchange.known === 'unsent') return;
        if (fate.lost === 'request' || !server) return fate.isSilent ? undefined : breaks();
        open.set(exchange, { host: server.host, breaks });
        kernel.after(0, server.host, 'request', () => {
          exchange.arrivedAt = kernel.now();
          exchange.to = server.host;
          exchange.toAhead = server.host.ahead;
          if (fate.instead) return answers(fate.instead);
          arrived(exchange);
          const { host: serving } = server;
          void server.handler(wire).then(
            answer => answers(answer, serving),
            () => {
              open.delete(exchange);
              breaks();
            },
          );
        });
      });
      kernel.pass(from, 'request', 'after', errand);
      return promise;
    },
    died(host) {
      for (const [port, server] of servers) if (server.host === host) servers.delete(port);
      for (const [exchange, { host: server, breaks }] of open) {
        if (server !== host) continue;
        open.delete(exchange);
        breaks();
      }
    },
    exchanges,
  };
  networks.set(kernel, network);
  return network;
}

/** The wires of a world. @throws Error before they are laid */
export function networkOf(kernel: Kernel): Network {
  const network = networks.get(kernel);
  if (!network) throw new Error('there are no wires yet');
  return network;
}

/** `fetch` over the wires of a world: what fails is told as fetch does. */
export async function simulatedFetch(
  kernel: Kernel,
  input: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(input, init);
  const wire = {
    method: request.method,
    url: new URL(request.url),
    headers: Object.fromEntries(request.headers),
    body: await request.text(),
  };
  try {
    const { status, headers, body } = await networkOf(kernel).send(wire, init?.signal ?? undefined);
    return new Response(status === 204 || status === 304 ? null : body, { status, headers });
  } catch (cause) {
    throw cause instanceof WireFault ? new TypeError('fetch failed', { cause }) : cause;
  }
}

/** Stands in for undici's Pool: as much of it as the bot uses. */
export class SimulatedPool {
  readonly #origin: string;
  readonly #network: Network;
  constructor(origin: string) {
    const kernel = runningKernel();
    if (!kernel) throw new Error('no world runs');
    this.#origin = origin;
    this.#network = networkOf(kernel);
  }
  dispatch({ method, path, headers, body }: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const limit = new AbortController();
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return limit.signal.aborted;
      },
      reason: null,
      paused: false,
      pause: () => undefined,
      resume: () => undefined,
      abort: reason => limit.abort(reason),
    };
    const wire = {
      method,
      url: new URL(path, this.#origin),
      headers: Headers.parse(headers),
      body: z.string().default('').parse(body),
    };
    void this.#network
      .send(wire, limit.signal, () => handler.onRequestStart?.(controller, null))
      .then(
        answer => {
          handler.onResponseStart?.(controller, answer.status, { ...answer.headers });
          handler.onResponseData?.(controller, Buffer.from(answer.body));
          handler.onResponseEnd?.(controller, {});
        },
        (error: unknown) => handler.onResponseError?.(controller, error instanceof Error ? error : new Error()),
      );
    return true;
  }
  async destroy(): Promise<void> {
    // There are no connections to close.
  }
}

const Headers = z.record(z.string(), z.string());
