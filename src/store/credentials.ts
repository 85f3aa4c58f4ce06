import type { Store } from './database.ts';
import type { Owner, Vault } from './vault.ts';

/** One person's sign-in at the service: in the clear only here, in memory. `since` is milliseconds since the epoch. */
export type Credential = Readonly<{ username: string; token: string; since: number }>;

/** Slack user → service token, sealed at rest. */
export type Credentials = {
  keep(owner: Owner, username: string, token: string, now: number): Promise<void>;
  /** Whether there is a sign-in, without opening its seal. */
  has(owner: Owner): Promise<boolean>;
  /** `undefined` where the person never signed in, signed out, or the seal does not open. */
  find(owner: Owner): Promise<Credential | undefined>;
  /** Forgets the sign-in; tells whether there was one. */
  forget(owner: Owner): Promise<boolean>;
  /** Forgets the sign-in if it still is this token, after the service refused it. */
  drop(owner: Owner, token: string): Promise<void>;
};

/** Keeps credentials in the store, sealed by the vault. */
export function credentialsIn(store: Store, vault: Vault): Credentials {
  const rowOf = (owner: Owner) =>
    store
      .selectFrom('credentials')
      .selectAll()
      .where('team', '=', owner.team)
      .where('person', '=', owner.person)
      .executeTakeFirst();
  const find: Credentials['find'] = async owner => {
    const row = await rowOf(owner);
    const token = row && (await vault.open(owner, row.token));
    return token === undefined ? undefined : { username: row?.username ?? '', token, since: Number(row?.createdAt) };
  };
  const forget: Credentials['forget'] = async owner => {
    const gone = await store
      .deleteFrom('credentials')
      .where('team', '=', owner.team)
      .where('person', '=', owner.person)
      .executeTakeFirst();
    return gone.numDeletedRows > 0n;
  };
  return {
    has: async owner => (await rowOf(owner)) !== undefined,
    find,
    forget,
    async keep(owner, username, token, now) {
      const row = { username, token: await vault.seal(owner, token), createdAt: now };
      await store
        .insertInto('credentials')
        .values({ team: owner.team, person: owner.person, ...row })
        .onConflict(conflict => conflict.columns(['team', 'person']).doUpdateSet(row))
        .execute();
    },
    async drop(owner, token) {
      if ((await find(owner))?.token === token) await forget(owner);
    },
  };
}
