import { typedIdentifier } from '../../api/identifiers.ts';
import { within } from '../../ground/within.ts';
import type { Judge } from '../../jobs/parts.ts';
import type { Action } from '../blocks/action.ts';
import { said } from '../blocks/message.ts';
import { readSent } from '../blocks/modal.ts';
import { code } from '../blocks/mrkdwn.ts';
import { allowedOperations, mustBeAdmitted, mustBeSignedIn } from '../desk/admission.ts';
import type { Desk, Greeter, Voice } from '../desk/desk.ts';
import type { Interaction, Speaker } from '../desk/interaction.ts';
import type { UseInForm } from '../desk/reaction.ts';
import { faultAt, onSubmit } from '../desk/submission.ts';
import { whoIn } from '../desk/who.ts';
import { showOf } from '../records/recordBlocks.ts';
import { showOne } from '../records/show.ts';
import { answerToFailure } from '../signIn/failureAnswer.ts';
import {
  type AskPlace,
  askModal,
  backToFound,
  detailsView,
  foundMessage,
  foundView,
  lookingView,
  searchBlock,
  showDetails,
} from './askView.ts';
import { fillModal, lookInModal, lookInPlace, type ModalLook, type ShownInModal } from './lookInModal.ts';
import { type LookedUp, lookUpText, searchFor } from './lookUpText.ts';

/* “Ask Dolly about this”: the databases that a message names, with what this person can do with them. */

/** Reacts to the shortcut: its value is the text of the message. */
export const askReaction = {
  action: askModal.id,
  interactionOf: () => undefined,
  note: ({ meter }: Desk<'meter'>, _use: Interaction, outcome: string) =>
    meter.count('commands', { command: askModal.id, outcome }),
  async perform(desk: Voice & Asks, interaction: Interaction) {
    await mustBeSignedIn(desk, interaction);
    const { team, person, channel, thread, value } = interaction;
    const place = { channel, thread, ids: [] };
    return lookInModal(
      desk,
      interaction,
      lookAt(desk, { team, person, place }, () => lookUpText(desk, { team, person }, value)),
    );
  },
};

/** Looks up what a message names, and what may be done with it. */
type Asks = Judge & Greeter & Desk<'credentials' | 'records' | 'log' | 'names'>;

/** The person who asks, and the place that the modal carries. */
type ModalAsker = Readonly<{ team: string; person: string; place: AskPlace }>;

function lookAt(desk: Asks, asker: ModalAsker, lookUp: () => Promise<LookedUp>, typed?: string): ModalLook {
  const { place } = asker;
  const shown = async (): Promise<ShownInModal> => {
    const [looked, allows] = await Promise.all([lookUp(), allowedOperations(desk, asker)]);
    return { view: foundView(place, looked, { allows, typed }), content: foundMessage(looked, allows) };
  };
  return { work: orRefusal(desk, asker, shown), waiting: isLate => lookingView(place, isLate) };
}

/** The details of one record, with a way back to those that were found. */
function lookAtOne(desk: Asks, asker: ModalAsker, record: string): ModalLook {
  const { team, person, place } = asker;
  const shown = async (): Promise<ShownInModal> => {
    const id = typedIdentifier(record);
    const show = id && showOf({ id });
    const content = show
      ? await showOne(desk, { team, person }, show, record)
      : said(`The service shows no record of ${code(record)}.`);
    return { view: detailsView(place, content), content };
  };
  return { work: orRefusal(desk, asker, shown), waiting: isLate => lookingView(place, isLate) };
}

/** What a look brings for somebody who is admitted and signed in, or the reason why it brings nothing. */
async function orRefusal(
  desk: Greeter & Desk<'credentials' | 'people' | 'log'>,
  { team, person, place }: ModalAsker,
  look: () => Promise<ShownInModal>,
): Promise<ShownInModal> {
  const speaker: Speaker = { team, person, channel: place.channel, thread: place.thread };
  try {
    await Promise.all([mustBeAdmitted(desk, speaker), mustBeSignedIn(desk, speaker)]);
    return await look();
  } catch (error) {
    const content = await answerToFailure(desk, speaker, null, error);
    return { view: detailsView(place, content), content };
  }
}

/** Slack waits 3 s for the answer to a search. One that takes longer than this, in milliseconds, comes afterwards. */
const ackPatience = 1_500;
/** Shortest pause between the answer to a form and the change of the view that it shows, in milliseconds. */
const settling = 500;

/** Looks up what was typed into the search of the modal. */
export const askSearch = onSubmit(
  askModal,
  async (desk: Voice & Asks, { team, person, viewId, carried: place, fields: typed }) => {
    if (typed === '') return faultAt(searchBlock, 'Type a name or an identifier.');
    const look = lookAt(desk, { team, person, place }, () => searchFor(desk, { team, person }, typed), typed);
    const ready = await within(desk.clock, ackPatience, look.work);
    if (ready) return { type: 'shown', view: ready.view };
    // Slack may still be busy with the answer: it must not come after the result.
    const after = () => desk.clock.wait(settling).then(() => fillModal(desk, { team, id: viewId }, look));
    return { type: 'shown', view: look.waiting(false), after };
  },
);

/** A button inside the modal, which looks something up in its place. */
function look(
  { id }: Pick<Action<unknown>, 'id'>,
  lookFor: (desk: Asks, asker: ModalAsker, value: string) => ModalLook,
): UseInForm<Voice & Readonly<{ asks: Asks }>> {
  return {
    id,
    use(desk, body, used) {
      const { view } = body;
      const place = askModal.read(readSent(view))?.carried;
      if (!view || !place || used.type !== 'button') return undefined;
      const { team, person } = whoIn(body);
      const at = { team, id: view.id, hash: view.hash };
      return lookInPlace(desk, at, lookFor(desk.asks, { team, person, place }, used.value ?? ''));
    },
  };
}

/** The buttons inside the modal: to the details of a record, and the way back. */
export const askButtons = [
  look(showDetails, lookAtOne),
  look(backToFound, (desk, asker) =>
    lookAt(desk, asker, () => lookUpText(desk, { team: asker.team, person: asker.person }, asker.place.ids.join(' '))),
  ),
];
