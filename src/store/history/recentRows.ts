import type { Kysely } from 'kysely';
import { LRUCache } from 'lru-cache';
import { minute } from '../../ground/durations.ts';
import { onceCommitted } from '../agenda.ts';
import type { Schema, Store } from '../database.ts';
import type { ClaimRow, JobRow } from '../jobs/rows/jobRow.ts';
import type { CredentialRow } from '../tables/rows.ts';
import type { NoticeRow, ThingRow } from '../things/rows.ts';

/*
 * A process keeps in mind what it wrote in the last minutes. A store that goes back, as a standby does that takes over without
 * the last seconds, knows nothing of that any more: then the process does (putBack.ts).
 */

/** A row as this process wrote it, once that is committed. */
export type RecentRow =
  | Readonly<{ table: 'jobs'; row: JobRow }>
  | Readonly<{ table: 'claims'; row: ClaimRow }>
  /** `rests` says that nothing is planned for it, and nothing makes it due. */
  | Readonly<{ table: 'things'; row: ThingRow; rests: boolean }>
  | Readonly<{ table: 'outbox'; row: NoticeRow }>
  /** `isOver`: the sign-in was ended. */
  | Readonly<{ table: 'credentials'; row: CredentialRow; isOver: boolean }>;

/** How long it is kept in mind, in milliseconds, and how much of it, in characters: what was written last stays. */
const kept = { ttl: 10 * minute, maxSize: 32 * 1024 * 1024 } as const;
/** What a row takes beside its long texts, in characters. */
const usualSize = 1_000;

const memories = new WeakMap<object, LRUCache<string, RecentRow>>();

/** Lets this process keep in mind what it writes to a store. @returns reads what it has in mind, the oldest first */
export function keepRecentRows(store: Store): () => readonly RecentRow[] {
  const memory = new LRUCache<string, RecentRow>(kept);
  memories.set(store.getExecutor().adapter, memory);
  return () => [...memory.rvalues()].flatMap(one => one ?? []);
}

/** Keeps rows in mind that were just written, once they are committed. */
export function noteRows(changes: Kysely<Schema>, ...rows: readonly RecentRow[]): void {
  const memory = memoryOf(changes);
  if (!memory || rows.length === 0) return;
  onceCommitted(changes, () => {
    for (const one of rows) memory.set(keyOf(one), one, { size: sizeOf(one) });
  });
}

/** Keeps in mind what was changed about the messages of a job, where its row is. */
export function noteMessageOf(changes: Kysely<Schema>, id: string, change: (row: JobRow) => Partial<JobRow>): void {
  const memory = memoryOf(changes);
  if (!memory) return;
  onceCommitted(changes, () => {
    const one = memory.get(keyOf({ table: 'jobs', row: { id } }));
    if (one?.table === 'jobs') noteRows(changes, { ...one, row: { ...one.row, ...change(one.row) } });
  });
}

// A transaction has the adapter of its store.
const memoryOf = (changes: Kysely<Schema>) => memories.get(changes.getExecutor().adapter);

/** The columns by which each table knows its rows. */
const keys = {
  ...{ jobs: ['id'], outbox: ['id'], claims: ['record', 'sign'] },
  ...{ things: ['kind', 'id'], credentials: ['team', 'person'] },
} as const;

type Keyed = Readonly<{ table: RecentRow['table']; row: Readonly<Record<string, unknown>> }>;

function keyOf({ table, row }: Keyed): string {
  return [table, ...keys[table].map(key => row[key])].join(' ');
}

function sizeOf({ row }: RecentRow): number {
  let size = usualSize;
  for (const value of Object.values(row)) if (typeof value === 'string') size += value.length;
  return size;
}
