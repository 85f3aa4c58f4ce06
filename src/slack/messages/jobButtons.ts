import type { Button } from '@slack/types';
import { lackedRight } from '../../api/answers/refusals.ts';
import { type Identifier, parseIdentifier } from '../../api/identifiers.ts';
import { stateIn } from '../../api/reading/states.ts';
import { type Said, wishIn } from '../../jobs/evidence/words/stateDoubt.ts';
import { obstaclesTo } from '../../operations/availability.ts';
import { writeOperation } from '../../operations/catalogue.ts';
import { type JobOperation, proofOf } from '../../operations/operation.ts';
import { teardownOf } from '../../operations/plans/teardownAndRenew.ts';
import { leaseRequest } from '../../operations/requests/leaseRequest.ts';
import { asksForAccount } from '../../operations/requests/workflowRequest.ts';
import { legible } from '../../records/legible.ts';
import type { Job } from '../../store/jobs/rows/job.ts';
import { cut } from '../blocks/limits.ts';
import type { JobOffer } from '../house.ts';
import { operationLabel } from '../records/recordBlocks.ts';
import { operationAction } from '../words/commandActions.ts';
import { isDecidedOnPages } from './approval/shownInFull.ts';
import { approvalActions, jobActions, type SeenRequest } from './jobActions.ts';
import { describeJob, type JobWords } from './jobWords.ts';

/** A message with the decision buttons: the job's own (`card`), or another one in the channel for approvals. */
export type CardPart = 'card' | 'approval';

/** What the buttons of a job follow from beside the job. */
export type ButtonView = Readonly<{
  /** Whether the policy lets anybody run without approval. */
  hasGlass?: boolean;
  /** The buttons that features have for jobs. */
  offers?: readonly JobOffer[];
}>;

/** The buttons that features have for a job. */
export function offersFor(offers: readonly JobOffer[], job: Job): readonly Button[] {
  return offers.flatMap(({ buttonOf }) => buttonOf(job) ?? []);
}

/** The buttons of a job for the people who see this part of its messages. */
export function jobButtons(job: Job, part: CardPart, view: ButtonView, words = describeJob(job)): readonly Button[] {
  const { hasGlass = false, offers = [] } = view;
  const { operation, target } = words;
  const look = jobActions.look.button('Check now', job.id);
  const withdraw = jobActions.withdraw.button('Withdraw', job.id);
  const again = askAgainButtons(job, words);
  const anew = !job.approval ? [] : [approvalActions.anew.button('Ask again', seenRequest(job), { style: 'primary' })];
  const signIn = signInButtons(job.hold, job);
  const buttons: Record<Job['state'], readonly Button[]> = {
    new: [...signIn, withdraw],
    awaiting: approvalButtons(job, words, part, { isWhole: !isDecidedOnPages(job), hasGlass }),
    approved: [...signIn, withdraw],
    denied: again,
    void: [...anew, ...again],
    sending: [],
    running:
      job.hold === 'sign-in' ? signIn : [...answerButtons(job), look, jobActions.stop.button('Stop checking', job.id)],
    succeeded: [...followButtons(job, operation, target), ...presetButtons(job, operation)],
    failed: [...teardownButtons(job, operation, target), ...again, ...leftoverButtons(job, operation)],
    finished: [look, ...again],
    unconfirmed: [look, ...again],
    withdrawn: again,
    expired: [...anew, ...again],
  };
  return [...buttons[job.state], ...offersFor(offers, job)];
}

const longestWord = 200;

