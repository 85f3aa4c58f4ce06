import type { ModalView } from '@slack/types';
import { LRUCache } from 'lru-cache';
import { type JobOperation, vendorOf } from '../../operations/operation.ts';
import { isUnique, placeField } from '../../operations/prefill/prefill.ts';
import type { Owner } from '../../store/vault.ts';
import { mustBeAdmitted } from '../desk/admission.ts';
import { replaceView } from '../desk/views.ts';
import { isDecisive } from './fieldInput.ts';
import {
  atOnce,
  filledInTime,
  fillPatience,
  fillState,
  inTime,
  isToFill,
  recentInTime,
  unfilledNote,
} from './fill/fillForm.ts';
import { gatherFacts } from './fill/formFacts.ts';
import { withNeeded } from './fill/needed.ts';
import type { Filler, FormDrawer } from './formDesk.ts';
import { form } from './formModal.ts';
import { type FormState, type RecentTarget, type SeenForm, withResets } from './formState.ts';
import { findBlock, withFoundPart } from './partFinder.ts';
import { shownFields } from './shortForm.ts';

/**
 * The content of a form after a decisive field changed: fields that depend on it are emptied, and so is what Dolly
 * filled in for the value before. All others keep their values.
 */
export function afterChange(operation: JobOperation, before: FormState, changed: string, now: FormState): FormState {
  const otherVendor = vendorOf(operation, before.inputs) !== vendorOf(operation, now.inputs);
  const inputs: Record<string, string> = { ...now.inputs };
  const resets: Record<string, number> = { ...now.resets };
  const filled = { ...now.metadata.filled };
  delete filled[changed];
  const isPlace = changed === placeField(operation);
  for (const field of operation.fields) {
    const { name } = field;
    const reason = field.dependsOn?.[changed];
    const depends = reason !== undefined && (reason === 'value' || otherVendor);
    const follows = filled[name] !== undefined && (changed === operation.target || (isPlace && isUnique(field)));
    if (before.inputs[changed] === now.inputs[changed] || !(depends || follows)) continue;
    delete inputs[name];
    delete filled[name];
    resets[name] = (resets[name] ?? 0) + 1;
  }
  return { ...now, inputs, resets, metadata: { ...now.metadata, filled }, isRedrawn: true };
}

/** The decisive fields whose values the form was not drawn for. */
function changedSince(operation: JobOperation, { inputs, metadata }: FormState): readonly string[] {
  return operation.fields
    .filter(field => isDecisive(operation, field))
    .map(({ name }) => name)
    .filter(name => (metadata.chosen[name] ?? '') !== (inputs[name] ?? ''));
}

/** Whether a form does not show yet what belongs to its latest choices. */
export function isUnseen(operation: JobOperation, seen: FormState): boolean {
  return (
    seen.metadata.isFilling === true || seen.inputs[findBlock] !== undefined || changedSince(operation, seen).length > 0
  );
}

/** The content of a form that the person saw, after all of its changes since it was drawn. */
export function afterChanges(operation: JobOperation, seen: FormState): FormState {
  let now: FormState = withFoundPart(operation, { ...seen, isRedrawn: true });
  for (const name of changedSince(operation, seen)) {
    const inputs = { ...now.inputs, [name]: seen.metadata.chosen[name] ?? '' };
    now = afterChange(operation, { ...now, inputs }, name, now);
  }
  return now;
}

/** The content of a form without anything that Dolly filled in. */
export function emptied(seen: FormState): FormState {
  const { filled = {}, ...metadata } = seen.metadata;
  return without({ ...seen, metadata: { ...metadata, plain: true } }, Object.keys(filled));
}

/** The content of a form with some fields emptied. */
export function without(seen: FormState, names: readonly string[]): FormState {
  const inputs = Object.fromEntries(Object.entries(seen.inputs).filter(([name]) => !names.includes(name)));
  return { ...seen, inputs, resets: withResets(seen.resets, names), isRedrawn: true };
}

/**
 * The content of a form after the person took a target from its buttons. A kind that only stood there, being the first
 * one, gives way to the one that was chosen last for this target.
 */
