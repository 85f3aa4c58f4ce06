import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault, Scope } from '../engine.ts';
import type { Database, Snapshot } from '../estate.ts';
import { dump, load } from './dumps.ts';
import { definitionsOf, differences, type Inventory, rowsOf } from './inventory.ts';
import { isOwn, type Live, liveOf } from './lives.ts';
import { isThere, nameOf, type Part } from './parts.ts';
import { fromSnapshot, putBack } from './putBack.ts';
import { onCopy } from './scratch.ts';
import { identifier, literal } from './sql.ts';
import { beforeOf, begin, forget, forgetUnbegun, keepBefore, settleBegun, takeBackNow, wordsOf } from './undo.ts';
import { systemDatabases, type Workshop } from './workshop.ts';

/**
 * Restores what the scope names out of a snapshot (spec §4.6). What fails is taken back. Gives what people have to know of it
 * beside that it is done.
 */
export async function restore(
  workshop: Workshop,
  database: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  scope: Readonly<Scope>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const live = liveOf(workshop, database);
  const { databaseName, tableName } = scope;
  if (databaseName !== undefined)
    return restorePart(workshop, live, database, snapshot, { databaseName, tableName }, signal);
  if (live.home === undefined) throw new Error(wholeFault(database.name));
  // Its account is in the snapshot, too: nothing is to be done before the start.
  const earlier = await settleBegun(workshop, database.id, signal);
  const fill = fromSnapshot(workshop, snapshot, signal);
  await putBack(workshop, { role: 'live', home: live.home }, fill, () => Promise.resolve(), signal);
  return earlier === '' ? [] : [earlier];
}

/** Why a restore never could be made, for people; undefined where it can be tried. */
export function restoreFault(
  workshop: Workshop,
  database: Readonly<Database>,
  { databaseName }: Readonly<Scope>,
): Fault | undefined {
  if (databaseName !== undefined && systemDatabases.includes(databaseName.toLowerCase()))
    return { field: 'databaseName', message: systemFault(databaseName) };
  if (databaseName === undefined && !isOwn(workshop, database))
    return { field: 'objectType', message: wholeFault(database.name) };
  return undefined;
}

const systemFault = (name: string) => `${name} belongs to the server itself: restore the whole server`;

function wholeFault(name: string): string {
  return `${name} is run by somebody else, so the sandbox can neither stop it nor replace its files: restore its databases or tables`;
}

/** The content of a part in the snapshot: the views that no dump can hold, and all the rest. */
type Wanted = Readonly<{ leftOut: readonly string[]; definitions: Inventory; rows: Inventory }>;

/**
 * Takes the part out of a copy of the snapshot as a dump, and loads it. That is done first on a copy of the live server, and
 * what came of it is compared with the snapshot: nothing of the live one is touched before that was right.
 */
async function restorePart(
  workshop: Workshop,
  live: Live,
  { id, name }: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  part: Part,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { databaseName, tableName } = part;
  const { places, servers } = workshop;
  if (systemDatabases.includes(databaseName.toLowerCase())) throw new Error(systemFault(databaseName));
  if (live.home !== undefined) await servers.start({ role: 'live', home: live.home }, signal);
  const earlier = await settleBegun(workshop, id, signal);
  const file = join(places.work, `${id}-wanted.sql`);
  try {
    const tree = join(places.snapshots, snapshot.id);
    const wanted = await onCopy(workshop, `${id}-scratch`, tree, signal, async (scratch): Promise<Wanted> => {
      if (!(await isThere(scratch.ask, part, signal)))
        throw new Error(`${snapshot.name} (${snapshot.id}) has no ${nameOf(part)}`);
      const leftOut = await dump(workshop, scratch, part, file, signal);
      const definitions = await definitionsOf(scratch.ask, part, leftOut, signal);
      return { leftOut, definitions, rows: await rowsOf(scratch.ask, part, signal) };
    });
    if (tableName !== undefined && !(await isThere(live.ask, { databaseName }, signal)))
      throw new Error(`${name} has no database ${databaseName}: restore the database`);
    const since = new Date().toISOString();
    await keepAndTry(workshop, live, id, part, wanted, file, signal);
    await checkUnlocked(live, part, signal);
    const begun = { name, part, since };
    await begin(workshop, id, begun);
    try {
      await load(workshop, live, part, file, signal);
      check(wanted.definitions, await definitionsOf(live.ask, part, wanted.leftOut, signal));
    } catch (error) {
      // Where the service closes, the next start takes it back.
      signal.throwIfAborted();
      const words = await takeBackNow(workshop, id, begun, signal);
      throw new Error([wordsOf(error), words].join(' ').trim(), { cause: error });
    }
    await forget(workshop, id);
    const lost = wanted.leftOut.map(
      view => `The view ${view} refers to what the snapshot does not hold, and was left out.`,
    );
    return [earlier, ...lost].filter(line => line !== '');
  } finally {
    await rm(file, { force: true });
    await forgetUnbegun(workshop, id);
  }
}

