import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { typedIdentifier } from '../../api/identifiers.ts';
import { within } from '../../ground/within.ts';
import { leftOutNotes } from '../../jobs/approval/facts/secretValues.ts';
import { mayNeedApproval } from '../../jobs/approval/policy/verdict.ts';
import { check, type Inputs, leftOut } from '../../jobs/newJob.ts';
import { remedyOf } from '../../jobs/plans/remedy.ts';
import { stepJobs } from '../../jobs/plans/turn.ts';
import { operationOf } from '../../jobs/request.ts';
import { formOperation } from '../../operations/catalogue.ts';
import { asksOnlyForTarget, type JobOperation } from '../../operations/operation.ts';
import type { EarlierRequest } from '../../operations/prefill/formFacts.ts';
import { isUnique } from '../../operations/prefill/prefill.ts';
import type { Complaint } from '../../operations/serviceComplaints.ts';
import { isOneOf } from '../../records/find.ts';
import { isPlan, type Job } from '../../store/jobs/rows/job.ts';
import type { Preset } from '../../store/tables/presets.ts';
import type { Owner } from '../../store/vault.ts';
import { notice } from '../blocks/blocks.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import { mustOpenForms, openView, showView } from '../desk/views.ts';
import { canBeScheduled } from '../house.ts';
import { takeReason, writeCommand } from '../words/commandText.ts';
import { atOnce, filledInTime, fillPatience, isToFill, recentInTime, unfilledNote } from './fill/fillForm.ts';
import { recordInputs } from './fill/inputsInWords.ts';
import { faultsAt, withNeeded } from './fill/needed.ts';
import { settledAlready } from './fill/settled.ts';
import type { FormFiller, FormOpener } from './formDesk.ts';
import { blankForm, form, waitingForm } from './formModal.ts';
import type { FormState, Metadata } from './formState.ts';
import { inputsFor, type JobInputs } from './jobInputs.ts';
import { type AskedInputs, readAsked } from './presets/askedPreset.ts';
import { inputsFound } from './presets/fillFromPreset.ts';
import { signInLead } from './signInLead.ts';
import { confirmation } from './submit/confirmation.ts';

/** A person's request for a form: the place, and the inputs, with names or identifiers for records. */
export type FormRequest = Owner &
  Readonly<{ channel: string; thread?: string | undefined; trigger: string; isInForm?: boolean; inputs: Inputs }> &
  Readonly<{
    /** The service's complaints, when the same was asked before. */
    complaints?: readonly Complaint[];
    /** The request that is to be made again, with new values where they must be new. */
    like?: EarlierRequest;
    /** Sentences about the inputs, as mrkdwn. */
    notes?: readonly string[];
    /** The preset that fills the form, where the person chose one before. */
    preset?: Preset;
  }>;

/** An open form that waits until the names in it are looked up. */
type WaitingForm = Readonly<{
  request: FormRequest;
  metadata: Metadata;
  asked: AskedInputs;
  /** Names by identifier, as the preset keeps them. */
  labels: Readonly<Record<string, string>>;
}>;

/**
 * Opens an operation's form at once, since a trigger lives for only 3 s: complete, if what belongs into it is known by
 * then. Else the form says what it looks for, and is completed afterwards. If nothing is left to ask, its last page
 * opens in its place.
 * @throws {FormNeeded} where there is no trigger
 */
export async function openForm(desk: FormOpener, operation: JobOperation, request: FormRequest): Promise<void> {
  mustOpenForms(request);
  const { why, others } = takeReason(request.inputs);
  const isNamed = recordInputs(operation, others).length > 0;
  const [read, recent] = await Promise.all([
    readAsked(desk, operation, { ...request, inputs: others }),
    isNamed ? [] : recentInTime(desk.pages, request, operation),
  ]);
  const asked = { ...read, notes: [...(request.notes ?? []), ...read.notes] };
  const { inputs: typed, notes, offer, preset } = asked;
  const labels = preset?.labels ?? {};
  const metadata: Metadata = {
    request: randomUUID(),
    channel: request.channel,
    thread: request.thread,
    chosen: {},
    labels: {},
    ...(mayNeedApproval(desk.pages.policy, operation) ? { asksWhy: true } : {}),
    ...(why ? { why } : {}),
    ...(request.complaints?.length ? { faults: faultsAt(request.complaints) } : {}),
    ...(canBeScheduled(desk, operation) ? { schedules: true } : {}),
    ...offer,
  };
  const names = recordInputs(operation, typed).map(({ text }) => code(labels[text] ?? text, 60));
  if (names.length === 0) {
    const isBlank = Object.keys(typed).length + notes.length + recent.length === 0;
    const view =
      isBlank && !metadata.asksWhy && !metadata.needed && !metadata.presets
        ? blankForm(operation, metadata)
        : form(operation, { metadata, inputs: typed, labels: {}, resets: {}, notes, recent });
    await openView(desk, request, view);
    return;
  }
  const waiting = { request, metadata, asked, labels };
  const filling = filledForm(desk, operation, waiting);
  const ready = await within(desk.clock, atOnce, filling);
  if (ready) {
    await openView(desk, request, ready);
    return;
  }
  const sentence = `:hourglass_flowing_sand: Looking for ${names.join(', ')} …`;
  const id = await openView(desk, request, waitingForm(operation, metadata, sentence));
  const filled = (await within(desk.clock, openPatience, filling)) ?? unansweredForm(operation, waiting);
  await showView(desk, { team: request.team, id }, filled);
}

