import type { WebClient } from '@slack/web-api';
import type { Logger } from 'pino';
import type { Clock } from '../../ground/clock.ts';
import { day } from '../../ground/durations.ts';
import { remembered } from '../../ground/remembered.ts';

const memory = { fresh: day, kept: Number.POSITIVE_INFINITY, patience: 1_000, pause: 30_000, most: 1 };

/** The workspace's address, as auth.test tells it (which needs no scope). It is asked for when it is first needed. */
export function workspaceAddress(slack: WebClient, clock: Clock, log: Logger): () => Promise<string | undefined> {
  const read = async () => {
    const { url } = await slack.auth.test();
    if (url === undefined) throw new Error('auth.test names no address');
    return url;
  };
  const known = remembered(clock, memory, read, error => log.info({ error }, 'Slack did not tell the address'));
  return () => known('own');
}
