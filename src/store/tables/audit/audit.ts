import { randomUUID } from 'node:crypto';
import {
  type CompiledQuery,
  type InsertQueryBuilder,
  type InsertResult,
  type Kysely,
  sql,
  type Transaction,
} from 'kysely';
import { counted } from '../../../ground/wording.ts';
import { inTransaction } from '../../agenda.ts';
import { initialOf, namesIn } from '../../columns.ts';
import { insertCompiled } from '../../compiled.ts';
import type { Schema, Store } from '../../database.ts';
import { inOne } from '../../inOne.ts';
import { isShared } from '../../lock.ts';
import { auditTable } from '../rows.ts';
import { fillTrailIndex, sweepBlocks } from './auditIndex.ts';
import { type AuditFilter, type EntriesFound, type Entry, type From, ownTeam, searchTrail } from './auditSearch.ts';

/** The one who did something, with their sign-in at the service and their channel. `dolly` is the bot by itself. */
export type Actor = Readonly<{ actor: string; login: string | null; channel: string | null }>;

/** An entry before it is written. Fields that do not apply are left out. */
export type NewEntry = Readonly<Pick<Entry, 'at' | 'team' | 'event' | 'actor'> & Partial<Omit<Entry, 'id'>>>;

/** Called with each entry once it is committed, and never with one that was rolled back. */
export type Told = (entry: Entry) => void;

/** The trail of who did what. Entries are added and read; only the end of their retention deletes them. */
export type Audit = Readonly<{
  /** Adds an entry, and gives it with its id. */
  add(entry: NewEntry): Promise<Entry>;
  /** Finds up to `max` entries of one team, and of the bot about itself: those next to `from`, or else the latest. */
  read(team: string, filter: AuditFilter, max: number, from?: From): Promise<EntriesFound>;
  /** Those of some people who did something of which the trail tells since a time. */
  actorsSince(team: string, people: readonly string[], time: number): Promise<ReadonlySet<string>>;
  /** Does the next small step of the index for searches; `false` where nothing is left to do. */
  index(now: number): Promise<boolean>;
  /**
   * Deletes some of the entries from before `time`, the oldest first, and adds an entry about that. Gives their number;
   * 0 where none is left.
   */
  sweep(time: number, now: number): Promise<number>;
}>;

/** Max entries that one sweep deletes: others wait for it. */
const sweptAtOnce = 500;

export function auditIn(store: Store, told?: Told): Audit {
  return {
    add: entry => inTrail(store, told, (_, note) => note(entry)),
    read: (team, filter, max, from = {}) => searchTrail(store, { team, filter, max }, from),
    async actorsSince(team, people, time) {
      if (people.length === 0) return new Set<string>();
      const rows = await store
        .selectFrom('audit')
        .select('actor')
        .distinct()
        .where('team', '=', team)
        .where('id', '>', idFrom(time))
        .where('actor', 'in', people)
        .execute();
      return new Set(rows.map(({ actor }) => actor));
    },
    index: now => fillTrailIndex(store, now),
    sweep: (time, now) =>
      inTrail(store, told, async (changes, note) => {
        const some = changes.selectFrom('audit').select('id').where('at', '<', time).orderBy('at').limit(sweptAtOnce);
        const swept = await changes.deleteFrom('audit').where('id', 'in', some).executeTakeFirst();
        const many = Number(swept.numDeletedRows);
        if (many > 0) {
          await sweepBlocks(changes, time);
          const detail = `${counted(many, 'entry', 'entries')} from before ${new Date(time).toISOString()} ${many === 1 ? 'was' : 'were'} taken away.`;
          await note({ at: now, team: ownTeam, actor: 'dolly', event: 'swept', detail });
        }
        return many;
      }),
  };
}

/**
 * Makes a change of the store together with its entries in the trail: both or neither. `note` takes an entry; all are
 * written after the change, in one statement. `told` is called with each of them after the commit.
 */
export async function inTrail<T>(
  store: Store,
  told: Told | undefined,
  change: (changes: Transaction<Schema>, note: (entry: NewEntry) => Promise<Entry>) => Promise<T>,
): Promise<T> {
  const entries: Entry[] = [];
  const done = await inTransaction(store, async changes => {
    const result = await change(changes, async given => {
      const entry = newEntry(given);
      entries.push(entry);
      return entry;
    });
    await addEntries(changes, entries);
    return result;
  });
  for (const entry of entries) told?.(entry);
  return done;
}

const empty = initialOf(auditTable);

/** Makes an entry that is still to be written, with its id. */
export function newEntry(given: NewEntry): Entry {
  return { ...empty, ...given, id: nextId(given.at) };
}

export function entryRow(entry: Entry): EntryRow {
  // One text for searches, in lower case: the databases differ in how they compare upper case.
  const { id, at, ...told } = entry;
  return { ...entry, text: Object.values(told).filter(Boolean).join('\n').toLowerCase() };
}

async function addEntries(store: Kysely<Schema>, entries: readonly Entry[]): Promise<void> {
  const rows = entries.map(entryRow);
  const [first] = rows;
  if (first && rows.length === 1) await insertEntry(store, first);
  else if (first) await insertOf(store, rows).execute();
}

type EntryRow = Schema['audit'];
const into = (store: Pick<Kysely<Schema>, 'insertInto'>) => store.insertInto('audit');
const insertOf = (store: Kysely<Schema>, rows: readonly EntryRow[]) => into(store).values(rows);
const insertEntry = insertCompiled((store, row: EntryRow) => insertOf(store, [row]));

/**
 * Compiles an insert of a job together with its entry in the trail into one statement. The entry is added if the job is.
 * The parameters are the job's, and then the {@link entryValues}.
 */
export function withEntry(
  store: Kysely<Schema>,
  job: InsertQueryBuilder<Schema, 'jobs', InsertResult>,
  entry: EntryRow,
): CompiledQuery {
  const values = sql.join(entryValues(entry));
  const added = (from: Pick<Kysely<Schema>, 'insertInto'>, source = sql``) =>
    into(from).columns(entryColumns).expression(sql`select ${values} ${source}`).compile();
  return isShared(store)
    ? added(
        store.with('added', () => job.returning('id')),
        sql`from added`,
      )
    : inOne(job.compile(), added(store));
}

const entryColumns = namesIn(auditTable);

/** The values of an entry's row in the order of the parameters of {@link withEntry}. */
export function entryValues(entry: EntryRow): readonly unknown[] {
  return entryColumns.map(column => entry[column]);
}

/** Entries of one process stand in the order in which they were written, also within a millisecond. */
let written = 0;

function nextId(at: number): string {
  written = (written + 1) % 0x10000;
  return `${idFrom(at)}-${written.toString(16).padStart(4, '0')}-${randomUUID().slice(0, 8)}`;
}

/** The beginning of the ids of all entries at a time: ids sort by time. */
export function idFrom(at: number): string {
  return Math.max(0, at).toString(16).padStart(12, '0');
}
