import type { Service } from '../api/connection/serviceClient.ts';
import { backOff, type Clock } from '../ground/clock.ts';
import { hour, minute } from '../ground/durations.ts';
import { Failure } from '../ground/failure.ts';
import { isAccount } from '../store/serviceOwner.ts';
import type { Credential, Credentials, Identity } from '../store/tables/credentials.ts';
import type { Owner } from '../store/vault.ts';

/*
 * The service account: a user of the service with whose sign-in approved schedules and reports run while nobody is
 * there. Nobody's click runs with it.
 */

/** The service account as others may know it. */
export type ServiceAccount = Readonly<{ username: string }>;

/** The user name of the service account, and its password as its file has it now. */
export type Account = ServiceAccount & Readonly<{ password(): Promise<string> }>;

/** The parts that {@link withAccount} needs. */
type AccountParts = Readonly<{
  credentials: Credentials;
  service: Pick<Service, 'signIn'>;
  /** The account of the configuration; `undefined` where there is none. */
  account: Account | undefined;
  clock: Clock;
  /** Learns which user of the service the account is; `undefined` where the service does not tell. */
  learn(token: string, username: string, answer: unknown): Promise<Identity | undefined>;
  /** Called after each sign-in. */
  signedIn(owner: Owner): Promise<void>;
  /** Called with the failure of each sign-in that failed. */
  failed(owner: Owner, error: unknown): Promise<void>;
}>;

/** The shortest and the longest pause between two sign-ins, in milliseconds. */
const [firstPause, longestPause] = [minute, hour];

/**
 * Adds the service account’s sign-in to those of people: finding it signs in where there is no token. It gives
 * `undefined` where no account is configured, and while the service refuses it: then it tries again after a minute, and
 * later and later up to an hour. An outage does not make it later.
 */
export function withAccount(parts: AccountParts): Credentials {
  const { credentials, account } = parts;
  const obtain = account && signInsOf(account, parts);
  return {
    ...credentials,
    async find(owner) {
      if (!isAccount(owner)) return credentials.find(owner);
      const kept = await credentials.find(owner);
      // Another account may have been configured since.
      return kept && kept.username === account?.username ? kept : obtain?.(owner);
    },
  };
}

/** Whether a failure says something about the account or its password, and not about the service as such. */
export function isOfAccount(error: unknown): error is Failure {
  return error instanceof Failure && ['refused', 'signed-out', 'forbidden', 'input'].includes(error.kind);
}

/** The sign-ins of a workspace: `vain` counts those in a row that failed, or whose token was refused at once. */
type Attempts = Readonly<{
  pending?: Promise<Credential | undefined>;
  vain: number;
  pause: number;
  /** By the steady clock. */
  nextAt: number;
  lastAt: number;
}>;

const none: Attempts = { vain: 0, pause: 0, nextAt: Number.NEGATIVE_INFINITY, lastAt: Number.NEGATIVE_INFINITY };

/** Signs the account in for one workspace at a time, with a pause between two attempts. */
function signInsOf({ username, password }: Account, parts: AccountParts) {
  const { credentials, service, clock, learn, signedIn, failed } = parts;
  const attempts = new Map<string, Attempts>();

  async function signIn(owner: Owner): Promise<Credential> {
    let answer: unknown;
    const token = await service.signIn(username, await password(), body => {
      answer = body;
    });
    const identity = await learn(token, username, answer);
    const since = clock.now();
    await credentials.keep(owner, username, token, since, undefined, identity);
    return { username, token, since, identity };
  }

  /** Waits longer before the next attempt with each one in vain, and for as long as the service asks. */
  function note(owner: Owner, vain: number, atLeast = 0): void {
    const pause = Math.max(backOff(Math.max(0, vain - 1), firstPause, longestPause), atLeast);
    const now = clock.steady();
    attempts.set(owner.team, { vain, pause, nextAt: now + pause, lastAt: now });
  }

  async function attempt(owner: Owner, before: Attempts): Promise<Credential | undefined> {
    try {
      const credential = await signIn(owner);
      const hasLasted = clock.steady() - before.lastAt > 2 * before.pause;
      note(owner, hasLasted ? 0 : before.vain + 1);
      await signedIn(owner);
      return credential;
    } catch (error) {
      note(owner, before.vain + (isOfAccount(error) ? 1 : 0), error instanceof Failure ? error.retryAfter : 0);
      await failed(owner, error);
      return undefined;
    }
  }

  return async (owner: Owner): Promise<Credential | undefined> => {
    const before = attempts.get(owner.team) ?? none;
    if (before.pending) return before.pending;
    if (clock.steady() < before.nextAt) return undefined;
    const pending = attempt(owner, before);
    attempts.set(owner.team, { ...before, pending });
    return pending;
  };
}
