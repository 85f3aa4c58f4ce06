import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { availableSnapshots, type Database, type Snapshot } from '../../estate.ts';
import { dropPrevious } from '../clones/putBack.ts';
import { makeFor } from '../places.ts';
import { type Live, liveOf } from '../servers/lives.ts';
import { noteSettings } from '../servers/settings.ts';
import { handOver, handOverTree } from '../wall/account.ts';
import { megabytes, type Workshop } from '../workshop.ts';
import { copyTree, refuseElsewhere } from './copying.ts';
import { bringKeys } from './keys.ts';
import { lineageOf, writeLineage } from './lineage.ts';

/** The memory that the preparation of a backup may use. */
const memory = '--use-memory=256M';

/** The interval at which a backup looks for new log, in milliseconds. The default is a second, and the end of every backup waits for it. */
const logCopyInterval = '--log-copy-interval=50';

/** Milliseconds that a backup may wait for a lock. While it does, others cannot change tables, and its program waits for ever. */
const lockWait = 5_000;

/**
 * Takes a backup and makes it the snapshot `id`: a prepared data directory of its own, whatever it was made from, so
 * that any snapshot can be deleted and each can be cloned at once. Full where no base is safe.
 */
export async function backUp(
  workshop: Workshop,
  database: Readonly<Database>,
  id: string,
  signal: AbortSignal,
): Promise<{ type: 'FULL' | 'INCREMENTAL'; sizeMb: number }> {
  const { places } = workshop;
  const live = liveOf(workshop, database);
  const base = await baseFor(workshop, live, database, signal);
  // Both in one folder, behind the wall too: files move from one to the other.
  const desk = join(places.work, id);
  const [tree, changes] = [join(desk, 'tree'), join(desk, 'changes')];
  await makeFor(workshop.account, desk, 0o711);
  try {
    if (base === undefined) {
      await copyLive(workshop, live, tree, [], signal);
      await bringKeys(workshop, tree, signal);
      await prepare(workshop, tree, undefined, signal);
    } else {
      await copyLive(workshop, live, changes, [`--incremental-lsn=${base.lsn}`], signal);
      const { from, to } = await checkpoints(changes);
      if (to < from) throw new Error(`the server is at ${to}, behind the snapshot ${base.id} at ${from}`);
      await copyTree(workshop, await workshop.meansTo(places.work, signal), base.tree, tree, signal);
      await bringKeys(workshop, changes, signal);
      await prepare(workshop, tree, changes, signal);
    }
    const sizeMb = await megabytes(workshop, base === undefined ? tree : changes, signal, { asGuest: true });
    await noteSettings(live.ask, tree, signal);
    await writeLineage(tree, live.home === undefined ? '' : await lineageOf(join(live.home, 'data')));
    await rename(tree, join(places.snapshots, id));
    if (live.home !== undefined) await dropPrevious(live.home);
    return { type: base === undefined ? 'FULL' : 'INCREMENTAL', sizeMb };
  } finally {
    await rm(desk, { recursive: true, force: true });
  }
}

type Base = { id: string; tree: string; lsn: number };

/**
 * The snapshot that only the changes since need to be added to. One of another line, from before the server was restored,
 * would give wrong data in silence, and so would one that is ahead of the server.
 */
async function baseFor(
  { places }: Workshop,
  { ask, home }: Live,
  database: Readonly<Database>,
  signal: AbortSignal,
): Promise<Base | undefined> {
  const base = availableSnapshots(database).at(-1);
  if (base === undefined) return undefined;
  const tree = join(places.snapshots, base.id);
  if (!existsSync(tree)) return undefined;
  if (home !== undefined && (await lineageOf(tree)) !== (await lineageOf(join(home, 'data')))) return undefined;
  const { to } = await checkpoints(tree);
  const [[, current = '0'] = []] = await ask("SHOW GLOBAL STATUS LIKE 'Innodb_lsn_current'", signal);
  return to <= Number(current) ? { id: base.id, tree, lsn: to } : undefined;
}

/** The range of InnoDB's log sequence numbers that a backup covers. */
async function checkpoints(tree: string): Promise<{ from: number; to: number }> {
  const text = await readFile(join(tree, 'xtrabackup_checkpoints'), 'utf8');
  const number = (name: string) => Number(new RegExp(`^${name} = (\\d+)$`, 'm').exec(text)?.[1] ?? Number.NaN);
  const found = { from: number('from_lsn'), to: number('to_lsn') };
  if (Number.isNaN(found.from) || Number.isNaN(found.to)) throw new Error(`${tree} does not say how far it reaches`);
  return found;
}

