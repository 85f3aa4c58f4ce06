import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault, Scope } from '../../engine.ts';
import type { Database, Snapshot } from '../../estate.ts';
import { fromSnapshot, putBack } from '../clones/putBack.ts';
import { isOwn, type Live, liveOf } from '../servers/lives.ts';
import { onCopy } from '../servers/scratch.ts';
import { systemDatabases, type Workshop } from '../workshop.ts';
import { bring, settleFirst, throughCrash, type Work } from './bring.ts';
import { isStored } from './definitions.ts';
import { begin, changesFor, forget, type Journal, loaded, type Wanted } from './journal.ts';
import { type Kept, keptAs } from './kept.ts';
import { loadBeside } from './load.ts';
import { isThere, type Part } from './parts.ts';
import { conflictOf, refusalOf, spaceFault, spaceFor } from './refusals.ts';
import { asItIs, fileOf, takeOut } from './wanted.ts';

/**
 * Restores what the scope names out of a snapshot (spec §4.6). Gives what people have to know of it beside that it is done. Of a part
 * nothing else on the server is touched: its tables are loaded beside, verified, and change their names in one statement.
 */
export async function restore(
  workshop: Workshop,
  database: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  { databaseName, tableName }: Readonly<Scope>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const live = liveOf(workshop, database);
  if (databaseName === undefined) return restoreServer(workshop, live, database, snapshot, signal);
  if (live.home !== undefined) await workshop.servers.start({ role: 'live', home: live.home }, signal);
  const work = { workshop, live, id: database.id, signal };
  const earlier = await settleFirst(work);
  const fault = await refusalOf(live.ask, database.name, signal);
  if (fault !== undefined) throw new Error(fault);
  const kept = await keptAs(workshop, database.name, databaseName);
  const told = await throughCrash(work, () =>
    kept === undefined ? restorePart(work, snapshot, { databaseName, tableName }) : bringIn(work, kept, snapshot),
  );
  return [...earlier, ...told];
}

/** Why a restore never could be made, for people; undefined where it can be tried. */
export function restoreFault(
  workshop: Workshop,
  database: Readonly<Database>,
  { databaseName }: Readonly<Scope>,
): Fault | undefined {
  if (databaseName !== undefined && systemDatabases.includes(databaseName.toLowerCase()))
    return { field: 'databaseName', message: `${databaseName} belongs to the server itself: restore the whole server` };
  if (databaseName === undefined && !isOwn(workshop, database))
    return { field: 'objectType', message: wholeFault(database.name) };
  return undefined;
}

function wholeFault(name: string): string {
  return `${name} is run by somebody else, so the sandbox can neither stop it nor replace its files: restore its databases or tables`;
}

async function restoreServer(
  workshop: Workshop,
  live: Live,
  { id, name }: Readonly<Database>,
  snapshot: Readonly<Snapshot>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  if (live.home === undefined) throw new Error(wholeFault(name));
  // What a restore of a part has left half done goes with all the rest.
  const fill = fromSnapshot(workshop, snapshot, 'live', signal);
  // Its account is in the snapshot, too: nothing is to be done before the start.
  await putBack(workshop, { role: 'live', home: live.home }, fill, () => Promise.resolve(), signal);
  await forget(workshop, id);
  return [];
}

async function restorePart(work: Work, snapshot: Readonly<Snapshot>, part: Part): Promise<readonly string[]> {
  const { workshop, live, id, signal } = work;
  const { databaseName } = part;
  const file = fileOf(workshop, id);
  try {
    const tree = join(workshop.places.snapshots, snapshot.id);
    const taken = await onCopy(workshop, `${id}-scratch`, tree, signal, async copy => {
      const space = await spaceFor(live.ask, copy.ask, part, signal);
      const fault = await spaceFault(space);
      if (fault !== undefined) throw new Error(fault);
      return { ...(await takeOut(workshop, copy, `${snapshot.name} (${snapshot.id})`, part, file, signal)), space };
    });
    if (part.tableName !== undefined && !(await isThere(live.ask, { databaseName }, signal)))
      throw new Error(`${live.name} has no database ${databaseName}: restore the database`);
    const fault = await conflictOf(live.ask, live.name, part, taken.wanted, signal);
    if (fault !== undefined) throw new Error(fault);
    const journal = await journalFor(work, part, snapshot, taken.wanted);
    await begin(workshop, id, journal, 'loading');
    await loadBeside(work, journal, taken, file);
    const lost = taken.leftOut.map(
      view => `The view ${view} refers to what the snapshot does not hold, and was left out.`,
    );
    return [...(await bring(work, journal)), ...lost];
  } finally {
    await rm(file, { force: true });
  }
}

/** Brings in what is kept in a database of the server: what an earlier restore has replaced, or could not bring in. */
async function bringIn(work: Work, kept: Kept, snapshot: Readonly<Snapshot>): Promise<readonly string[]> {
  const fault = await conflictOf(work.live.ask, work.live.name, kept.part, kept.wanted, work.signal);
  if (fault !== undefined) throw new Error(fault);
  const journal = await journalFor(work, kept.part, snapshot, kept.wanted, kept.database);
  return bring(work, journal);
}

/** The beginning of a restore. Its tables are loaded anew where no `source` has them. */
async function journalFor(
  { live, signal }: Work,
  part: Part,
  snapshot: Readonly<Snapshot>,
  wanted: Wanted,
  source?: string,
): Promise<Journal> {
  const stamp = newStamp();
  const before = await asItIs(live.ask, part, signal);
  return {
    server: live.name,
    part,
    snapshot: snapshot.id,
    stamp,
    step: 'loading',
    source: source ?? loaded(stamp),
    makesTarget: before.settings === '',
    changes: [...changesFor(stamp, wanted, before)],
    lost: [],
    wanted,
    before: { ...before, plain: before.definitions.filter(isStored) },
    outside: [],
  };
}

/** In names of databases and tables, so that two restores never meet, and people see which is the older one. */
function newStamp(): string {
  return `${new Date().toISOString().slice(0, 19).replaceAll(/\D/g, '')}_${randomBytes(2).toString('hex')}`;
}
