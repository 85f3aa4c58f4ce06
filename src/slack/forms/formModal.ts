import type { ActionsBlock, Button, KnownBlock, ModalView } from '@slack/types';
import { vendorNames } from '../../api/identifiers.ts';
import { memoByObject } from '../../ground/remembered.ts';
import type { Inputs } from '../../jobs/newJob.ts';
import { doubtsAboutTexts } from '../../operations/doubts.ts';
import { type Field, fieldsFor, type JobOperation, vendorOf } from '../../operations/operation.ts';
import { fillPhrase } from '../../operations/phrases.ts';
import { backUpField } from '../../operations/plans/backUpFirst.ts';
import { legible } from '../../records/legible.ts';
import { asNothing, asText, defineAction } from '../blocks/action.ts';
import { actionsRow, context, input, mrkdwn, section } from '../blocks/blocks.ts';
import { typeText } from '../blocks/inputs.ts';
import { cut, cutMarkup, limits } from '../blocks/limits.ts';
import { bold, plain } from '../blocks/mrkdwn.ts';
import { approversRead, reasonInput, whyBlock } from '../blocks/reasonInput.ts';
import { warningBlock } from '../blocks/warningBlock.ts';
import { shortName } from '../records/recordBlocks.ts';
import { doubtLine, lossAsked, meetingLines } from '../records/targetWords.ts';
import { fieldInput, hasNoRoom, isDecisive } from './fieldInput.ts';
import type { Beforehand } from './fill/beforehand.ts';
import { explainForm, filledLine, isUnexplained } from './fill/filledLine.ts';
import { type FormState, formModal, type Metadata, notesBlock, writeMetadata } from './formState.ts';
import { partFinder } from './partFinder.ts';
import { presetInput, saveAsPreset } from './presets/presetField.ts';
import { decidingField, isNeeded, shownFields } from './shortForm.ts';

/** The hint at the reason where it may be that nobody approves. */
const mayBeApproved = 'The policy may require others to approve this; they will read your reason.';

/** The form of an operation: a pure function of its fields and its content so far. */
export function form(operation: JobOperation, whole: FormState): ModalView {
  const shown = shownFields(operation, whole);
  const long = shown.filter(field => hasNoRoom(field, whole.inputs[field.name] ?? ''));
  const state = long.length === 0 ? whole : { ...whole, inputs: withoutFields(whole.inputs, long) };
  const fields = fieldsFor(operation, state.inputs);
  const chosen = Object.fromEntries(
    fields.flatMap(field => {
      const value = state.inputs[field.name];
      return isDecisive(operation, field) && value ? [[field.name, value]] : [];
    }),
  );
  const labels = Object.fromEntries(
    fields.flatMap(({ name, widget }) => {
      const value = widget.type === 'record' ? state.inputs[name] : undefined;
      const label = value === undefined ? undefined : state.labels[value];
      return value !== undefined && label !== undefined ? [[value, cut(label, limits.optionText)]] : [];
    }),
  );
  const doubts = doubtsAboutTexts(operation, state.inputs).map(doubtLine);
  const lines = [leadOf(operation, state), ...long.map(noRoomNote), ...state.notes, ...doubts].map(text =>
    mrkdwn(cutMarkup(text, 1000)),
  );
  const empty = state.isRedrawn
    ? []
    : shown.filter(({ name, widget }) => widget.type !== 'choice' && !state.inputs[name]);
  const first = empty.find(field => isNeeded(field, state.metadata)) ?? empty[0];
  const isShort = !state.metadata.isFilling && shown.length < fields.length;
  const blocks: KnownBlock[] = [
    ...(state.lead ?? []),
    { type: 'context', block_id: notesBlock, elements: lines.slice(0, 10) },
    ...(operation.warning ? [warningBlock('info', nothingYet)] : []),
    ...(state.metadata.presets ? [presetInput(state.metadata.preset)] : []),
    ...recentButtons(operation, state),
    ...filledLine(operation, state),
    ...shown.flatMap(field => [
      fieldInput(operation, field, state, field === first),
      ...(field.role === 'target' ? partFinder(operation, state) : []),
    ]),
    ...formButtons(operation, state, isShort),
    ...(state.metadata.asksWhy && !operation.warning
      ? [reasonInput({ text: state.inputs[whyBlock] ?? state.metadata.why, hint: mayBeApproved })]
      : []),
  ];
  const { filled, ...metadata } = state.metadata;
  const carried = {
    ...metadata,
    ...{ chosen, labels },
    ...(Object.keys(filled ?? {}).length > 0 ? { filled } : {}),
    ...(Object.keys(state.resets).length > 0 ? { resets: state.resets } : {}),
  };
  const title = shortName(operation);
  return formModal(operation).view(carried, { title, submit: operation.warning ? 'Next' : title, blocks });
}