export function withTarget(operation: JobOperation, seen: FormState, { id, label }: RecentTarget): FormState {
  const kinds = operation.fields.filter(
    ({ name, role, widget }) =>
      role === 'kind' && widget.type === 'choice' && seen.inputs[name] === widget.options[0]?.value,
  );
  const cleared = without(seen, [operation.target, ...kinds.map(({ name }) => name)]);
  const inputs = { ...cleared.inputs, [operation.target]: id };
  const now = { ...cleared, inputs, labels: { ...seen.labels, [id]: label } };
  return afterChange(operation, seen, operation.target, now);
}

/** An open form that is to be drawn anew: the person who fills it, and the view as it was when they used it. */
export type OpenedForm = Readonly<{
  owner: Owner;
  operation: JobOperation;
  seen: SeenForm;
  viewId: string;
  hash: string;
}>;

/**
 * Draws a form anew after its person used it, and fills in what the records show. Where those take their time, the
 * fields that they may fill appear only with them, so that nothing is filled into a field in which somebody types.
 */
export async function redraw(desk: FormDrawer, opened: OpenedForm, changed: FormState): Promise<void> {
  const { owner, operation, viewId, hash } = opened;
  const { team } = owner;
  const isLatest = takeTurn(viewId);
  const state = await withNeeded(desk, operation, changed);
  const draw = (drawn: FormState) =>
    isLatest() ? replaceView(desk, { team, id: viewId, hash }, form(operation, drawn), isLatest) : undefined;
  if (!isToFill(operation, state)) return redrawAsIs(desk, opened, state);
  const reading = mustBeAdmitted(desk, owner).then(() =>
    gatherFacts(desk.pages, { owner, operation, inputs: state.inputs, left: state.metadata.left }),
  );
  const ready = await inTime(desk, atOnce, reading);
  if (ready) return void (await draw(fillState(operation, state, ready)));
  const waiting = { ...state, metadata: { ...state.metadata, isFilling: true } };
  const drawn = await draw(waiting);
  const late = await inTime(desk, fillPatience, reading);
  if (drawn === undefined || !isLatest()) return;
  const seen = shownFields(operation, waiting).map(({ name }) => name);
  const filled = late && fillState(operation, state, late, ({ name }) => !seen.includes(name));
  const complete = filled ?? { ...state, notes: [...state.notes, unfilledNote] };
  await replaceView(desk, { team, id: viewId, hash: drawn }, form(operation, complete));
}

/**
 * The view of a form that was submitted before it showed what belongs to its latest choices: its person has not seen
 * yet what would be sent. Gives `undefined` for any other form. Takes no longer than a submit may take.
 */
export async function completedForm(
  desk: Filler,
  owner: Owner,
  operation: JobOperation,
  seen: SeenForm,
): Promise<ModalView | undefined> {
  if (!isUnseen(operation, seen)) return undefined;
  const changed = afterChanges(operation, seen);
  const { isFilling: _, ...metadata } = changed.metadata;
  const state = await withNeeded(desk, operation, { ...changed, metadata });
  if (!isToFill(operation, state)) return form(operation, state);
  return form(operation, await filledInTime(desk.pages, { owner, operation }, state, submitPatience));
}

/** The longest wait for facts while Slack waits for the answer to a submit, in milliseconds. */
const submitPatience = 1_000;

/** The last use of each open form in this process. The least recently used go first. */
const turns = new LRUCache<string, symbol>({ max: 1_000 });

/** Draws a form anew as its content says, without filling anything in. */
export async function redrawAsIs(desk: FormDrawer, opened: OpenedForm, state: FormState): Promise<void> {
  const { owner, operation, viewId, hash } = opened;
  const isLatest = takeTurn(viewId);
  const recent = state.inputs[operation.target] ? [] : await recentInTime(desk.pages, owner, operation);
  const shown = { team: owner.team, id: viewId, hash };
  await replaceView(desk, shown, form(operation, { ...state, recent }), isLatest);
}

/** Notes a use of a form. The returned function tells whether it is still the last one. */
function takeTurn(viewId: string): () => boolean {
  const turn = Symbol(viewId);
  turns.set(viewId, turn);
  return () => turns.get(viewId) === turn;
}
