import type { z } from 'zod';
import { parseJson } from '../../../ground/json.ts';
import { partOf } from '../../columns.ts';
import {
  Baseline,
  Decisions,
  Evidence,
  Facts,
  Impact,
  JobValues,
  Labels,
  Posting,
  Posts,
  Steps,
  Terms,
} from './data.ts';
import {
  type Approval,
  type Hold,
  isState,
  type Job,
  type JobState,
  type JobTaking,
  type RunsAs,
  type Unreadable,
} from './job.ts';
import { type JobRow, plainOfJobs } from './jobRow.ts';

/** Tells whether this release knows an operation, and can do it to this target; and whether that is a plan. */
export type Knows = (operation: string, target: string, isPlan: boolean) => boolean;

/**
 * Reads a row as a job, or says why it cannot be read; `taken` is how a loop took it. Readers of jobs get all JSON of the
 * row from here.
 */
export function decode(row: JobRow, knows: Knows, taken?: JobTaking): Job | Unreadable {
  try {
    const steps = optional(Steps, row, 'steps');
    const knowsStep = (step: Steps[number]) =>
      knows(step.operation, typeof step.target === 'string' ? step.target : row.target, false);
    if (!knows(row.operation, row.target, steps !== undefined) || !(steps ?? []).every(knowsStep))
      throw new Illegible('this release does not know what it asks for');
    const { state } = row;
    if (!isState(state)) throw new Illegible('this release does not know its state');
    return inState(state, row, steps, taken);
  } catch (error) {
    if (!(error instanceof Illegible)) throw error;
    const { id, team, person, operation, target, channel, createdAt } = row;
    return { state: 'unreadable', id, team, person, operation, target, channel, createdAt, why: error.message };
  }
}

/** Says why a row cannot be read, and quotes nothing of it. */
class Illegible extends Error {
  override readonly name = 'Illegible';
}

function inState(state: JobState, row: JobRow, steps: Steps | undefined, taken: JobTaking | undefined): Job {
  const common = commonOf(row, steps, taken);
  switch (state) {
    case 'new':
      return { state, ...common, ...notSent, ...sendableOf(row), endedAt: null, approval: undefined };
    case 'awaiting':
      return { state, ...common, ...notSent, ...approvedOf(row), endedAt: null, hold: null, reason: null };
    case 'approved':
      return { state, ...common, ...notSent, ...sendableOf(row), ...approvedOf(row), endedAt: null };
    case 'denied':
    case 'void':
      return { state, ...common, ...notSent, ...endOf(row), ...approvedOf(row) };
    case 'sending':
      return { state, ...common, ...underWayOf(row), hold: null, reason: null, tries: row.looks };
    case 'running':
      return { state, ...common, ...underWayOf(row), hold: holdOf(row), reason: row.reason, looks: row.looks };
    case 'succeeded':
    case 'finished':
      return { state, ...common, ...sentOf(row), ...endOf(row), approval: approvalOf(row) };
    case 'unconfirmed': {
      const baseline = optional(Baseline, row, 'baseline');
      return { state, ...common, ...sentOf(row), baseline, ...endOf(row), approval: approvalOf(row) };
    }
    case 'failed': {
      const sent = row.sentAt === null ? notSent : sentOf(row);
      return { state, ...common, ...sent, ...endOf(row), approval: approvalOf(row) };
    }
    case 'withdrawn':
    case 'expired':
      return { state, ...common, ...notSent, ...endOf(row), approval: approvalOf(row) };
  }
}

const plainOf = partOf(plainOfJobs);

function commonOf(row: JobRow, steps: Steps | undefined, taken: JobTaking | undefined) {
  return {
    ...plainOf(row),
    values: read(JobValues, row, 'inputs'),
    labels: read(Labels, row, 'labels'),
    impact: optional(Impact, row, 'impact'),
    posts: row.posts === '[]' ? noPosts : read(Posts, row, 'posts'),
    posting: optional(Posting, row, 'posting'),
    steps,
    ...asShownIn(row),
    runsAs: runsAsOf(row),
    tells: row.tells === null ? null : ('failures' as const),
    taken,
  };
}

/** What was shown to whoever asked: what may still be sent is compared with it, and the steps of a plan are. */
function asShownIn(row: JobRow) {
  if (row.baseline === null) return {};
  const isToCome = row.sentAt === null || row.state === 'sending' || row.steps !== null;
  const asShown = isToCome ? optional(Baseline, row, 'baseline')?.asShown : undefined;
  return asShown === undefined ? {} : { asShown };
}

function runsAsOf({ runsAs }: JobRow): RunsAs | null {
  if (runsAs === null || runsAs === 'service') return runsAs;
  // Nothing may be sent with a sign-in that is not certain.
  throw new Illegible('this release does not know whose sign-in it runs with');
}

const noPosts: Posts = [];
const notSent = { sentAt: null, noAnswer: null, claimed: null, evidence: undefined } as const;

function sendableOf(row: JobRow) {
  return { hold: holdOf(row), reason: row.reason, tries: row.looks };
}

function holdOf({ hold }: JobRow): Hold | null {
  if (hold === null || hold === 'sign-in' || hold === 'busy') return hold;
  // A hold that only another release knows must not be ignored.
  throw new Illegible('this release does not know what it waits for');
}

function sentOf(row: JobRow) {
  return {
    sentAt: present(row, 'sentAt'),
    noAnswer: row.noAnswer,
    claimed: row.claimed,
    evidence: optional(Evidence, row, 'evidence'),
  };
}

function underWayOf(row: JobRow) {
  const [deadlineAt, baseline] = [present(row, 'deadlineAt'), optional(Baseline, row, 'baseline')];
  return { ...sentOf(row), deadlineAt, baseline, endedAt: null, approval: approvalOf(row) };
}

function endOf(row: JobRow) {
  return { endedAt: present(row, 'endedAt'), reason: row.reason ?? '', hold: null };
}

function approvedOf(row: JobRow) {
  const approval = approvalOf(row);
  if (!approval) throw new Illegible('it has no terms of approval');
  return { approval, login: present(row, 'login') };
}

function approvalOf(row: JobRow): Approval | undefined {
  if (row.terms === null) return undefined;
  return {
    terms: read(Terms, row, 'terms'),
    facts: read(Facts, row, 'facts'),
    digest: present(row, 'digest'),
    decisions: row.decisions === '[]' ? [] : read(Decisions, row, 'decisions'),
    expiresAt: present(row, 'expiresAt'),
    reminders: row.reminders,
    cardPlace: row.cardPlace,
    cardTs: row.cardTs,
    emergency: row.emergency,
  };
}

function present<Column extends keyof JobRow>(row: JobRow, column: Column): NonNullable<JobRow[Column]> {
  const value = row[column];
  if (value === null || value === undefined) throw new Illegible(`it has no ${column}`);
  return value;
}

/** The columns that hold JSON. */
type JsonColumn =
  | ('inputs' | 'labels' | 'baseline' | 'evidence' | 'impact')
  | ('posting' | 'terms' | 'facts' | 'decisions' | 'posts' | 'steps');

function optional<T>(shape: z.ZodType<T>, row: JobRow, column: JsonColumn): T | undefined {
  return row[column] === null ? undefined : read(shape, row, column);
}

function read<T>(shape: z.ZodType<T>, row: JobRow, column: JsonColumn): T {
  const read = shape.safeParse(parseJson(present(row, column)));
  if (!read.success) throw new Illegible(`its ${column} cannot be read`);
  return read.data;
}
