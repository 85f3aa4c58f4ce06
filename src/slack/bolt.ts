import { type Logger as BoltLogger, HTTPReceiver, LogLevel, SocketModeReceiver } from '@slack/bolt';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

/** How Slack reaches this bot: by signed requests, or over a connection that the bot opened. */
export function receiverFor(config: Config, log: Logger): HTTPReceiver | SocketModeReceiver {
  const { connection, apiUrl } = config.slack;
  const logger = boltLogger(log);
  return connection.mode === 'http'
    ? new HTTPReceiver({ signingSecret: connection.signingSecret, logger })
    : new SocketModeReceiver({
        appToken: connection.appToken,
        logger,
        // Bolt takes the Web API's root of a Socket Mode connection from here only.
        ...(apiUrl ? { installerOptions: { clientOptions: { slackApiUrl: apiUrl } } } : {}),
      });
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
