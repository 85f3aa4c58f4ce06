import type { ModalView } from '@slack/types';
import { within } from '../../ground/within.ts';
import type { Content } from '../blocks/message.ts';
import type { Voice } from '../desk/desk.ts';
import type { Interaction } from '../desk/interaction.ts';
import { openView, replaceView, showView } from '../desk/views.ts';

/** What a look brought: as a modal, and as a message for where no modal can be opened. */
export type ShownInModal = Readonly<{ view: ModalView; content: Content }>;

/** A look at the service that somebody waits for. `work` never fails: its result says what went wrong. */
export type ModalLook = Readonly<{
  work: Promise<ShownInModal>;
  /** The modal meanwhile; `isLate` once the service has kept it waiting. */
  waiting(isLate: boolean): ModalView;
}>;

/** The sentence in a modal while Dolly looks; `isLate` once the service has kept it waiting. */
export function lookingFor(isLate: boolean): string {
  return isLate
    ? ':hourglass_flowing_sand: The service has not answered yet. Its answer appears here as soon as it comes. You can also close this: nothing was sent.'
    : ':hourglass_flowing_sand: Looking …';
}

/** Longest wait before a modal says that it looks, in milliseconds: nobody should see it change. */
const atOnce = 250;
/** Longest time for which it says only that, in milliseconds. */
const patience = 4_000;

/**
 * Opens a modal in time for its trigger, whatever the service does, and shows there what the look brings. Returns that
 * as a message where Slack opens no modal: most likely the trigger is over.
 */
export async function lookInModal(desk: Voice, interaction: Interaction, look: ModalLook) {
  const ready = await within(desk.clock, atOnce, look.work);
  try {
    const id = await openView(desk, interaction, ready?.view ?? look.waiting(false));
    if (!ready) await fillModal(desk, { team: interaction.team, id }, look);
    return undefined;
  } catch (error) {
    desk.log.info({ error, person: interaction.person }, 'no modal could be opened: the answer is a message');
    return (ready ?? (await look.work)).content;
  }
}

/** An open modal. */
type ModalPlace = Readonly<{ team: string; id: string }>;

/** Shows in an open modal what the look brings. If it shows something newer meanwhile, that stays. */
export async function lookInPlace(desk: Voice, place: ModalPlace & Readonly<{ hash: string }>, look: ModalLook) {
  const ready = await within(desk.clock, atOnce, look.work);
  const shown = await replaceView(desk, place, ready?.view ?? look.waiting(false));
  if (!ready && shown !== undefined) await fillModal(desk, place, look);
}

/** Shows the result in a modal that says that Dolly looks, and that it takes long where it does. */
export async function fillModal(desk: Voice, place: ModalPlace, { work, waiting }: ModalLook) {
  const known = await within(desk.clock, patience, work);
  if (!known) await showView(desk, place, waiting(true));
  await showView(desk, place, (known ?? (await work)).view);
}
