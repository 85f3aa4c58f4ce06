import { z } from 'zod';
import { hour } from '../../ground/durations.ts';
import { defineKind, type ThingOf } from '../things/kind.ts';
import type { StepOf } from '../things/things.ts';

/*
 * The lease of a clone: the time for which it is kept. A record has one at most. A `new` one has not been compared with
 * the policy yet; a `kept` one runs. `asking` waits for an answer. `stopping` and `deleting` wait for the job that does
 * it; a `stopped` clone can be brought back.
 */

const time = z.number().nullable();
const text = z.string().nullable();

const LeaseBody = z.object({
  record: z.string(),
  /** The name and the creation time by which the clone is recognised; `null` where no record showed them. */
  name: text,
  madeAt: time,
  /** The job that made the clone, its operation, and the channel in which it was asked for. */
  job: text,
  operation: text,
  channel: z.string(),
  /** Who approves and let the policy’s rule act on a clone that no job of Dolly’s made, by setting its end. */
  allowedBy: text.nullish(),
  /** The user of the service as whom its owner set its end: what acts does so as this user alone. Not known of older ones. */
  login: text.nullish(),
  /** The time of its beginning. The longest time that a policy allows counts from it. */
  since: z.number(),
  /** The time that was asked for, as it was typed, until the policy is asked about it. */
  wish: text,
  /** The time of its end; `null` where it has none. */
  endsAt: time,
  /** The time at which this end was set: warnings before it are over. */
  setAt: z.number(),
  /** The time before the end for which the owner was warned last, in milliseconds; `null` before the first warning. */
  warned: time,
  /** Its owner is to be warned once more before anything is done: nobody knows what they were told (app/restored.ts). */
  mustWarn: z.boolean().nullish(),
  /** The end of the time for an answer, or in which a stopped clone can be brought back. */
  graceUntil: time,
  /** The title of the policy's rule that decides its end. */
  rule: text,
  /** One sentence on why it is as it is. */
  reason: text,
  /** The job that stops or deletes the clone. */
  endJob: text,
});

export type Lease = ThingOf<typeof leases>;
export type LeaseStep = StepOf<typeof leases>;

/** The end of a lease may be set anew at any time but while a job ends it; and its clone may be gone at any time. */
export const leases = defineKind({
  name: 'lease',
  body: LeaseBody,
  states: {
    new: ['kept', 'asking', 'ended'],
    kept: ['asking', 'stopping', 'stopped', 'ended'],
    asking: ['kept', 'ended'],
    stopping: ['kept', 'asking', 'stopped', 'ended'],
    stopped: ['kept', 'asking', 'deleting', 'ended'],
    deleting: ['kept', 'asking', 'ended'],
    // Its clone was deleted, and the service took that back.
    ended: ['kept'],
  },
  over: ['ended'],
  rates: {
    'lease wished': [
      { by: ['actor', 'target'], most: 3, within: hour },
      { by: ['actor'], most: 10, within: hour },
    ],
  },
  found: ({ record, channel }) => ({ subject: record, channel }),
  about: ({ record, name, channel, job }) => ({ target: record, targetName: name, channel, job }),
});

/** The id of the lease of a record: a record has one at most. */
export function leaseId(team: string, record: string): string {
  return `${team} ${record}`;
}

/**
 * Whether the person of a lease holds its clone: its maker through Dolly, or who approves and took it upon themselves. Who
 * only set its end holds nothing.
 */
export function hasHolder({ job, person, allowedBy }: Pick<Lease, 'job' | 'person' | 'allowedBy'>): boolean {
  return job !== null || allowedBy === person;
}