/** The answers to the question whether a record that stands in an unknown word is ready. */
function answerButtons({ id, evidence, noAnswer }: Job): readonly Button[] {
  const doubt = evidence?.doubt?.askedIn === id && noAnswer === null ? evidence.doubt : undefined;
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
export function canBeAskedAgain(job: Job, operation: JobOperation): boolean {
  if (asksForAccount(operation.name) || (operation.type === 'plan' && operation.isBatch)) return false;
  if (job.state === 'failed') return !job.reason.startsWith(lackedRight);
  return !(job.state === 'succeeded' && operation.deletes);
}

/** What a deletion would have needed that was refused, as the service or the records say, for what depends on its target. */
function teardownButtons(job: Job, { deletes, type }: JobOperation, target: Identifier): readonly Button[] {
  const teardown = teardownOf(target);
  if (!teardown || !deletes || type === 'plan') return [];
  const named = (job.reason ?? '').match(/\b[A-Z_]+-\d+\b/g) ?? [];
  const isInTheWay = (text: string) => {
    const noun = parseIdentifier(text)?.noun;
    return text !== target.text && (noun === 'clone' || (noun === 'live' && target.noun === 'environment'));
  };
  if (!named.some(isInTheWay)) return [];
  return [operationAction(teardown).button('Delete all of it, in order…', target.text, { style: 'danger' })];
}

function askAgainButtons(job: Job, { operation, lacking }: JobWords): readonly Button[] {
  // Its form is that of the lease, which the feature offers.
  if (!canBeAskedAgain(job, operation) || job.operation === leaseRequest.name) return [];
  return lacking === undefined
    ? [jobActions.again.button('Change and ask again', job.id)]
    : [jobActions.again.button('Fill these in', job.id, { style: 'primary' })];
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
function followButtons(job: Job, operation: JobOperation, target: Identifier): readonly Button[] {
  const { evidence } = job;
  const { again, next = [] } = operation;
  const repeat = again === undefined ? [] : [jobActions.again.button(again, job.id)];
  const id = evidence ? parseIdentifier(evidence.id) : target;
  if (!id || evidence?.gone || operation.type !== 'write') return repeat;
  const proof = proofOf(operation, target, job.values);
  const isPhysical = proof.type === 'converts' || (proof.type === 'appears' ? proof.like.isPhysical : undefined);
  const { state: word, stateClass } = evidence ?? {};
  const state = word === undefined || stateClass === undefined ? undefined : stateIn(word, stateClass);
  const follow = next
    .flatMap(name => writeOperation(name) ?? [])
    .filter(one => obstaclesTo(one, { id, isPhysical, state }).length === 0)
    .map(one => operationAction(one).button(operationLabel(one), id.text));
  return [...repeat, ...follow];
}

/** The buttons of a job that waits for approval. Where it is not shown whole, all of it is to be read first. */
export function approvalButtons(
  job: Job,
  words: JobWords,
  part: CardPart,
  { isWhole, hasGlass = false }: Readonly<{ isWhole: boolean; hasGlass?: boolean }>,
): Button[] {
  const { kind, name } = words;
  const seen = seenRequest(job);
  const withdraw = approvalActions.withdraw.button('Withdraw', seen);
  if (!isDecidedHere(job, part)) return [withdraw];
  const what = `${kind} of ${cut(name, 100)}`;
  const where = job.approval?.facts.find(({ label }) => label === 'Environment')?.value;
  const read = approvalActions.read.button('Read all and decide…', { ...seen, p: 0 }, { style: 'primary' });
  const approve: Button = {
    ...approvalActions.approve.button('Approve…', seen, { style: 'primary' }),
    confirm: {
      title: { type: 'plain_text', text: 'Approve?' },
      text: {
        type: 'plain_text',
        text: cut(legible(`${what} (${job.target}${where ? `, on ${cut(where, 80)}` : ''}). ${runsHow(job)}`), 300),
      },
      confirm: { type: 'plain_text', text: 'Approve' },
      deny: { type: 'plain_text', text: 'Not yet' },
    },
  };
  const glass = hasGlass && job.runsAs === null ? [approvalActions.glass.button('Run without approval…', seen)] : [];
  return [
    isWhole ? approve : read,
    approvalActions.deny.button('Deny…', seen, { style: 'danger' }),
    withdraw,
    ...glass,
  ];
}

/** Says when and with whose sign-in a request runs once it is approved. */
function runsHow({ operation, login }: Job): string {
  return asksForAccount(operation)
    ? 'From then on it runs by itself, with the service account.'
    : `It runs at once, as ${login}.`;
}

/** The value of the decision buttons: the job, and the digest of the request as the person saw it. */
function seenRequest(job: Job): SeenRequest {
  return { j: job.id, d: job.approval?.digest ?? null };
}

/** Whether a request is decided on in this message. */
export function isDecidedHere(job: Job, part: CardPart): boolean {
  return part === 'approval' || !job.approval?.cardPlace;
}
