import type { Facts } from './oracles.ts';

/* Who people are at the service: the user as whom each of them is signed in, at each moment. */

/** The sign-ins of a world. */
export type Logins = Readonly<{
  /** Reads them anew: something was written to the store. @returns the people who are signed out, and in, since the last time */
  committed(): Readonly<{ out: readonly Login[]; in: readonly Login[] }>;
  /**
   * As whom they were signed in at a time, and until another one: what comes at that moment is done by one
   * or the other.
   */
  around(person: string, time: number, until: number): readonly string[];
  /** Everybody as whom they were ever signed in. */
  ever(person: string): readonly string[];
}>;

/** A person of Slack's, and the user of the service as whom they signed in. */
export type Login = Readonly<{ person: string; username: string }>;

/** Watches them. */
export function watchLogins({ disk, kernel }: Pick<Facts, 'disk' | 'kernel'>): Logins {
  let now = new Map<string, Readonly<{ username: string; since: number }>>();
  /** As whom each person was signed in since when. */
  const all = new Map<string, Readonly<{ username: string | undefined; at: number }>[]>();
  const note = (person: string, username: string | undefined) =>
    all.set(person, [...(all.get(person) ?? []), { username, at: kernel.now() }]);
  return {
    committed() {
      const before = now;
      now = new Map(
        disk
          .rows('select person, username, created_at from credentials')
          .map(row => [String(row.person), { username: String(row.username), since: Number(row.created_at) }]),
      );
      const loginsOf = (people: typeof now) => [...people].map(([person, { username }]) => ({ person, username }));
      const changed = {
        out: loginsOf(before).filter(({ person, username }) => now.get(person)?.username !== username),
        in: loginsOf(now).filter(({ person }) => now.get(person)?.since !== before.get(person)?.since),
      };
      for (const { person } of changed.out) note(person, undefined);
      for (const { person, username } of changed.in) note(person, username);
      return changed;
    },
    around(person, time, until) {
      const known = all.get(person) ?? [];
      const before = known.findLast(({ at }) => at <= time);
      const since = known.filter(({ at }) => at > time && at <= until);
      return [...(before ? [before] : []), ...since].flatMap(({ username }) => username ?? []);
    },
    ever: person => (all.get(person) ?? []).flatMap(({ username }) => username ?? []),
  };
}
