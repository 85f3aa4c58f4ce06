import type { ModalView } from '@slack/types';
import { typedIdentifier } from '../../api/identifiers.ts';
import { within } from '../../ground/within.ts';
import { leftOutNotes } from '../../jobs/approval/facts/secretValues.ts';
import { remedyOf } from '../../jobs/plans/remedy.ts';
import { stepJobs } from '../../jobs/plans/turn.ts';
import { operationOf } from '../../jobs/request.ts';
import { formOperation } from '../../operations/catalogue.ts';
import type { JobOperation } from '../../operations/operation.ts';
import type { EarlierRequest } from '../../operations/prefill/formFacts.ts';
import { isUnique } from '../../operations/prefill/prefill.ts';
import { isOneOf } from '../../records/find.ts';
import { isPlan, type Job } from '../../store/jobs/rows/job.ts';
import type { Owner } from '../../store/vault.ts';
import { notice } from '../blocks/blocks.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import type { Desk, Voice } from '../desk/desk.ts';
import { mustOpenForms, openView, showView } from '../desk/views.ts';
import { writeCommand } from '../words/commandText.ts';
import { atOnce, unfilledNote } from './fill/fillForm.ts';
import { recordInputs } from './fill/inputsInWords.ts';
import { blankForm, form, waitingForm } from './formModal.ts';
import type { FormFound, FormReader, FormRequest, FormStart } from './formReader.ts';
import { inputsFor, type JobInputs } from './jobInputs.ts';
import { lastPageWith } from './submit/confirmation.ts';

/** Opens forms. */
export type FormOpener = Voice & Readonly<{ reader: FormReader }>;

/**
 * Opens an operation's form at once, since a trigger lives for only 3 s: complete, if what belongs into it is known by
 * then. Else the form says what it looks for, and is completed afterwards. If nothing is left to ask, its last page
 * opens in its place.
 * @throws {FormNeeded} where there is no trigger
 */
export async function openForm(desk: FormOpener, operation: JobOperation, request: FormRequest): Promise<void> {
  mustOpenForms(request);
  const start = await desk.reader.start(operation, request);
  const { metadata, inputs, labels } = start;
  const names = recordInputs(operation, inputs).map(({ text }) => code(labels[text] ?? text, 60));
  if (names.length === 0) return void (await openView(desk, request, formAtOnce(operation, start)));
  const filling = desk.reader.find(operation, start).then(found => drawFound(operation, found));
  const ready = await within(desk.clock, atOnce, filling);
  if (ready) return void (await openView(desk, request, ready));
  const sentence = `:hourglass_flowing_sand: Looking for ${names.join(', ')} …`;
  const id = await openView(desk, request, waitingForm(operation, metadata, sentence));
  const filled = (await within(desk.clock, openPatience, filling)) ?? unansweredForm(operation, start);
  await showView(desk, { team: request.team, id }, filled);
}

/** The longest time for which a form says only what it looks for, in milliseconds. */
const openPatience = 5_000;

/** The form in which nothing is to be looked up. */
function formAtOnce(operation: JobOperation, { metadata, inputs, notes, recent }: FormStart): ModalView {
  const isBlank = Object.keys(inputs).length + notes.length + recent.length === 0;
  return isBlank && !metadata.asksWhy && !metadata.needed && !metadata.presets
    ? blankForm(operation, metadata)
    : form(operation, { metadata, inputs, labels: {}, resets: {}, notes, recent });
}

/** The form after that: a complete one becomes its last page, or a note that nothing is to be done. */
function drawFound(operation: JobOperation, found: FormFound): ModalView {
  if ('settled' in found) return notice('Nothing to do', found.settled);
  return 'facts' in found ? lastPageWith(found.complete, found.facts) : form(operation, found.state);
}

/** The form for which the service did not find the records in time. Identifiers can be used as they are. */
function unansweredForm(operation: JobOperation, { metadata, inputs: typed, notes, labels }: FormStart): ModalView {
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
 * Opens the form of a job again with the job's inputs, as a new request. After a job that was done, what must be new
 * for each record is filled in anew. Of a plan that ended in the middle, it opens the form of what is left.
 */
export async function openAgain(
  { forms, jobs }: Desk<'jobs'> & Readonly<{ forms: FormOpener }>,
  job: Job,
  request: Omit<FormRequest, 'inputs' | 'like'>,
) {
  const open = (operation: JobOperation, { inputs, left }: JobInputs, like?: EarlierRequest) => {
    const notes = leftOutNotes(left).map(note => plain(note, 900));
    return openForm(forms, operation, { ...request, inputs, notes, ...(like ? { like } : {}) });
  };
  const rest = isPlan(job) ? remedyOf(job, (await stepJobs({ jobs }, job.id)) ?? []) : undefined;
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