function withoutFields(inputs: Inputs, fields: readonly Field[]): Inputs {
  return Object.fromEntries(Object.entries(inputs).filter(([input]) => !fields.some(({ name }) => name === input)));
}

function noRoomNote({ label }: Field): string {
  return `:warning: ${bold(label)}: the value is longer than a Slack field allows (${limits.inputText} characters), so I left it empty. Fill it in again.`;
}

/** Stands in a form whose last page warns. It comes before that page, so Dolly knows by then whether Slack takes alerts. */
const nothingYet = '*Next* sends nothing yet: it shows what will happen and asks you to confirm.';

/** The button that shows the fields which few people need. */
export const moreFields = defineAction('form.more', asNothing);
/** The button that takes a target which the person used last: its value is the identifier. */
export const takeTarget = defineAction('form.source', asText);

/** The button inside a form that puts its values on a schedule. */
export const scheduleInForm = defineAction('form.schedule', asNothing);

function formButtons({ presets }: JobOperation, state: FormState, isShort: boolean): ActionsBlock[] {
  const { schedules } = state.metadata;
  const elements = [
    ...(isShort ? [moreFields.button('More options', null)] : []),
    ...(isUnexplained(state) ? [explainForm.button('Why these values', null)] : []),
    ...(presets ? [saveAsPreset.button('Save as preset…', null)] : []),
    ...(schedules ? [scheduleInForm.button('On a schedule…', null)] : []),
  ];
  return actionsRow(elements, 'form');
}

function recentButtons(operation: JobOperation, { inputs, recent = [] }: FormState): ActionsBlock[] {
  if (inputs[operation.target] || recent.length === 0) return [];
  const elements = recent.map(({ id, label }, at) => takeTarget.button(label, id, { suffix: String(at) }));
  return [{ type: 'actions', block_id: 'recent', elements }];
}

/** The sentence above a form: what it asks now. */
function leadOf(operation: JobOperation, state: FormState): string {
  if (state.metadata.isFilling) return ':hourglass_flowing_sand: Looking at the records for what fits …';
  const vendor = vendorOf(operation, state.inputs);
  const recent = state.recent?.length ? ' You can also take one that you used last:' : '';
  if (!operation.fields.some(({ vendors }) => vendors))
    return `${operation.summary}.${state.inputs[operation.target] ? '' : recent}`;
  if (!vendor) {
    const target = operation.fields.find(({ name }) => name === operation.target);
    return `Choose the ${(target?.label ?? 'target').toLowerCase()} first.${recent}`;
  }
  const deciding = decidingField(operation, state);
  if (deciding) return `Choose the ${deciding.label.toLowerCase()}; the rest then appears.`;
  if (operation.type === 'plan' && operation.makes === 'renewal')
    return '1. If you tick *Newest data*, I back up the source.\n2. I delete the clone, with all changes made in it.\n3. I make it again, from the latest snapshot or the one you choose.\nThe fields show its current values: change what should differ.';
  return `What ${vendorNames[vendor]} needs. The service decides on fields that you leave empty.`;
}

/** The form with nothing filled in and no reason to give. It is made once, since it is the same for everybody. */
export function blankForm(operation: JobOperation, metadata: Metadata): ModalView {
  const { schedules = false } = metadata;
  return { ...blanks[schedules ? 'scheduled' : 'plain'](operation), private_metadata: writeMetadata(metadata) };
}

const blanks = { plain: blanksWith({}), scheduled: blanksWith({ schedules: true }) } as const;

function blanksWith(offers: Pick<Metadata, 'schedules'>) {
  const metadata = { request: '', channel: '', chosen: {}, labels: {}, ...offers };
  return memoByObject((operation: JobOperation) =>
    form(operation, { metadata, inputs: {}, labels: {}, resets: {}, notes: [] }),
  );
}

/** The text of a last page: a sentence about the harm, the target's name, and what is known of the request. */
type Warning = Readonly<{
  sentence: string;
  name: string;
  known?: Beforehand | undefined;
  /** A line above everything, such as why the page is shown again. */
  note?: string | undefined;
  /** What the page shows and asks below its warnings. */
  blocks?: readonly KnownBlock[];
  /** Buttons that lead to what would work instead. */
  offers?: readonly Button[];
  /** Whether the page cannot be submitted: what would come of it is certain to be refused, or is not shown yet. */
  isShut?: boolean;
}>;

