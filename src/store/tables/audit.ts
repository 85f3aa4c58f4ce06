import { randomUUID } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import { insertCompiled } from '../compiled.ts';
import type { AuditRow, Schema, Store } from '../database.ts';

/** The one who did something, with their sign-in at the service and their channel. `dolly` is the bot by itself. */
export type Actor = Readonly<{ actor: string; login: string | null; channel: string | null }>;

/** An entry before it is written. Fields that do not apply are left out. */
export type NewEntry = Readonly<
  Pick<AuditRow, 'at' | 'team' | 'event' | 'actor'> & Partial<Omit<AuditRow, 'id' | 'at' | 'team' | 'event' | 'actor'>>
>;

/** An entry in the trail. */
export type Entry = Readonly<AuditRow>;

/** Called with each entry once it is committed, and never with one that was rolled back. */
export type Told = (entry: Entry) => void;

/**
 * A search in the trail. An entry fits if it has every word, is not from before `since` but from before `until`
 * (milliseconds since the epoch), and was made by `by`: a Slack user, or somebody signed in as that user of the
 * service.
 */
export type AuditFilter = Readonly<{ words: readonly string[]; since?: number; until?: number; by?: string }>;

/**
 * A part of the entries that fit: those older than the entry `before`, or newer than `after`; else the newest of all.
 */
export type From = Readonly<{ before?: string; after?: string }>;

/** The trail of who did what. Entries are added and read; only the end of their retention deletes them. */
export type Audit = {
  add(entry: NewEntry): Promise<Entry>;
  /** Up to `max` entries of one team, and of the bot about itself: those next to `from`, the newest first. */
  read(team: string, filter: AuditFilter, max: number, from?: From): Promise<readonly Entry[]>;
  /** Deletes the entries from before `time`, adds an entry about that, and gives the number of the deleted ones. */
  sweep(time: number, now: number): Promise<number>;
};

/** Keeps the trail in the store. */
export function auditIn(store: Store, told?: Told): Audit {
  return {
    add: entry => inTrail(store, told, (_, note) => note(entry)),
    async read(team, { words, since, until, by }, max, { before, after } = {}) {
      let query = store.selectFrom('audit').select(columns).where('team', 'in', [team, ownTeam]);
      if (since !== undefined) query = query.where('at', '>=', since);
      if (until !== undefined) query = query.where('at', '<', until);
      if (by !== undefined) query = query.where(({ or, eb }) => or([eb('actor', '=', by), eb('login', '=', by)]));
      if (before !== undefined) query = query.where('id', '<', before);
      if (after !== undefined) query = query.where('id', '>', after);
      for (const word of words) query = query.where('text', 'like', `%${escaped(word.toLowerCase())}%`);
      const isUpwards = after !== undefined;
      const rows = await query
        .orderBy('id', isUpwards ? 'asc' : 'desc')
        .limit(max)
        .execute();
      const entries = rows.map(row => ({ ...row, at: Number(row.at) }));
      return isUpwards ? entries.toReversed() : entries;
    },
    sweep: (time, now) =>
      inTrail(store, told, async (changes, note) => {
        const swept = await changes.deleteFrom('audit').where('at', '<', time).executeTakeFirst();
        const many = Number(swept.numDeletedRows);
        if (many > 0) {
          const detail = `${many} entries from before ${new Date(time).toISOString()} were taken away.`;
          await note({ at: now, team: ownTeam, actor: 'dolly', event: 'swept', detail });
        }
        return many;
      }),
  };
}

/**
 * Makes a change of the store together with its entries in the trail: both or neither. `note` writes an entry; `told`
 * is called with each entry after the commit.
 */
export async function inTrail<T>(
  store: Store,
  told: Told | undefined,
  change: (changes: Transaction<Schema>, note: (entry: NewEntry) => Promise<Entry>) => Promise<T>,
): Promise<T> {
  const entries: Entry[] = [];
  const done = await store.transaction().execute(changes =>
    change(changes, async entry => {
      const row = await addEntry(changes, entry);
      entries.push(row);
      return row;
    }),
  );
  for (const entry of entries) told?.(entry);
  return done;
}

async function addEntry(store: Kysely<Schema>, entry: NewEntry): Promise<Entry> {
  const row = { ...empty, ...entry, id: nextId(entry.at) };
  // One text for searches, in lower case: the databases differ in how they compare upper case.
  const { id, at, ...told } = row;
  const text = Object.values(told).filter(Boolean).join('\n').toLowerCase();
  await insertEntry(store, { ...row, text });
  return row;
}

const insertEntry = insertCompiled((store, row: Schema['audit']) => store.insertInto('audit').values(row).compile());

/** The team of the bot's entries about itself. */
const ownTeam = '';

/** The columns of an entry: all but `text`, which is for searches only. */
const columns = [
  'id',
  'at',
  'team',
  'actor',
  'person',
  'login',
  'event',
  'operation',
  'target',
  'targetName',
  'job',
  'channel',
  'detail',
] as const satisfies readonly (keyof AuditRow)[];

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
  return `${time}-${count}-${randomUUID().slice(0, 8)}`;
}

/** Replaces the characters that `like` would read as a pattern by `_`, which matches any one character. */
function escaped(word: string): string {
  return word.replace(/[%\\]/g, '_');
}
