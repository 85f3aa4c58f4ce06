import { standingIn, type TokenStanding } from '../answers/refusals.ts';
import { lists } from '../call.ts';
import type { Transport } from './transport.ts';

/**
 * Finds out whether the service honours a token for anything. Simultaneous trials of one token share their requests.
 */
export type TokenTrials = (token: string) => Promise<TokenStanding>;

/** Harmless reads for trying a token, the shortest answers first. */
const probes = [lists.projects, lists.users, lists.environments, lists.databases];

/** Tries tokens by harmless reads. */
export function openTokenTrials(send: Transport['send']): TokenTrials {
  const trials = new Map<string, Promise<TokenStanding>>();
  return token => {
    const trial = trials.get(token) ?? tryOut(send, token).finally(() => trials.delete(token));
    trials.set(token, trial);
    return trial;
  };
}

async function tryOut(send: Transport['send'], token: string): Promise<TokenStanding> {
  let found: TokenStanding = 'unknown';
  for (const probe of probes) {
    const standing = await send(probe, token).then(standingIn, (): TokenStanding => 'unknown');
    if (standing === 'honoured') return standing;
    if (standing === 'over') found = standing;
  }
  return found;
}
