import { createHash, randomUUID } from 'node:crypto';
import { hoursToMilliseconds } from 'date-fns/hoursToMilliseconds';
import { foldings } from '../../ground/lookalikes.ts';
import type { Store } from '../database.ts';
import type { Owner } from '../vault.ts';

/** So many passwords may be refused in so long, for one person, and for one person with one user name of the service. */
const mostRefused = 10;
const span = hoursToMilliseconds(1);

/** A try that may be made, or the time (milliseconds since the epoch) before which no other may. */
export type Try = Readonly<{ id: string } | { until: number }>;

/**
 * How often a password was refused, by person (over all user names) and by person and user name together, however that is
 * written: nobody locks out a colleague. Kept in the store, so that neither a restart nor another link gives more tries.
 */
export type Tries = {
  /** Counts a try as refused before it is made: of those that are made at the same moment no more than the limit pass. */
  begin(owner: Owner, username: string, now: number): Promise<Try>;
  /** Takes a try back that was not refused. */
  forgive(id: string): Promise<void>;
  /** Forgets the tries of a person, who now has signed in; those with each other user name stay. */
  clear(owner: Owner, username: string): Promise<void>;
};

/** Keeps tries in the store; old ones are swept whenever one is made. */
export function triesIn(store: Store): Tries {
  const forgive = async (id: string) => {
    await store.deleteFrom('tries').where('id', '=', id).execute();
  };
  return {
    forgive,
    async begin(owner, username, now) {
      const id = randomUUID();
      const both = [aboutPerson(owner), aboutName(owner, username)];
      await store
        .deleteFrom('tries')
        .where('triedAt', '<=', now - span)
        .execute();
      // Written first and counted then: replicas that do so at the same moment see each other.
      await store
        .insertInto('tries')
        .values(both.map(about => ({ id, about, triedAt: now })))
        .execute();
      const others = await store
        .selectFrom('tries')
        .select(['about', 'triedAt'])
        .where('about', 'in', both)
        .where('id', '!=', id)
        .where('triedAt', '>', now - span)
        .orderBy('triedAt', 'desc')
        .execute();
      const ends = both.flatMap(about => {
        const last = others.filter(row => row.about === about)[mostRefused - 1];
        return last ? [Number(last.triedAt) + span] : [];
      });
      if (ends.length === 0) return { id };
      await forgive(id);
      return { until: Math.max(...ends) };
    },
    async clear(owner, username) {
      const both = [aboutPerson(owner), aboutName(owner, username)];
      await store.deleteFrom('tries').where('about', 'in', both).execute();
    },
  };
}

function aboutPerson({ team, person }: Owner): string {
  return hash(['person', team, person]);
}

/** A hash, since what stands in the wrong field may be a password. */
function aboutName({ team, person }: Owner, username: string): string {
  return hash(['name', team, person, foldings(username)[0]]);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
