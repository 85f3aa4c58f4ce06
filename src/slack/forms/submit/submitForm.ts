import type { ModalView } from '@slack/types';
import { Failure, failureBut, sentence } from '../../../ground/failure.ts';
import { within } from '../../../ground/within.ts';
import { faultByPolicy } from '../../../jobs/approval/policy/fieldRules.ts';
import { marksOfName } from '../../../jobs/approval/sameAsShown.ts';
import { check, type Inputs } from '../../../jobs/newJob.ts';
import type { FactReader } from '../../../jobs/parts.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import type { JobOperation } from '../../../operations/operation.ts';
import { isUnique, nameField } from '../../../operations/prefill/prefill.ts';
import { inOwnZone } from '../../../operations/requests/keepFor.ts';
import type { Owner } from '../../../store/vault.ts';
import { canCarry } from '../../blocks/modal.ts';
import { bold, code, plain } from '../../blocks/mrkdwn.ts';
import { mustBeAllowed } from '../../desk/admission.ts';
import type { Desk } from '../../desk/desk.ts';
import { faultAt, type ModalAnswer, noteInstead, onSubmit, type Submitted } from '../../desk/submission.ts';
import { showView } from '../../desk/views.ts';
import { filledInTime } from '../fill/fillForm.ts';
import { pendingThere, unlistedSince } from '../fill/formFacts.ts';
import { settledAlready } from '../fill/settled.ts';
import type { FormTaker } from '../formDesk.ts';
import { confirmBlock, form } from '../formModal.ts';
import { type CheckedForm, formModal, type Metadata, type SeenForm } from '../formState.ts';
import { type FormSteps, stepsByValues, stepsOf } from '../plans/formSteps.ts';
import { openFields } from '../presets/presetWords.ts';
import { completedForm, without } from '../redraw.ts';
import { lastPageWith, readPage } from './confirmation.ts';
import { keepJob, storedLate, storeFault, takenBefore } from './keepJob.ts';
import { readPageFacts } from './pageFacts.ts';

/** Max time for reading the record before Slack must have its answer, in milliseconds. */
const lookPatience = 1_000;

/**
 * A submitted form with checked fields: `view` has the content of this page, `late` resolves before Slack gives up
 * waiting.
 */
type SubmittedForm = CheckedForm &
  Readonly<{ metadata: Metadata; view: SeenForm; viewId: string; reason: string; late: Promise<'late'> }>;

/** What comes of the forms of all operations. A job is stored before its form closes. */
export const formSubmissions = catalogue.flatMap(operation =>
  operation.type === 'read'
    ? []
    : [onSubmit(formModal(operation), (desk: FormTaker, submitted) => answerToSubmit(desk, operation, submitted))],
);

async function answerToSubmit(
  desk: FormTaker,
  operation: JobOperation,
  submitted: Submitted<Metadata, SeenForm>,
): Promise<ModalAnswer> {
  const { team, person, viewId, late } = submitted;
  const view = submitted.fields;
  const owner = { team, person };
  const { metadata } = view;
  // The policy may have changed after the form was opened.
  const asking = mustBeAllowed(desk, { ...owner, channel: metadata.channel }, operation);
  const refusal = await asking.then(() => undefined, sentence);
  if (refusal !== undefined) return noteInstead('Not sent', plain(refusal));
  const asked = readPage(desk, operation, view);
  const inputs = await inTheirZone(desk.pages, owner, operation, asked.inputs);
  const checked = check(operation, inputs, metadata.needed);
  const hasFault = !checked.ok && Object.keys(checked.faults).some(name => view.blockIds[name] !== undefined);
  const completed = !metadata.pending && !hasFault ? await completedForm(desk, owner, operation, view) : undefined;
  if (completed) return { type: 'shown', view: completed };
  if (!checked.ok)
    return faultsAt(Object.entries(checked.faults).map(([name, fault]) => [at(view, name, operation.target), fault]));
  const open = metadata.preset ? openFields(inputs) : [];
  if (open.length > 0 && !metadata.pending)
    return faultsAt(open.map(name => [at(view, name), 'Type a value in place of the word in braces.']));
  const unfit = faultByPolicy(desk.pages, operation, inputs);
  if (unfit) return faultAt(at(view, unfit.field, operation.target), unfit.sentence);
  const carried = { ...metadata, labels: view.labels };
  const { reason } = asked;
  const form = { owner, operation, metadata: carried, inputs, values: checked.values, view, viewId, reason, late };
  const plan = stepsByValues(form);
  if (plan.type === 'fault') return faultAt(at(view, plan.field, operation.target), plan.sentence);
  const fault = asked.faults.length > 0 ? faultsAt(asked.faults) : undefined;
  if (metadata.pending) return fault ?? keep(desk, form, plan);
  // What was filled in as free may not be of a clone either that the records do not show yet.
  const { filled = {} } = metadata;
  const isFilledIn = filled.port || filled[nameField({ operation, texts: inputs })?.name ?? ''];
  const since = isFilledIn ? unlistedSince(desk.clock.now()) : desk.clock.now();
  return (await settledOrConfirmed(desk, form)) ?? fault ?? keep(desk, form, plan, since);
}

/** Says at a field why nothing comes next, or opens the last page; `undefined` if there is neither. */
async function settledOrConfirmed(desk: FormTaker, form: SubmittedForm): Promise<ModalAnswer | undefined> {
  const settled = await within(desk.clock, lookPatience, settledAlready(desk.pages, form));
  if (settled !== undefined) return faultAt(at(form.view, form.operation.target), settled);
  if (!form.operation.warning) return undefined;
  const answer = await lastPageOf(desk, form);
  // The page carries all texts of the form.
  if (!canCarry(answer.view.private_metadata ?? ''))
    return faultAt(at(form.view, longestOf(form.inputs), form.operation.target), noRoom);
  return answer.after ? answer : { ...answer, isOnTop: true };
}