/** Copies the data of a live server, or what has changed in it, to the folder `target`, while it runs. */
async function copyLive(
  { commands, tools }: Workshop,
  { options, ask }: Live,
  target: string,
  more: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const args = [`--defaults-file=${options}`, '--backup', logCopyInterval, `--target-dir=${target}`, ...more];
  let isHeld = false;
  /** Ends a wait that holds others up, too. That it is asked shows whether the server is there. */
  const alive = async (_: string, signal: AbortSignal) => {
    const waiting = await ask(
      `SELECT id FROM information_schema.processlist WHERE state = 'Waiting for backup lock' AND info LIKE 'BACKUP STAGE%' AND time_ms > ${lockWait}`,
      signal,
    );
    for (const [id] of waiting) {
      isHeld = true;
      await ask(`KILL QUERY ${id}`, signal);
    }
  };
  try {
    await commands.run(tools.backup, args, { signal, alive });
  } catch (error) {
    if (!isHeld && !String(error).includes("Can't open datafile")) throw error;
    if (!isHeld)
      throw new Error(
        `${error instanceof Error ? error.message : error} Where rows lie elsewhere (DATA DIRECTORY), the servers’ user has to be able to write the files *.isl that lead there: MariaDB’s program opens them so, though it only reads them.`,
        { cause: error },
      );
    throw new Error(
      'Somebody holds a lock that the backup has to wait for (LOCK TABLES, or a long change of a table: SHOW PROCESSLIST says who), and others would wait with it: ask again when they have ended.',
      { cause: error },
    );
  }
}

/** Makes a backup, with the changes beside it where there are any, a data directory that a server can be started on. */
async function prepare(
  { commands, tools, wall }: Workshop,
  tree: string,
  changes: string | undefined,
  signal: AbortSignal,
): Promise<void> {
  const folder = changes === undefined ? tree : dirname(tree);
  await refuseElsewhere({ commands, wall }, folder, signal);
  await handOverTree(wall.guest, folder);
  const args = ['--prepare', memory, `--target-dir=${tree}`];
  if (changes !== undefined) args.push(`--incremental-dir=${changes}`);
  await commands.run(tools.backup, args, { signal, room: { writes: [folder] } });
  // They lead to where rows of the live server lie (`DATA DIRECTORY`); those of the backup are in it.
  await commands.run('find', [tree, '-name', '*.isl', '-delete'], { signal, asGuest: true });
}

/** Removes the data of a snapshot. */
export async function removeSnapshot({ places }: Workshop, { id }: Readonly<Snapshot>): Promise<void> {
  // First out of the way: one that is half removed shall not look like one.
  const going = join(places.work, `${id}-going`);
  await rename(join(places.snapshots, id), going).catch(error => {
    if (existsSync(join(places.snapshots, id))) throw error;
  });
  await rm(going, { recursive: true, force: true });
}

/** Fetches the binary logs that were not fetched yet. Rejects with the server's words where it writes none (error 1381). */
export async function backUpLogs(
  { commands, tools, places, account }: Workshop,
  live: Live,
  database: Readonly<Database>,
  signal: AbortSignal,
): Promise<{ logs: number; last: string | undefined }> {
  const folder = join(places.logs, database.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await handOver(account, folder);
  await live.ask('FLUSH BINARY LOGS', signal);
  const rows = await live.ask('SHOW BINARY LOGS', signal);
  const kept = await readdir(folder);
  const wanted: string[] = [];
  // The last one is being written.
  for (const [name = '', size] of rows.slice(0, -1)) {
    const known = await stat(join(folder, name)).catch(() => undefined);
    if (known?.size === Number(size)) continue;
    // After RESET MASTER their names begin anew.
    if (known) await rename(join(folder, name), join(folder, `${name}.${Math.trunc(known.mtimeMs)}`));
    wanted.push(name);
  }
  for (const name of wanted) {
    const args = [`--defaults-file=${live.options}`, '--read-from-remote-server', '--raw', '--result-file=part.', name];
    await commands.run(tools.binlog, args, { signal, cwd: folder, alive: live.ask });
    // Only now, when it is whole, it counts as fetched.
    await rename(join(folder, `part.${name}`), join(folder, name));
  }
  return { logs: wanted.length, last: wanted.at(-1) ?? kept.toSorted().at(-1) };
}
