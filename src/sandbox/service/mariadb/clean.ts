import { existsSync } from 'node:fs';
import { readdir, realpath, rm, rmdir } from 'node:fs/promises';
import { join } from 'node:path';
import { lock } from './lock.ts';
import { dropHome, folders, linked, placesAt } from './places.ts';
import { gone, marked, signal } from './programs/processes.ts';
import { isServer } from './servers/serverCommand.ts';

/** Holds what people made themselves, or what is kept for them alone. */
function isPeoples(name: string): boolean {
  return name === 'scripts' || name === 'registered' || name === 'kept';
}

/** Milliseconds that a killed process may take to be gone. */
const patience = 10_000;

/**
 * Ends every server that the engine started from this state folder and removes everything that it made, clones in other
 * folders included. Says how many servers and clones there were; nothing where there is no such folder. Throws where a
 * service still works with it.
 */
export async function clean(folder: string): Promise<{ servers: number; clones: number } | undefined> {
  if (!existsSync(join(folder, 'clones'))) return undefined;
  const places = placesAt(await realpath(folder), []);
  await lock(places.state);
  const processes = await marked(places.state);
  for (const { pid } of processes) {
    signal(pid, 'SIGKILL');
    await gone(pid, patience);
  }
  const clones = await linked(places);
  for (const { home } of clones) await dropHome(home);
  for (const name of [...folders, 'estate.json', 'lock'])
    if (!isPeoples(name)) await rm(join(places.state, name), { recursive: true, force: true });
  // A folder stays where people put something into it, or where it is mounted.
  for (const folder of [places.scripts, places.registered, places.kept]) await rmdir(folder).catch(() => undefined);
  if ((await readdir(places.state)).length === 0) await rmdir(places.state).catch(() => undefined);
  return { servers: processes.filter(({ command }) => isServer(command[0])).length, clones: clones.length };
}
