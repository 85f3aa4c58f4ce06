import { formatDistanceStrict } from 'date-fns/formatDistanceStrict';
import { refusedRequest } from '../../api/answers/refusals.ts';
import { day, hour } from '../../ground/durations.ts';
import { approvalsIn } from '../../jobs/approval/people/mayDecide.ts';
import { wishIn } from '../../jobs/evidence/words/stateDoubt.ts';
import { operationOf, targetOf } from '../../jobs/request.ts';
import { hasEndedBadly } from '../../jobs/standing.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { JobOperation, Role } from '../../operations/operation.ts';
import { calledValues, fillPhrase, type Phrases, type PhraseValues } from '../../operations/phrases.ts';
import { type Complaint, complaintsIn } from '../../operations/serviceComplaints.ts';
import type { Decision, Evidence } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { tookWords } from '../blocks/durationWords.ts';
import { cut } from '../blocks/limits.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { localTimes, moment, momentAfter } from '../blocks/moments.ts';
import { bold, code, plain } from '../blocks/mrkdwn.ts';

/** What is said of a job, each part once: cards, replies, rows and buttons lay it out. */
export type JobWords = ReturnType<typeof describeJob>;

/** Describes a job as mrkdwn. `asker` is its person, without a mention on a card: that would notify whoever asked. */
export function describeJob(job: Job, asker = bold(job.person)) {
  const operation = operationOf(job);
  const name = nameOf(job);
  const kind = operation.title(job.values);
  const [sign, word] = shownOf(job);
  const sentence = sentenceOf(job);
  return {
    ...{ operation, target: targetOf(job), asker, sign, word },
    /** The target by its name as far as it is known, and what is done: “Virtual clone”. Both are plain text. */
    ...{ name, kind },
    /** The job in a few words: “Virtual clone of shop”. */
    title: `${kind} of ${plain(name, 100)}`,
    /** The job's situation in a sentence or two, of so many characters at most. */
    told: (max: number) => localTimes(plain(sentence, max)),
    /** A phrase of the operation about this job. */
    phrase: (phrase: keyof Phrases) => fillPhrase(operation.phrases[phrase] ?? '', phraseValuesOf(job, operation)),
    lacking: lackingSentence(job, operation),
    isQuiet: isQuiet(job),
    asked: askedBy(job, asker),
    /** The decisions on it so far, each as some lines. */
    decisions: job.approval?.decisions.map(decisionLine) ?? [],
    ...{ promise: promiseOf(job), mention: mentionAtEnd(job), took: tookOf(job) },
  };
}

/** The name of a job's target as far as it is known. */
export function nameOf(job: Job): string {
  return job.targetName ?? job.target;
}

/** Says who asked for a job, or whose schedule or workflow ran it, and when. */
function askedBy({ schedule, execution, createdAt }: Job, asker: string): string {
  const byWorkflow = execution === null ? `Asked by ${asker}` : `Run by a workflow for ${asker}`;
  const origin = schedule === null ? byWorkflow : `Run by ${asker}’s schedule`;
  return `${origin}${moment(createdAt, ', {date_short_pretty} {time}')}`;
}

function decisionLine({ type, person, login, at, reason }: Decision): string {
  const act = { approved: 'Approved', denied: 'Denied', dropped: 'No longer counts: the approval' }[type];
  const why = reason === undefined ? '' : `\n${quoteOf(reason)}`;
  return `${act} by ${mentionOf(person)} as ${code(login)}, ${moment(at, '{time_secs}')}${why}`;
}

/** Quotes a person's text line by line: at most `max` characters and eight lines, with a mark where there is more. */
export function quoteOf(text: string, max = 500): string {
  const lines = cut(text, max).split('\n');
  const shown = lines.length > 8 ? [...lines.slice(0, 7), '…'] : lines;
  return shown.map(line => `> ${plain(line, max)}`).join('\n');
}

/** The mention of a job’s person at its end: none of whoever withdrew it, and none where a scheduled run went well. */
function mentionAtEnd(job: Job): string {
  const { state, schedule, person } = job;
  const isNoNews = state === 'withdrawn' || (schedule !== null && !hasEndedBadly(job));
  return isNoNews ? '' : `${mentionOf(person)} `;
}

