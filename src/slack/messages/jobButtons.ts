import type { Button } from '@slack/types';
import { lackedRight } from '../../api/answers/refusals.ts';
import { parseIdentifier } from '../../api/identifiers.ts';
import { type Said, wishIn } from '../../jobs/evidence/words/stateDoubt.ts';
import { isBatch } from '../../jobs/plans/nextOfBatch.ts';
import { operationOf, targetOf } from '../../jobs/request.ts';
import { obstaclesTo } from '../../operations/availability.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { type JobOperation, proofOf } from '../../operations/operation.ts';
import { teardownOf } from '../../operations/plans/teardownAndRenew.ts';
import { leaseRequest } from '../../operations/requests/leaseRequest.ts';
import { asksForAccount } from '../../operations/requests/workflowRequest.ts';
import { isPlan, type Job } from '../../store/jobs/rows/job.ts';
import { type JobOffer, offersFor } from '../house.ts';
import { operationLabel } from '../records/recordBlocks.ts';
import { operationAction } from '../words/commandActions.ts';
import { approvalButtons, type CardPart, seenRequest } from './approval/approvalCard.ts';
import { approvalActions, jobActions } from './jobActions.ts';
import { lackingFields } from './jobWords.ts';

/** What the buttons of a job follow from beside the job. */
export type ButtonView = Readonly<{
  /** Whether the policy lets anybody run without approval. */
  hasGlass?: boolean;
  /** The buttons that features have for jobs. */
  offers?: readonly JobOffer[];
}>;

/** The buttons of a job for the people who see this part of its messages. */
export function jobButtons(job: Job, part: CardPart, { hasGlass = false, offers = [] }: ButtonView): readonly Button[] {
  const operation = operationOf(job);
  const look = jobActions.look.button('Check now', job.id);
  const again = askAgainButtons(job, operation);
  const anew = !job.approval ? [] : [approvalActions.anew.button('Ask again', seenRequest(job), { style: 'primary' })];
  const signIn = signInButtons(job.hold, job);
  const buttons: Record<Job['state'], readonly Button[]> = {
    new: [...signIn, ...(job.hold ? [jobActions.withdraw.button('Withdraw', job.id)] : [])],
    awaiting: approvalButtons(job, operation, part, hasGlass),
    approved: [...signIn, jobActions.withdraw.button('Withdraw', job.id)],
    denied: again,
    void: [...anew, ...again],
    sending: [],
    running:
      job.hold === 'sign-in' ? signIn : [...answerButtons(job), look, jobActions.stop.button('Stop checking', job.id)],
    succeeded: [...followButtons(job, operation), ...presetButtons(job, operation)],
    failed: [...teardownButtons(job, operation), ...again, ...leftoverButtons(job, operation)],
    finished: [look, ...again],
    unconfirmed: [look, ...again],
    withdrawn: again,
    expired: [...anew, ...again],
  };
  return [...buttons[job.state], ...offersFor(offers, job)];
}

const longestWord = 200;

/** The answers to the question whether a record that stands in an unknown word is ready. */
function answerButtons({ id, evidence, inDoubt }: Job): readonly Button[] {
  const doubt = evidence?.doubt?.askedIn === id && !inDoubt ? evidence.doubt : undefined;
  // A longer text is no word, and does not fit into a button.
  if (doubt === undefined || doubt.word.length > longestWord) return [];
  const { word, kind } = doubt;
  const answer = (text: string, says: Said) =>
    jobActions.answer.button(text, { j: id, w: word, s: says }, { suffix: says });
  return [
    answer(`Yes, it is ${wishIn(kind)}`, 'ready'),
    answer('No, still working', 'working'),
    answer('It failed', 'failed'),
  ];
}

/** The button of a job that waits for the sign-in of its person; nobody signs the service account in by hand. */
export function signInButtons(hold: Job['hold'], { id, runsAs }: Pick<Job, 'id' | 'runsAs'>): readonly Button[] {
  if (hold !== 'sign-in' || runsAs !== null) return [];
  return [jobActions.signIn.button('Sign in', id, { style: 'primary' })];
}

/**
 * Whether asking again can bring anything: no change of the form gives a right, and what was deleted is gone. A schedule,
 * and a workflow, asks for its approval itself, and a batch has no form.
 */
export function canBeAskedAgain(job: Job, { deletes }: JobOperation): boolean {
  if (asksForAccount(job.operation) || isBatch(job)) return false;
  if (job.state === 'failed') return !job.reason.startsWith(lackedRight);
  return !(job.state === 'succeeded' && deletes);
}

/** What a deletion would have needed that was refused, as the service or the records say, for what depends on its target. */
function teardownButtons(job: Job, { deletes }: JobOperation): readonly Button[] {
  const target = parseIdentifier(job.target);
  const teardown = target && teardownOf(target);
  if (!teardown || !deletes || isPlan(job)) return [];
  const named = (job.reason ?? '').match(/\b[A-Z_]+-\d+\b/g) ?? [];
  const isInTheWay = (text: string) => {
    const noun = parseIdentifier(text)?.noun;
    return text !== target.text && (noun === 'clone' || (noun === 'live' && target.noun === 'environment'));
  };
  if (!named.some(isInTheWay)) return [];
  return [operationAction(teardown).button('Delete all of it, in order…', target.text, { style: 'danger' })];
}

function askAgainButtons(job: Job, operation: JobOperation): readonly Button[] {
  // Its form is that of the lease, which the feature offers.
  if (!canBeAskedAgain(job, operation) || job.operation === leaseRequest.name) return [];
  return lackingFields(job).length > 0
    ? [jobActions.again.button('Fill these in', job.id, { style: 'primary' })]
    : [jobActions.again.button('Change and ask again', job.id)];
}

/** The button that keeps the values of a job under a name, where its operation has presets. */
export function presetButtons({ id }: Job, { presets }: JobOperation): readonly Button[] {
  return presets ? [jobActions.preset.button('Save as preset', id)] : [];
}

/** The deletion of the record that a failed job has left behind. */
function leftoverButtons({ claimed, evidence }: Job, { next = [] }: JobOperation): readonly Button[] {
  if (claimed === null || evidence?.id !== claimed || evidence.gone) return [];
  return next
    .flatMap(name => writeOperation(name) ?? [])
    .filter(({ deletes }) => deletes)
    .map(deletion => operationAction(deletion).button(operationLabel(deletion), claimed));
}

/**
 * What people want after a confirmed job: the same again, and the next operations of the catalogue that apply to the
 * record that it made, or else to its target.
 */
function followButtons(job: Job, operation: JobOperation): readonly Button[] {
  const { evidence } = job;
  const { again, next = [] } = operation;
  const repeat = again === undefined ? [] : [jobActions.again.button(again, job.id)];
  const id = parseIdentifier(evidence?.id ?? job.target);
  if (!id || evidence?.gone || operation.type !== 'write') return repeat;
  const proof = proofOf(operation, targetOf(job), job.values);
  const isPhysical = proof.type === 'converts' || (proof.type === 'appears' ? proof.like.isPhysical : undefined);
  const { state: word, stateClass } = evidence ?? {};
  const state = word === undefined || stateClass === undefined ? undefined : { word, class: stateClass };
  const follow = next
    .flatMap(name => writeOperation(name) ?? [])
    .filter(one => obstaclesTo(one, { id, isPhysical, state }).length === 0)
    .map(one => operationAction(one).button(operationLabel(one), id.text));
  return [...repeat, ...follow];
}
