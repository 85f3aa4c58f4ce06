import { randomUUID } from 'node:crypto';
import type { KnownBlock, ModalView, PlainTextOption } from '@slack/types';
import { z } from 'zod';
import { writeOperation } from '../../operations/catalogue.ts';
import type { WriteOperation } from '../../operations/operation.ts';
import { batchOf, manyTargets } from '../../operations/plans/batch.ts';
import { mostSteps } from '../../operations/plans/plan.ts';
import { asJson } from '../../slack/blocks/action.ts';
import { context, input, option, section } from '../../slack/blocks/blocks.ts';
import { chooseOne, chooseSome, typeText } from '../../slack/blocks/inputs.ts';
import { cut, limits } from '../../slack/blocks/limits.ts';
import { defineModal, heldIn } from '../../slack/blocks/modal.ts';
import { bold } from '../../slack/blocks/mrkdwn.ts';
import { approversRead, readReason, reasonInput } from '../../slack/blocks/reasonInput.ts';
import { warningBlock } from '../../slack/blocks/warningBlock.ts';
import { shortName } from '../../slack/records/recordBlocks.ts';
import { lookingFor } from '../../slack/shortcuts/lookInModal.ts';
import type { Eligible } from './batchTargets.ts';

/*
 * The page of a batch: all its targets, each ticked. Slack brings back what is ticked, so nothing else has to be carried,
 * and what is submitted is fixed.
 */

const BatchCarried = z.object({
  /** New for each page: a second submit makes no second batch. */
  request: z.string(),
  channel: z.string(),
  thread: z.string().optional(),
  /** The name of the operation; empty where it is chosen on the page. */
  operation: z.string(),
  /** The creation times of what is to be deleted, as far as its records show them, by identifier: nothing else goes. */
  made: z.record(z.string(), z.number()).optional(),
});
type BatchCarried = z.infer<typeof BatchCarried>;

/** Max boxes that Slack takes in a group. */
const inGroup = 10;
const groups = Array.from({ length: Math.ceil(mostSteps / inGroup) }, (_, at) => `targets-${at}`);

/** The block in which the operation is chosen, where the page does not carry one. */
export const whatBlock = 'operation';
/** The block in which the number of deletions is typed. */
export const countBlock = 'count';
/** Max deletions of a page: it carries the creation time of each. */
export const mostDeleted = 50;

export const batchModal = defineModal('batch', asJson(BatchCarried), sent => ({
  targets: groups.flatMap(block =>
    (heldIn(sent, block).selected_options ?? []).map(({ value, text }) => ({ id: value, name: text?.text ?? value })),
  ),
  operation: heldIn(sent, whatBlock).selected_option?.value,
  count: heldIn(sent, countBlock).value?.trim() ?? '',
  why: readReason(sent),
}));

/** The first block of a page, at which its faults stand. */
export const firstBlock = groups[0] ?? '';

/** The page on which records are ticked, and one of these things is chosen that is done to all of them. */
export function choicePage(
  carried: Omit<BatchCarried, 'request' | 'operation'>,
  records: readonly Eligible[],
  { choices, ...notes }: PageNotes & Readonly<{ choices: readonly PlainTextOption[] }>,
): ModalView {
  return batchModal.view(
    { ...carried, request: randomUUID(), operation: '' },
    {
      title: severalTitle,
      submit: runOnTicked,
      blocks: [
        section(
          `1. Choose what to do.\n2. Tick any of these ${records.length}: none is ticked yet.\n3. *${runOnTicked}* does it only to those that you ticked. One message says how each ends.`,
        ),
        input(whatBlock, 'What to do', chooseOne('radio_buttons', choices)),
        ...boxes(records, 'open'),
        ...below(notes),
      ],
    },
  );
}

const severalTitle = 'Several at once';
const runOnTicked = 'Run on all ticked';
const whyHint = 'The policy may ask for approval of some of them.';

/** What a page says beside its targets. */
type PageNotes = Readonly<{ asksWhy: boolean; notes?: readonly string[] }>;

function below({ asksWhy, notes = [] }: PageNotes, hint = whyHint): KnownBlock[] {
  return [...notes.map(note => context(note)), ...(asksWhy ? [reasonInput({ hint })] : [])];
}

/** The page with the targets of a batch, before it is asked for. What is deleted is counted by whoever submits it. */
export function batchPage(
  operation: WriteOperation,
  carried: Omit<BatchCarried, 'request' | 'operation'>,
  targets: readonly Eligible[],
  notes: PageNotes,
): ModalView {
  const many = manyTargets(batchOf(operation), targets.length);
  const label = cut(shortName(operation), limits.modalTitle);
  const lead = `${bold(`${shortName(operation)}: ${many}`)}. Four at a time; one message says how each ends.`;
  const shown = { ...carried, request: randomUUID(), operation: operation.name };
  if (!operation.deletes)
    return batchModal.view(shown, {
      ...{ title: label, submit: label },
      blocks: [section(lead), ...boxes(targets), ...below(notes)],
    });
  const made = Object.fromEntries(targets.flatMap(({ id, madeAt }) => (madeAt === undefined ? [] : [[id, madeAt]])));
  const harm = `*${many} will be deleted.* This cannot be undone. Untick what should stay.`;
  return batchModal.view(
    { ...shown, made },
    {
      title: label,
      submit: notes.asksWhy ? 'Ask for approval' : label,
      blocks: [
        warningBlock('warning', harm),
        ...boxes(targets),
        ...below(notes, approversRead),
        input(countBlock, 'Type how many are ticked, to confirm', typeText('')),
      ],
    },
  );
}

/** What stands there while the names are looked up. */
export function waitingPage(
  operation: WriteOperation | undefined,
  carried: Omit<BatchCarried, 'request' | 'operation'>,
  isLate: boolean,
): ModalView {
  const title = operation ? cut(shortName(operation), limits.modalTitle) : severalTitle;
  const unasked = { ...carried, request: '', operation: operation?.name ?? '' };
  return batchModal.view(unasked, { title, blocks: [section(lookingFor(isLate))] });
}

function boxes(targets: readonly Eligible[], ticked: 'ticked' | 'open' = 'ticked'): KnownBlock[] {
  return groups.flatMap((block, at) => {
    const some = targets.slice(at * inGroup, (at + 1) * inGroup);
    const options = some.map(({ id, name, about }) => option(id, name, about));
    const element = chooseSome('checkboxes', options, ticked === 'ticked' ? some.map(({ id }) => id) : []);
    const isAlone = targets.length <= inGroup;
    const what = ticked === 'ticked' ? 'Untick what to leave out' : 'Tick any';
    const label = isAlone ? what : `${what}: ${at * inGroup + 1} to ${at * inGroup + some.length} of ${targets.length}`;
    return some.length > 0 ? [input(block, label, element, { optional: !isAlone })] : [];
  });
}

/**
 * The operation of a page that came back, which it carries, or else on which it was chosen; `undefined` where this release
 * does not know it, or has no batch of it.
 */
export function operationOfPage({ operation }: BatchCarried, chosen: string | undefined): WriteOperation | undefined {
  const found = writeOperation(operation || (chosen ?? ''));
  return found?.together ? found : undefined;
}
