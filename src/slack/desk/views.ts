import type { ModalView } from '@slack/types';
import { Failure } from '../../ground/failure.ts';
import { canCarry } from '../blocks/modal.ts';
import { insist } from '../connection/insist.ts';
import { meaningOfError, platformError } from '../connection/slackErrors.ts';
import type { Voice } from './desk.ts';
import type { Interaction } from './interaction.ts';
import { sendView } from './sendContent.ts';
import { writeThread } from './thread.ts';

/** Raised where a form is needed that nothing can open: what was asked came without a trigger, as messages do. */
export class FormNeeded extends Failure {
  constructor() {
    super('input', 'That needs a form, which only a click can open. Please ask again with a command.');
  }
}

/** Checks that a form can be opened, before anything is looked up for it. @throws {FormNeeded} */
export function mustOpenForms({ trigger }: Pick<Interaction, 'trigger'>): void {
  if (trigger === '') throw new FormNeeded();
}

/**
 * Opens a modal and returns its id; over the one that is open, if it was asked for in there. It carries the thread in
 * which it was asked for.
 * @throws {Failure} with a sentence if Slack did not take it; {@link FormNeeded} where there is no trigger
 */
export async function openView(
  desk: Voice,
  { team, trigger, thread, isInForm = false }: Pick<Interaction, 'team' | 'trigger' | 'thread' | 'isInForm'>,
  view: ModalView,
): Promise<string> {
  const slack = desk.slack.of(team);
  mustOpenForms({ trigger });
  try {
    const { view: opened } = await sendView(desk, team, withThread(view, thread), form => {
      const asked = { trigger_id: trigger, view: form };
      return isInForm ? slack.views.push(asked) : slack.views.open(asked);
    });
    return opened?.id ?? '';
  } catch (cause) {
    if (platformError(cause) === 'push_limit_reached') throw new Failure('input', tooDeep, { cause });
    // Most likely the trigger has expired: it lives for three seconds.
    throw new Failure('input', 'Slack could not open the form in time. Nothing was sent; please ask again.', { cause });
  }
}

const tooDeep =
  'Slack allows only three windows on top of each other, so I cannot open this one here. Nothing was sent; close them, and ask with a command.';

/** A view that carries a thread to its listeners (threadOf), where it has room for that. */
function withThread(view: ModalView, thread: string | undefined): ModalView {
  const text = thread === undefined ? undefined : writeThread(view.private_metadata ?? '{}', thread);
  return text === undefined || !canCarry(text) ? view : { ...view, private_metadata: text };
}

/** An open modal, and the team of the person who has it open. */
type OpenedView = Readonly<{ team: string; id: string }>;

/** Tries of showing a view, and the longest pause between two of them in milliseconds: a person looks at it. */
const patience = { tries: 4, longest: 60_000 } as const;

/**
 * Shows another view in an open modal. Tries a few times, since the person is looking at it. A closed modal stays
 * closed.
 */
export async function showView(desk: Voice, { team, id }: OpenedView, view: ModalView): Promise<void> {
  try {
    const { views } = desk.slack.of(team);
    await insist(desk.clock, patience, () =>
      sendView(desk, team, view, form => views.update({ view_id: id, view: form })),
    );
  } catch (error) {
    if (meaningOfError(error) !== 'never') throw error;
  }
}

/**
 * Shows another view in place of the one with the hash, and returns the new hash. If the modal shows something else
 * meanwhile, that is replaced only where `insists` says so. Returns `undefined` where the view is not shown, since the
 * modal is closed or shows something newer.
 */
export async function replaceView(
  desk: Voice,
  { team, id, hash }: OpenedView & Readonly<{ hash: string }>,
  view: ModalView,
  insists: () => boolean = () => false,
): Promise<string | undefined> {
  const { views } = desk.slack.of(team);
  const isNewer = (error: unknown) => platformError(error) === 'hash_conflict';
  try {
    const update = (which: { hash?: string }) =>
      sendView(desk, team, view, form => views.update({ view_id: id, ...which, view: form }));
    const shown = await update({ hash }).catch((error: unknown) => {
      if (!isNewer(error) || !insists()) throw error;
      return update({});
    });
    return shown.view?.hash;
  } catch (error) {
    if (meaningOfError(error) === 'never' || isNewer(error)) return undefined;
    throw error;
  }
}
