import { actorOf } from '../../jobs/actor.ts';
import { newJob } from '../../jobs/newJob.ts';
import type { Parts } from '../../jobs/parts.ts';
import { leaseRequest } from '../../operations/requests/leaseRequest.ts';
import type { LeaseAct } from './leaseActs.ts';

/**
 * Asks those who approve to let a clone be kept until `until`, in the words of the person for the reason. A second click
 * finds the request that the first one made.
 */
export async function requestLease(
  parts: Parts<'jobs' | 'credentials' | 'clock'>,
  act: LeaseAct,
  asked: Readonly<{ request: string; until: string; name: string; why: string }>,
): Promise<boolean> {
  const { team, person, channel, record } = act;
  const { request, until, name, why: purpose } = asked;
  const now = parts.clock.now();
  const labels = { [record]: name };
  const values = { [leaseRequest.target]: record, keepUntil: until };
  const job = newJob(leaseRequest, values, { team, person, channel, request, labels, purpose, now, steps: [] });
  return (await parts.jobs.add(job, await actorOf(parts, act, channel))).isNew;
}