/** The maximum number of copies of the live server's files: a copy that caught a transaction in its commit is made anew. */
const maxCopies = 3;

/** Copies the live server's files and tries the load on them. */
async function keepAndTry(
  workshop: Workshop,
  live: Live,
  id: string,
  part: Part,
  wanted: Wanted,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  for (let copy = 1; ; copy++) {
    await keepBefore(workshop, live, id, signal);
    try {
      return await tryOut(workshop, live, id, part, wanted, file, signal);
    } catch (error) {
      // A server does not start on it, so that nothing could be taken back by it either.
      if (copy === maxCopies || !wordsOf(error).includes('prepared transactions')) throw error;
      await forgetUnbegun(workshop, id);
    }
  }
}

/** The variables of a live server that decide whether a dump can be loaded there. */
const decisive = ['innodb_strict_mode', 'log_bin_trust_function_creators', 'max_allowed_packet', 'secure_timestamp'];

/** Loads a dump on a copy of the live server and looks at what came of it. Throws where it is not what the snapshot holds. */
async function tryOut(
  workshop: Workshop,
  { ask }: Live,
  id: string,
  part: Part,
  { definitions, rows, leftOut }: Wanted,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const [[logs, ...values] = []] = await ask(
    `SELECT ${['log_bin', ...decisive].map(name => `@@GLOBAL.${name}`).join(', ')}`,
    signal,
  );
  const settings = decisive.map((name, at) => `--${name}=${values[at]}`);
  try {
    await onCopy(
      workshop,
      `${id}-trial`,
      beforeOf(workshop, id),
      signal,
      async trial => {
        await load(workshop, trial, part, file, signal);
        check(definitions, await definitionsOf(trial.ask, part, leftOut, signal));
        check(rows, await rowsOf(trial.ask, part, signal));
      },
      logs === '1' ? ['--log-bin=trial', ...settings] : settings,
    );
  } catch (error) {
    signal.throwIfAborted();
    throw new Error(`${wordsOf(error)} That was on a copy of the server: nothing was changed.`, { cause: error });
  }
}

function check(wanted: Inventory, found: Inventory): void {
  const differing = differences(wanted, found);
  if (differing.length > 0) throw new Error(`These are not as in the snapshot: ${differing.join(', ')}.`);
}

/** Seconds that a session may hold a table of a part before its restore is refused. */
const waiting = 20;

/** Throws where somebody works with a table of the part: its restore would wait for them, half done. */
async function checkUnlocked({ ask }: Live, { databaseName, tableName }: Part, signal: AbortSignal): Promise<void> {
  const rows = await ask(
    `SELECT table_name FROM information_schema.tables WHERE table_type <> 'VIEW' AND table_schema = ${literal(databaseName)}`,
    signal,
  );
  const tables = rows.flatMap(([name = '']) =>
    (tableName ?? name) === name ? [`${identifier(databaseName)}.${identifier(name)} WRITE`] : [],
  );
  if (tables.length === 0) return;
  const locks = `SET SESSION lock_wait_timeout = ${waiting}; LOCK TABLES ${tables.join(', ')}`;
  await ask(locks, signal).catch(error => {
    // Any other fault is of the table, which is replaced.
    if (/ERROR 1205\b/.test(String(error)))
      throw new Error(
        `Nothing was changed, since somebody has worked with the ${nameOf({ databaseName, tableName })} for ${waiting} seconds without coming to an end (SHOW PROCESSLIST says who): ask again when they have.`,
        { cause: error },
      );
  });
}
