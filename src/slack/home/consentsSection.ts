import type { KnownBlock } from '@slack/types';
import type { Consent } from '../../features/workflows/consent.ts';
import { consentActions } from '../../features/workflows/consentActions.ts';
import { consentRows } from '../../features/workflows/consentMessages.ts';
import { actionsRow } from '../blocks/blocks.ts';

/** Max workflows in a Home. */
export const consentsInHome = 5;

/** The workflows that act in a person’s name, with the button that takes that back, or gives it. */
export function consentsSection(consents: readonly Consent[]): KnownBlock[] {
  if (consents.length === 0) return [];
  const rows = consentRows(consents.slice(0, consentsInHome));
  const all = consents.length > consentsInHome ? [consentActions.all.button('All workflows', null)] : [];
  return [
    { type: 'header', text: { type: 'plain_text', text: 'Workflows that act as you' } },
    ...rows,
    ...actionsRow(all, 'consents'),
  ];
}
