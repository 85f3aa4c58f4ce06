import { z } from 'zod';
import { reasoned } from '../../src/slack/approvals/reasonForm.ts';
import { asJson } from '../../src/slack/blocks/action.ts';
import { notice } from '../../src/slack/blocks/blocks.ts';
import { defineModal, heldIn } from '../../src/slack/blocks/modal.ts';
import { faultAt, keep, type ModalAnswer, onSubmit } from '../../src/slack/desk/submission.ts';

/** What submissions of the test's modal did, and how a test lets those go on that wait. */
export const done = { submitted: 0, after: 0, go: Promise.withResolvers<void>() };

/** What a submission of the modal does, by what was typed into it. */
const acts: Readonly<Record<string, () => ModalAnswer | Promise<ModalAnswer>>> = {
  closes: () => ({ type: 'closed' }),
  throws: () => {
    throw new Error('a defect that nobody should read');
  },
  'faults elsewhere': () => faultAt('elsewhere', 'x'.repeat(500)),
  keeps: () => keep(reasoned.deny, { j: 'another', d: null, reason: 'No.' }),
  waits: () => done.go.promise.then((): ModalAnswer => ({ type: 'closed' })),
  'waits and keeps': () => done.go.promise.then(() => keep(reasoned.deny, { j: 'late', d: null, reason: 'No.' })),
  shows: () => ({
    type: 'shown',
    view: notice('Shown', 'It is there.'),
    after: async () => {
      done.after++;
    },
  }),
};

/** A modal that does what its field says. */
export const anySubmission = onSubmit(
  defineModal('lease', asJson(z.object({ channel: z.string() })), sent => heldIn(sent, 'act').value ?? ''),
  (_desk, { fields: act }) => {
    done.submitted++;
    return acts[act]?.() ?? faultAt('act', 'There is no such act.');
  },
);
