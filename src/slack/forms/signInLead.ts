import type { KnownBlock } from '@slack/types';
import type { Owner } from '../../store/vault.ts';
import { isNewer } from '../blocks/newerBlocks.ts';
import type { Greeter } from '../desk/desk.ts';
import { signInOffer } from '../signIn/signIn.ts';

/** The top of a form whose pickers need a sign-in. The person's inputs stay in the form meanwhile. */
export async function signInLead(desk: Greeter, owner: Owner, channel: string): Promise<readonly KnownBlock[]> {
  const why =
    'Your sign-in at the service is missing or no longer valid, so I cannot load the choices. This form stays as it is.';
  const { blocks } = await signInOffer(desk, { ...owner, channel }, null, why);
  return blocks.filter(block => !isNewer(block));
}
