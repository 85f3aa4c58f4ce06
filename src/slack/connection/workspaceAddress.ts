import type { Logger } from 'pino';
import type { Clock } from '../../ground/clock.ts';
import { day } from '../../ground/durations.ts';
import { remembered } from '../../ground/remembered.ts';
import type { Slacks } from './slacks.ts';

const memory = { fresh: day, kept: Number.POSITIVE_INFINITY, patience: 1_000, pause: 30_000, most: 1_000 };

/** A team's address, as auth.test tells it (which needs no scope). It is asked for when it is first needed. */
export function workspaceAddress(
  slack: Slacks,
  clock: Clock,
  log: Logger,
): (team: string) => Promise<string | undefined> {
  const read = async (team: string) => {
    const { url } = await slack.of(team).auth.test();
    if (url === undefined) throw new Error('auth.test names no address');
    return url;
  };
  return remembered(clock, memory, read, error => log.info({ error }, 'Slack did not say the address'));
}
