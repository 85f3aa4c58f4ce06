import type { JobRow } from '../database.ts';

/**
 * What may follow on each state of a job. `new` is not sent yet, `awaiting` waits for approval, `approved` has it,
 * `sending` is written before the call, `running` was accepted (or is in doubt) and waits for its proof; the others are
 * ends: `void` is an approval of what has changed since. `finished` went its way without showing how it ended; that and
 * `unconfirmed` can be looked at again.
 */
const next = {
  new: ['awaiting', 'sending', 'failed', 'withdrawn', 'expired'],
  awaiting: ['approved', 'denied', 'withdrawn', 'expired'],
  approved: ['sending', 'failed', 'void', 'withdrawn', 'expired'],
  denied: [],
  void: [],
  sending: ['new', 'approved', 'running', 'failed'],
  running: ['succeeded', 'finished', 'failed', 'unconfirmed'],
  succeeded: [],
  finished: ['running'],
  failed: [],
  unconfirmed: ['running'],
  withdrawn: [],
  expired: [],
} as const satisfies Record<string, readonly string[]>;

export type JobState = keyof typeof next;
/** The states that may follow on this one. */
export type Next<From extends JobState> = (typeof next)[From][number];
export type Hold = 'sign-in' | 'busy';

/** A job's row, with its state and hold as the values they can only be. */
export type Job = Omit<JobRow, 'state' | 'hold'> & { state: JobState; hold: Hold | null };

/** What a person asked for: it never changes. */
type Asked = 'id' | 'requestKey' | 'team' | 'person' | 'operation' | 'inputs' | 'labels' | 'target' | 'createdAt';

/** A job before it is stored. */
export type NewJob = Pick<JobRow, Asked | 'targetName' | 'channel' | 'purpose'>;

/** What a transition or a note may set beside the state. */
export type JobChange = Partial<Omit<JobRow, Asked | 'state' | 'revision' | 'hold'>> & { hold?: Hold | null };

/** The states in which a job still asks for something. */
export const open = ['new', 'awaiting', 'approved', 'sending', 'running'] as const satisfies readonly JobState[];

/** Whether a job in this state asks for nothing any more. */
export function hasEnded(job: Pick<Job, 'state'>): boolean {
  return !open.some(state => state === job.state);
}

/** What a job's row has until anything happened to it, beside what was asked and when it is due. */
export const fresh = {
  state: 'new',
  reason: null,
  hold: null,
  inDoubt: 0,
  baseline: null,
  evidence: null,
  claimed: null,
  sentAt: null,
  endedAt: null,
  deadlineAt: null,
  looks: 0,
  leaseUntil: 0,
  place: null,
  messageTs: null,
  replyTs: null,
  revision: 1,
  shown: 0,
  tellTries: 0,
  tellLeaseUntil: 0,
  posting: null,
  login: null,
  terms: null,
  facts: null,
  digest: null,
  decisions: '[]',
  expiresAt: null,
  reminders: 0,
  cardPlace: null,
  emergency: null,
  posts: '{}',
} as const;

/** A row as the job that it is. @throws Error where a newer release wrote its state */
export function asJob(row: JobRow): Job {
  const { state, hold } = row;
  if (!isState(state)) throw new Error(`job ${row.id} is in the unknown state ${state}`);
  return { ...row, state, hold: hold === 'sign-in' || hold === 'busy' ? hold : null };
}

function isState(text: string): text is JobState {
  return Object.hasOwn(next, text);
}

/** What an entry of the trail says of a job; done by the bot itself, for the job's person, unless more is said. */
export function about(job: Job) {
  const { id, team, person, operation, target, targetName, channel, login } = job;
  return { actor: 'dolly', job: id, team, person, operation, target, targetName, channel, login };
}
