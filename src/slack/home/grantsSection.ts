import type { KnownBlock } from '@slack/types';
import type { Grant } from '../../store/tables/grantRows.ts';
import { context, section } from '../blocks/blocks.ts';
import { grantActions } from '../grants/grantActions.ts';
import { grantLine } from '../grants/grantMessages.ts';

/** Max workflows in a Home. */
export const grantsInHome = 5;

/** The workflows that act in a person’s name, with the button that takes that back, or gives it. */
export function grantsSection(grants: readonly Grant[]): KnownBlock[] {
  if (grants.length === 0) return [];
  const rows = grants.slice(0, grantsInHome).map(grant => {
    const seen = { g: grant.id, n: grant.revision };
    const isHeld = grant.state === 'given' || grant.state === 'waiting';
    const button = isHeld ? grantActions.revoke.button('Revoke', seen) : grantActions.allow.button('Allow', seen);
    return { ...section(grantLine(grant)), block_id: `grant:${grant.id}`, accessory: button };
  });
  const left = grants.length - rows.length;
  return [
    { type: 'header', text: { type: 'plain_text', text: 'Workflows that act as you' } },
    ...rows,
    ...(left > 0 ? [context(`… and ${left} more, not used for longer.`)] : []),
  ];
}
