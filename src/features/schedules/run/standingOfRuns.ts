import { hour } from '../../../ground/durations.ts';
import type { Parts } from '../../../jobs/parts.ts';
import type { BadNews, KnownNews } from '../../../jobs/standing.ts';
import { threadOfJob } from '../../../slack/outbox/bringUpToDate.ts';
import { schedules } from '../schedule.ts';
import { failuresOn } from './afterRun.ts';
import { isForEnvironment } from './membersOfRun.ts';
import { isToldByAlerts } from './tellFailing.ts';

/** The time for which a run that failed is told in the thread of the first, in milliseconds: untaken, it is news the next day. */
const lately = 20 * hour;

/**
 * How the bad end of a run stands by those before it: one was told in the channel as news within the day, or so many failed
 * that the alerts there call people. Of several databases, others than before may have failed.
 */
export async function standingOfRuns(
  parts: Parts<'things' | 'jobs' | 'sights'>,
  { channel, record, schedule: id, at }: BadNews,
): Promise<KnownNews | undefined> {
  const schedule = id === undefined ? undefined : await parts.things.find(schedules, id);
  if (!schedule || isForEnvironment(schedule)) return undefined;
  const before = await parts.jobs.toldFailure(schedule.id, { since: at - lately, until: at });
  if (schedule.failures > 1 && before?.place === channel) return { is: 'told', thread: threadOfJob(before) };
  const isCalled = failuresOn(schedule, record) > 0 && (await isToldByAlerts(parts, schedule, record));
  return isCalled ? { is: 'told' } : undefined;
}
