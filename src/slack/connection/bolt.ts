import { type Logger as BoltLogger, HTTPReceiver, LogLevel } from '@slack/bolt';
import type { Logger } from 'pino';
import type { ProxyWay } from '../../api/connection/proxy.ts';
import type { Clock } from '../../ground/clock.ts';
import { clientOptionsFor } from './askSlack.ts';
import { type SocketLines, socketLines } from './socketLines.ts';

/**
 * After this time Bolt itself answers a request that nobody acknowledged, in milliseconds. Slack gives up after 3 s, and
 * the listeners measure their limits by the injected clock: Bolt's real 3 s must not come before either.
 */
const longestUnacknowledged = 30_000;

/** How Slack reaches Dolly: Socket Mode, or signed HTTP requests. `apiUrl` is another root of the Web API. */
export type SlackLink = Readonly<{
  connection: { mode: 'http'; signingSecret: string } | { mode: 'socket'; appToken: string };
  apiUrl: string | undefined;
  /** The way to Slack by a proxy. */
  way?: ProxyWay | undefined;
}>;

/** Creates the receiver: signed HTTP requests from Slack, or connections that Dolly opens. */
export function receiverFor(
  { connection, apiUrl, way }: SlackLink,
  clock: Clock,
  log: Logger,
): HTTPReceiver | SocketLines {
  const logger = boltLogger(log);
  if (connection.mode === 'http')
    return new HTTPReceiver({
      signingSecret: connection.signingSecret,
      logger,
      unhandledRequestTimeoutMillis: longestUnacknowledged,
    });
  // Bolt reads the Web API's root for a Socket Mode connection only from here.
  const installerOptions = { clientOptions: clientOptionsFor(apiUrl, way) };
  const { appToken } = connection;
  return socketLines({ appToken, logger, installerOptions, ...(way && { dispatcher: way.dispatcher }) }, clock, log);
}

/**
 * Sends Bolt's log lines to our log. Bolt's debug lines quote whole requests, which may hold text that a person typed.
 */
export function boltLogger(log: Logger): BoltLogger {
  const line =
    (level: 'info' | 'warn' | 'error') =>
    (...message: unknown[]) => {
      log[level](
        { from: 'bolt', error: message.find(part => part instanceof Error) },
        message.filter(part => typeof part === 'string').join(' '),
      );
    };
  return {
    debug: () => undefined,
    info: line('info'),
    warn: line('warn'),
    error: line('error'),
    setLevel: () => undefined,
    getLevel: () => LogLevel.INFO,
    setName: () => undefined,
  };
}
