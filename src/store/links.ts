import { createHash, randomBytes } from 'node:crypto';
import { minutesToMilliseconds } from 'date-fns/minutesToMilliseconds';
import type { LinkRow, Store } from './database.ts';
import type { Owner } from './vault.ts';

/** How long a sign-in link lives, and how many passwords may be tried with it. */
const lifetime = minutesToMilliseconds(10);
const mostTries = 5;

export type Link = Owner & Readonly<{ channel: string; intent: string | null }>;

/** Single-use links by which a Slack user reaches the sign-in page. Only a hash of each is stored. */
export type Links = {
  /** Makes a link and returns its secret, 256 random bits for a URL. */
  make(link: Link, now: number): Promise<string>;
  /** The link behind a secret while it may be used: in time, unused, tries left. */
  find(secret: string, now: number): Promise<Link | undefined>;
  /** Counts a try; `false` where the link may not be used (any more). */
  try(secret: string, now: number): Promise<boolean>;
  /** Uses the link up; `false` where somebody else just did. */
  use(secret: string): Promise<boolean>;
};

/** Keeps links in the store; those that expired are swept whenever one is made. */
export function linksIn(store: Store): Links {
  const usable = (secret: string, now: number) =>
    store
      .selectFrom('links')
      .selectAll()
      .where('id', '=', hash(secret))
      .where('expiresAt', '>', now)
      .where('tries', '<', mostTries);
  return {
    async make(link, now) {
      const secret = randomBytes(32).toString('base64url');
      const row: LinkRow = {
        id: hash(secret),
        team: link.team,
        person: link.person,
        channel: link.channel,
        intent: link.intent,
        expiresAt: now + lifetime,
        tries: 0,
      };
      await store.deleteFrom('links').where('expiresAt', '<=', now).execute();
      await store.insertInto('links').values(row).execute();
      return secret;
    },
    find: (secret, now) => usable(secret, now).executeTakeFirst(),
    async try(secret, now) {
      const counted = await store
        .updateTable('links')
        .set(row => ({ tries: row('tries', '+', 1) }))
        .where('id', '=', hash(secret))
        .where('expiresAt', '>', now)
        .where('tries', '<', mostTries)
        .executeTakeFirst();
      return counted.numUpdatedRows > 0n;
    },
    async use(secret) {
      const used = await store.deleteFrom('links').where('id', '=', hash(secret)).executeTakeFirst();
      return used.numDeletedRows > 0n;
    },
  };
}

function hash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
