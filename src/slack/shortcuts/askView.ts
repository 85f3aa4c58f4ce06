import type { Button, InputBlock, KnownBlock, ModalView } from '@slack/types';
import { z } from 'zod';
import { asJson, asNothing, asText, defineAction } from '../blocks/action.ts';
import { actionsRow, context, input, section } from '../blocks/blocks.ts';
import { typeText } from '../blocks/inputs.ts';
import { type Content, message } from '../blocks/message.ts';
import { defineModal, heldIn } from '../blocks/modal.ts';
import { code, plain } from '../blocks/mrkdwn.ts';
import { labelled } from '../blocks/spoken.ts';
import { modalBlocks } from '../desk/contentView.ts';
import { type Allows, offeredOperations, operationLabel, recordLines, showOf } from '../records/recordBlocks.ts';
import { operationAction } from '../words/commandActions.ts';
import { withoutSignIn } from '../words/withoutPasswords.ts';
import { lookingFor } from './lookInModal.ts';
import type { FoundRecord, LookedUp } from './lookUpText.ts';

/** The block of the search field. */
export const searchBlock = 'search';

/** The place of the message that was asked about, and the records that the modal found; it carries them for its buttons. */
const AskPlace = z.object({
  channel: z.string().min(1),
  thread: z.string().optional(),
  ids: z.array(z.string()).default([]),
});
export type AskPlace = z.infer<typeof AskPlace>;

/** The modal; its field is the search, without passwords. */
export const askModal = defineModal(
  'ask',
  asJson(AskPlace),
  sent => withoutSignIn(heldIn(sent, searchBlock).value?.trim() ?? '').line,
);

/** The buttons that show a record's details in the same modal, and that lead back from there. */
export const showDetails = defineAction('form.details', asText);
export const backToFound = defineAction('form.found', asNothing);

/** Max characters of the search. */
const maxSearch = 200;
/** Max buttons of each record. The details have all of them. */
const maxButtons = 4;

/** The modal while Dolly looks; `isLate` where the service has kept it waiting. */
export function lookingView(place: AskPlace, isLate: boolean): ModalView {
  return viewOf(place, [section(lookingFor(isLate))]);
}

/** The records that were found, as a message, for where no modal can be opened. */
export function foundMessage(looked: LookedUp, allows: Allows): Content {
  const details = ({ record }: FoundRecord) => {
    const show = showOf(record);
    return show ? [operationAction(show).button('Details', record.id.text)] : [];
  };
  return message(foundBlocks(looked, allows, details), 'all');
}

/** The modal with the records that were found. Where there are none, and after a search, it has a search field. */
export function foundView(
  place: AskPlace,
  looked: LookedUp,
  { allows, typed }: Readonly<{ allows: Allows; typed?: string | undefined }>,
): ModalView {
  const details = ({ record }: FoundRecord) => (showOf(record) ? [showDetails.button('Details', record.id.text)] : []);
  const blocks = labelled(foundBlocks(looked, allows, details, typed), 'all');
  const ids = [...looked.found.map(({ record, snapshot }) => snapshot ?? record.id.text), ...looked.unseen];
  const isSearchable = looked.found.length === 0 || looked.more > 0 || typed !== undefined;
  if (!isSearchable) return viewOf({ ...place, ids }, blocks);
  return viewOf({ ...place, ids }, [...blocks, searchInput(typed)], { submit: 'Look up' });
}

/** The details of a record, or what went wrong, in place of the list that they were asked from. */
export function detailsView(place: AskPlace, details: Content): ModalView {
  const back = place.ids.length === 0 ? [] : [backToFound.button('Back', null)];
  return viewOf(place, [...modalBlocks(details), ...actionsRow(back, 'back')]);
}

function viewOf(place: AskPlace, blocks: KnownBlock[], more: Readonly<{ submit?: string }> = {}): ModalView {
  return askModal.view(place, { title: 'Ask Dolly', close: 'Close', blocks, ...more });
}

function foundBlocks(
  looked: LookedUp,
  allows: Allows,
  details: (one: FoundRecord) => Button[],
  typed?: string,
): KnownBlock[] {
  const { found, more, unseen, isCut, fault } = looked;
  const rows = found.flatMap((one): KnownBlock[] => {
    const note = one.snapshot === undefined ? undefined : `${code(one.snapshot)} is a snapshot of it.`;
    return [recordLines(one.record, note), ...actionsRow([...buttonsOf(one, allows), ...details(one)])];
  });
  const notes = [
    ...(more > 0 ? [`… and ${more} more. Look one of them up by its name.`] : []),
    ...(unseen.length > 0
      ? [`With your sign-in, I find no record of ${unseen.map(id => code(id, 60)).join(', ')}.`]
      : []),
    ...(fault === undefined ? [] : [`:warning: I could look up only identifiers, not names: ${plain(fault, 300)}`]),
    ...(isCut ? [':warning: The list of databases is incomplete: the service says that there are more.'] : []),
  ];
  return [section(headline(found.length, typed)), ...rows, ...notes.map(context)];
}

function headline(many: number, typed: string | undefined): string {
  const count = many === 1 ? '*One record*' : `*${many} records*`;
  if (typed !== undefined)
    return many === 0
      ? `With your sign-in, I find nothing for ${code(typed, 100)}.`
      : `${count} for ${code(typed, 100)}`;
  return many === 0
    ? 'With your sign-in, I find no database that this message names. Look one up here.'
    : `${count} named in this message`;
}

/** The most wanted operations that are available in the record's state, and that the policy leaves to this person. */
function buttonsOf({ record }: FoundRecord, allows: Allows): Button[] {
  const wanted = offeredOperations(record).filter(operation => operation.quick && allows(operation));
  return wanted
    .slice(0, maxButtons)
    .map(operation => operationAction(operation).button(operationLabel(operation), record.id.text));
}

function searchInput(typed: string | undefined): InputBlock {
  const focus = typed === undefined ? { focus_on_load: true as const } : {};
  return input(searchBlock, 'Name or identifier', typeText(typed, { max_length: maxSearch, ...focus }));
}
