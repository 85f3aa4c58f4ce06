import type { KnownBlock } from '@slack/types';
import { actionsRow, headerBlock } from '../../slack/blocks/blocks.ts';
import type { Desk } from '../../slack/desk/desk.ts';
import type { HomeSection } from '../../slack/house.ts';
import { type Consent, consents, decidable } from './consent.ts';
import { consentActions } from './consentActions.ts';
import { consentRows } from './consentMessages.ts';

/** Max workflows in a Home. */
const most = 5;

/** The workflows that act in a person’s name, with the button that takes that back, or gives it. */
export const consentsInHome: HomeSection<Desk<'things'>> = {
  place: 'below',
  open:
    ({ things }) =>
    async ({ team, person }) => {
      const all = await things.list(consents, { team, person, withOver: true });
      return { blocks: consentBlocks(decidable(all, most + 1)) };
    },
};

/** The rows of Home about workflows. */
export function consentBlocks(own: readonly Consent[]): KnownBlock[] {
  if (own.length === 0) return [];
  const all = own.length > most ? [consentActions.all.button('All workflows', null)] : [];
  return [headerBlock('Workflows that act as you'), ...consentRows(own.slice(0, most)), ...actionsRow(all, 'consents')];
}
