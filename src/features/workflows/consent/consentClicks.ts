import { type Content, message, said } from '../../../slack/blocks/message.ts';
import type { Desk } from '../../../slack/desk/desk.ts';
import type { Interaction } from '../../../slack/desk/interaction.ts';
import { reactTo } from '../../../slack/desk/reaction.ts';
import { offerSignIn } from '../../../slack/signIn/signIn.ts';
import { consents, decidable } from './consent.ts';
import { consentActions, type SeenConsent } from './consentActions.ts';
import { allowConsent, type ConsentAct, type ConsentOutcome, refuseConsent, revokeConsent } from './consentActs.ts';
import { consentLine, consentRows } from './consentMessages.ts';

/** Reacts to the buttons of people’s consent to workflows. */
export const consentReactions = [
  reactTo(consentActions.allow, acting(allowConsent)),
  reactTo(consentActions.refuse, acting(refuseConsent)),
  reactTo(consentActions.revoke, acting(revokeConsent)),
  reactTo(consentActions.signIn, { perform: offerSignIn }),
  reactTo(consentActions.all, {
    async perform(desk: Desk<'things'>, { team, person }) {
      const all = await desk.things.list(consents, { team, person, withOver: true });
      return message(consentRows(decidable(all, mostListed)), 'all');
    },
  }),
];

/** Max consents in one message, which has 50 blocks. Those that are held come first. */
const mostListed = 45;

/** A click that decides: it is stored before Slack hears that it was taken, and done once. */
function acting<Needs>(act: (desk: Needs, who: ConsentAct) => Promise<ConsentOutcome>) {
  return {
    acts: () => true,
    async perform(
      desk: Needs & Desk<'homes'>,
      interaction: Interaction,
      { g: id, n: revision }: SeenConsent,
    ): Promise<Content> {
      const { team, person, channel } = interaction;
      const outcome = await act(desk, { team, person, channel, id, revision });
      if (outcome.type === 'refused') return said(outcome.sentence);
      await desk.homes.ask({ team, person });
      return said(consentLine(outcome.consent));
    },
  };
}
