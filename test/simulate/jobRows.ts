import { z } from 'zod';
import type { Disk } from './disk.ts';

/* The rows of jobs, as far as the oracles look at them. */

/** The states of a job in which nothing is sent any more, and the words of its card then. */
export const endWords: Readonly<Record<string, string>> = {
  succeeded: 'Confirmed',
  finished: 'Finished, result not shown',
  failed: 'Failed',
  unconfirmed: 'Unconfirmed',
  denied: 'Denied',
  withdrawn: 'Withdrawn',
  expired: 'Expired',
  void: 'Approval void',
};
/** The states of a job whose request may be on its way. */
export const underWay = new Set(['new', 'approved', 'sending', 'running']);
/** Nothing may ever have been sent for a job that ended so. */
export const neverSent = new Set(['denied', 'withdrawn', 'expired', 'void']);

/** A row of a job, as far as it is looked at. */
const Job = z.object({
  id: z.string(),
  request_key: z.string(),
  person: z.string(),
  operation: z.string(),
  inputs: z.string(),
  target: z.string(),
  state: z.string(),
  reason: z.string().nullable(),
  hold: z.string().nullable(),
  no_answer: z.string().nullable(),
  claimed: z.string().nullable(),
  sent_at: z.number().nullable(),
  deadline_at: z.number().nullable(),
  created_at: z.number(),
  channel: z.string(),
  message_ts: z.string().nullable(),
  reply_ts: z.string().nullable(),
  revision: z.number(),
  shown: z.number(),
  tell_at: z.number().nullable(),
  tell_holder: z.string().nullable(),
  tell_locked_until: z.number(),
  digest: z.string().nullable(),
  decisions: z.string().nullable(),
  plan: z.string().nullable(),
  schedule: z.string().nullable(),
  step: z.number().nullable(),
  steps: z.string().nullable(),
  execution: z.string().nullable(),
  runs_as: z.string().nullable(),
  ended_at: z.number().nullable(),
});
export type Job = z.output<typeof Job>;

const columns = Object.keys(Job.shape).join(', ');

/** All jobs, in the order in which they were stored: clocks may be off. */
export function jobsIn(disk: Disk): readonly Job[] {
  return disk.rows(`select ${columns} from jobs order by rowid`).map(row => Job.parse(row));
}

const Inputs = z.looseObject({ port: z.number().optional() });

/** The port that a job asks for. */
export const portOf = ({ inputs }: Job): number | undefined => Inputs.parse(JSON.parse(inputs)).port;

/** Whether an operation asks for several things of which none waits for another one. */
export const isBatch = (operation: string): boolean => /\.(batch|environment)$/.test(operation);

export const isRestore = ({ operation }: Job): boolean => operation.includes('restore');

/** A job that has ended, or that waits for people. */
export function isAtRest({ state, hold }: Job): boolean {
  return state in endWords || state === 'awaiting' || hold === 'sign-in';
}

/** What an operation asks the service for, by the way of its request; it names the record, or the port of a new one. */
const requests: Readonly<Record<string, string>> = {
  ...{ 'clone.create': 'POST /database/clone/create', 'clone.share': 'POST /database/clone/share' },
  ...{ 'clone.stop': 'PUT /database/stop', 'clone.start': 'PUT /database/start', 'clone.reset': 'PUT /database/reset' },
  ...{ 'database.backup': 'PUT /database/sync', 'database.refresh': 'PUT /database/refresh' },
  ...{ 'database.disable': 'PUT /database/disable', 'database.enable': 'PUT /database/enable' },
  'database.delete': 'DELETE /database/delete',
};

/** What makes the request of a job one request, as `keyOf` has it. */
export function requestOf(job: Job): string | undefined {
  if (isRestore(job)) return `POST /database/restore ${job.target}`;
  const request = job.steps === null ? requests[job.operation] : undefined;
  const port = portOf(job);
  return request && `${request} ${request.startsWith('POST') ? `port ${port}` : job.target}`;
}
