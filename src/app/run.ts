import { Worker } from 'node:worker_threads';
import { codeOf, StoreTrouble } from '../ground/failure.ts';
import { StoreFault } from '../store/database.ts';
import { ConfigFault } from './config/config.ts';

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

/** The time that the end of a process itself may take: its last lines are written before it, in milliseconds. */
const lastLines = 2_000;

/**
 * Starts something and keeps it until SIGINT or SIGTERM, then stops it; a later signal ends the process at once.
 * `longest` is the longest time of a stop, in milliseconds.
 */
export async function runUntilStopped(start: () => Promise<{ stop(): Promise<void> }>, longest = patience) {
  let running: Awaited<ReturnType<typeof start>> | undefined;
  let stoppedAt: number | undefined;
  const stop = async (signal: string) => {
    if (stoppedAt !== undefined && performance.now() - stoppedAt < echo) return;
    if (stoppedAt !== undefined) process.exit(1);
    stoppedAt = performance.now();
    endAfter(longest);
    console.log(`${signal}: finishing what was begun …`);
    await running?.stop();
    process.exit(0);
  };
  // Before the start, which may wait for Slack for long: the first process of a container has no other end by a signal.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop(signal));
  running = await start().catch((error: unknown) => {
    console.error(startFault(error));
    process.exit(1);
  });
  process.on('unhandledRejection', error => {
    console.error(`Dolly ends: ${startFault(error)}`);
    process.exit(1);
  });
}

/**
 * Ends the process after a time, whatever hangs in it. Its own way to the end writes the last lines of the log first, and
 * waits for a reader of standard output that reads no more: so another thread kills the process a moment later.
 */
function endAfter(milliseconds: number): void {
  setTimeout(() => process.exit(1), milliseconds).unref();
  const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${milliseconds + lastLines})`;
  const guard = new Worker(kill, { eval: true, execArgv: [], stdout: true, stderr: true });
  // Without it, the timer of this thread is left.
  guard.on('error', () => undefined).unref();
}

/** The message for an error that keeps the program from starting, or that ends it. */
export function startFault(error: unknown): string {
  if (error instanceof ConfigFault || error instanceof StoreFault) return error.message;
  if (error instanceof StoreTrouble)
    return `Dolly cannot start: ${error.message.replace(/^My /, 'its ').replace(/, so nothing was sent\..*$/, '.')} Fix that, and start it again.`;
  const code = codeOf(error);
  if (code === 'EADDRINUSE' && error instanceof Error)
    return `The port is in use (${error.message}). Stop what uses it, or set PORT to another one.`;
  if ((code === 'ENOSPC' || code === 'SQLITE_FULL') && error instanceof Error)
    return `Dolly cannot start: no space is left on the disk (${error.message}). Make room, and start it again.`;
  if (code === 'slack_webapi_platform_error' && error instanceof Error) {
    return `Slack refuses the token (${error.message}). Check SLACK_BOT_TOKEN and SLACK_APP_TOKEN.`;
  }
  if (code.startsWith('slack_webapi') && error instanceof Error) return `Slack cannot be reached (${error.message}).`;
  return `Dolly cannot start: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
}
