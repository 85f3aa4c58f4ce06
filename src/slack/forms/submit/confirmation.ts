import type { Button, KnownBlock, ModalView } from '@slack/types';
import { typedIdentifier } from '../../../api/identifiers.ts';
import { canBeRead, keyed } from '../../../ground/lookalikes.ts';
import { inRow } from '../../../ground/wording.ts';
import type { Policy } from '../../../jobs/approval/policy/rules.ts';
import { mayNeedApproval } from '../../../jobs/approval/policy/verdict.ts';
import { check, type Inputs } from '../../../jobs/newJob.ts';
import { nameOfStep } from '../../../jobs/plans/stepWords.ts';
import { leftOutIn } from '../../../jobs/plans/teardownNow.ts';
import { isSurelyDependent } from '../../../operations/availability.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import { deleteDatabase } from '../../../operations/databases.ts';
import type { Field, JobOperation } from '../../../operations/operation.ts';
import { backUpField } from '../../../operations/plans/backUpFirst.ts';
import { isBrought, type PlanStep } from '../../../operations/plans/plan.ts';
import { teardownOf } from '../../../operations/plans/teardownAndRenew.ts';
import type { ShownMarks } from '../../../store/jobs/rows/data.ts';
import { section } from '../../blocks/blocks.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import { sayWhyToApprovers, whyBlock } from '../../blocks/reasonInput.ts';
import type { Desk } from '../../desk/desk.ts';
import { replaceView } from '../../desk/views.ts';
import { operationAction } from '../../words/commandActions.ts';
import { fieldInput } from '../fieldInput.ts';
import { snapshotNote } from '../fill/fillForm.ts';
import { recordInputs } from '../fill/inputsInWords.ts';
import type { FormDrawer } from '../formDesk.ts';
import { confirmBlock, lastPage, nameToType } from '../formModal.ts';
import type { CheckedForm, SeenForm } from '../formState.ts';
import { digestOfSteps, leaveOutBlock } from '../plans/formSteps.ts';
import { teardownBlocks } from '../plans/teardownPage.ts';
import type { OpenedForm } from '../redraw.ts';
import { type Below, type FormToConfirm, type PageFacts, type PageParts, readPageFacts } from './pageFacts.ts';

/**
 * The last page of an operation that does harm. It says what will happen to the target, with what is read of it.
 * `note` stands above everything.
 */
export function lastPageWith(form: FormToConfirm, facts: PageFacts, note?: string): ModalView {
  const { metadata, inputs, values } = form;
  const { operation, known, parts } = facts;
  const labels = namedAsRead(form, known?.asShown);
  const name = targetNameIn(operation, labels, inputs);
  // Name a record by its name, too.
  const named = recordInputs(operation, inputs).flatMap(field => {
    const [value, label] = [values[field.name], labels[field.text]];
    return value === undefined || label === undefined || label === value ? [] : [[field.name, `${label} (${value})`]];
  });
  const warning = operation.warning?.(name, { ...values, ...Object.fromEntries(named) }) ?? '';
  const own = lastPageFields(form);
  const pending = Object.fromEntries(Object.entries(inputs).filter(([field]) => !own.some(one => one.name === field)));
  const isTeardown = operation.type === 'plan' && operation.makes === 'teardown';
  const seen = parts?.seen && digestOfSteps(parts.seen);
  const blocks = parts ? partBlocks(form, parts) : isTeardown ? [section(lookingForTree)] : [];
  const { guarded: _, typed: __, ...free } = operation;
  const shown = known?.isFree ? free : operation;
  const asksWhy = (!known?.isFree && facts.mayAskWhy) || undefined;
  const page = { ...metadata, labels, asksWhy, asShown: known?.asShown, ...(seen === undefined ? {} : { seen }) };
  // What the service alone would refuse is for the service to say.
  const isShut = parts?.refusal !== undefined || known?.isRefused === true || (isTeardown && seen === undefined);
  return lastPage(shown, page, pending, {
    ...{ sentence: warning, name, known, note, isShut },
    // Slack takes no inputs in a page that cannot be submitted.
    blocks: isShut ? blocks.map(withoutInput) : [...blocks, ...ownInputs(form, own)],
    offers: [...(known?.offers ?? []), ...offersFor(form, parts?.below)],
  });
}

