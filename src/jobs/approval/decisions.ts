import { z } from 'zod';
import { Identity } from '../../store/tables/credentials.ts';
import type { Job } from '../../store/tables/job.ts';

/** What the policy asked for when a job began to wait for approval. */
const Terms = z.object({
  /** The rule that asked for it, in its own words. */
  rule: z.string(),
  /** How many people have to approve. */
  approvals: z.number(),
  /** Slack users and groups that may; none means everybody else who is signed in. */
  approvers: z.array(z.string()),
  /** Who the person who asked is at the service; requests of older releases do not say it. */
  asker: Identity.optional(),
});
export type Terms = z.infer<typeof Terms>;

const Decision = z.object({
  type: z.enum(['approved', 'denied', 'dropped']),
  person: z.string(),
  /** The user of the service that they were signed in as. */
  login: z.string(),
  /** Who that is at the service; decisions of older releases do not say it. */
  identity: Identity.optional(),
  at: z.number(),
  /** Why, where they said so. */
  reason: z.string().optional(),
});
export type Decision = z.infer<typeof Decision>;

/** The terms kept with a job; `undefined` where it never needed approval. */
export function termsIn(job: Job): Terms | undefined {
  return job.terms === null ? undefined : Terms.parse(JSON.parse(job.terms));
}

/** All decisions on a job, in order. */
export function decisionsIn(job: Job): readonly Decision[] {
  return z.array(Decision).parse(JSON.parse(job.decisions));
}

/** The approvals that count. */
export function approvalsIn(job: Job): readonly Decision[] {
  return decisionsIn(job).filter(({ type }) => type === 'approved');
}
