import type { Desk, Voice } from '../../slack/desk/desk.ts';
import { reactTo, reactToForm } from '../../slack/desk/reaction.ts';
import { openView } from '../../slack/desk/views.ts';
import type { Feature } from '../../slack/feature.ts';
import { onJob } from '../../slack/messages/jobClicks.ts';
import { describeJob } from '../../slack/messages/jobWords.ts';
import { type Objector, objectionKind, objectionMessage, objectTo } from './object.ts';
import { buttonToObject, objectButton, objectByForm, objectionForm, objectionSubmission } from './objectionForm.ts';

/** *That is not so…* on each end: a look, a person's word beside it, and a file for the people who make Dolly. */
export const objectionFeature = {
  name: 'objections',
  words: { [objectionKind]: objectionMessage },
  offers: [{ buttonOf: buttonToObject }],
  submissions: [objectionSubmission],
  reactions: [
    reactTo(objectButton, {
      perform: (desk: Voice & Desk<'jobs'>, interaction, id) =>
        onJob(desk, interaction, id, async job => {
          const { title, word } = describeJob(job);
          const told = `${title}: I said *${word.toLowerCase()}*.`;
          await openView(desk, interaction, objectionForm(job, interaction.channel, told));
          return undefined;
        }),
    }),
    reactToForm(objectByForm, {
      perform: (desk: Objector, interaction, filled) =>
        onJob(desk, interaction, filled.job, job => objectTo(desk, interaction, job, filled)),
    }),
  ],
} satisfies Feature<never>;
