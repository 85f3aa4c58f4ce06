import type { ModalView } from '@slack/types';
import type { Action } from '../blocks/action.ts';
import { notice } from '../blocks/blocks.ts';
import type { Modal, SentModal } from '../blocks/modal.ts';
import type { Speaker } from './interaction.ts';

/** The answer to a form that this release did not draw. */
export const formOfAnotherRelease = 'You opened this form in an older version of Dolly. Run the command again.';

/** What comes of a submitted modal. */
export type ModalAnswer =
  /** It closes, with all modals below it: what comes of it stands in the channel. */
  | Readonly<{ type: 'closed' }>
  /** Sentences at its fields, by block. One at a block that it does not have stands at its first field. */
  | Readonly<{ type: 'faults'; at: Readonly<Record<string, string>> }>
  /** Another view takes its place, or comes on top of it. `after` is work that begins once the view is there. */
  | Readonly<{ type: 'shown'; view: ModalView; isOnTop?: true; after?: () => Promise<unknown> }>
  /** It is stored before it closes, and then done once. */
  | Readonly<{ type: 'kept'; action: string; value: string }>;

/** A sentence at a field. */
export function faultAt(block: string, fault: string): ModalAnswer {
  return { type: 'faults', at: { [block]: fault } };
}

/** A note in place of the modal. */
export function noteInstead(title: string, text: string): ModalAnswer {
  return { type: 'shown', view: notice(title, text) };
}

/** Keeps what was filled in, for the reaction of `action` (`reactToForm`). */
export function keep<V>(action: Action<V>, value: NoInfer<V>): ModalAnswer {
  return { type: 'kept', action: action.id, value: action.write(value) };
}

/** Who submitted a modal, and where they asked for it. */
export type Submitter = Speaker &
  Readonly<{
    viewId: string;
    /** Resolves when Slack must have its answer. What takes longer is answered in general words. */
    late: Promise<'late'>;
  }>;

/** A submitted modal: what it carried, and what was filled in. */
export type Submitted<C, F> = Submitter & Readonly<{ carried: C; fields: F }>;

/** What a submission of one kind of modal does. `Needs` is what it may touch. */
export type Submission<Needs> = Readonly<{
  /** The `callback_id`. */
  id: string;
  /** Does it; `undefined` for a modal that this release did not draw. */
  submit(desk: Needs, by: Submitter, sent: SentModal): Promise<ModalAnswer> | undefined;
}>;

/** What a submission of this modal does. Only people who are admitted come so far; what `submit` throws is told them. */
export function onSubmit<C extends Readonly<{ channel: string }>, F, Needs>(
  modal: Modal<C, F>,
  submit: (desk: Needs, submitted: Submitted<NoInfer<C>, NoInfer<F>>) => ModalAnswer | Promise<ModalAnswer>,
): Submission<Needs> {
  return {
    id: modal.id,
    submit(desk, by, sent) {
      const read = modal.read(sent);
      return read && Promise.resolve(submit(desk, { ...by, ...read }));
    },
  };
}
