import { randomUUID } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { type Json, parsed, recordOf, stringOf } from './json.ts';
import { secret } from './random.ts';
import type { Workspace } from './workspace.ts';

/** The kinds of envelopes of Socket Mode. */
export type EnvelopeKind = 'slash_commands' | 'interactive' | 'events_api';

/** Socket Mode: the bot connects to us, and gets over that connection what HTTP mode gets as requests. */
export type SocketMode = {
  /** Path and query of a WebSocket that may be opened once. */
  invite(): string;
  /** Takes an HTTP upgrade; refuses without a fresh invitation. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void;
  /** The number of open connections. */
  many(): number;
  /**
   * Sends an envelope.
   * @returns the payload of the ack (an empty object if it had none); undefined if `signal` aborts first
   * @throws Error if the connection closes first
   */
  send(kind: EnvelopeKind, payload: Json, retry: Json, signal: AbortSignal): Promise<Json | undefined>;
  /** Asks every client to connect anew, as Slack does every few hours, and closes what is still open a while later. */
  disconnect(reason?: string): void;
  /** Breaks off the connections that are open, the oldest first: all of them, or so many. */
  drop(many?: number): void;
  close(): void;
};

/** An envelope that was sent and not yet acknowledged. */
type Waiting = { socket: WebSocket; answered(payload: Json): void; lost(): void };

/** Milliseconds between Slack's announcement that it closes a connection and the close. */
const grace = 10_000;
/** Slack pings; a client that hears no ping for 30 s gives the connection up. */
const pingEvery = 5_000;
/** Tell of each envelope and of the end of its wait, as the channels of Node and undici tell of each HTTP request. */
const [sent, over] = [channel('playground:envelope:sent'), channel('playground:envelope:over')];

export function newSocketMode(workspace: Workspace): SocketMode {
  const server = new WebSocketServer({ noServer: true });
  const tickets = new Set<string>();
  const open: WebSocket[] = [];
  const waiting = new Map<string, Waiting>();
  const live = () => open.filter(socket => socket.readyState === socket.OPEN);
  let turn = 0;
  const debug_info = { host: 'playground', build_number: 1, approximate_connection_time: 18_060 };

  const pings = setInterval(() => {
    for (const socket of open) socket.ping();
  }, pingEvery);
  pings.unref();

  function welcome(socket: WebSocket) {
    open.push(socket);
    socket.on('close', () => {
      open.splice(open.indexOf(socket), 1);
      for (const one of waiting.values()) if (one.socket === socket) one.lost();
    });
    socket.on('error', () => socket.terminate());
    socket.on('message', data => {
      const ack = recordOf(parsed(data.toString()));
      const id = stringOf(ack.envelope_id);
      waiting.get(id)?.answered(recordOf(ack.payload));
    });
    socket.send(
      JSON.stringify({
        type: 'hello',
        num_connections: open.length,
        debug_info,
        connection_info: { app_id: workspace.app.id },
      }),
    );
  }

  return {
    invite() {
      const ticket = secret();
      tickets.add(ticket);
      return `/link/?ticket=${ticket}`;
    },
    upgrade(request, socket, head) {
      const url = new URL(request.url ?? '/', 'http://localhost');
      if (url.pathname !== '/link/' || !tickets.delete(url.searchParams.get('ticket') ?? '')) {
        socket.end('HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n');
        return;
      }
      server.handleUpgrade(request, socket, head, welcome);
    },
    many: () => live().length,
    send(type, payload, retry, signal) {
      const envelope_id = randomUUID();
      const accepts_response_payload = type !== 'events_api';
      const envelope = { envelope_id, type, accepts_response_payload, payload, ...retry };
      sent.publish({ envelope });
      // Slack sends over any of the connections: here over one after the other.
      const socket = live()[turn++ % Math.max(1, live().length)];
      return new Promise<Json | undefined>((resolve, reject) => {
        const lost = () => reject(new Error('the Socket Mode connection closed'));
        if (socket === undefined) return lost();
        waiting.set(envelope_id, { socket, answered: resolve, lost });
        signal.addEventListener('abort', () => resolve(undefined), { once: true });
        socket.send(JSON.stringify(envelope));
      }).finally(() => {
        waiting.delete(envelope_id);
        over.publish({ envelope });
      });
    },
    disconnect(reason = 'refresh_requested') {
      for (const socket of open) {
        socket.send(JSON.stringify({ type: 'disconnect', reason, debug_info }));
        setTimeout(() => socket.close(), grace).unref();
      }
    },
    drop(many = open.length) {
      for (const socket of open.slice(0, many)) socket.terminate();
    },
    close() {
      clearInterval(pings);
      for (const socket of open) socket.terminate();
      server.close();
    },
  };
}
