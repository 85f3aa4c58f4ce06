import { randomUUID } from 'node:crypto';
import type { ModalView } from '@slack/types';
import { mayNeedApproval } from '../../jobs/approval/verdict.ts';
import { check, type Inputs, leftOut } from '../../jobs/newJob.ts';
import { operationOf } from '../../jobs/request.ts';
import { writeDatabaseParams } from '../../operations/fields.ts';
import { asksOnlyForTarget, type JobOperation } from '../../operations/operation.ts';
import type { Job } from '../../store/jobs/job.ts';
import type { Owner } from '../../store/vault.ts';
import { notice } from '../blocks/blocks.ts';
import { code, plain } from '../blocks/limits.ts';
import type { Desk } from '../desk/desk.ts';
import { openView, showView } from '../desk/views.ts';
import { writeCommand } from '../words/commandWords.ts';
import { confirmation } from './confirmation.ts';
import { fitChoices, knownInputs, lookUp, recordInputs } from './fill.ts';
import type { Metadata } from './formState.ts';
import { blankForm, form, waitingForm, whyBlock } from './modal.ts';
import { settledAlready } from './settled.ts';
import { signInLead } from './signInLead.ts';

/** A person's request for a form: the place, and the inputs, with names or identifiers for records. */
export type FormRequest = Owner &
  Readonly<{ channel: string; trigger: string; inputs: Inputs }> &
  Readonly<{
    /** Fields that the service refused to do without, when the same was asked before. */
    needed?: readonly string[];
  }>;

/** An open form that waits until the names in it are looked up. */
type WaitingForm = Readonly<{
  request: FormRequest;
  metadata: Metadata;
  /** Inputs that belong to fields. `notes` has a sentence for each input that does not. */
  typed: Inputs;
  notes: readonly string[];
}>;

/**
 * Opens an operation's form at once, since a trigger lives for only 3 s. Looks up the names in the inputs afterwards,
 * and then shows the form; its last page, if nothing is left to ask.
 */
export async function openForm(desk: Desk, operation: JobOperation, request: FormRequest): Promise<void> {
  const { why, others } = withoutReason(request.inputs);
  const { inputs: typed, notes } = knownInputs(operation, others);
  const metadata: Metadata = {
    request: randomUUID(),
    channel: request.channel,
    chosen: {},
    labels: {},
    ...(mayNeedApproval(desk.policy, operation) ? { asksWhy: true } : {}),
    ...(why ? { why } : {}),
    ...(request.needed && request.needed.length > 0 ? { needed: [...request.needed] } : {}),
  };
  const names = recordInputs(operation, typed).map(({ text }) => code(text, 60));
  if (names.length === 0) {
    const isBlank = Object.keys(typed).length + notes.length === 0 && !metadata.asksWhy && !metadata.needed;
    const view = isBlank
      ? blankForm(operation, metadata)
      : form(operation, { metadata, inputs: typed, labels: {}, resets: {}, notes });
    await openView(desk, request.trigger, view);
    return;
  }
  const sentence = `:hourglass_flowing_sand: Looking for ${names.join(', ')} …`;
  const opened = await openView(desk, request.trigger, waitingForm(operation, metadata, sentence));
  await showView(desk, opened, await filledForm(desk, operation, { request, metadata, typed, notes }));
}

/**
 * The form with the records found for the names in it. A complete form becomes its last page, or a note that nothing is
 * to be done.
 */
async function filledForm(
  desk: Desk,
  operation: JobOperation,
  { request, metadata, typed, notes }: WaitingForm,
): Promise<ModalView> {
  const { team, person, channel } = request;
  const records = recordInputs(operation, typed);
  const found = await lookUp(desk, request, { operation, typed: records });
  const others = Object.entries(typed).filter(([name]) => !records.some(field => field.name === name));
  const { inputs, notes: unfit } = fitChoices(operation, { ...Object.fromEntries(others), ...found.inputs });
  const checked = check(operation, inputs);
  if (checked.ok && operation.warning && asksOnlyForTarget(operation)) {
    const labelled = { ...metadata, labels: found.labels };
    const whole = { owner: { team, person }, operation, metadata: labelled, inputs, values: checked.values };
    const settled = await settledAlready(desk, whole);
    return settled === undefined ? confirmation(desk, whole) : notice('Nothing to do', settled);
  }
  const unused = leftOut(operation, inputs).map(fault => `${plain(fault)}, so it is left out.`);
  return form(operation, {
    metadata,
    inputs,
    labels: found.labels,
    resets: {},
    notes: [...notes, ...found.notes, ...unfit, ...unused],
    lead: found.signedOut ? await signInLead(desk, request, channel) : [],
  });
}

/** The reason from `reason=…`, apart from the other inputs. */
export function withoutReason(inputs: Inputs): { why?: string | undefined; others: Inputs } {
  const isWhy = (name: string) => name.toLowerCase() === whyBlock;
  const why = Object.entries(inputs).find(([name]) => isWhy(name))?.[1];
  return { why, others: Object.fromEntries(Object.entries(inputs).filter(([name]) => !isWhy(name))) };
}

/** Opens the form of a job again with the job's inputs, as a new request. */
export async function openAgain(desk: Desk, job: Job, request: Omit<FormRequest, 'inputs'>): Promise<void> {
  await openForm(desk, operationOf(job), { ...request, inputs: inputsOf(job) });
}

/** The command that asks for the same as a job. */
export function commandOf(job: Job): string {
  return writeCommand({ words: operationOf(job).words, inputs: inputsOf(job) });
}

function inputsOf(job: Job): Inputs {
  const texts = Object.entries(job.values).map(([name, value]) => [
    name,
    typeof value === 'object' ? writeDatabaseParams(value) : String(value),
  ]);
  return Object.fromEntries(job.purpose === null ? texts : [...texts, [whyBlock, job.purpose]]);
}
