import type { Kysely } from 'kysely';
import { day } from '../../ground/durations.ts';
import type { Schema, Store } from '../database.ts';
import { equals, unlessThere, wrote } from '../statementParts.ts';
import type { HeardRow } from './rows.ts';

/** The kinds of messages to Dolly. A submitted form is one of them. */
export type HeardKind = 'mention' | 'direct' | 'form';

/** A message to Dolly; its id is the same however often Slack tells of it. `at` is milliseconds since the epoch. */
type HeardMessage = Readonly<{ id: string; team: string; kind: HeardKind; at: number }>;

/** Slack tells of a message again for an hour, or for a day where the app asks for that. Then it is forgotten. */
const keptFor = 2 * day;

/** Messages that were heard, so that none of them is answered twice by any process. */
export type Heard = Readonly<{
  /** Notes a message; `false` where it was noted before. */
  note(message: HeardMessage): Promise<boolean>;
  /** The time at which the last message of a kind was heard; `undefined` where there was none of late. */
  last(team: string, kind: HeardKind): Promise<number | undefined>;
}>;

export function heardIn(store: Store): Heard {
  return {
    note: message => noteHeard(store, message),
    async last(team, kind) {
      const row = await store
        .selectFrom('heard')
        .select('heardAt')
        .where(equals({ team, kind }))
        .orderBy('heardAt', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row?.heardAt;
    },
  };
}

/** Notes a message, in a transaction or on its own, and forgets old ones; `false` where it was noted before. */
export async function noteHeard(changes: Kysely<Schema>, { id, team, kind, at }: HeardMessage): Promise<boolean> {
  await changes
    .deleteFrom('heard')
    .where('heardAt', '<', at - keptFor)
    .execute();
  const row: HeardRow = { id, team, kind, heardAt: at };
  return wrote(changes.insertInto('heard').values(row).onConflict(unlessThere));
}