/**
 * The labels of a page, with the name of the target as it was just read: what was remembered of it may be the name of another
 * record, and nobody confirms one record by the name of another.
 */
function namedAsRead({ operation, inputs, metadata: { labels } }: CheckedForm, asShown: ShownMarks = {}) {
  const target = inputs[operation.target] ?? '';
  const name = asShown[target]?.name;
  return name === undefined || labels[target] === undefined ? labels : { ...labels, [target]: name };
}

/** A choice that redraws the page as one beside a text; every other block as it is. */
function withoutInput(block: KnownBlock): KnownBlock {
  if (block.type !== 'input' || block.element.type !== 'multi_static_select') return block;
  const { block_id, label, hint, element } = block;
  const { focus_on_load: _, ...accessory } = element;
  const text = hint ? `*${plain(label.text)}*\n${plain(hint.text)}` : `*${plain(label.text)}*`;
  return { ...section(text), ...(block_id === undefined ? {} : { block_id }), accessory };
}

const lookingForTree = ':hourglass_flowing_sand: Looking at the records for everything that this deletes …';

/** The inputs of fields that a form asks for on its last page alone. */
function ownInputs({ operation, inputs, metadata }: FormToConfirm, own: readonly Field[]) {
  const state = { metadata, inputs, labels: metadata.labels, resets: {}, notes: [] };
  return own.filter(({ name }) => name !== leaveOutBlock).map(field => fieldInput(operation, field, state));
}

/** The target's name in a form, or the target as it was typed. */
function targetNameIn(operation: JobOperation, labels: Readonly<Record<string, string>>, inputs: Inputs): string {
  const target = inputs[operation.target] ?? '';
  return labels[target] ?? target;
}

/**
 * Reads a submitted page: the texts of the whole form, and the reason. `faults` are those of what a last page asks beside
 * the fields, by its blocks: the confirmation is neither the name as it is written nor the identifier, or there is no reason.
 */
export function readPage({ policy }: Desk<'policy'>, operation: JobOperation, view: SeenForm) {
  const { metadata, labels, blockIds } = view;
  const inputs = metadata.pending ? inputsOfPage(operation, view) : trimmed(view.inputs);
  const target = inputs[operation.target] ?? '';
  const wanted = nameToType(targetNameIn(operation, labels, inputs), target);
  const typed = keyed(view.inputs[confirmBlock]?.trim() ?? '');
  const reason = view.inputs[whyBlock]?.trim() ?? '';
  const faults: [string, string][] = [];
  // The page of somebody who may do this alone asks for less; what is sent is judged once more.
  const mayBeFree = metadata.pending !== undefined && mayBeFreed(policy, operation);
  const asksForName = operation.typed && !(mayBeFree && blockIds[confirmBlock] === undefined);
  if (asksForName && typed !== keyed(wanted) && typed !== target)
    faults.push([confirmBlock, `Type ${wanted} exactly as shown here, or ${target}.`]);
  const asksWhy = mayBeFree ? metadata.asksWhy : mayNeedApproval(policy, operation);
  if (asksWhy && !canBeRead(reason)) faults.push([whyBlock, sayWhyToApprovers]);
  return { inputs, reason, faults };
}

/** Whether some people may do this without another one: to what they have made themselves. */
function mayBeFreed({ freesOwnClones }: Policy, operation: JobOperation): boolean {
  return operation.type === 'plan'
    ? operation.freeForMaker === true
    : freesOwnClones && operation.name === deleteDatabase.name;
}

/** The inputs without surrounding blanks, which would count where Slack keeps them between two pages. */
function trimmed(inputs: Inputs): Inputs {
  return Object.fromEntries(Object.entries(inputs).map(([name, text]) => [name, text.trim()]));
}

/** The inputs of a submitted page: those of the form before a last page, and those of the last page itself. */
function inputsOfPage(operation: JobOperation, { metadata, inputs }: Pick<SeenForm, 'metadata' | 'inputs'>): Inputs {
  const own = Object.entries(inputs).filter(([name]) => operation.fields.some(field => field.name === name));
  return { ...metadata.pending, ...Object.fromEntries(own) };
}

