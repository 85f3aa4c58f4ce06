import { decode } from '../../src/store/jobs/rows/decode.ts';
import { newRow } from '../../src/store/jobs/rows/encode.ts';
import type { Job, JobIn, JobState, Unreadable } from '../../src/store/jobs/rows/job.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';

/** The time at which the jobs below stand as they do. */
export const now = Date.UTC(2026, 10, 21, 10);
export const hour = 3_600_000;

const asked = newRow({
  id: 'job-1',
  requestKey: 'request-1',
  team: 'T1',
  person: 'U1',
  operation: 'database.delete',
  values: { database: 'MYSQL_LIVE_SERVER-1' },
  labels: {},
  target: 'MYSQL_LIVE_SERVER-1',
  targetName: 'orders',
  channel: 'C1',
  purpose: 'It is old.',
  createdAt: now - hour,
});
/** The columns of an approval that one person has to give. */
export const approval = {
  terms: JSON.stringify({ rule: 'deletions', approvals: 1, approvers: [], asker: { users: [], names: ['ana'] } }),
  facts: '[]',
  digest: 'digest',
  expiresAt: now + hour,
  login: 'ana',
};
const sent = { sentAt: now - 60_000, deadlineAt: now + hour, login: 'ana' };
const ended = { endedAt: now - 1_000, dueAt: null, reason: 'It is over.' };
/** The columns that a row has in each state, beside those of its request. */
export const rows: Record<JobState, Partial<JobRow>> = {
  new: {},
  awaiting: approval,
  approved: approval,
  denied: { ...approval, ...ended },
  void: { ...approval, ...ended },
  sending: sent,
  running: sent,
  succeeded: { ...sent, ...ended },
  finished: { ...sent, ...ended },
  failed: { ...sent, ...ended },
  unconfirmed: { ...sent, ...ended },
  withdrawn: ended,
  expired: ended,
};

/** A job in a state, with the columns that a test changes. */
export function jobIn<State extends JobState>(state: State, row: Partial<JobRow> = {}): JobIn<State> {
  const job = decode({ ...asked, ...rows[state], ...row, state }, () => true);
  if (!isIn(job, state)) throw new Error(job.state === 'unreadable' ? job.why : job.state);
  return job;
}

function isIn<State extends JobState>(job: Job | Unreadable, state: State): job is JobIn<State> {
  return job.state === state;
}
