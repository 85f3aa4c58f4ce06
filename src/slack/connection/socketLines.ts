import { type App, type Receiver, SocketModeReceiver, type SocketModeReceiverOptions } from '@slack/bolt';
import type { Logger } from 'pino';
import { z } from 'zod';
import { ageOf, type Clock, thisMoment } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { parseJson } from '../../ground/json.ts';
import { within } from '../../ground/within.ts';
import { pauseAfter } from './retryAfter.ts';
import { meaningOfError } from './slackErrors.ts';

/** Slack's connections to Dolly, which serve as one receiver. */
export type SocketLines = Receiver & {
  /** Whether Slack can reach this bot now. */
  isConnected(): boolean;
};

/** Number of connections. Slack sends each request over one of them, and allows an app up to ten. */
const many = 2;
/** Max time for opening a connection, in milliseconds. */
const longestOpening = 15_000;
/**
 * Time that an ending connection stays open beside the new one, in milliseconds: requests that came over it are
 * acknowledged over it.
 */
const overlap = 5_000;
/** Max time that a start tries to reach Slack, in milliseconds. */
const longestStart = 5 * minute;

/** One connection. `isOver` resolves when another one has to take its place. */
type SocketLine = Readonly<{ receiver: SocketModeReceiver; isOver: Promise<unknown> }>;

/**
 * Receives over several connections of Socket Mode (docs.slack.dev/apis/events-api/using-socket-mode). Slack closes
 * each of them every few hours and announces it; Slack's own library is then without any for five seconds. Here a new
 * connection opens before the old one closes. If one breaks off, the other one receives until it is replaced.
 */
export function socketLines(options: SocketModeReceiverOptions, clock: Clock, log: Logger): SocketLines {
  const lines = new Set<SocketModeReceiver>();
  const ending = new AbortController();
  let app: App | undefined;

  const close = async (receiver: SocketModeReceiver) => {
    lines.delete(receiver);
    await receiver
      .stop()
      .catch((error: unknown) => log.warn({ error }, 'a connection of Socket Mode could not be closed'));
  };
  const open = async (): Promise<SocketLine> => {
    const receiver = new SocketModeReceiver({ ...options, autoReconnectEnabled: false });
    if (app) receiver.init(app);
    const isOver = overOf(receiver);
    const opened = await within(clock, longestOpening, receiver.start());
    if (!opened || ending.signal.aborted) {
      await close(receiver);
      throw new Error('the connection of Socket Mode did not stand in time');
    }
    lines.add(receiver);
    return { receiver, isOver };
  };
  const openInTime = async (longest: number): Promise<SocketLine | undefined> => {
    const since = thisMoment(clock);
    for (let failures = 0; !ending.signal.aborted; failures++) {
      try {
        return await open();
      } catch (error) {
        const pause = pauseAfter(error, failures);
        // Where Slack refuses the app itself, no other try helps until the operator mends that.
        const isFinal = longest < Number.POSITIVE_INFINITY && meaningOfError(error) === 'operator';
        if (isFinal || ageOf(clock, since) + pause > longest) throw error;
        log.warn({ error, pause }, 'a connection of Socket Mode could not be made');
        await clock.wait(pause, ending.signal);
      }
    }
    return undefined;
  };
  /** Keeps one connection open; each new one overlaps the old one. */
  const hold = async (first: SocketLine | undefined) => {
    for (let line = first; !ending.signal.aborted; ) {
      if (line) await Promise.race([line.isOver, aborted(ending.signal)]);
      const next = await openInTime(Number.POSITIVE_INFINITY);
      const old = line?.receiver;
      if (old) void clock.wait(overlap, ending.signal).then(() => close(old));
      line = next;
    }
  };

  return {
    init(it) {
      app = it;
    },
    async start() {
      const first = await openInTime(longestStart);
      for (let line = 0; line < many; line++) void hold(line === 0 ? first : undefined);
    },
    async stop() {
      ending.abort();
      await Promise.all([...lines].map(close));
    },
    isConnected: () => [...lines].some(({ client }) => client.websocket?.isActive() === true),
  };
}

const Goodbye = z.object({ type: z.literal('disconnect') });

/**
 * Resolves when Slack announces the end of a connection, or when the connection has ended. The library does not see the
 * announcement, so it does not close early.
 */
function overOf({ client }: SocketModeReceiver): Promise<unknown> {
  const [read] = client.listeners('ws_message');
  client.removeAllListeners('ws_message');
  return new Promise(resolve => {
    client.on('ws_message', (data: unknown, isBinary: unknown) => {
      if (typeof data === 'string' && Goodbye.safeParse(parseJson(data)).success) resolve('announced');
      else read?.(data, isBinary);
    });
    client.on('disconnected', resolve);
  });
}

function aborted(signal: AbortSignal): Promise<unknown> {
  return new Promise(resolve => signal.addEventListener('abort', resolve, { once: true }));
}