/** Draws a last page anew after one of its own inputs changed: the steps of a teardown follow from them. */
export async function redrawLastPage(desk: FormDrawer, { owner, operation, seen, viewId, hash }: OpenedForm) {
  const inputs = inputsOfPage(operation, seen);
  const checked = check(operation, inputs);
  if (!checked.ok) return;
  const { metadata } = seen;
  const form = { owner, operation, metadata, inputs, values: checked.values };
  const view = lastPageWith(form, await readPageFacts(desk.pages, form));
  await replaceView(desk, { team: owner.team, id: viewId, hash }, view);
}

/** The fields that a form asks for on its last page, since it opens there. */
function lastPageFields({ operation, inputs }: Pick<FormToConfirm, 'operation' | 'inputs'>): readonly Field[] {
  const backup = backUpField(operation);
  const noun = typedIdentifier(inputs[operation.target] ?? '')?.noun;
  const isHere = operation.type === 'write' && operation.deletes && backup && noun && backup.targets?.includes(noun);
  return operation.fields.filter(field => field.name === leaveOutBlock || (isHere && field === backup));
}

/** What a last page says about steps. */
function partBlocks(
  { operation, inputs, values }: FormToConfirm,
  { unread, refusal, steps, unfit = [], below = [], seen }: PageParts,
): KnownBlock[] {
  const makes = operation.type === 'plan' ? operation.makes : undefined;
  const target = inputs[operation.target] ?? '';
  const of = typedIdentifier(target);
  return [
    ...(unread === undefined || operation.type !== 'plan' ? [] : [section(`:no_entry: ${plain(unread, 600)}`)]),
    ...(refusal === undefined ? [] : [section(`:no_entry: *It would be refused now.* ${plain(refusal, 600)}`)]),
    ...(steps ? [stepsBlock(steps)] : []),
    ...snapshotNote(operation, inputs, unfit).map(section),
    ...(makes === 'renewal' ? hindranceBlocks(target, below) : []),
    ...(seen && of ? teardownBlocks(seen, of, leftOutIn(values.leaveOut)) : []),
  ];
}

/** The steps that follow from the values of a form, in the order in which they are done. */
function stepsBlock(steps: readonly PlanStep[]): KnownBlock {
  const lines = steps.map((step, at) => `${at + 1}. ${plain(`${nameOfStep(step)}${fromSnapshot(step)}`, 200)}`);
  return section(`One at a time, each after the one before is confirmed:\n${lines.join('\n')}`);
}

/** The snapshot that a step starts from, where its operation takes one. */
function fromSnapshot({ operation, values, labels }: PlanStep): string {
  const field = writeOperation(operation)?.fields.find(({ role }) => role === 'snapshot');
  if (!field) return '';
  const snapshot = values[field.name];
  if (snapshot === undefined) return ', from the latest snapshot';
  if (isBrought(snapshot)) return `, from the snapshot of step ${snapshot.step + 1}`;
  return `, from the snapshot ${labels[String(snapshot)] ?? snapshot}`;
}

/** Says what a renewal would delete with the record, and does not bring back. */
function hindranceBlocks(target: string, below: readonly Below[]): readonly KnownBlock[] {
  const others = below.filter(({ id }) => id !== target);
  if (others.length === 0) return [];
  const verb = others.length === 1 ? 'depends' : 'depend';
  const names = others.map(({ id, name }) => plain(name ?? id, 60));
  const why = `${inRow(names, 5)} ${verb} on it, and a renewal does not bring them back.`;
  const leads = others.some(isSurelyDependent)
    ? ':no_entry: The service will refuse this'
    : ':grey_question: The service may refuse this';
  return [section(`${leads}: ${why}`)];
}

/** The button that asks for the deletion of a record with all that depends on it; none where nothing does. */
function offersFor({ operation: { target }, inputs }: FormToConfirm, below: readonly Below[] = []): readonly Button[] {
  const id = typedIdentifier(inputs[target] ?? '');
  const operation = id && teardownOf(id);
  const many = below.length;
  if (!operation || many < 2) return [];
  const label = many === 2 ? 'Delete both, in order…' : `Delete all ${many}, in order…`;
  return [operationAction(operation).button(label, id.text, { style: 'danger' })];
}
