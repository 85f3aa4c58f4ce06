import { said } from '../../slack/blocks/message.ts';
import type { Desk, Voice } from '../../slack/desk/desk.ts';
import { reactTo, reactToForm } from '../../slack/desk/reaction.ts';
import { openView } from '../../slack/desk/views.ts';
import type { Feature } from '../../slack/feature.ts';
import { onJob } from '../../slack/messages/jobClicks.ts';
import { describeJob } from '../../slack/messages/jobWords.ts';
import { type Objector, objectionKind, objectionMessage, objectTo, wentOnSince } from './object.ts';
import { buttonToObject, objectButton, objectByForm, objectionForm, objectionSubmission } from './objectionForm.ts';
import { buttonToAskWhy, whyButton, whyView } from './why.ts';

/**
 * *Why?* on each end that a look told, and *That’s wrong…* on all: a look, a person's word beside it, and a file for the
 * people who make Dolly.
 */
export const objectionFeature = {
  name: 'objections',
  things: { words: { [objectionKind]: objectionMessage } },
  offers: [{ buttonOf: buttonToObject }, { buttonOf: buttonToAskWhy }],
  interactions: {
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
      reactTo(whyButton, {
        perform: (desk: Voice & Desk<'jobs'>, interaction, id) =>
          onJob(desk, interaction, id, async job => {
            const view = whyView(job);
            if (!view) return said(wentOnSince);
            await openView(desk, interaction, view);
            return undefined;
          }),
      }),
      reactToForm(objectByForm, {
        perform: (desk: Objector, interaction, filled) =>
          onJob(desk, interaction, filled.job, job => objectTo(desk, interaction, job, filled)),
      }),
    ],
  },
} satisfies Feature<never>;
