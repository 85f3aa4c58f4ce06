import type { Button, KnownBlock, ModalView } from '@slack/types';
import { type Identifier, typedIdentifier } from '../../../api/identifiers.ts';
import type { RecordView } from '../../../api/reading/recordView.ts';
import { Failure } from '../../../ground/failure.ts';
import { canBeRead, keyed } from '../../../ground/lookalikes.ts';
import { inRow } from '../../../ground/wording.ts';
import { guardedFor } from '../../../jobs/approval/people/maker.ts';
import type { Policy } from '../../../jobs/approval/policy/rules.ts';
import { mayNeedApproval } from '../../../jobs/approval/policy/verdict.ts';
import { check, type Inputs } from '../../../jobs/newJob.ts';
import { askedPlan, judgePlan } from '../../../jobs/plans/checkPlan.ts';
import { nameOfStep } from '../../../jobs/plans/stepWords.ts';
import { leftOutIn } from '../../../jobs/plans/teardownNow.ts';
import { isSurelyDependent } from '../../../operations/availability.ts';
import { writeOperation } from '../../../operations/catalogue.ts';
import { deleteDatabase } from '../../../operations/databases.ts';
import type { Field, JobOperation } from '../../../operations/operation.ts';
import { backUpField } from '../../../operations/plans/backUpFirst.ts';
import { isBrought, type PlanStep } from '../../../operations/plans/plan.ts';
import { teardownOf } from '../../../operations/plans/teardownAndRenew.ts';
import type { TreeNode } from '../../../operations/plans/tree.ts';
import type { ShownMarks } from '../../../store/jobs/rows/data.ts';
import type { Owner } from '../../../store/vault.ts';
import { section } from '../../blocks/blocks.ts';
import { plain } from '../../blocks/mrkdwn.ts';
import { sayWhyToApprovers, whyBlock } from '../../blocks/reasonInput.ts';
import type { Desk } from '../../desk/desk.ts';
import { replaceView } from '../../desk/views.ts';
import { operationAction } from '../../words/commandActions.ts';
import { fieldInput } from '../fieldInput.ts';
import { knownBeforehand } from '../fill/beforehand.ts';
import { snapshotNote } from '../fill/fillForm.ts';
import { unfitSnapshots } from '../fill/formFacts.ts';
import { recordInputs } from '../fill/inputsInWords.ts';
import type { FormDrawer, PageReader } from '../formDesk.ts';
import { confirmBlock, lastPage, nameToType } from '../formModal.ts';
import type { CheckedForm, Metadata, SeenForm } from '../formState.ts';
import { digestOfSteps, leaveOutBlock, readTeardown, seenTeardown, stepsByValues } from '../plans/formSteps.ts';
import { teardownBlocks } from '../plans/teardownPage.ts';
import type { OpenedForm } from '../redraw.ts';

/**
 * The last page of an operation that does harm. It says what will happen to the target, and adds facts about the target
 * if they arrive before `late`.
 */
export async function confirmation(
  desk: PageReader,
  form: CheckedForm & Readonly<{ metadata: Metadata }>,
  { late, note }: Readonly<{ late?: Promise<unknown>; note?: string }> = {},
): Promise<ModalView> {
  const { owner, metadata, inputs, values } = form;
  const inTime = <T>(reading: Promise<T>) => Promise.race([reading, ...(late ? [late.then(() => undefined)] : [])]);
  const asked = guardedFor(desk, owner, form.operation, inputs[form.operation.target] ?? '');
  const operation = (await inTime(asked)) ?? form.operation;
  const [known, parts] = await Promise.all([
    inTime(knownBeforehand(desk, owner, operation, values)),
    inTime(pageParts(desk, form)),
  ]);
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
  const { seen, blocks = isTeardown ? [section(lookingForTree)] : [], offers = [], isRefused = false } = parts ?? {};
  const { guarded: _, typed: __, ...free } = operation;
  const shown = known?.isFree ? free : operation;
  const asksWhy = (!known?.isFree && mayNeedApproval(desk.policy, operation)) || undefined;
  const page = { ...metadata, labels, asksWhy, asShown: known?.asShown, ...(seen === undefined ? {} : { seen }) };
  // What the service alone would refuse is for the service to say.
  const isShut = isRefused || known?.isRefused === true || (isTeardown && seen === undefined);
  return lastPage(shown, page, pending, {
    ...{ sentence: warning, name, known, note, isShut },
    // Slack takes no inputs in a page that cannot be submitted.
    blocks: isShut ? blocks.map(withoutInput) : [...blocks, ...ownInputs(form, own)],
    offers: [...(known?.offers ?? []), ...offers],
  });
}

/**
 * The labels of a page, with the name of the target as it was just read: what was remembered of it may be the name of another
 * record, and nobody confirms one record by the name of another.
 */
