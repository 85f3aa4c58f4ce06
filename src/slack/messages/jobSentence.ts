import { approvalsIn } from '../../jobs/approval/people/approvers.ts';
import { wishIn } from '../../jobs/evidence/words/stateDoubt.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import type { Evidence } from '../../store/jobs/rows/data.ts';
import type { Job } from '../../store/jobs/rows/job.ts';

/** Says why an unsent job has to wait for another try. */
function putOff({ reason }: Job): string {
  const why = (reason ?? 'The service asks to wait.').replace(/ Nothing was sent\./, '');
  return `${why} Nothing was sent yet; I try again by myself.`;
}

/** Says that an unsent job waits for a sign-in: its person's, or the service account's, which Dolly itself tries again. */
function withoutSignIn({ runsAs }: Job): string {
  return runsAs === 'service'
    ? 'The service account cannot sign in at the moment. Nothing was sent; I try again by myself.'
    : 'Your sign-in is missing or no longer valid. Nothing was sent; it goes on as soon as you sign in.';
}

/** The job's situation in a sentence or two: plain text. */
export function sentenceOf(job: Job): string {
  return sentences[job.state](job);
}

const itsReason = (job: Job) => job.reason ?? '';

const sentences: Readonly<Record<Job['state'], (job: Job) => string>> = {
  new: job => onHold(job) ?? 'I check the records first, then I send it.',
  awaiting: job => `${waitsFor(job)}Nothing is sent before that.`,
  approved: job => onHold(job) ?? 'I check the records once more, then I send it.',
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
    if (job.inDoubt) return `${reason} Look there before you ask again.`;
    return `${reason || 'The service accepted it, but its records have not shown it in the time I looked.'} I cannot say whether it is done.`;
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
      ? 'I cannot look at the records: the service account cannot sign in at the moment. I try again by myself.'
      : 'I can’t read the records: please sign in again, and I’ll go on.';
  if (job.inDoubt)
    return `${reason} It may have been accepted or not. I am looking at the records, and send nothing twice.`;
  if (reason === '' && job.evidence?.doubt) return question(job, job.evidence, job.evidence.doubt);
  return reason || (job.evidence ? underWay(job, job.evidence) : accepted);
}

/** Asks what a state word means that nothing explains; the message of another job may ask it already. */
function question({ id }: Job, seen: Evidence, { kind, word, askedIn }: NonNullable<Evidence['doubt']>): string {
  const there = `${seen.name ?? seen.id} is there and its state is ${word}.`;
  return askedIn === id
    ? `${there} Is it ${wishIn(kind)}? I cannot tell from the records.`
    : `${there} I cannot tell whether it is ${wishIn(kind)}, and ask so in the message of another job.`;
}

const accepted =
  'The service accepted it, which does not mean that it is done. I look at the records until they show it.';

/** The records' evidence of a job that is not yet proved. That a record exists is news only of a new record. */
function underWay(job: Job, seen: Evidence): string {
  const isNew = seen.id !== job.target && writeOperation(job.operation)?.proof.type === 'appears';
  if (isNew) return `Its record is there; its state is ${seen.state ?? 'not shown'}.`;
  if (seen.gone) return 'The records no longer show it. I check once more before I say that it is gone.';
  if (seen.stateClass === 'busy') return `Its record says ${seen.state}.`;
  return accepted;
}

/** The approvals that a job waits for, in a sentence; nothing where one is enough. */
function waitsFor(job: Job): string {
  const needed = job.approval?.terms.approvals ?? 1;
  const given = approvalsIn(job).length;
  return needed === 1 ? '' : `${needed} other people must approve it; ${given} of them did so far. `;
}
