import { z } from 'zod';
import { stateAnswers } from '../../jobs/evidence/words/stateDoubt.ts';
import { asJson, asText, defineAction } from '../blocks/action.ts';

/** A plan that was stopped: its id, and the number of jobs that its steps had by then, as the person saw it. */
const SeenStop = z.object({ j: z.string(), n: z.number() });

/** A job whose record stands in a state word, and what somebody says of it. */
const StateWord = z.object({ j: z.string(), w: z.string(), s: z.enum(stateAnswers) });

/** The buttons of a job's message. Each carries the job's id. */
export const jobActions = {
  look: defineAction('job.look', asText),
  stop: defineAction('job.stop', asText),
  withdraw: defineAction('job.withdraw', asText),
  again: defineAction('job.again', asText),
  /** Lets a plan go on that the end of a step has stopped. */
  goOn: defineAction('job.onward', asJson(SeenStop)),
  /** Asks again for what failed of a batch. */
  retry: defineAction('job.retry', asText),
  /** Opens the form of the restore that takes a plan's restore back. */
  takeBack: defineAction('job.takeback', asText),
  /** Says whether a record that stands in a word is ready. */
  answer: defineAction('job.answer', asJson(StateWord)),
  signIn: defineAction('job.signin', asText),
  preset: defineAction('preset.save', asText),
} as const;

/** A request to decide on: the job's id, and the digest of the request as the person saw it. */
export const SeenRequest = z.object({ j: z.string(), d: z.string().nullable() });
export type SeenRequest = z.infer<typeof SeenRequest>;

/** An unreadable value becomes an unknown request: the click is answered so, and goes to the trail. */
const asSeen = asJson(SeenRequest.catch({ j: '', d: null }));

/** A page of a request, from 0. */
export const SeenPage = SeenRequest.extend({ p: z.number().int().min(0).default(0) });
const asPage = asJson(SeenPage.catch({ j: '', d: null, p: 0 }));

/** The buttons of a request that waits for approval. */
export const approvalActions = {
  approve: defineAction('approval.approve', asSeen),
  /** Opens a page of what has no room on the card; the last one has the button that approves. */
  read: defineAction('approval.read', asPage),
  deny: defineAction('approval.deny', asSeen),
  glass: defineAction('approval.glass', asSeen),
  withdraw: defineAction('approval.withdraw', asSeen),
  anew: defineAction('approval.anew', asSeen),
  /** Says that whoever holds what it deletes is against that. */
  object: defineAction('approval.object', asSeen),
} as const;
