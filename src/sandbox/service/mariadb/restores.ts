import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { Scope } from '../engine.ts';
import type { Database, Snapshot } from '../estate.ts';
import { handOver } from './account.ts';
import { withFile } from './commands.ts';
import { copyTree } from './copying.ts';
import { type Live, liveOf } from './lives.ts';
import { putBack } from './putBack.ts';
import { freePort, optionFile } from './servers.ts';
import { type Ask, askOf, identifier, literal } from './sql.ts';
import { systemDatabases, type Workshop } from './workshop.ts';

/** Restores what the scope names out of a snapshot (spec §4.6). What fails is taken back. */
export async function restore(
  workshop: Workshop,
  database: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  scope: Readonly<Scope>,
  signal: AbortSignal,
): Promise<void> {
  const live = liveOf(workshop, database);
  const { databaseName, tableName } = scope;
  if (databaseName !== undefined)
    return restorePart(workshop, live, database, snapshot, { databaseName, tableName }, signal);
  if (live.home === undefined)
    throw new Error(
      `${database.name} is run by somebody else, so the sandbox can neither stop it nor replace its files: restore its databases or tables`,
    );
  // Its account is in the snapshot, too: nothing is to be done before the start.
  await putBack(workshop, { role: 'live', home: live.home }, snapshot, () => Promise.resolve(), signal);
}

/** One database, or one table of it. */
type Part = { databaseName: string; tableName?: string | undefined };

/** A restore that changes a server, written down before it does, so that it can be taken back after a crash. */
const Begun = z.object({
  options: z.string(),
  part: z.object({ databaseName: z.string(), tableName: z.string().optional() }),
  /** The dump of what was there; null where nothing was. */
  before: z.string().nullable(),
});
type Begun = z.output<typeof Begun>;

const beginning = '-restore.json';

/**
 * Takes the part out of a copy of the snapshot as a dump, and loads it. Nothing is touched before that dump and another
 * one of what is there now are whole.
 */
async function restorePart(
  workshop: Workshop,
  live: Live,
  database: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  part: Part,
  signal: AbortSignal,
): Promise<void> {
  const { databaseName, tableName } = part;
  const { places } = workshop;
  if (systemDatabases.includes(databaseName.toLowerCase()))
    throw new Error(`${databaseName} belongs to the server itself: restore the whole server`);
  const wanted = join(places.work, `${database.id}-wanted.sql`);
  const before = join(places.work, `${database.id}-before.sql`);
  const file = join(places.work, database.id + beginning);
  await undoOne(workshop, database.id, signal);
  try {
    await fromSnapshot(workshop, database, snapshot, signal, async (ask, options) => {
      if (!(await isThere(ask, part, signal)))
        throw new Error(`${snapshot.name} (${snapshot.id}) has no ${nameOf(part)}`);
      await dump(workshop, { options, ask }, part, wanted, [], signal);
    });
    if (tableName !== undefined && !(await isThere(live.ask, { databaseName }, signal)))
      throw new Error(`${database.name} has no database ${databaseName}: restore the database`);
    const wasThere = await isThere(live.ask, part, signal);
    if (wasThere) await dump(workshop, live, part, before, await brokenViews(live.ask, part, signal), signal);
    const begun: Begun = { options: live.options, part, before: wasThere ? before : null };
    await writeFile(`${file}.part`, JSON.stringify(begun), { mode: 0o600 });
    await rename(`${file}.part`, file);
    try {
      await load(workshop, live, part, wanted, signal);
    } catch (error) {
      // Where the service closes, the next start takes it back.
      if (!signal.aborted) await undo(workshop, begun, file, signal);
      throw error;
    }
    await rm(file, { force: true });
  } finally {
    await rm(wanted, { force: true });
    if (!existsSync(file)) await rm(before, { force: true });
  }
}

/** Lends a server that holds what the snapshot holds, for as long as `use` takes. */
async function fromSnapshot(
  workshop: Workshop,
  database: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
  use: (ask: Ask, options: string) => Promise<void>,
): Promise<void> {
  const { places, servers, commands, account } = workshop;
  const home = join(places.work, `${database.id}-scratch`);
  try {
    for (const folder of [home, join(home, 'tmp')]) {
      await mkdir(folder, { mode: 0o700 });
      await handOver(account, folder);
    }
    const means = await workshop.meansTo(home, signal);
    await copyTree(commands, means, join(places.snapshots, snapshot.id), join(home, 'data'), signal);
    await servers.settle(home, await freePort());
    await servers.start({ role: 'scratch', home }, signal);
    await use(servers.ask(home), optionFile(home));
  } finally {
    await servers.kill(home);
    await rm(home, { recursive: true, force: true });
  }
}

