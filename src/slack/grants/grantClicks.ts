import { consents, decidable } from '../../jobs/workflows/consent.ts';
import {
  allowGrant,
  type GrantAct,
  type GrantOutcome,
  refuseGrant,
  revokeGrant,
} from '../../jobs/workflows/grantActs.ts';
import { type Content, message, said } from '../blocks/blocks.ts';
import type { Desk } from '../desk/desk.ts';
import { type Reaction, reactTo } from '../desk/reaction.ts';
import type { Use } from '../desk/use.ts';
import { signedInAlready, signInOffer } from '../signIn/signIn.ts';
import { grantActions, type SeenGrant } from './grantActions.ts';
import { grantLine, grantRows } from './grantMessages.ts';

/** Reacts to the buttons of people’s leave for workflows. */
export const grantReactions: readonly Reaction[] = [
  reactTo(grantActions.allow, acting(allowGrant)),
  reactTo(grantActions.refuse, acting(refuseGrant)),
  reactTo(grantActions.revoke, acting(revokeGrant)),
  reactTo(grantActions.signIn, {
    perform: async (desk, use) => signInOffer(desk, use, null, await signedInAlready(desk, use)),
  }),
  reactTo(grantActions.all, {
    async perform(desk, { team, person }) {
      const all = await desk.things.list(consents, { team, person, withOver: true });
      return message(grantRows(decidable(all, mostListed)), 'all');
    },
  }),
];

/** Max grants in one message, which has 50 blocks. Those that are held come first. */
const mostListed = 45;

/** A click that decides: it is stored before Slack hears that it was taken, and done once. */
function acting(act: (desk: Desk, who: GrantAct) => Promise<GrantOutcome>) {
  return {
    acts: () => true,
    async perform(desk: Desk, use: Use, { g: id, n: revision }: SeenGrant): Promise<Content> {
      const { team, person, channel } = use;
      const outcome = await act(desk, { team, person, channel, id, revision });
      if (outcome.type === 'refused') return said(outcome.sentence);
      desk.wake();
      await desk.homes.ask({ team, person });
      return said(grantLine(outcome.grant));
    },
  };
}
