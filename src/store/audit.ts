import { randomBytes } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { AuditRow, Schema, Store } from './database.ts';

/** Who did something, with which sign-in at the service, and from which channel. `dolly` is the bot by itself. */
export type Actor = Readonly<{ actor: string; login: string | null; channel: string | null }>;

/** An entry before it is written. What does not apply is left out. */
export type NewEntry = Readonly<
  Pick<AuditRow, 'at' | 'team' | 'event' | 'actor'> & Partial<Omit<AuditRow, 'id' | 'at' | 'team' | 'event' | 'actor'>>
>;

/** What to look for: every word stands somewhere in an entry, which is of that time (milliseconds since the epoch). */
export type AuditFilter = Readonly<{ words: readonly string[]; since?: number; until?: number }>;

/** The trail of who did what. It is added to and read; nothing but the end of its retention takes an entry away. */
export type Audit = {
  add(entry: NewEntry): Promise<void>;
  /** Entries of one team, the newest first, at most `most`, those before the entry `before` only. */
  read(team: string, filter: AuditFilter, most: number, before?: string): Promise<readonly AuditRow[]>;
  /** Takes away what is older than `time`, which the trail says itself; tells how many entries that were. */
  sweep(time: number, now: number): Promise<number>;
};

/** Keeps the trail in the store. */
export function auditIn(store: Store): Audit {
  return {
    add: entry => addEntry(store, entry),
    async read(team, { words, since, until }, most, before) {
      let query = store.selectFrom('audit').selectAll().where('team', '=', team);
      if (since !== undefined) query = query.where('at', '>=', since);
      if (until !== undefined) query = query.where('at', '<', until);
      if (before !== undefined) query = query.where('id', '<', before);
      for (const word of words) query = query.where('text', 'like', `%${escaped(word.toLowerCase())}%`);
      return query.orderBy('id', 'desc').limit(most).execute();
    },
    sweep: (time, now) =>
      store.transaction().execute(async changes => {
        const swept = await changes.deleteFrom('audit').where('at', '<', time).executeTakeFirst();
        const many = Number(swept.numDeletedRows);
        if (many > 0) {
          const detail = `${many} entries from before ${new Date(time).toISOString()} were taken away.`;
          await addEntry(changes, { at: now, team: '', actor: 'dolly', event: 'swept', detail });
        }
        return many;
      }),
  };
}

/** Writes an entry, in the transaction of what it tells of. */
export async function addEntry(store: Kysely<Schema>, entry: NewEntry): Promise<void> {
  const row = { ...empty, ...entry, id: nextId(entry.at) };
  // One text to look for words in: the databases differ in how they compare anything but what is lower case already.
  const { id, at, ...told } = row;
  const text = Object.values(told).filter(Boolean).join('\n').toLowerCase();
  await store
    .insertInto('audit')
    .values({ ...row, text })
    .execute();
}

const empty = {
  person: null,
  login: null,
  operation: null,
  target: null,
  targetName: null,
  job: null,
  channel: null,
  detail: null,
} as const;

/** Entries of one process stand in the order in which they were written, also within a millisecond. */
let written = 0;

function nextId(at: number): string {
  written = (written + 1) % 0x10000;
  const [time, count] = [at.toString(16).padStart(12, '0'), written.toString(16).padStart(4, '0')];
  return `${time}-${count}-${randomBytes(4).toString('hex')}`;
}

/** Without what `like` would read as a pattern: such a character then stands for itself or any other one. */
function escaped(word: string): string {
  return word.replace(/[%\\]/g, '_');
}
