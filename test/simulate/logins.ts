import type { Facts } from './oracles.ts';

/* Who people are at the service: the user as whom each of them is signed in, at each moment. */

/** The sign-ins of a world. */
export type Logins = Readonly<{
  /** Reads them anew: something was written to the store. @returns the people who are signed out, and in, since the last time */
  committed(): Readonly<{ out: readonly Login[]; in: readonly Login[] }>;
  /** The user as whom a person is signed in now, if they are. */
  of(person: string): string | undefined;
  /** Everybody as whom they were ever signed in. */
  ever(person: string): readonly string[];
}>;

/** A person of Slack's, and the user of the service as whom they signed in. */
export type Login = Readonly<{ person: string; username: string }>;

/** Watches them. */
export function watchLogins({ disk }: Pick<Facts, 'disk'>): Logins {
  let now = new Map<string, Readonly<{ username: string; since: number }>>();
  const all = new Map<string, string[]>();
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
      for (const { person, username } of changed.in) all.set(person, [...(all.get(person) ?? []), username]);
      return changed;
    },
    of: person => now.get(person)?.username,
    ever: person => all.get(person) ?? [],
  };
}
