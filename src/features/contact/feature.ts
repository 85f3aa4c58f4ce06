import { contacts, lookEvery } from '../../jobs/slackContact.ts';
import { workOnThings } from '../../jobs/workOnThings.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { Feature } from '../../slack/feature.ts';
import { nextOfContact } from './nextOfContact.ts';

/** Watches whether Slack can be reached while something is promised to people there. */
export const contactFeature = {
  name: 'contact',
  things: {
    kinds: [contacts],
    work: (worker, { isReached }: Desk<'isReached'>) =>
      // An app that is uninstalled is out of reach, too.
      workOnThings(
        { ...worker, isUninstalled: async () => false },
        {
          kind: contacts,
          ...{ maxAtOnce: 50, groupsAtOnce: 10 },
          look: async ({ team }) => ({ isThere: await isReached(team) }),
          next: (contact, { now, sight }) => (sight ? nextOfContact(contact, { now, ...sight }) : 'look'),
          pauseAfter: () => lookEvery,
        },
      ),
  },
} satisfies Feature<Desk<'isReached'>>;