/** The longest time for which a form says only what it looks for, in milliseconds. */
const openPatience = 5_000;

/** The form for which the service did not find the records in time. Identifiers can be used as they are. */
function unansweredForm(operation: JobOperation, { metadata, asked, labels }: WaitingForm): ModalView {
  const { inputs: typed, notes } = asked;
  const inputs: Record<string, string> = { ...typed };
  const unfound: string[] = [];
  for (const { name, nouns, text } of recordInputs(operation, typed)) {
    const id = typedIdentifier(text);
    if (id && isOneOf(id, nouns)) inputs[name] = id.text;
    else {
      delete inputs[name];
      unfound.push(`I left ${code(`${name}=${text}`, 80)} for you to choose.`);
    }
  }
  return form(operation, { metadata, inputs, labels, resets: {}, notes: [...notes, unfilledNote, ...unfound] });
}

/**
 * The form with the records found for the names in it, and filled in from what the records and the person's earlier
 * requests show. A complete form becomes its last page, or a note that nothing is to be done.
 */
async function filledForm(
  desk: FormFiller,
  operation: JobOperation,
  { request, metadata, asked: { inputs: typed, notes, preset }, labels }: WaitingForm,
): Promise<ModalView> {
  const { team, person, channel, like } = request;
  const owner = { team, person };
  const found = await inputsFound(desk.pages, owner, operation, { typed, labels, preset });
  const { inputs, labels: names, left } = found;
  const checked = check(operation, inputs);
  if (checked.ok && operation.warning && asksOnlyForTarget(operation)) {
    const labelled = { ...metadata, labels: names };
    const complete = { owner, operation, metadata: labelled, inputs, values: checked.values };
    const settled = await settledAlready(desk.pages, complete);
    return settled === undefined ? confirmation(desk.pages, complete) : notice('Nothing to do', settled);
  }
  const unused = leftOut(operation, inputs).map(fault => `${plain(fault)}, so I left it out.`);
  const before: FormState = {
    metadata: { ...metadata, left },
    inputs,
    labels: names,
    resets: {},
    notes: [...notes, ...found.notes, ...unused],
    lead: found.signedOut ? await signInLead(desk.greeter, request, channel) : [],
  };
  const state = await withNeeded(desk, operation, before, 'said');
  if (found.signedOut || !isToFill(operation, state)) return form(operation, state);
  return form(operation, await filledInTime(desk.pages, { owner, operation, like }, state, fillPatience));
}

/**
 * Opens the form of a job again with the job's inputs, as a new request. After a job that was done, what must be new
 * for each record is filled in anew. Of a plan that ended in the middle, it opens the form of what is left.
 */
export async function openAgain(desk: FormOpener, job: Job, request: Omit<FormRequest, 'inputs' | 'like'>) {
  const open = (operation: JobOperation, { inputs, left }: JobInputs, like?: EarlierRequest) => {
    const notes = leftOutNotes(left).map(note => plain(note, 900));
    return openForm(desk, operation, { ...request, inputs, notes, ...(like ? { like } : {}) });
  };
  const rest = isPlan(job) ? remedyOf(job, (await stepJobs(desk.pages, job.id)) ?? []) : undefined;
  if (rest) return open(rest.operation, inputsFor(request, { ...job, values: rest.values }, rest.operation));
  const operation = formOperation(operationOf(job));
  const { inputs, left } = inputsFor(request, job, operation);
  if (job.state !== 'succeeded') return open(operation, { inputs, left });
  const isNew = (name: string) => operation.fields.some(field => field.name === name && isUnique(field));
  const same = Object.fromEntries(Object.entries(inputs).filter(([name]) => !isNew(name)));
  const like = { texts: inputs, targetName: job.targetName ?? undefined };
  return open(operation, { inputs: same, left }, like);
}

/** The command with which a person asks for the same as a job, and what it lacks. */
export function commandOf(job: Job, asker: Pick<Owner, 'person'>) {
  const operation = operationOf(job);
  const { inputs, left } = inputsFor(asker, job, operation);
  return { command: writeCommand({ words: operation.words, inputs }), left };
}
