import { randomBytes } from 'node:crypto';
import type { Clock } from './clock.ts';

export type Tokens = {
  /** A new token (spec §5.3). Lifetime in milliseconds, the service's own when undefined. */
  issue(user: string, lifetime?: number): { token: string; expiresAt: number };
  /** The id of the user whose token this is; `expired` when its time is over; undefined when it was never issued. */
  holder(token: string): { user: string; expired: boolean } | undefined;
  /** Ends every token of a user. */
  revoke(user: string): void;
};

/** Opaque random tokens, kept in memory. Their format and lifetime are our choice (spec §5.4 shows none). */
export function createTokens(clock: Clock, defaultLifetime: number): Tokens {
  const issued = new Map<string, { user: string; expiresAt: number }>();
  return {
    issue(user, lifetime = defaultLifetime) {
      const token = randomBytes(32).toString('base64url');
      const expiresAt = clock.now() + lifetime;
      issued.set(token, { user, expiresAt });
      return { token, expiresAt };
    },
    holder(token) {
      const found = issued.get(token);
      return found && { user: found.user, expired: found.expiresAt <= clock.now() };
    },
    revoke(user) {
      for (const [token, entry] of issued) if (entry.user === user) issued.delete(token);
    },
  };
}
