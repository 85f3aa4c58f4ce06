import { hour } from '../../ground/durations.ts';
import type { Parts } from '../../jobs/parts.ts';
import type { Notice } from '../../store/tables/outbox.ts';
import { schedules } from './schedule.ts';

/*
 * A channel has one thread a day for what rings nobody, under what opens the day there: a report, or else the first of the
 * messages that a morning brings.
 */

type Channel = Readonly<{ team: string; channel: string }>;

/** What the messages are about that a morning brings to a channel. */
export function morningOf({ team, channel }: Channel): string {
  return `day of ${team} ${channel}`;
}

/**
 * The time for which a message opens the day, in milliseconds: until the next one comes, also on the longest day. What may
 * open a day itself does so again on the shortest one.
 */
const openFor = { others: 26 * hour, openers: 22 * hour } as const;

/** The message that opened the day in a channel, and stands there by itself; `undefined` where none does. */
export async function dayThreadIn(
  { things, outbox }: Parts<'things' | 'outbox'>,
  { team, channel }: Channel,
  { now, isFor = 'others' }: Readonly<{ now: number; isFor?: keyof typeof openFor }>,
): Promise<Pick<Notice, 'id' | 'ts'> | undefined> {
  const all = await things.list(schedules, { team, channel });
  const reports = all.filter(({ kind, state }) => kind === 'report' && state === 'on').map(({ id }) => id);
  const last = await Promise.all([morningOf({ team, channel }), ...reports].map(subject => outbox.lastOf(subject)));
  const since = now - openFor[isFor];
  return last
    .flatMap(one => one ?? [])
    .filter(one => one.place === channel && one.ts !== null && one.thread === null && one.createdAt > since)
    .toSorted((one, other) => other.createdAt - one.createdAt)[0];
}
