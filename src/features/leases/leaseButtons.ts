import type { Button } from '@slack/types';
import { z } from 'zod';
import { parseIdentifier } from '../../api/identifiers.ts';
import { leaseRequest } from '../../operations/requests/leaseRequest.ts';
import { asJson, asText, defineAction } from '../../slack/blocks/action.ts';
import { vain } from '../../store/jobs/requests.ts';
import type { Job } from '../../store/jobs/rows/job.ts';

/**
 * A time by which a record’s lease is extended, as people type it; the end that the message shows, so that only one click
 * counts; and the end that this leads to, for the command after a sign-in.
 */
const Extension = z.object({ r: z.string(), k: z.string(), e: z.number().nullish(), u: z.string().optional() });

/** A question to an owner: the record, and the id of its message. */
const Question = z.object({ r: z.string(), n: z.string() });
/** The same with the wished end, for the command after a sign-in. */
const Wish = Question.extend({ u: z.string() });

/** The buttons of leases. All but the first carry the record’s identifier. */
export const leaseActions = {
  /** Opens the form for the clone that a job made. It carries the job’s id. */
  keepMade: defineAction('lease.keep', asText),
  /** Opens the form for any time. */
  more: defineAction('lease.more', asText),
  extend: defineAction('lease.extend', asJson(Extension)),
  /** Opens the form of a request for more than the policy allows. */
  ask: defineAction('lease.ask', asJson(Extension)),
  endless: defineAction('lease.endless', asText),
  bringBack: defineAction('lease.back', asText),
  takeOver: defineAction('lease.take', asText),
  grant: defineAction('lease.grant', asJson(Wish)),
  decline: defineAction('lease.decline', asJson(Wish)),
  /** Takes back the wish that the person’s question to the owner tells. */
  withdraw: defineAction('lease.withdraw', asJson(Question)),
  signIn: defineAction('lease.signin', asText),
} as const;

/** The button of a job that made a clone. */
export function keepMadeButton({ id, state, evidence, claimed }: Job): Button | undefined {
  const made = state === 'succeeded' && !evidence?.gone ? parseIdentifier(claimed ?? '') : undefined;
  return made?.noun === 'clone' ? leaseActions.keepMade.button('Keep for…', id) : undefined;
}

/** The button of a request for a longer lease that came to nothing, and may be made anew. */
export function keepMoreButton({ operation, state, target }: Job): Button | undefined {
  const isInVain = operation === leaseRequest.name && vain.includes(state);
  return isInVain ? leaseActions.more.button('Keep for…', target) : undefined;
}
