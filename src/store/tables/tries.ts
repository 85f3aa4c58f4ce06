import { createHash, randomUUID } from 'node:crypto';
import { hour } from '../../ground/durations.ts';
import { foldings } from '../../ground/lookalikes.ts';
import { lockTime } from '../../ground/loop.ts';
import type { Store } from '../database.ts';
import type { Owner } from '../vault.ts';

/** Max passwords refused within a span (milliseconds): for one person, and for that person with one user name. */
const maxRefused = 10;
const span = hour;

/** A try that may be made, or the time (milliseconds since the epoch) before which no other may. */
export type Try = Readonly<{ id: string } | { until: number }>;

/**
 * Counts refused passwords by person (over all user names), and by person and user name together, however the name is
 * written. No count is by user name alone, so that nobody locks out a colleague. The counts are in the store, so that
 * neither a restart nor another link gives more tries.
 */
export type Tries = Readonly<{
  /**
   * Counts a try as refused before it is made: of tries that are made at the same moment, no more than the limit pass.
   * Gives the time from which on another one may be made where this one may not.
   */
  begin(owner: Owner, username: string, now: number): Promise<Try>;
  /** Takes back a try that was not refused. */
  forgive(id: string): Promise<void>;
  /** Forgets the tries of a person who has signed in; the counts with other user names stay. */
  clear(owner: Owner, username: string): Promise<void>;
}>;

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
      const [since, ahead] = [now - span, now + lockTime];
      await store.deleteFrom('tries').where('triedAt', '<=', since).execute();
      // The clock was set back: nobody is locked out until it has caught up.
      await store.updateTable('tries').set({ triedAt: now }).where('triedAt', '>', ahead).execute();
      // Written first, then counted: replicas that do so at the same moment see each other's tries.
      await store
        .insertInto('tries')
        .values(both.map(about => ({ id, about, triedAt: now })))
        .execute();
      const others = await store
        .selectFrom('tries')
        .select(['about', 'triedAt'])
        .where('about', 'in', both)
        .where('id', '!=', id)
        .where('triedAt', '>', since)
        .orderBy('triedAt', 'desc')
        .execute();
      const ends = both.flatMap(about => {
        const last = others.filter(row => row.about === about)[maxRefused - 1];
        return last ? [last.triedAt + span] : [];
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

/** A hash, since somebody may type a password into the wrong field. */
function aboutName({ team, person }: Owner, username: string): string {
  return hash(['name', team, person, foldings(username)[0]]);
}

function hash(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
}
