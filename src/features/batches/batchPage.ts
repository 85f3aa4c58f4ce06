import { randomUUID } from 'node:crypto';
import type { KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { writeOperation } from '../../operations/catalogue.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import { manyTargets } from '../../operations/plans/batch.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { asJson } from '../../slack/blocks/action.ts';
import { context, input, option, section } from '../../slack/blocks/blocks.ts';
import { chooseOne, chooseSome } from '../../slack/blocks/inputs.ts';
import { bold, cut, limits } from '../../slack/blocks/limits.ts';
import { defineModal, heldIn } from '../../slack/blocks/modal.ts';
import { readReason, reasonInput } from '../../slack/blocks/reasonInput.ts';
import { operationLabel } from '../../slack/records/recordBlocks.ts';
import { lookingFor } from '../../slack/shortcuts/lookInModal.ts';
import type { Eligible } from './batchTargets.ts';

/*
 * The page of a batch: all its targets, each ticked. Slack brings back what is ticked, so nothing else has to be carried,
 * and what is submitted is fixed.
 */

const Carried = z.object({
  /** New for each page: a second submit makes no second batch. */
  request: z.string(),
  channel: z.string(),
  thread: z.string().optional(),
  /** The name of the operation; empty where it is chosen on the page. */
  operation: z.string(),
});
type Carried = z.infer<typeof Carried>;

/** Max boxes that Slack takes in a group. */
const inGroup = 10;
const groups = Array.from({ length: Math.ceil(mostSteps / inGroup) }, (_, at) => `targets-${at}`);

/** The block in which the operation is chosen, where the page does not carry one. */
export const whatBlock = 'operation';

export const batchModal = defineModal('batch', asJson(Carried), sent => ({
  targets: groups.flatMap(block =>
    (heldIn(sent, block).selected_options ?? []).map(({ value, text }) => ({ id: value, name: text?.text ?? value })),
  ),
  operation: heldIn(sent, whatBlock).selected_option?.value,
  why: readReason(sent),
}));

/** The first block of a page, at which its faults stand. */
export const firstBlock = groups[0] ?? '';

/** The page on which records are ticked, and what is done to all of them is chosen. */
export function choicePage(
  carried: Omit<Carried, 'request' | 'operation'>,
  records: readonly Eligible[],
  { operations, ...notes }: PageNotes & Readonly<{ operations: readonly WriteOperation[] }>,
): ModalView {
  const options = operations.map(operation => option(operation.name, operationLabel(operation)));
  return batchModal.view(
    { ...carried, request: randomUUID(), operation: '' },
    {
      title: severalTitle,
      submit: 'Do it',
      blocks: [
        input(whatBlock, 'What', chooseOne('radio_buttons', options)),
        ...boxes(records, 'open'),
        ...below(notes),
      ],
    },
  );
}

const severalTitle = 'Several at once';
const whyHint = 'The policy may ask for approval of some of them.';

/** What a page says beside its targets. */
type PageNotes = Readonly<{ asksWhy: boolean; notes?: readonly string[] }>;

function below({ asksWhy, notes = [] }: PageNotes): KnownBlock[] {
  return [...notes.map(note => context(note)), ...(asksWhy ? [reasonInput({ hint: whyHint })] : [])];
}

/** The page with the targets of a batch, before it is asked for. */
export function batchPage(
  operation: WriteOperation,
  carried: Omit<Carried, 'request' | 'operation'>,
  targets: readonly Eligible[],
  notes: PageNotes,
): ModalView {
  const many = manyTargets(operation, targets.length);
  const lead = `${bold(`${operationLabel(operation)}: ${many}`)}. Four at a time; one message tells how each ends.`;
  return batchModal.view(
    { ...carried, request: randomUUID(), operation: operation.name },
    {
      title: cut(operationLabel(operation), limits.modalTitle),
      submit: cut(operationLabel(operation), limits.modalTitle),
      blocks: [section(lead), ...boxes(targets), ...below(notes)],
    },
  );
}

/** What stands there while the names are looked up. */
export function waitingPage(
  operation: WriteOperation | undefined,
  carried: Omit<Carried, 'request' | 'operation'>,
  isLate: boolean,
): ModalView {
  const title = operation ? cut(operationLabel(operation), limits.modalTitle) : severalTitle;
  const unasked = { ...carried, request: '', operation: operation?.name ?? '' };
  return batchModal.view(unasked, { title, blocks: [section(lookingFor(isLate))] });
}

function boxes(targets: readonly Eligible[], ticked: 'ticked' | 'open' = 'ticked'): KnownBlock[] {
  return groups.flatMap((block, at) => {
    const some = targets.slice(at * inGroup, (at + 1) * inGroup);
    const options = some.map(({ id, name, place }) => option(id, name, place));
    const element = chooseSome('checkboxes', options, ticked === 'ticked' ? some.map(({ id }) => id) : []);
    const isAlone = targets.length <= inGroup;
    const label = isAlone ? 'Which ones' : `${at * inGroup + 1} to ${at * inGroup + some.length}`;
    return some.length > 0 ? [input(block, label, element, { optional: !isAlone })] : [];
  });
}

/**
 * The operation of a page that came back, which it carries, or else on which it was chosen; `undefined` where this release
 * does not know it, or has no batch of it.
 */
export function operationOfPage({ operation }: Carried, chosen: string | undefined): WriteOperation | undefined {
  const found = writeOperation(operation || (chosen ?? ''));
  return found?.together ? found : undefined;
}
