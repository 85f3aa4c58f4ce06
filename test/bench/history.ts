import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RawBuilder, sql } from 'kysely';
import { systemClock } from '../../src/ground/clock.ts';
import type { Store } from '../../src/store/database.ts';
import { openShared } from '../../src/store/drivers/postgres.ts';
import { openStore } from '../../src/store/drivers/sqlite.ts';
import { fresh } from '../../src/store/jobs/rows/encode.ts';
import type { JobRow } from '../../src/store/jobs/rows/jobRow.ts';
import { fillTrailIndex } from '../../src/store/tables/audit/auditIndex.ts';
import { startPostgres } from '../postgresServer.ts';
import { atEnd } from './child.ts';
import { source, team } from './estate.ts';
import { seed } from './seed.ts';

/*
 * A store with the history of a year: jobs that have ended, and entries of the audit trail. To make one takes minutes, so it is
 * kept for later runs, until the schema or this file changes.
 */

export type StoreKind = 'SQLite' | 'PostgreSQL';

/** A store with history: what Dolly has to find in its environment, and how to end the server that keeps it. */
export type History = Readonly<{ environment: Readonly<Record<string, string>>; stop(): void }>;

const sizes = { whole: { jobs: 1_000_000, entries: 5_000_000 }, quick: { jobs: 20_000, entries: 100_000 } } as const;

/** How a size is called in the names of figures. */
export function sizeOf(quick: boolean): Readonly<{ jobs: string; entries: string }> {
  const { jobs, entries } = quick ? sizes.quick : sizes.whole;
  return { jobs: `${jobs.toLocaleString('en')} ended jobs`, entries: `${entries.toLocaleString('en')} entries` };
}

/** A word that few entries have, all over the time; one that every entry of a job has; and the people who did something. */
export const words = { rare: 'zebrafish', frequent: 'snapshot', nowhere: 'qqqqq' } as const;
export const actor = 'U0PAST10042';
export const target = 'MYSQL_LIVE_SERVER-4042';

const day = 86_400_000;
/** The history reaches back so far: Dolly keeps all of it by its defaults. */
const span = 350 * day;
/** Rows that one statement makes: Dolly's stores allow 30 s for a statement. */
const inOneStatement = 50_000;

/** Opens a store with history, which is made where there is none from an earlier run. */
export async function openHistory(kind: StoreKind, quick: boolean, say: (line: string) => void): Promise<History> {
  const { jobs, entries } = quick ? sizes.quick : sizes.whole;
  const kept = keptFolder();
  const prefix = `${kind}-${entries}-`;
  const folder = join(kept, prefix + digestOf());
  const mark = join(folder, 'made');
  const isMade = existsSync(mark);
  if (!isMade) {
    say(`${jobs} jobs and ${entries} entries are made in ${kind}, and kept for the next run`);
    // One that was not finished, and those of other schemas: each takes gigabytes.
    for (const old of readdirSync(kept).filter(name => name.startsWith(prefix)))
      rmSync(join(kept, old), { recursive: true, force: true });
    mkdirSync(folder);
    chmodSync(folder, 0o755);
  }
  const make = async (store: Store) => {
    await seed(store, { people: 1, jobsEach: 0 }, Date.now());
    await addJobs(store, jobs);
    await addEntries(store, kind, entries);
    say('the index of the trail is made');
    while (await fillTrailIndex(store, Date.now()));
  };
  if (kind === 'SQLite') {
    if (!isMade) {
      const store = await openStore(folder);
      await sql`pragma synchronous = off`.execute(store);
      await make(store);
      await store.destroy();
      writeFileSync(mark, '');
    }
    return { environment: { DATA_DIR: folder }, stop: () => undefined };
  }
  const server = startPostgres(true, folder);
  const stop = atEnd(() => server.stop());
  const url = isMade ? readFileSync(mark, 'utf8') : await server.database();
  if (!isMade) {
    const { store, close } = await openShared(url, systemClock, { heard: () => {}, faulty: console.error });
    await make(store);
    await sql`vacuum analyze`.execute(store);
    await close();
    writeFileSync(mark, url);
  }
  return { environment: { DATABASE_URL: url }, stop };
}

/** A folder of ours for what is kept between runs. @throws Error where somebody else made it: they could change what is in it */
function keptFolder(): string {
  const folder = join(tmpdir(), 'dolly-bench-kept');
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const { uid } = lstatSync(folder);
  if (!lstatSync(folder).isDirectory() || uid !== (process.getuid?.() ?? uid)) throw new Error(`${folder} is not ours`);
  return folder;
}

