import { randomBytes } from 'node:crypto';
import { type InstallURLOptions, InvalidStateError, type StateStore } from '@slack/oauth';
import { z } from 'zod';
import { type Clock, isToCome } from '../../ground/clock.ts';
import { minute } from '../../ground/durations.ts';
import { parseJson } from '../../ground/json.ts';
import type { Vault } from '../../store/vault.ts';

/** The time from the beginning of an installation to its end, in milliseconds. */
export const lifetime = 10 * minute;

/** The owner of the seal, which no person can be. */
const owner = { team: '', person: 'installer' } as const;

const State = z.object({ until: z.number(), nonce: z.string() });

/**
 * Makes and checks the states of installations. A state is sealed, so that nobody can make one, in any process that has
 * the keys. Slack's installer compares it with the cookie of the browser that began. That it works only once is kept with
 * the installation, as its `metadata`.
 */
export function statesIn(vault: Pick<Vault, 'seal' | 'open'>, clock: Clock, options: InstallURLOptions): StateStore {
  return {
    generateStateParam() {
      const state = { until: clock.now() + lifetime, nonce: randomBytes(16).toString('base64url') };
      return vault.seal(owner, JSON.stringify(state));
    },
    async verifyStateParam(_now, state) {
      const text = await vault.open(owner, state);
      const read = State.safeParse(text === undefined ? undefined : parseJson(text)).data;
      if (!read || !isToCome(read.until, clock.now(), lifetime)) throw new InvalidStateError('it is over or forged');
      return { ...options, metadata: state };
    },
  };
}
