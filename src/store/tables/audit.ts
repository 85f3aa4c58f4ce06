import { randomBytes } from 'node:crypto';
import type { Kysely, Transaction } from 'kysely';
import type { AuditRow, Schema, Store } from '../database.ts';

/** Who did something, with which sign-in at the service, and from which channel. `dolly` is the bot by itself. */
export type Actor = Readonly<{ actor: string; login: string | null; channel: string | null }>;

/** An entry before it is written. What does not apply is left out. */
export type NewEntry = Readonly<
  Pick<AuditRow, 'at' | 'team' | 'event' | 'actor'> & Partial<Omit<AuditRow, 'id' | 'at' | 'team' | 'event' | 'actor'>>
>;

/** An entry that stands in the trail. */
export type Entry = Readonly<AuditRow>;

/** Hears of each entry once it stands, and of none that was undone. */
export type Told = (entry: Entry) => void;

/**
 * What to look for: every word stands somewhere in an entry, which is of that time (milliseconds since the epoch), by a
 * Slack user or by somebody signed in as that user of the service.
 */
export type AuditFilter = Readonly<{ words: readonly string[]; since?: number; until?: number; by?: string }>;

/** Which entries of all that fit: those older, or those newer, than one of them; the newest of all without. */
export type From = Readonly<{ before?: string; after?: string }>;

/** The trail of who did what. It is added to and read; nothing but the end of its retention takes an entry away. */
export type Audit = {
  add(entry: NewEntry): Promise<Entry>;
  /** Entries of one team, and those of the bot about itself, the newest first, at most `most`: the ones next to `from`. */
  read(team: string, filter: AuditFilter, most: number, from?: From): Promise<readonly Entry[]>;
  /** Takes away what is older than `time`, which the trail says itself; tells how many entries that were. */
  sweep(time: number, now: number): Promise<number>;
};

/** Keeps the trail in the store. */
export function auditIn(store: Store, told?: Told): Audit {
  return {
    add: entry => inTrail(store, told, (_, note) => note(entry)),
    async read(team, { words, since, until, by }, most, { before, after } = {}) {
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
        .limit(most)
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
 * Makes a change of the store together with what the trail says of it: both or neither. `note` writes an entry; `told`
 * hears of it when all is done.
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
  // One text to look for words in: the databases differ in how they compare anything but what is lower case already.
  const { id, at, ...told } = row;
  const text = Object.values(told).filter(Boolean).join('\n').toLowerCase();
  await store
    .insertInto('audit')
    .values({ ...row, text })
    .execute();
  return row;
}

/** The team of what the bot tells of itself. */
const ownTeam = '';

/** All that an entry tells; beside it there is only the text that words are looked for in. */
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
  return `${time}-${count}-${randomBytes(4).toString('hex')}`;
}

/** Without what `like` would read as a pattern: such a character then stands for itself or any other one. */
function escaped(word: string): string {
  return word.replace(/[%\\]/g, '_');
}
