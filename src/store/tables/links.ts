import { createHash, randomBytes } from 'node:crypto';
import { minute } from '../../ground/durations.ts';
import type { Store } from '../database.ts';
import type { Owner, Vault } from '../vault.ts';
import type { LinkRow } from './rows.ts';

/** Lifetime of a sign-in link, in milliseconds, and max passwords that may be tried with it. */
export const linkLifetime = 10 * minute;
const maxTries = 5;

/** The place where a sign-in was asked for, and the command to go on with. */
export type Link = Owner & Readonly<{ channel: string; thread?: string | undefined; intent: string | null }>;

/**
 * Single-use links by which a Slack user reaches the sign-in page. Only a hash of each is stored, and `intent` sealed.
 */
export type Links = Readonly<{
  /** Makes a link and gives its secret, 256 random bits for a URL. */
  make(link: Link, now: number): Promise<string>;
  /** The link behind a secret; `undefined` where it may not be used: it expired, was used, or has no tries left. */
  find(secret: string, now: number): Promise<Link | undefined>;
  /** Takes the link out, so that only one of several simultaneous uses has it; `undefined` where it may not be used. */
  take(secret: string, now: number): Promise<Taken | undefined>;
  /** Puts back a link that brought no sign-in, with one try fewer; `false` where that was the last try. */
  putBack(taken: Taken): Promise<boolean>;
}>;

/** A link that somebody is using. */
export type Taken = Link & Readonly<{ row: LinkRow }>;

/** Keeps links in the store; those that expired are swept whenever one is made. */
export function linksIn(store: Store, vault: Vault): Links {
  const usable = (secret: string, now: number) =>
    store
      .selectFrom('links')
      .selectAll()
      .where('id', '=', hash(secret))
      .where('expiresAt', '>', now)
      .where('tries', '<', maxTries);
  /** Reads a row as a link. An intent that no key opens any more is left out: nobody goes on with that command. */
  const linkOf = async ({ team, person, channel, thread, intent }: LinkRow): Promise<Link> => {
    const opened = intent === null ? undefined : await vault.open({ team, person }, intent);
    return { team, person, channel, thread: thread ?? undefined, intent: opened ?? null };
  };
  return {
    async make(link, now) {
      const secret = randomBytes(32).toString('base64url');
      const row: LinkRow = {
        id: hash(secret),
        team: link.team,
        person: link.person,
        channel: link.channel,
        thread: link.thread ?? null,
        intent: link.intent === null ? null : await vault.seal({ team: link.team, person: link.person }, link.intent),
        expiresAt: now + linkLifetime,
        tries: 0,
      };
      await store.deleteFrom('links').where('expiresAt', '<=', now).execute();
      await store.insertInto('links').values(row).execute();
      return secret;
    },
    async find(secret, now) {
      const row = await usable(secret, now).executeTakeFirst();
      return row && linkOf(row);
    },
    async take(secret, now) {
      const row = await store
        .deleteFrom('links')
        .where('id', '=', hash(secret))
        .where('expiresAt', '>', now)
        .where('tries', '<', maxTries)
        .returningAll()
        .executeTakeFirst();
      return row && { ...(await linkOf(row)), row };
    },
    async putBack({ row }) {
      const tries = row.tries + 1;
      if (tries >= maxTries) return false;
      await store
        .insertInto('links')
        .values({ ...row, tries })
        .execute();
      return true;
    },
  };
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
