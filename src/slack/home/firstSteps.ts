import type { Button, KnownBlock } from '@slack/types';
import { findOperation } from '../../operations/catalogue.ts';
import { defineAction } from '../blocks/action.ts';
import { actionsRow, headerBlock, section } from '../blocks/blocks.ts';
import { mentionOf } from '../blocks/mentionPeople.ts';
import { bold } from '../blocks/mrkdwn.ts';
import { operationLabel } from '../records/recordBlocks.ts';
import { operationAction } from '../words/commandActions.ts';

/** How far a person is with the first steps, as Home shows it. */
export type StepsTaken = Readonly<{
  /** The person's user at the service, where they are signed in. */
  username: string | undefined;
  /** Whether a job of theirs has made a clone. */
  hasClone: boolean;
  /** Whether they have looked at the approvals. */
  hasSeenApprovals: boolean;
  /** The channel in which approval is asked for; `undefined` where that is the channel of each request. */
  approvalChannel: string | undefined;
}>;

/** A button of the first steps: it notes that the approvals were looked at, or that the steps are to go. */
export const firstStep = defineAction('home.steps', {
  write: (step: 'seen' | 'over'): string => step,
  read: text => (text === 'seen' || text === 'over' ? text : undefined),
});

/** Whether nobody needs the first steps any more: who has made a clone finds the rest. */
export function areTaken({ username, hasClone }: StepsTaken): boolean {
  return username !== undefined && hasClone;
}

/** The three first steps, each with its state and the button that takes it. The sign-in has its button above them. */
export function firstSteps(taken: StepsTaken): KnownBlock[] {
  const { username, hasClone, hasSeenApprovals, approvalChannel } = taken;
  const clone = findOperation(['clone'])?.operation;
  const cloning =
    clone && username !== undefined && !hasClone
      ? operationAction(clone).button(operationLabel(clone), '', { suffix: 'first' })
      : undefined;
  const where = approvalChannel === undefined ? 'where it was asked for' : `in ${mentionOf(approvalChannel)}`;
  return [
    headerBlock('Your first steps'),
    step(
      username !== undefined,
      '1. Sign in',
      username === undefined ? 'Press *Sign in* above.' : `You are ${bold(username)} at the service.`,
    ),
    step(
      hasClone,
      '2. Make your first clone',
      'The service makes a virtual clone from a snapshot at once, without copying its data.',
      cloning,
    ),
    step(
      hasSeenApprovals,
      '3. Find approvals',
      `Requests that need another person’s approval wait ${where}, and in the Home tab of those who may decide.`,
      firstStep.button('Show what waits', 'seen', { suffix: 'seen' }),
    ),
    ...actionsRow([firstStep.button('Hide these steps', 'over', { suffix: 'over' })], 'steps:hide'),
  ];
}

function step(isTaken: boolean, title: string, text: string, button?: Button): KnownBlock {
  const block = section(`${isTaken ? ':white_check_mark:' : ':white_large_square:'} *${title}*\n${text}`);
  const id = `steps:${title.charAt(0)}`;
  return button ? { ...block, block_id: id, accessory: button } : { ...block, block_id: id };
}