/** Says that a job’s person is mentioned at its end; nothing for a scheduled run, of which only a bad end is news. */
function promiseOf({ schedule, steps }: Job): string {
  return schedule === null ? ` I’ll tell you ${steps ? 'at the end' : 'when it’s done'}.` : '';
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
function tookOf({ sentAt, endedAt }: Job): string {
  return endedAt !== null && sentAt !== null ? ` after ${tookWords(endedAt - sentAt)}` : '';
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

/**
 * The sentence about fields that the service refused to do without; `undefined` where its words name none. Of those that it
 * needs on a condition, its own words tell.
 */
function lackingSentence(job: Job, operation: JobOperation): string | undefined {
  const labels = complaintsOf(job, operation).flatMap(({ type, field, isConditional }) =>
    type === 'missing' && !isConditional ? [field.label] : [],
  );
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
  // Of one that is finished, and whose own report says that a part alone was done.
  inPart: [':checkered_flag:', 'Finished in part'],
  failed: [':x:', 'Failed'],
  unconfirmed: [':grey_question:', 'Unconfirmed'],
  withdrawn: [':leftwards_arrow_with_hook:', 'Withdrawn'],
  expired: [':leftwards_arrow_with_hook:', 'Expired'],
} as const satisfies Record<Job['state'] | 'inPart', readonly [string, string]>;

type JobStanding = Pick<Job, 'state' | 'noAnswer' | 'evidence'>;

/** The sign and the word for a job: a running one may not have been answered yet, or wait for somebody's word. */
export function shownOf({ state, noAnswer, evidence }: JobStanding): readonly [string, string] {
  if (state === 'running' && noAnswer !== null) return [':grey_question:', 'Sent, no answer yet'];
  if (isInPart({ state, evidence })) return stateShown.inPart;
  return state === 'running' && evidence?.doubt ? [':grey_question:', 'In doubt'] : stateShown[state];
}

/** Whether the record of a job says that a part of the work alone was done; its sentence has the service's word. */
export function isInPart({ state, evidence }: Pick<Job, 'state' | 'evidence'>): boolean {
  return state === 'finished' && evidence?.isInPart === true;
}

/** Whether a running job only waits for its record. */
export function isQuiet(job: Job): boolean {
  return job.hold === null && job.noAnswer === null && job.reason === null && !job.evidence?.doubt;
}

/** Says why an unsent job has to wait for another try. */
function putOff({ reason }: Job): string {
  const why = (reason ?? 'The service asks me to wait.').replace(/ Nothing was sent\./, '');
  return `${why} Nothing has been sent yet; I’ll try again by myself.`;
}

/** Says that an unsent job waits for a sign-in: its person's, or the service account's, which Dolly itself tries again. */
function withoutSignIn({ runsAs }: Job): string {
  return runsAs === 'service'
    ? 'The service account cannot sign in at the moment. Nothing has been sent; I’ll try again by myself.'
    : 'Your sign-in is missing or no longer valid. Nothing has been sent; I’ll go on as soon as you sign in.';
}

/** The job's situation in a sentence or two: plain text. */
export function sentenceOf(job: Job): string {
  return sentences[job.state](job);
}

const itsReason = (job: Job) => job.reason ?? '';

const sentences: Readonly<Record<Job['state'], (job: Job) => string>> = {
  new: job => onHold(job) ?? 'I’ll check the records first, then send it.',
  awaiting: job => `${waitsFor(job)}Nothing is sent until it is approved.`,
  approved: job => onHold(job) ?? 'I’ll check the records once more, then send it.',
  sending: () => 'I am sending it to the service.',
  running: whileRunning,
  succeeded: itsReason,
  finished: itsReason,
  failed(job) {
    const [seen, reason] = [job.evidence, itsReason(job)];
    // A conclusion of Dolly's is not quoted as the service's word.
    return seen && seen.error === reason ? `The service reports for ${seen.name ?? seen.id}: ${reason}` : reason;
  },
  unconfirmed(job) {
    const reason = itsReason(job);
    if (job.noAnswer !== null) return `${reason} Check at the service before you ask again.`;
    return `${reason || 'The service accepted it, but its records did not show it while I looked.'} I cannot say whether it is done.`;
  },
  denied: itsReason,
  void: itsReason,
  withdrawn: itsReason,
  expired: itsReason,
};

/** Says why an unsent job does not go on yet, if it does not. */
function onHold(job: Job): string | undefined {
  if (job.hold === 'sign-in') return withoutSignIn(job);
  return job.hold === 'busy' ? putOff(job) : undefined;
}

function whileRunning(job: Job): string {
  const reason = itsReason(job);
  if (job.hold === 'sign-in')
    return job.runsAs === 'service'
      ? 'I can’t read the records: the service account cannot sign in at the moment. I’ll try again by myself.'
      : 'I can’t read the records: please sign in again, and I’ll go on.';
  if (job.noAnswer !== null)
    return `${reason} It may or may not have been accepted. I’m checking the records, and won’t send anything twice.`;
  if (reason === '' && job.evidence?.doubt) return question(job, job.evidence, job.evidence.doubt);
  return reason || (job.evidence ? underWay(job, job.evidence) : accepted);
}

/** Asks what a state word means that nothing explains; the message of another job may ask it already. */
function question({ id }: Job, seen: Evidence, { kind, word, askedIn }: NonNullable<Evidence['doubt']>): string {
  const there = `${seen.name ?? seen.id} is there and its state is ${word}.`;
  return askedIn === id
    ? `${there} Is it ${wishIn(kind)}? I cannot tell from the records.`
    : `${there} I cannot tell whether it is ${wishIn(kind)}, and ask about it in another job’s message.`;
}

const accepted =
  'The service accepted it, but that does not mean that it is done. I watch the records until they show it.';

/** The records' evidence of a job that is not yet proved. That a record exists is news only of a new record. */
function underWay(job: Job, seen: Evidence): string {
  const isNew = seen.id !== job.target && writeOperation(job.operation)?.proof.type === 'appears';
  if (isNew) return `Its record is there; its state is ${seen.state ?? 'not shown'}.`;
  if (seen.gone) return 'The records no longer show it. I’ll check once more before I say that it is gone.';
  if (seen.stateClass === 'busy') return `Its record says ${seen.state}.`;
  return accepted;
}

/** The approvals that a job waits for, in a sentence; nothing where one is enough. */
function waitsFor({ approval }: Job): string {
  const needed = approval?.terms.approvals ?? 1;
  const given = approvalsIn(approval).length;
  return needed === 1 ? '' : `${needed} other people must approve it (${given} so far). `;
}
