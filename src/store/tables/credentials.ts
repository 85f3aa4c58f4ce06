import { sql, type Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { minute } from '../../ground/durations.ts';
import { parseJson } from '../../ground/json.ts';
import { noteDue } from '../agenda.ts';
import { compiledOnce } from '../compiled.ts';
import type { Schema, Store } from '../database.ts';
import { noteRows } from '../history/recentRows.ts';
import { isAccount } from '../serviceOwner.ts';
import { equals, insertOrSet, wrote } from '../statementParts.ts';
import type { Owner, Vault } from '../vault.ts';
import { inTrail, type Told } from './audit/audit.ts';
import type { CredentialRow } from './rows.ts';

/** The identity of a person who signed in, as the service tells it. */
export const Identity = z.object({
  /** Identifiers of the user; several where it is not known which one is right. */
  users: z.array(z.string()),
  /** The user's names at the service. The first one is the name that was typed. */
  names: z.array(z.string()),
  /** The subject of the token, where that is more than a name. */
  subject: z.string().optional(),
  /** Until when the sign-in lasts, in milliseconds since the epoch, where the answer told it; since 0.3.0. */
  until: z.number().optional(),
});
export type Identity = z.infer<typeof Identity>;

/**
 * One person's sign-in at the service, in the clear only here, in memory. `since` is its time, in milliseconds since
 * the epoch. `identity` is absent where the service could not tell.
 */
export type Credential = Readonly<{ username: string; token: string; since: number; identity?: Identity | undefined }>;

/**
 * Slack user → service token, sealed at rest. Each sign-in that is kept or forgotten is written together with its entry
 * in the audit trail: both or neither.
 */
export type Credentials = Readonly<{
  /** The sign-in; `undefined` where the person never signed in, signed out, or the seal does not open. */
  find(owner: Owner): Promise<Credential | undefined>;
  /** Whether there is a sign-in, without opening its seal. */
  has(owner: Owner): Promise<boolean>;
  /**
   * Keeps a sign-in, in place of an earlier one of this person.
   * @param channel the place where the person signed in: a channel, or `page`
   */
  keep(
    owner: Owner,
    username: string,
    token: string,
    now: number,
    channel?: string,
    identity?: Identity,
  ): Promise<void>;
  /** Forgets the sign-in at the person's wish; tells whether there was one. */
  forget(owner: Owner, now: number, channel?: string): Promise<boolean>;
  /** Forgets the sign-in after the service refused this token, unless the person has signed in anew. */
  drop(owner: Owner, token: string, now: number): Promise<void>;
  /** Whether anybody of the team is signed in under this name. */
  knows(team: string, username: string): Promise<boolean>;
  /** Some of the people of a team who are signed in, `most` at most, without the service account. */
  people(team: string, most: number): Promise<readonly string[]>;
  /** The sign-ins of a team whose seals open, one after the other: to open those of thousands takes a second. */
  each(team: string): AsyncIterable<Pick<Credential, 'username' | 'token'>>;
  /**
   * Seals anew the sign-ins that an older key sealed, so that this key need not be kept; gives their number. A seal
   * that no key opens stays as it is.
   */
  renew(): Promise<number>;
}>;

/**
 * The sealed content: user name, token and identity. The name is sealed so that nobody can change the one beside it.
 */
const Sealed = z.tuple([z.string(), z.string(), Identity.optional()]);
type OpenedSeal = Readonly<{ token: string; identity?: Identity | undefined }>;

/**
 * Limits of the opened seals in memory, in characters and milliseconds: to open one costs more than to read its row. Those
 * of ten thousand people fit.
 */
const remembered = { maxSize: 32 * 1024 * 1024, ttl: 10 * minute, ttlAutopurge: true } as const;
/** Rows of a team's sign-ins that one statement reads. */
const readAtOnce = 20;
/** What an opened seal takes beside its key and its token, in characters. */
const identitySize = 500;

/** Takes up what waits for a sign-in, in the transaction that keeps it. */
export type TakingUp = (changes: Transaction<Schema>, owner: Owner, now: number) => Promise<void>;

/**
 * Keeps credentials in the store, sealed by the vault; `told` is called with their entries in the trail. A sign-in is kept
 * together with what `takeUp` does: of a process that is killed, nothing is left that waits for what is there.
 */
export function credentialsIn(store: Store, vault: Vault, told?: Told, takeUp?: TakingUp): Credentials {
  const rowOf = async (owner: Owner) => (await selectRow(store, owner)).rows[0];
  const unseal = async (owner: Owner, row: CredentialRow): Promise<OpenedSeal | undefined> => {
    const text = await vault.open(owner, row.token);
    if (text === undefined) return undefined;
    const sealed = Sealed.safeParse(parseJson(text));
    if (!sealed.success) return undefined;
    const [username, token, identity] = sealed.data;
    return username === row.username ? { token, identity } : undefined;
  };
  // The key is the whole row, which is read each time: a sign-in that was forgotten or sealed anew is not found here.
  const known = new LRUCache<string, OpenedSeal>(remembered);
  /**
   * Opens the seal of a row; `undefined` where it does not open, or the name beside it is not the one that was sealed.
   */
  const openedIn = async (owner: Owner, row: CredentialRow): Promise<OpenedSeal | undefined> => {
    const key = JSON.stringify([row.team, row.person, row.username, row.token]);
    const before = known.get(key);
    if (before) return before;
    const opened = await unseal(owner, row);
    if (opened) known.set(key, opened, { size: key.length + opened.token.length + identitySize });
    return opened;
  };
  const seal = (owner: Owner, username: string, { token, identity }: OpenedSeal) =>
    vault.seal(owner, JSON.stringify(identity ? [username, token, identity] : [username, token]));
  const about = ({ team, person }: Owner, at: number) => ({ at, team, person });
  // The bot itself signs the service account in.
  const by = (owner: Owner, channel: string | undefined) => ({
    actor: isAccount(owner) ? 'dolly' : owner.person,
    channel: channel ?? null,
  });
  return {
    has: async owner => (await rowOf(owner)) !== undefined,
    async knows(team, username) {
      const row = await store
        .selectFrom('credentials')
        .select('username')
        .where(equals({ team, username }))
        .executeTakeFirst();
      return row !== undefined;
    },
    async people(team, most) {
      const rows = await store
        .selectFrom('credentials')
        .select('person')
        .where('team', '=', team)
        .limit(most)
        .execute();
      return rows.map(({ person }) => person).filter(person => !isAccount({ team, person }));
    },
    async *each(team) {
      const all = store
        .selectFrom('credentials')
        .selectAll()
        .where('team', '=', team)
        .orderBy('person')
        .limit(readAtOnce);
      let rows = await all.execute();
      while (rows.length > 0) {
        for (const row of rows) {
          const opened = await openedIn(row, row);
          if (opened) yield { username: row.username, token: opened.token };
        }
        rows = await all.where('person', '>', rows.at(-1)?.person ?? '').execute();
      }
    },
    async find(owner) {
      const row = await rowOf(owner);
      const opened = row && (await openedIn(owner, row));
      return opened && { username: row.username, since: row.createdAt, ...opened };
    },
    async keep(owner, username, token, now, channel, identity) {
      const row = { username, token: await seal(owner, username, { token, identity }), createdAt: now };
      await inTrail(store, told, async (changes, note) => {
        const whole = { team: owner.team, person: owner.person, ...row };
        await insertOrSet(changes, 'credentials', ['team', 'person'], whole, row).execute();
        noteRows(changes, { table: 'credentials', row: whole, isOver: false });
        await takeUp?.(changes, owner, now);
        await note({ ...about(owner, now), ...by(owner, channel), event: 'signed in', login: username });
        noteDue(changes, 'homes', now, owner);
      });
    },
    forget: (owner, now, channel) =>
      inTrail(store, told, async (changes, note) => {
        const gone = await changes
          .deleteFrom('credentials')
          .where(equals({ team: owner.team, person: owner.person }))
          .returningAll()
          .executeTakeFirst();
        if (gone) noteRows(changes, { table: 'credentials', row: gone, isOver: true });
        if (gone)
          await note({ ...about(owner, now), ...by(owner, channel), event: 'signed out', login: gone.username });
        noteDue(changes, 'homes', now, owner);
        return gone !== undefined;
      }),
    async drop(owner, refused, now) {
      const row = await rowOf(owner);
      if (!row || (await openedIn(owner, row))?.token !== refused) return;
      await inTrail(store, told, async (changes, note) => {
        // Every seal is different, so this deletes only the very sign-in that was compared.
        const { team, person, token, username: login } = row;
        if (await wrote(changes.deleteFrom('credentials').where(equals({ team, person, token })))) {
          noteRows(changes, { table: 'credentials', row, isOver: true });
          const detail = 'The service no longer accepts the sign-in, so it was forgotten.';
          await note({ ...about(owner, now), event: 'token refused', actor: 'dolly', login, detail });
        }
        noteDue(changes, 'homes', now, owner);
      });
    },
    async renew() {
      let many = 0;
      const { currentBeginning: sealed } = vault;
      const older = sql<boolean>`substr(token, 1, ${sealed.length}) <> ${sealed}`;
      for (const row of await store.selectFrom('credentials').selectAll().where(older).execute()) {
        const { team, person, token } = row;
        const opened = vault.isCurrent(token) ? undefined : await openedIn(row, row);
        if (!opened) continue;
        const renewed = store.updateTable('credentials').set({ token: await seal(row, row.username, opened) });
        many += Number(await wrote(renewed.where(equals({ team, person, token }))));
      }
      return many;
    },
  };
}

const selectRow = compiledOnce(
  (store, { team, person }: Owner) => store.selectFrom('credentials').selectAll().where(equals({ team, person })),
  ({ team, person }) => [team, person],
);