/** Tells histories apart that were made for different schemas, or by another release of this file. */
function digestOf(): string {
  const store = ['migrations.ts', 'jobs/rows/jobRow.ts', 'tables/rows.ts', 'tables/audit/auditIndex.ts'].map(
    file => `../../src/store/${file}`,
  );
  const files = ['./history.ts', './seed.ts', ...store];
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(new URL(file, import.meta.url)));
  return hash.digest('hex').slice(0, 8);
}

/** Adds rows by statements that count from 1 on, each in a transaction of its own. `n` is the number of the row. */
async function addRows(
  store: Store,
  table: 'jobs' | 'audit',
  count: number,
  columns: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  for (let from = 1; from <= count; from += inOneStatement) {
    const to = Math.min(count, from + inOneStatement - 1);
    await sql`insert into ${sql.table(table)} (${sql.join(Object.keys(columns).map(name => sql.ref(name)))})
      with recursive numbers(n) AS (select cast(${sql.lit(from)} AS bigint) union all select n + 1 from numbers where n < ${sql.lit(to)})
      select ${sql.join(Object.values(columns))} from numbers`.execute(store);
  }
}

/** Jobs of 1,000 people that all have succeeded and been told. Some have the time of a lock that was never freed. */
async function addJobs(store: Store, count: number): Promise<void> {
  const now = Date.now();
  const at = sql.raw(`${now - span} + n * ${Math.floor((span - day) / count)}`);
  const same: Omit<JobRow, 'id' | 'requestKey' | 'person'> = {
    ...fresh,
    team,
    operation: 'database.backup',
    inputs: JSON.stringify({ database: source }),
    labels: JSON.stringify({ [source]: 'orders' }),
    target: source,
    targetName: 'orders',
    state: 'succeeded',
    reason: 'The record shows a new snapshot, and its state is RUNNING.',
    baseline: JSON.stringify({ ids: {}, target: { state: 'RUNNING', snapshots: ['MYSQL_SNAPSHOT-1'], times: {} } }),
    evidence: JSON.stringify({ id: source, state: 'RUNNING', stateClass: 'ok', since: now, seenAt: now }),
    createdAt: 0,
    dueAt: null,
    channel: 'C0PAST',
    place: 'C0PAST',
    messageTs: '1767225600.000100',
    replyTs: '1767225600.000200',
    revision: 3,
    shown: 3,
    tellAt: null,
    purpose: null,
    login: 'user0',
  };
  await addRows(store, 'jobs', count, {
    ...Object.fromEntries(Object.entries(same).map(([name, value]) => [name, sql.lit(value)])),
    id: sql.raw(`'past-' || n`),
    requestKey: sql.raw(`'past-' || n`),
    person: sql.raw(`'U0PAST' || (10000 + n % 1000)`),
    createdAt: at,
    sentAt: at,
    endedAt: sql`${at} + 60000`,
    lockedUntil: sql.raw(`case when n % 1000 = 0 then ${now - day} else 0 end`),
  });
}

/** Four entries for each job, by 10,000 people and by Dolly, about 5,000 databases. */
async function addEntries(store: Store, kind: StoreKind, count: number): Promise<void> {
  const now = Date.now();
  const hex = (value: string, width: number) =>
    kind === 'SQLite' ? `printf('%0${width}x', ${value})` : `lpad(to_hex(${value}), ${width}, '0')`;
  const at = `(${now - span} + n * ${Math.floor((span - day) / count)})`;
  const rare = Math.floor(count / 15);
  const texts = {
    team: `'${team}'`,
    actor: `case when n % 5 < 2 then 'dolly' else 'U0PAST' || (10000 + n / 4 % 10000) end`,
    person: `'U0PAST' || (10000 + n / 4 % 10000)`,
    login: `'user' || (10000 + n / 4 % 10000)`,
    event: `case n % 4 when 0 then 'asked' when 1 then 'sent' when 2 then 'accepted' else 'succeeded' end`,
    operation: `case n / 4 % 2 when 0 then 'database.backup' else 'clone.create' end`,
    target: `'MYSQL_LIVE_SERVER-' || (n / 4 % 5000)`,
    targetName: `'orders-' || (n / 4 % 5000)`,
    job: `${hex('n / 4', 8)} || '-0000-4000-8000-' || ${hex('n / 4', 12)}`,
    channel: `'C0PAST' || (n % 500)`,
    detail: `case n % ${rare} when 7 then 'The ${words.rare} is there.' else 'The record shows a new ${words.frequent}.' end`,
  };
  const text = `lower(${Object.values(texts)
    .map(value => `(${value})`)
    .join(` || '\n' || `)})`;
  await addRows(store, 'audit', count, {
    id: sql.raw(`${hex(at, 12)} || '-' || ${hex('n % 65536', 4)} || '-' || ${hex('n', 8)}`),
    at: sql.raw(at),
    text: sql.raw(text),
    ...Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, sql.raw(value)])),
  });
}