function namedAsRead(
  { operation, inputs, metadata }: CheckedForm,
  asShown: ShownMarks = {},
): CheckedForm['metadata']['labels'] {
  const target = inputs[operation.target] ?? '';
  const name = asShown[target]?.name;
  return name === undefined || metadata.labels[target] === undefined
    ? metadata.labels
    : { ...metadata.labels, [target]: name };
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
function ownInputs(
  { operation, inputs, metadata }: CheckedForm & Readonly<{ metadata: Metadata }>,
  own: readonly Field[],
) {
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
  const view = await confirmation(desk.pages, { owner, operation, metadata, inputs, values: checked.values });
  await replaceView(desk, { team: owner.team, id: viewId, hash }, view);
}

type FormToConfirm = Pick<CheckedForm, 'owner' | 'operation' | 'inputs' | 'values' | 'metadata'>;

/** The fields that a form asks for on its last page, since it opens there. */
function lastPageFields({ operation, inputs }: Pick<FormToConfirm, 'operation' | 'inputs'>): readonly Field[] {
  const backup = backUpField(operation);
  const noun = typedIdentifier(inputs[operation.target] ?? '')?.noun;
  const isHere = operation.type === 'write' && operation.deletes && backup && noun && backup.targets?.includes(noun);
  return operation.fields.filter(field => field.name === leaveOutBlock || (isHere && field === backup));
}

/**
 * Reads what a last page says about the steps: the tree of a teardown, the clones in the way of a renewal, and the
 * teardown in place of a deletion that would be refused. What cannot be read is said, or left out. `seen` is the digest of
 * the steps of a teardown that the page shows.
 */
async function pageParts(desk: PageReader, asked: FormToConfirm) {
  const { owner, operation } = asked;
  const target = typedIdentifier(asked.inputs[operation.target] ?? '');
  if (!target) return undefined;
  const makes = operation.type === 'plan' ? operation.makes : undefined;
  try {
    const byValues = stepsByValues(asked);
    const seen = makes === 'teardown' ? await seenTeardown(desk, asked, desk.clock.now()) : undefined;
    const isInTheWay = makes === 'renewal' || (operation.type === 'write' && operation.deletes === true);
    const below = isInTheWay ? await dependentsBelow(desk, owner, target) : [];
    // The loss by a restore tells it, too.
    const unfit = makes === 'renewal' ? await unfitSnapshots(desk, asked) : [];
    const plan = byValues.type === 'plan' ? byValues : { operation, steps: seen?.teardown.steps ?? [] };
    const obstacles = await obstacleBlocks(desk, { ...asked, operation: plan.operation }, plan.steps);
    return {
      isRefused: obstacles.length > 0,
      blocks: [
        ...obstacles,
        ...(byValues.type === 'plan' ? [stepsBlock(plan.steps)] : []),
        ...snapshotNote(operation, asked.inputs, unfit).map(section),
        ...(makes === 'renewal' ? hindranceBlocks(target, below) : []),
        ...(seen ? teardownBlocks(seen, target, leftOutIn(asked.values.leaveOut)) : []),
      ],
      offers: offersFor(target, below.length),
      seen: seen && digestOfSteps(seen),
    };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    desk.log.info({ error, operation: operation.name }, 'a last page is shown without its steps');
    const lines = operation.type === 'plan' ? [section(`:no_entry: ${plain(error.message, 600)}`)] : [];
    return { blocks: lines };
  }
}

/** Says why a plan would be refused as the records are now: nobody would be asked to approve it. */
async function obstacleBlocks(
  desk: PageReader,
  { owner, operation, values }: FormToConfirm,
  steps: readonly PlanStep[],
) {
  const session = steps.length > 0 ? await desk.records.session(owner) : undefined;
  if (!session) return [];
  const judged = await judgePlan(desk, askedPlan(operation, { ...owner, values, steps }), session);
  return 'reason' in judged ? [section(`:no_entry: *It would be refused now.* ${plain(judged.reason, 600)}`)] : [];
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
function hindranceBlocks(target: Identifier, below: readonly Below[]): readonly KnownBlock[] {
  const others = below.filter(({ id }) => id !== target.text);
  if (others.length === 0) return [];
  const verb = others.length === 1 ? 'depends' : 'depend';
  const names = others.map(({ id, name }) => plain(name ?? id, 60));
  const why = `${inRow(names, 5)} ${verb} on it, and a renewal does not bring them back.`;
  const leads = others.some(isSurelyDependent)
    ? ':no_entry: The service will refuse this'
    : ':grey_question: The service may refuse this';
  return [section(`${leads}: ${why}`)];
}

/** A record that depends on a target, or the target itself. */
type Below = TreeNode & Pick<RecordView, 'state'>;

async function dependentsBelow(desk: Desk<'jobs' | 'keepersOf' | 'records'>, owner: Owner, target: Identifier) {
  if (!teardownOf(target)) return [];
  const { teardown, recordOf } = await readTeardown(desk, owner, target, { leftOut: [], notBefore: 0 });
  return [...teardown.tree.nodes.values()].map((node): Below => ({ ...node, state: recordOf(node.id)?.state }));
}

/** The button that asks for the deletion of a record with all that depends on it; none where nothing does. */
function offersFor(target: Identifier, many: number): readonly Button[] {
  const operation = teardownOf(target);
  if (!operation || many < 2) return [];
  const label = many === 2 ? 'Delete both, in order…' : `Delete all ${many}, in order…`;
  return [operationAction(operation).button(label, target.text, { style: 'danger' })];
}
