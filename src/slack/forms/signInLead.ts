import type { KnownBlock } from '@slack/types';
import type { Owner } from '../../store/vault.ts';
import type { Desk } from '../desk/desk.ts';
import { signInOffer } from '../signIn/signIn.ts';

/** What a form shows whose pickers cannot be filled without a sign-in; what was typed stays in it meanwhile. */
export async function signInLead(desk: Desk, owner: Owner, channel: string): Promise<readonly KnownBlock[]> {
  const why =
    'Your sign-in at the service is missing or no longer valid, so the choices cannot be loaded. This form stays as it is.';
  return (await signInOffer(desk, owner, channel, null, why)).blocks;
}
