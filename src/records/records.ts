import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { type Call, isListCall } from '../api/call.ts';
import type { Service } from '../api/connection/serviceClient.ts';
import type { MayLeave } from '../api/connection/transport.ts';
import type { Mapping } from '../api/reading/recordMapping.ts';
import type { Clock } from '../ground/clock.ts';
import { Failure, isSignedOut } from '../ground/failure.ts';
import type { Meter } from '../ground/meter.ts';
import type { Credential, Credentials } from '../store/tables/credentials.ts';
import type { Owner } from '../store/vault.ts';
import { openListDepth } from './listDepth.ts';
import { type PersonalRecords, personalRecords } from './personalRecords.ts';
import { openRecentAnswers } from './recentAnswers.ts';
import { type RecordReader, recordReader } from './recordReader.ts';

/**
 * Records as each person sees them, always with that person's own token. A token that the service refuses is forgotten
 * here and nowhere else, before the caller gets the failure.
 */
export type Records = {
  /**
   * Records for pickers, lists and Home: at most 15 s old, and no older than `notBefore` (milliseconds since the
   * epoch).
   */
  of(owner: Owner, notBefore?: number): PersonalRecords;
  /**
   * One piece of work with a person's sign-in, on records that are read now; `undefined` where they are not signed in.
   * A follow-up says for how many jobs it reads.
   */
  session(owner: Owner, followUp?: { jobs: number }): Promise<Session | undefined>;
  /** By how many milliseconds the service's clock is ahead of ours. */
  ahead(): number;
  /** The records that the service shows to a token that is nobody's sign-in yet. */
  trial(token: string): RecordReader;
};

/** One piece of work at the service with one person's sign-in. */
export type Session = Readonly<{
  credential: Credential;
  /** The records during this work: each list and each record is read once. */
  records: RecordReader;
  /** By how many milliseconds the service's clock is ahead of ours. */
  ahead(): number;
  /** Sends one write, once ({@link Service}). `mayLeave` is asked as it leaves. */
  submit(call: Call, mayLeave?: MayLeave): Promise<void>;
}>;

/**
 * The maximum number of a person's jobs for which a follow-up reads each record on its own, unless one of them needs the
 * list anyway. For more, it reads the list.
 */
const maxSingly = 5;

/** The parts that {@link Records} need. */
type RecordParts = Readonly<{
  service: Service;
  credentials: Pick<Credentials, 'find' | 'drop'>;
  /**
   * The time at which a job of a person last changed a record, in milliseconds since the epoch. The person was told of
   * the change, so no older answer may be shown.
   */
  lastEnd(owner: Owner): Promise<number>;
  /**
   * Calls `hear` as soon as the sign-in or the last end of somebody has changed, of one person or of anybody. Without it,
   * both are read for each answer.
   */
  changes?(hear: (whose?: Owner) => void): void;
  mapping: Mapping;
  clock: Clock;
  log: Logger;
  meter: Meter;
}>;

export function openRecords(parts: RecordParts): Records {
  const { service, credentials, lastEnd, changes, mapping, clock, log, meter } = parts;
  const depth = openListDepth(clock);

  /** Forgets the token with which this work was done, if the service refuses it. */
  async function forgettingRefused<T>(owner: Owner, { token }: Credential, work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (isSignedOut(error)) await credentials.drop(owner, token, clock.now());
      throw error;
    }
  }

  const memory = openRecentAnswers<Credential>(clock, (owner, credential, call, measured) =>
    forgettingRefused(owner, credential, service.fetch(credential.token, call, measured)),
  );

  const standingOf = openStandings({ credentials, lastEnd, clock, ...(changes ? { changes } : {}) });

  return {
    of: ({ team, person }, notBefore = 0) =>
      personalRecords({
        ...{ notBefore, mapping, clock, log: log.child({ person }) },
        async answer(call, since) {
          const owner = { team, person };
          const [credential, ended] = await standingOf(owner);
          if (!credential) throw notSignedIn();
          return memory.read(owner, credential, call, Math.max(since, ended));
        },
      }),

    ahead: () => service.ahead(),

    trial: token => recordReader(call => service.fetch(token, call), mapping),

    async session(owner, followUp) {
      const credential = await credentials.find(owner);
      if (!credential) return undefined;
      const fetch = (call: Call): Promise<unknown> => {
        if (followUp && isListCall(call)) meter.count('lists', {});
        return forgettingRefused(owner, credential, service.fetch(credential.token, call));
      };
      const use = followUp && { depth, isFirst: followUp.jobs > maxSingly };
      const submit = (call: Call, mayLeave?: MayLeave) =>
        forgettingRefused(owner, credential, service.submit(credential.token, call, mayLeave));
      return { credential, records: recordReader(fetch, mapping, use), ahead: () => service.ahead(), submit };
    },
  };
}

/** The present time by the clock that is ahead, ours or the service's: what is later is still to come by both. */
export function nowByEither({ clock, records }: Readonly<{ clock: Clock; records: Pick<Records, 'ahead'> }>): number {
  return clock.now() + Math.max(0, records.ahead());
}

/** The time for which a sign-in and a last end serve all that is read for one form or page, in milliseconds. */
const servesFor = 1_000;
const maxStandings = 1_000;

type StandingParts = Pick<RecordParts, 'credentials' | 'lastEnd' | 'changes' | 'clock'>;

/** What an answer hangs on: the sign-in, and the time of the last end of a job. One form asks for it fifteen times. */
function openStandings({ credentials, lastEnd, changes, clock }: StandingParts) {
  type Standing = Promise<readonly [Credential | undefined, number]>;
  const known = new LRUCache<string, { at: number; is: Standing }>({ max: maxStandings });
  const keyOf = ({ team, person }: Owner) => `${team} ${person}`;
  changes?.(whose => (whose ? known.delete(keyOf(whose)) : known.clear()));
  return (owner: Owner): Standing => {
    const key = keyOf(owner);
    const before = known.get(key);
    if (before && clock.steady() - before.at < servesFor) return before.is;
    const is = Promise.all([credentials.find(owner), lastEnd(owner)]);
    const one = { at: clock.steady(), is };
    if (changes) known.set(key, one);
    const forget = () => known.peek(key) === one && known.delete(key);
    // Whoever is not signed in may be in a moment.
    is.then(([credential]) => credential ?? forget(), forget);
    return is;
  };
}

export function notSignedIn(): Failure {
  return new Failure('signed-out', 'You are not signed in to the service.');
}