/**
 * The last page of an operation that does harm. It says in words what will happen, and asks for the name if the
 * operation wants it typed; for nothing where it cannot be submitted. `pending` are the checked texts of the form before it.
 */
export function lastPage(
  operation: JobOperation,
  metadata: Metadata,
  pending: Inputs,
  { sentence, name, known, note, blocks = [], offers = [], isShut = false }: Warning,
): ModalView {
  const { impact } = known ?? {};
  const loss = lossAsked(operation, impact, pending[backUpField(operation)?.name ?? ''] === 'true');
  const met = impact ? meetingLines(impact) : [];
  // The rest belongs to the form before it.
  const { request, channel, thread, chosen, labels, asksWhy, why, seen, asShown } = metadata;
  const carried = { request, channel, thread, chosen, labels, asksWhy, why, seen, asShown, pending };
  const asksWhyFirst = asksWhy === true && !why;
  const hint = operation.guarded ? approversRead : mayBeApproved;
  const confirms = `Type ${nameToType(name, pending[operation.target] ?? '')} to confirm`;
  const focus = asksWhyFirst ? {} : ({ focus_on_load: true } as const);
  return formModal(operation).view(carried, {
    title: questionOf(operation, name),
    ...(isShut ? {} : { submit: asksWhy && operation.guarded ? 'Ask for approval' : shortName(operation) }),
    blocks: [
      ...(note === undefined ? [] : [section(note)]),
      ...harmBlocks(askedFor(operation, name, pending, known), plain(sentence, 1000), loss),
      ...(met.length > 0 ? [section(met.map(line => `•  ${line}`).join('\n'))] : []),
      ...(known?.warnings ?? []).map(({ level, text }) => warningBlock(level, text)),
      ...(known?.approval ? [context(known.approval)] : []),
      ...actionsRow(offers, 'offers'),
      ...blocks,
      ...(asksWhy && !isShut ? [reasonInput({ text: why, hint, hasFocus: asksWhyFirst })] : []),
      ...(operation.typed && !isShut ? [input(confirmBlock, confirms, typeText('', focus))] : []),
    ],
  });
}

/**
 * The request and its harm: all of it in the alert where it has room, else the loss in the alert, and the sentence below
 * the request.
 */
function harmBlocks(asked: string, sentence: string, loss: string | undefined): KnownBlock[] {
  const harm = [sentence, loss].filter(Boolean).join(' ');
  const isApart = loss !== undefined && sentence !== '' && harm.length > limits.alertText;
  return [
    { ...section(isApart ? `${asked}\n${sentence}` : asked), block_id: 'asked' },
    ...(harm === '' ? [] : [warningBlock('warning', isApart ? loss : harm, 'warning')]),
  ];
}

/** The first line of a last page: what is asked for, by its name, and what the target is. */
function askedFor({ phrases }: JobOperation, name: string, inputs: Inputs, known?: Beforehand): string {
  const fields = Object.entries(inputs).map(([field, text]) => [field, plain(text, 80)] as const);
  const asks = fillPhrase(phrases.asks, { ...Object.fromEntries(fields), name: plain(name, 200) });
  return `*${asks.charAt(0).toUpperCase()}${asks.slice(1)}*${known === undefined ? '' : `: ${known.what}`}`;
}

/** The title of a last page: "Delete shop-3310?", without a name that has no room. */
function questionOf(operation: JobOperation, name: string): string {
  const whole = `${shortName(operation)} ${legible(name)}?`;
  return whole.length <= limits.modalTitle ? whole : `${shortName(operation)}?`;
}

/** The text to type as confirmation: the name; the identifier if the name is too long or cannot be shown as it is. */
export function nameToType(name: string, id: string): string {
  const shown = legible(name);
  return shown !== name || shown.length > limits.optionText ? id : shown;
}

/** The block in which a last page asks for the name. */
export const confirmBlock = 'confirm';

/** A form that waits while names are looked up: the trigger that opens it lives for only 3 s. */
export function waitingForm(operation: JobOperation, metadata: Metadata, sentence: string): ModalView {
  return formModal(operation).view(metadata, {
    title: shortName(operation),
    blocks: [{ ...section(sentence), block_id: 'waiting' }],
  });
}
