import { existsSync, lstatSync } from 'node:fs';
import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Recovered } from '../engine.ts';
import type { Database } from '../estate.ts';
import { removeProbes } from './backup/copying.ts';
import { fullCopy, remove, serverOf } from './clones/clones.ts';
import { maskFolder } from './clones/masking.ts';
import { dropPrevious, isExchanging, takeBack } from './clones/putBack.ts';
import { wasReset } from './clones/resets.ts';
import { dropHome, homeAt, homeOf, linked } from './places.ts';
import { gone, marked, signal as send } from './programs/processes.ts';
import { type Settled, settleAll } from './restores/bring.ts';
import { homeIn } from './servers/serverCommand.ts';
import { handOverTree } from './wall/account.ts';
import type { Workshop } from './workshop.ts';

/** So many servers are started at a time. */
const atOnce = 4;

/**
 * After a start of the service: ends what a crash left at work, takes back what was half done, removes what belongs to
 * no record, and starts the servers that should run. Says what is different now from what the records say.
 */
export async function recover(
  workshop: Workshop,
  databases: readonly Readonly<Database>[],
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Recovered>> {
  const { places, servers } = workshop;
  const clones = databases.filter(({ cloneType }) => cloneType !== undefined);
  const lives = databases.filter(({ cloneType }) => cloneType === undefined);
  const found = new Map<string, Recovered>();

  const homes = (await linked(places)).filter(({ state }) => state === 'settled').map(({ home }) => home);
  const ownHomes = (await readdir(places.live)).map(name => join(places.live, name));
  await adopt(workshop, homes);
  await endStrays(workshop, new Set([...homes, ...ownHomes]));
  await removeProbes([...places.roots, places.state, places.snapshots]);

  for (const name of await readdir(places.live)) {
    const home = join(places.live, name);
    if (isExchanging(home)) await servers.kill(home);
    await takeBack(home);
    const failure = await attempt(() => servers.start({ role: 'live', home }, signal));
    const live = lives.find(database => database.name === name);
    if (live && failure !== undefined) found.set(live.id, { state: 'FAILED', error: failure });
  }
  const restores = await settleAll(workshop, signal);
  for (const live of lives) {
    const settled = restores.get(live.id);
    if (settled !== undefined) found.set(live.id, restoredAs(live, settled));
  }
  for (const live of lives) {
    if (live.state === 'BACKING_UP') found.set(live.id, { state: 'FAILED', error: `${cutOff} ${standing.backup}` });
    const snapshots = live.snapshots.filter(({ id }) => existsSync(join(places.snapshots, id)));
    if (snapshots.length < live.snapshots.length) found.set(live.id, { ...fields(found.get(live.id)), snapshots });
  }

  for (const { id } of (await linked(places)).filter(({ state }) => state === 'pending'))
    await removePending(workshop, id);
  for (const { id } of await linked(places)) if (!clones.some(clone => clone.id === id)) await remove(workshop, { id });
  for (const queue = [...clones]; queue.length > 0; )
    await Promise.all(
      queue.splice(0, atOnce).map(async clone => {
        const changes = await settle(workshop, clone, signal);
        if (changes !== undefined) found.set(clone.id, changes);
      }),
    );

  const kept = new Set(lives.flatMap(({ snapshots }) => snapshots.map(({ id }) => id)));
  await clear(places.snapshots, id => !kept.has(id));
  const known = new Set(lives.map(({ id }) => id));
  await clear(places.logs, id => !known.has(id));
  const open = [...restores].flatMap(([id, { end }]) => (end === 'open' ? [id] : []));
  await clear(places.work, name => !open.some(id => name.startsWith(`${id}-`)));
  return found;
}

/** The record of a live server whose restore was cut off. */
function restoredAs({ facts }: Readonly<Database>, { end, words, snapshot = '', objectType = '' }: Settled): Recovered {
  if (end !== 'done') return { state: 'FAILED', error: words };
  const restoredAt = new Date().toISOString();
  const shown = { restoredAt, restoredSnapshot: snapshot, restoredScope: objectType, notes: words };
  return { state: 'RUNNING', error: undefined, facts: { ...facts, ...shown } };
}

/** Gives to the guest what is another user's: of a release that had no wall, or from before the wall changed. */
async function adopt({ places, servers, wall }: Workshop, homes: readonly string[]): Promise<void> {
  const { guest } = wall;
  // Between the two renames of an exchange a home has no data.
  const isOthers = (path: string) => {
    const uid = lstatSync(path, { throwIfNoEntry: false })?.uid;
    return guest.isOther && uid !== undefined && uid !== guest.uid;
  };
  const snapshots = (await readdir(places.snapshots)).map(id => join(places.snapshots, id));
  for (const tree of snapshots.filter(isOthers)) await handOverTree(guest, tree);
  for (const home of homes.filter(path => existsSync(path) && isOthers(join(path, 'data')))) {
    await servers.kill(home);
    await chmod(home, 0o711);
    for (const name of ['data', 'tmp']) await handOverTree(guest, join(home, name));
  }
}

/** Removes from a folder what belongs to no record. */
async function clear(folder: string, isStray: (name: string) => boolean): Promise<void> {
  for (const name of (await readdir(folder)).filter(isStray))
    await rm(join(folder, name), { recursive: true, force: true });
}

/** Removes what there is of a clone whose making was cut off. */
async function removePending({ places, servers }: Workshop, id: string): Promise<void> {
  const [home, settled] = await Promise.all([homeOf(places, id, 'pending'), homeOf(places, id)]);
  if (home !== undefined && home !== settled) {
    await servers.kill(home);
    await dropHome(home);
  }
  await rm(join(places.clones, `${id}.new`), { force: true });
}

/** Ends every process of an earlier run but the servers of these homes, which go on. */
async function endStrays({ places, servers }: Workshop, homes: ReadonlySet<string>): Promise<void> {
  for (const { pid, command } of await marked(places.state)) {
    const home = homeIn(command);
    // One that had not begun to listen is not known by its home, and would stand in the way of the next start there.
    if (home !== undefined && homes.has(home) && (await servers.isListening(home))) {
      // It may have been held still for a copy.
      send(pid, 'SIGCONT');
      continue;
    }
    send(pid, 'SIGKILL');
    await gone(pid, 10_000);
  }
}

const cutOff = 'The service stopped before this was done.';

/** Brings a clone to where its record says that it should be, and says what its record should say instead. */
async function settle(
  workshop: Workshop,
  clone: Readonly<Database>,
  signal: AbortSignal,
): Promise<Recovered | undefined> {
  const { servers, places } = workshop;
  if (clone.state === 'DELETING') {
    await remove(workshop, clone);
    return 'gone';
  }
  const home = await homeOf(places, clone.id);
  if (clone.state === 'CREATING' || !clone.usable) {
    await remove(workshop, clone);
    return clone.state === 'CREATING'
      ? { state: 'FAILED', error: `${cutOff} What there was of it was removed: delete this record and ask again.` }
      : undefined;
  }
  if (home === undefined || !existsSync(home))
    return { state: 'FAILED', usable: false, error: 'Its files are gone: delete this record.' };
  const wasExchanging = isExchanging(home);
  if (wasExchanging) await servers.kill(home);
  await rm(maskFolder(home), { recursive: true, force: true });
  await takeBack(home);
  await dropPrevious(home);
  // The option file and the account in the data may be of both sides of the exchange, or half written.
  if (wasExchanging && clone.port !== undefined) await servers.settle(home, clone.port);
  if (clone.state === 'STOPPED' || clone.state === 'STOPPING') {
    await servers.stop(home);
    return { state: 'STOPPED' };
  }
  const failure = await attempt(() => servers.start(serverOf(workshop, clone, home), signal));
  if (failure !== undefined) return { state: 'FAILED', error: failure };
  const asked = clone.mountBase === undefined ? home : homeAt(clone.mountBase);
  if (clone.state === 'CONVERTING' && home !== asked) {
    await dropHome(asked);
    const dataDirectory = join(home, 'data');
    const facts = { ...clone.facts, dataDirectory, storage: fullCopy };
    return { state: 'RUNNING', cloneType: 'PHYSICAL', localDirectory: home, facts };
  }
  if (clone.state === 'RUNNING' || clone.state === 'FAILED') return undefined;
  // It runs, which is all that was asked.
  if (clone.state === 'STARTING') return { state: 'RUNNING', error: undefined };
  const stands = clone.state === 'RESETTING' && (await wasReset(home)) ? standing.reset : standing.before;
  return { state: 'FAILED', error: `${cutOff} ${stands}` };
}

/** What is so after the service was cut off in its work. */
const standing = {
  backup: 'No snapshot came of it. Those that are listed are whole, and logs that were fetched stay: ask again.',
  reset: 'The clone runs on the data of its snapshot: the reset was done, and what was written before it is gone.',
  before: 'The clone runs with the data that it had before: nothing of what was asked came of it, so ask again.',
};

function fields(recovered: Recovered | undefined): Partial<Database> {
  return recovered === undefined || recovered === 'gone' ? {} : recovered;
}

async function attempt(work: () => Promise<unknown>): Promise<string | undefined> {
  return work().then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
