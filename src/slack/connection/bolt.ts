import { type Logger as BoltLogger, HTTPReceiver, LogLevel } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Clock } from '../../ground/clock.ts';
import type { Config } from '../../ground/config.ts';
import { type SocketLines, socketLines } from './socketLines.ts';

/** How Slack reaches this bot: by signed requests, or over connections that the bot opened. */
export function receiverFor(config: Config, clock: Clock, log: Logger): HTTPReceiver | SocketLines {
  const { connection, apiUrl } = config.slack;
  const logger = boltLogger(log);
  if (connection.mode === 'http') return new HTTPReceiver({ signingSecret: connection.signingSecret, logger });
  const clientOptions = {
    ...(apiUrl ? { slackApiUrl: apiUrl } : {}),
    // Each call is tried once: the lines try again by themselves.
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    timeout: 10_000,
  };
  // Bolt takes the Web API's root of a Socket Mode connection from here only.
  return socketLines({ appToken: connection.appToken, logger, installerOptions: { clientOptions } }, clock, log);
}

/** Bolt's log lines as ours. Bolt's own debug lines quote whole requests, which may hold what a person typed. */
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
