import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import { refusedRequest } from '../../api/answers/refusals.ts';
import { day, hour } from '../../ground/durations.ts';
import { operationOf } from '../../jobs/request.ts';
import { type Complaint, complaintsIn } from '../../operations/complaints.ts';
import type { Field, JobOperation, Role } from '../../operations/operation.ts';
import { calledValues, fillPhrase, type PhraseValues } from '../../operations/phrases.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { code, cut, localTimes, moment, momentAfter, plain } from '../blocks/limits.ts';

/** A phrase of the job's operation about this job, as mrkdwn. */
export function phraseOf(job: Job, phrase: 'asks' | 'running' | 'done' | 'undone' | 'detail'): string {
  const operation = operationOf(job);
  return fillPhrase(operation.phrases[phrase] ?? '', phraseValuesOf(job, operation));
}

/** The name of a job's target as far as it is known. */
export function nameOf(job: Job): string {
  return job.targetName ?? job.target;
}

/** A job in a few words: "Virtual clone of shop". */
export function titleOf(job: Job): string {
  return `${operationOf(job).title(job.values)} of ${plain(nameOf(job), 100)}`;
}

/** Says who asked for a job, or whose schedule or workflow ran it, and when. `asker` is mrkdwn. */
export function askedBy({ schedule, execution, createdAt }: Job, asker: string): string {
  const byWorkflow = execution === null ? `Asked by ${asker}` : `Run by a workflow for ${asker}`;
  const origin = schedule === null ? byWorkflow : `Run by ${asker}’s schedule`;
  return `${origin}${moment(createdAt, ', {date_short_pretty} {time}')}`;
}

/** The mention of a job’s person at its end: none of whoever withdrew it, and none where a scheduled run went well. */
export function mentionAtEnd({ state, schedule, person }: Job): string {
  const isNoNews = state === 'withdrawn' || (schedule !== null && (state === 'succeeded' || state === 'finished'));
  return isNoNews ? '' : `<@${person}> `;
}

/** Says that a job’s person is mentioned at its end; nothing for a scheduled run, of which only a bad end is news. */
export function promiseOf({ schedule }: Job, when: 'when it’s done' | 'at the end'): string {
  return schedule === null ? ` I’ll mention you ${when}.` : '';
}

/** The values of a job for the phrases of its operation, as mrkdwn. */
function phraseValuesOf(job: Job, operation: JobOperation): PhraseValues {
  const { evidence } = job;
  const called = (text: unknown) => localTimes(plain(job.labels[String(text)] ?? String(text), 80));
  const name = plain(nameOf(job), 100);
  const chosenAs = (role: Role) => {
    const field = operation.fields.find(one => one.role === role);
    const value = field && job.values[field.name];
    return value === undefined ? undefined : called(value);
  };
  const isNew = evidence !== undefined && evidence.id !== job.target;
  const environment = evidence?.environment;
  return {
    ...calledValues(job.values, called),
    name,
    result: isNew ? plain(evidence.name ?? evidence.id, 100) : name,
    place: chosenAs('environment') ?? (environment === undefined ? undefined : called(environment)),
    snapshot: chosenAs('snapshot'),
    ...snapshotValues(job),
  };
}

/** The snapshot that the records show, and its age when the job was sent. */
function snapshotValues({ evidence, sentAt }: Job): PhraseValues {
  const { id, name, takenAt } = evidence?.snapshot ?? {};
  if (takenAt !== undefined)
    return {
      snapshot: momentAfter('of', takenAt),
      age: sentAt === null || sentAt < takenAt ? undefined : ageOf(takenAt, sentAt),
    };
  const snapshot = name === undefined ? id && code(id) : plain(name, 80);
  return snapshot === undefined ? {} : { snapshot };
}

/** Says after which time a job ended that was sent; nothing of any other. */
export function tookOf({ sentAt, endedAt }: Job): string {
  return endedAt !== null && sentAt !== null ? ` after ${formatDistanceStrict(endedAt, sentAt)}` : '';
}

/** A length of time in its greatest unit: hours for less than two days, since what was yesterday is not two days old. */
function ageOf(from: number, to: number): string {
  const unit = to - from >= hour && to - from < 2 * day ? ({ unit: 'hour' } as const) : {};
  return formatDistanceStrict(from, to, { ...unit, roundingMethod: 'floor' });
}

/** The complaints of the service about a job that it refused; none where its words name no field. */
export function complaintsOf(job: Job, operation: JobOperation): readonly Complaint[] {
  const { reason, values } = job;
  if (job.state !== 'failed' || !reason?.startsWith(refusedRequest)) return [];
  return complaintsIn(reason, { operation, values });
}

/** The fields that the service refused to do without. Of those that it needs on a condition, its own words tell. */
export function lackingFields(job: Job, operation: JobOperation): readonly Field[] {
  return complaintsOf(job, operation).flatMap(({ type, field, isConditional }) =>
    type === 'missing' && !isConditional ? [field] : [],
  );
}

/** The sentence about fields that the service refused to do without; `undefined` where its words name none. */
export function lackingSentence(job: Job, operation: JobOperation): string | undefined {
  const labels = lackingFields(job, operation).map(({ label }) => label);
  return labels.length === 0 ? undefined : `the service also needs *${cut(labels.join(', '), 500)}*.`;
}

/** The sign and the word for each state of a job. */
export const stateShown = {
  new: [':hourglass_flowing_sand:', 'Not sent yet'],
  awaiting: [':lock:', 'Waits for approval'],
  approved: [':hourglass_flowing_sand:', 'Approved, not sent yet'],
  denied: [':no_entry:', 'Denied'],
  void: [':warning:', 'Approval void'],
  sending: [':outbox_tray:', 'Sending'],
  running: [':hourglass_flowing_sand:', 'Running'],
  succeeded: [':white_check_mark:', 'Confirmed'],
  finished: [':checkered_flag:', 'Finished, result not shown'],
  failed: [':x:', 'Failed'],
  unconfirmed: [':grey_question:', 'Unconfirmed'],
  withdrawn: [':leftwards_arrow_with_hook:', 'Withdrawn'],
  expired: [':leftwards_arrow_with_hook:', 'Expired'],
} as const satisfies Record<Job['state'], readonly [string, string]>;

/** The sign and the word for a job: a running one may not have been answered yet, or wait for somebody's word. */
export function shownOf({
  state,
  inDoubt,
  evidence,
}: Pick<Job, 'state' | 'inDoubt' | 'evidence'>): readonly [string, string] {
  if (state === 'running' && inDoubt) return [':grey_question:', 'Sent, no answer yet'];
  return state === 'running' && evidence?.doubt ? [':grey_question:', 'In doubt'] : stateShown[state];
}
