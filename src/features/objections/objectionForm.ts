import type { ModalView } from '@slack/types';
import { z } from 'zod';
import { capital } from '../../ground/wording.ts';
import { asJson, asText, defineAction } from '../../slack/blocks/action.ts';
import { input, option, section } from '../../slack/blocks/blocks.ts';
import { chooseOne, chooseSome, typeText } from '../../slack/blocks/inputs.ts';
import { defineModal, heldIn } from '../../slack/blocks/modal.ts';
import { keep, onSubmit } from '../../slack/desk/submission.ts';
import { saidInstead } from '../../slack/messages/jobMessage.ts';
import { objections } from '../../store/jobs/rows/data.ts';
import { isPlan, type Job } from '../../store/jobs/rows/job.ts';

/** What somebody wants done about an end, or says of it. */
const answers = ['look', ...objections] as const;

/** Max characters of what a person writes beside it. */
const longestText = 500;

const Filled = z.object({ job: z.string(), answer: z.enum(answers), text: z.string(), wantsFile: z.boolean() });
/** What a form says of the end of a job. */
export type FilledObjection = z.infer<typeof Filled>;

/** The button on a job's message that opens the form, and the name under which a form is kept until it is done. */
export const objectButton = defineAction('job.object', asText);
export const objectByForm = defineAction('job.objected', asJson(Filled));

/** The button of a job that has ended and that the service has, or may have. */
export function buttonToObject(job: Job) {
  const { state, sentAt, id } = job;
  const isTold = state === 'succeeded' || state === 'finished' || state === 'failed' || state === 'unconfirmed';
  return isTold && sentAt !== null && job.plan === null ? objectButton.button('That’s wrong…', id) : undefined;
}

const objectionModal = defineModal('jobObject', asJson(z.object({ job: z.string(), channel: z.string() })), sent => ({
  answer: answers.find(one => one === heldIn(sent, 'answer').selected_option?.value) ?? 'look',
  text: heldIn(sent, 'text').value ?? '',
  wantsFile: (heldIn(sent, 'file').selected_options ?? []).length > 0,
}));

/** The form in which a person says that the end of a job is not so; `told` is that end, in a sentence. */
export function objectionForm(job: Job, channel: string, told: string): ModalView {
  const options = [
    option('look', 'Look again now'),
    ...objections.map(says => option(says, capital(saidInstead[says]))),
  ];
  const file = option('file', 'Give me a file for the people who make Dolly');
  const hint =
    'The file shows what your own sign-in sees in the record, with names and texts replaced. Only you get it: read it before you pass it on.';
  const text = typeText(undefined, { multiline: true, max_length: longestText });
  const blocks = [
    section(told),
    input('answer', 'What happened instead?', chooseOne('radio_buttons', options, 'look')),
    input('text', 'What do you see?', text, { optional: true }),
    // The records of the steps of a plan are those of other jobs.
    ...(isPlan(job)
      ? []
      : [input('file', 'For the makers', chooseSome('checkboxes', [file], []), { optional: true, hint })]),
  ];
  return objectionModal.view({ job: job.id, channel }, { title: 'That’s wrong', submit: 'Send', blocks });
}

export const objectionSubmission = onSubmit(objectionModal, (_desk, { carried: { job }, fields }) =>
  keep(objectByForm, { job, ...fields }),
);