/**
 * The last page of a form, above it or in its place. One that is late stands in its place without a button, and is drawn
 * anew with what the records say once that comes.
 */
async function lastPageOf(desk: FormTaker, form: SubmittedForm, note?: string) {
  const { owner, viewId: id, late } = form;
  const draw = async (by?: Promise<unknown>) => lastPageWith(form, await readPageFacts(desk.pages, form, by), note);
  const view = await draw(late);
  const isLate = await Promise.race([late, Promise.resolve(undefined)]);
  if (view.submit || isLate === undefined) return { type: 'shown', view } as const;
  const after = async () => showView(desk, { team: owner.team, id }, await draw());
  return { type: 'shown', view, after } as const;
}

/** The field with the longest text. */
function longestOf(inputs: Inputs): string {
  return Object.entries(inputs).reduce((most, one) => (one[1].length > most[1].length ? one : most), ['', ''])[0];
}

const noRoom =
  'These values do not fit on the next page, where you confirm them, so I sent nothing. Shorten this one, which is the longest.';

/**
 * Stores the job, or the plan, before Slack hears of success: a form that closes is a job that is kept. A teardown whose
 * records changed since its person saw them is shown anew, and so is a form whose port or name another request takes by now.
 */
async function keep(
  desk: FormTaker,
  form: SubmittedForm,
  byValues: FormSteps,
  freeSince?: number,
): Promise<ModalAnswer> {
  const { owner, operation, view, metadata } = form;
  const block = at(view, ...(operation.typed && metadata.pending ? [confirmBlock] : []), operation.target);
  const read = stepsOf(desk.pages, form, byValues).catch(failureBut());
  const plan = await Promise.race([read, form.late]);
  if (plan === 'late') return faultAt(block, readLate);
  if (plan instanceof Failure) return faultAt(block, `${plan.message} Nothing was requested.`);
  if (plan.type === 'fault') return faultAt(at(view, plan.field, block), plan.sentence);
  if (plan.type === 'changed') return lastPageOf(desk, form, changedNote);
  // A page that came before its record was read shows the name alone that was chosen.
  const asShown = operation.warning && {
    ...(metadata.asShown ?? marksOfName(form.inputs[operation.target], metadata.labels)),
    ...('asShown' in plan ? plan.asShown : {}),
  };
  const known = { ...form, asShown };
  const whole = plan.type === 'plan' ? { ...known, operation: plan.operation, steps: plan.steps } : known;
  const kept = await Promise.race([keepJob(desk, whole, form.reason || null, freeSince), form.late]);
  if (kept === true) return { type: 'closed' };
  if (kept === 'taken') return { type: 'shown', view: await overtakenForm(desk.pages, owner, operation, view) };
  if (kept === 'other') return faultAt(block, takenBefore);
  return faultAt(block, kept === 'late' ? storedLate : storeFault);
}

const readLate = 'The service is slow to list its records, so I requested nothing. Submit this again in a moment.';
const changedNote =
  ':arrows_counterclockwise: *The records have changed since you saw them.* Check this again; nothing has been requested yet.';

/** The block of the first of these fields that the page has; the page's first one where it has none of them. */
function at({ blockIds }: SeenForm, ...names: readonly string[]): string {
  return names.flatMap(name => blockIds[name] ?? [])[0] ?? '';
}

function faultsAt(faults: readonly (readonly [string, string])[]): ModalAnswer {
  return { type: 'faults', at: Object.fromEntries(faults) };
}

/** The inputs with the day until which a clone is kept as the moment at which it ends for this person. */
async function inTheirZone(
  desk: Desk<'people' | 'clock'>,
  owner: Owner,
  { fields }: JobOperation,
  inputs: Inputs,
): Promise<Inputs> {
  const name = fields.find(({ role }) => role === 'keepFor')?.name;
  const text = name && inputs[name];
  return text
    ? { ...inputs, [name]: inOwnZone(text, await within(desk.clock, lookPatience, desk.people.zoneOf(owner))) }
    : inputs;
}

/** The longest wait for each of two readings while Slack waits for the answer to a submit, in milliseconds. */
const patience = 500;

/** The form anew, where another request takes the port or the name of this one: with the next free one. */
async function overtakenForm(
  desk: FactReader & Desk<'fieldRules'>,
  owner: Owner,
  operation: JobOperation,
  seen: SeenForm,
): Promise<ModalView> {
  const unique = operation.fields.filter(isUnique);
  const reading = pendingThere(desk, { owner, operation, inputs: seen.inputs });
  const others = (await within(desk.clock, patience, reading).catch(() => undefined)) ?? [];
  const isTaken = ({ fill, name }: (typeof unique)[number]) => {
    const text = seen.inputs[name]?.trim();
    return text && others.some(other => (fill === 'port' ? other.port === Number(text) : other.name === text));
  };
  const { filled = {} } = seen.metadata;
  const taken = unique.filter(isTaken);
  const anew = unique.filter(field => filled[field.name] || taken.includes(field)).map(({ name }) => name);
  const empty = without(seen, anew);
  const named = taken.map(field => `${bold(field.label)} ${code(seen.inputs[field.name] ?? '', 60)}`);
  const note = `:warning: Another request under way has ${named.join(', ') || 'the same'}, so I have not sent this yet. Check it and submit it again.`;
  return form(operation, await filledInTime(desk, { owner, operation }, { ...empty, notes: [note] }, patience));
}
