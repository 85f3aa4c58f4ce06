import type { KnownBlock } from '@slack/types';
import type { Consent } from '../../jobs/workflows/consent.ts';
import { actionsRow } from '../blocks/blocks.ts';
import { grantActions } from '../grants/grantActions.ts';
import { grantRows } from '../grants/grantMessages.ts';

/** Max workflows in a Home. */
export const grantsInHome = 5;

/** The workflows that act in a person’s name, with the button that takes that back, or gives it. */
export function grantsSection(grants: readonly Consent[]): KnownBlock[] {
  if (grants.length === 0) return [];
  const rows = grantRows(grants.slice(0, grantsInHome));
  const all = grants.length > grantsInHome ? [grantActions.all.button('All workflows', null)] : [];
  return [
    { type: 'header', text: { type: 'plain_text', text: 'Workflows that act as you' } },
    ...rows,
    ...actionsRow(all, 'grants'),
  ];
}