async function isThere(ask: Ask, { databaseName, tableName }: Part, signal: AbortSignal): Promise<boolean> {
  const rows =
    tableName === undefined
      ? await ask('SHOW DATABASES', signal)
      : await ask(
          `SELECT table_name FROM information_schema.tables WHERE table_schema = ${literal(databaseName)} AND table_name = ${literal(tableName)}`,
          signal,
        );
  // The server compares without regard to case; names differ by it.
  return rows.some(([name]) => name === (tableName ?? databaseName));
}

/**
 * The views of a database that refer to what is not there any more. No dump can be made of them, and they are often why
 * a database is restored.
 */
async function brokenViews(ask: Ask, { databaseName }: Part, signal: AbortSignal): Promise<readonly string[]> {
  // The server looks into a view only for who asks for its rows; the comment is then what is wrong with it.
  const broken = "table_type = 'VIEW' AND table_comment <> 'VIEW' AND table_rows IS NULL";
  const rows = await ask(
    `SELECT table_name FROM information_schema.tables WHERE table_schema = ${literal(databaseName)} AND ${broken}`,
    signal,
  );
  return rows.flat();
}

/** How a server is reached. */
type Session = Pick<Live, 'options' | 'ask'>;

const dumpOptions = ['--single-transaction', '--quick', '--hex-blob', '--triggers', '--max-allowed-packet=1G'];
const ofDatabase = ['--routines', '--events', '--add-drop-database', '--databases'];

async function dump(
  { commands, tools }: Workshop,
  { options, ask }: Session,
  { databaseName, tableName }: Part,
  file: string,
  leftOut: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const ignored = leftOut.map(name => `--ignore-table=${databaseName}.${name}`);
  const what = tableName === undefined ? [...ofDatabase, '--', databaseName] : ['--', databaseName, tableName];
  const args = [`--defaults-file=${options}`, ...dumpOptions, ...ignored, ...what];
  await withFile(file, 'w', to => commands.run(tools.dump, args, { signal, to, alive: ask }));
}

async function load(
  { commands, tools }: Workshop,
  { options, ask }: Session,
  { databaseName, tableName }: Part,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const into = tableName === undefined ? [] : [`--database=${databaseName}`];
  const args = [`--defaults-file=${options}`, '--max-allowed-packet=1G', ...into];
  await withFile(file, 'r', from => commands.run(tools.client, args, { signal, from, alive: ask }));
}

async function undo(workshop: Workshop, begun: Begun, file: string, signal: AbortSignal): Promise<void> {
  const { options, part, before } = begun;
  const { databaseName, tableName } = part;
  const ask = askOf(workshop.commands, workshop.tools, options);
  if (before !== null) await load(workshop, { options, ask }, part, before, signal);
  else {
    const gone =
      tableName === undefined
        ? `DROP DATABASE IF EXISTS ${identifier(databaseName)}`
        : `DROP TABLE IF EXISTS ${identifier(databaseName)}.${identifier(tableName)}`;
    await ask(gone, signal);
  }
  await rm(file, { force: true });
}

/**
 * Takes back every restore that a crash cut off. Says, by the identifier of the database, why one could not be: it is tried
 * again before the next restore there.
 */
export async function undoBegun(workshop: Workshop, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const failed = new Map<string, string>();
  for (const name of await readdir(workshop.places.work)) {
    if (!name.endsWith(beginning)) continue;
    const id = name.slice(0, -beginning.length);
    await undoOne(workshop, id, signal).catch(error => {
      const reason = error instanceof Error ? error.message : String(error);
      failed.set(id, `A restore that the stop of the service cut off could not be taken back yet: ${reason}`);
    });
  }
  return failed;
}

async function undoOne(workshop: Workshop, id: string, signal: AbortSignal): Promise<void> {
  const file = join(workshop.places.work, id + beginning);
  if (!existsSync(file)) return;
  const begun = Begun.parse(JSON.parse(await readFile(file, 'utf8')));
  await undo(workshop, begun, file, signal);
  if (begun.before !== null) await rm(begun.before, { force: true });
}

function nameOf({ databaseName, tableName }: Part): string {
  return tableName === undefined ? `database ${databaseName}` : `table ${databaseName}.${tableName}`;
}
