import { StoreFault } from '../store/database.ts';
import { ConfigFault } from './config.ts';

/**
 * The longest time that an orderly stop may take in all, in milliseconds. It is longer than the wait for work in
 * flight.
 */
const patience = 25_000;

/**
 * Signals that come within this time are one wish to stop, in milliseconds: at a Ctrl-C the terminal sends one to every
 * process, and npm and the Slack CLI pass theirs on.
 */
const echo = 500;

/** Starts something and keeps it until SIGINT or SIGTERM, then stops it; a later signal ends the process at once. */
export async function runUntilStopped(start: () => Promise<{ stop(): Promise<void> }>): Promise<void> {
  const running = await start().catch((error: unknown) => {
    console.error(startFault(error));
    process.exit(1);
  });
  process.on('unhandledRejection', error => {
    console.error(`Dolly ends: ${startFault(error)}`);
    process.exit(1);
  });
  let stoppedAt: number | undefined;
  const stop = async (signal: string) => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt < echo) return;
    if (stoppedAt !== undefined) process.exit(1);
    stoppedAt = performance.now();
    console.log(`${signal}: finishing what was begun …`);
    setTimeout(() => process.exit(1), patience).unref();
    await running.stop();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
}

/** The message for an error that keeps the program from starting, or that ends it. */
function startFault(error: unknown): string {
  if (error instanceof ConfigFault || error instanceof StoreFault) return error.message;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EADDRINUSE' && error instanceof Error)
    return `The port is in use (${error.message}). Stop what uses it, or set PORT to another one.`;
  if ((code === 'ENOSPC' || code === 'SQLITE_FULL') && error instanceof Error)
    return `Dolly cannot start: no space is left on the disk (${error.message}).`;
  if (code === 'slack_webapi_platform_error' && error instanceof Error) {
    return `Slack refuses the token (${error.message}). Check SLACK_BOT_TOKEN and SLACK_APP_TOKEN.`;
  }
  if (code.startsWith('slack_webapi') && error instanceof Error) return `Slack cannot be reached (${error.message}).`;
  return `Dolly cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
