import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { chmod, mkdir, readdir, readlink, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { StartFault } from '../startFault.ts';
import { type Account, handOver } from './wall/account.ts';

/**
 * Where everything of the engine lies. A server's **home** is a folder with `data` (its data directory), `client.cnf`
 * (the option file that opens a session), `server.log` and `tmp`. The homes of clones lie where people asked for them
 * (`mountBase`, `localDirectory`); a link in `clones`, named by the clone's identifier, says where.
 */
export type Places = Readonly<{
  state: string;
  /** Below these, and nowhere else, clones may be placed. The first one is the state folder's own. */
  roots: readonly string[];
  mounts: string;
  scripts: string;
  registered: string;
  work: string;
  clones: string;
  snapshots: string;
  logs: string;
  live: string;
  /** Notes of what restores keep on the live servers for a day, and of restores that could not be finished. */
  kept: string;
  /** What the walls are built of. */
  wall: string;
}>;

/** The folders of the state folder. */
export const folders = [
  'mounts',
  'scripts',
  'registered',
  'work',
  'clones',
  'snapshots',
  'logs',
  'live',
  'kept',
  'wall',
] as const;

/** Where root has programs work as a user of their own, these have to be passed through, and none of them can be listed. */
const passable: readonly string[] = ['mounts', 'snapshots', 'work', 'scripts', 'wall'];
const modes = { passable: 0o711, closed: 0o700 };

/** Makes the folders that are missing. `roots` are further folders for clones; one that is not there is an error. */
export async function makePlaces(account: Account, folder: string, roots: readonly string[]): Promise<Places> {
  // A mode is for every folder that is made: those above must let the engine's user through.
  await mkdir(dirname(folder), { recursive: true });
  await mkdir(folder, { recursive: true, mode: modes.closed });
  const state = await realpath(folder);
  for (const name of ['.', ...folders]) {
    await mkdir(join(state, name), { recursive: true, mode: modes.closed });
    await handOver(account, join(state, name));
    if (account.isOther && (name === '.' || passable.includes(name))) await chmod(join(state, name), modes.passable);
  }
  if (unusable.test(state))
    throw new StartFault(`${state} has a colon in it, which MariaDB cannot have in a path: choose another folder`);
  const real = roots.map(root =>
    realpath(root).catch(() => {
      throw new StartFault(`${root} is no folder: make it, or leave it out of the folders for clones`);
    }),
  );
  return placesAt(state, await Promise.all(real));
}

/** The places of a state folder that is there. */
export function placesAt(state: string, roots: readonly string[]): Places {
  const at = (name: (typeof folders)[number]) => join(state, name);
  return {
    state,
    roots: [at('mounts'), ...roots],
    mounts: at('mounts'),
    scripts: at('scripts'),
    registered: at('registered'),
    work: at('work'),
    clones: at('clones'),
    snapshots: at('snapshots'),
    logs: at('logs'),
    live: at('live'),
    kept: at('kept'),
    wall: at('wall'),
  };
}

/** In every home of a clone, so that none is made within another and only a home is ever removed. */
const marker = '.dolly-clone';
/** In every folder that was made above a home, and goes with the last one below it. */
const madeMarker = '.dolly-folder';

/** MariaDB takes a colon for the end of a path, and no tool shows a line end well. */
const unusable = /[:\p{Cc}]/u;

/** MariaDB takes paths of 512 bytes, in which the names of a database and a table have to find room, encoded. */
const longest = { path: 300, name: 255 } as const;
const tooLong = `the path is too long: at most ${longest.path} bytes in all, and ${longest.name} in each name`;

/** Why no server can have this path, for people; undefined where one can. */
function pathFault(path: string): string | undefined {
  if (unusable.test(path))
    return `${JSON.stringify(path)} has a colon or a control character in it, which MariaDB cannot have in a path`;
  return isTooLong(path) ? tooLong : undefined;
}

function isTooLong(path: string): boolean {
  return Buffer.byteLength(path) > longest.path || path.split('/').some(name => Buffer.byteLength(name) > longest.name);
}

/** Why no clone can be placed there, for people; undefined where one can. Links are followed before it is judged. */
export function placeFault({ roots }: Places, path: string): string | undefined {
  const fault = pathFault(resolve(path));
  if (fault !== undefined) return fault;
  const place = followed(resolve(path));
  const root = roots.find(folder => isBelow(place, folder));
  if (root === undefined) return `${path} must lie below ${roots.join(' or ')}`;
  for (let folder = place; folder !== root; folder = dirname(folder))
    if (existsSync(join(folder, marker))) return `${path} is in use: ${folder} is the folder of a clone`;
  if (existsSync(place) && (!lstatSync(place).isDirectory() || readdirSync(place).length > 0))
    return `${path} is there already and not empty`;
  return undefined;
}

/** Why a script cannot be run, for people; undefined where it can. */
export function scriptFault({ roots, scripts }: Places, path: string): string | undefined {
  if (isTooLong(path)) return tooLong;
  const allowed = [scripts, ...roots];
  const file = followed(resolve(path));
  if (!allowed.some(folder => isBelow(file, folder))) return `${path} must lie below ${allowed.join(' or ')}`;
  return existsSync(file) && lstatSync(file).isFile() ? undefined : `there is no file ${path}`;
}

/** The script itself, with every link to it followed. */
export function scriptFile(path: string): string {
  return followed(resolve(path));
}

/** Whether what lies beside a script belongs to scripts, too, and is there for it. */
export function isScriptFolder({ scripts }: Places, folder: string): boolean {
  return folder === scripts || isBelow(folder, scripts);
}

/** Whether a path is one of the engine's own or below a root. */
export function isOwnPath({ state, roots }: Places, path: string): boolean {
  const place = followed(resolve(path));
  return [state, ...roots].some(folder => isBelow(place, folder));
}

/** The home of a clone that people asked to be placed at `path`. */
export function homeAt(path: string): string {
  return followed(resolve(path));
}

/** The path with every link in it followed, as far as it exists. */
function followed(path: string): string {
  try {
    // A link that leads nowhere is a place of its own for existsSync, and would be followed once it leads somewhere.
    if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) return existsSync(path) ? realpathSync(path) : '/';
  } catch {
    // One that cannot be looked at (a name that is too long) is nowhere that is allowed.
    return '/';
  }
  const folder = dirname(path);
  return folder === path ? path : join(followed(folder), relative(folder, path));
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && !relative(folder, path).startsWith('..');
}

/** A clone's link: `settled` where its home is whole, `pending` where one is being made. */
type LinkState = 'settled' | 'pending';
const suffix: Record<LinkState, string> = { settled: '', pending: '.new' };

const linkOf = ({ clones }: Places, id: string, state: LinkState) => join(clones, id + suffix[state]);

/** Where a clone's home is; undefined where it has none. */
export function homeOf(places: Places, id: string, state: LinkState = 'settled'): Promise<string | undefined> {
  return readlink(linkOf(places, id, state)).catch(() => undefined);
}

/** The clones that have a link, with their homes. */
export async function linked(places: Places): Promise<{ id: string; state: LinkState; home: string }[]> {
  const names = await readdir(places.clones);
  return Promise.all(
    names.map(async name => ({
      id: name.replace(/\.new$/, ''),
      state: name.endsWith('.new') ? 'pending' : 'settled',
      home: await readlink(join(places.clones, name)),
    })),
  );
}

/**
 * Writes down that a clone's home is being made at `path`, and makes its folder. Throws where that cannot be.
 * `make` creates one folder, as the engine's user. The folders in it are the guest's.
 */
export async function beginHome(
  places: Places,
  { account, guest }: Readonly<Record<'account' | 'guest', Account>>,
  id: string,
  path: string,
  make: (folder: string) => Promise<unknown>,
): Promise<string> {
  const fault = placeFault(places, path);
  if (fault !== undefined) throw new Error(fault);
  const home = homeAt(path);
  await symlink(home, linkOf(places, id, 'pending'));
  for (const folder of missing(dirname(home))) {
    await make(folder);
    await writeFile(join(folder, madeMarker), '', { flag: 'wx' });
    await handOver(account, join(folder, madeMarker));
  }
  for (const folder of missing(home)) await make(folder);
  await writeFile(join(home, marker), `${id}\n`, { mode: 0o600, flag: 'wx' });
  await handOver(account, join(home, marker));
  await furnish(home, guest);
  return home;
}

/** Makes the folders of a home in which its server writes: nothing else of it can be changed by what runs there. */
export async function furnish(home: string, guest: Account): Promise<void> {
  for (const name of ['data', 'tmp']) await makeFor(guest, join(home, name));
}

/** Makes a folder for a user, which others can only pass through where they can at all. */
export async function makeFor(user: Account, folder: string, mode = modes.closed): Promise<void> {
  await mkdir(folder, { mode });
  await handOver(user, folder);
}

/** The folders of a path that are not there, the highest first. */
function missing(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [...missing(dirname(folder)), folder];
}

/** A home is whole: in one step it is the clone's, in place of another one. */
export async function settleHome(places: Places, id: string): Promise<void> {
  await rename(linkOf(places, id, 'pending'), linkOf(places, id, 'settled'));
}

/** Removes a clone's home, if there is one, and forgets it. No server may run in it. */
export async function removeHome(places: Places, id: string, state: LinkState): Promise<void> {
  const home = await homeOf(places, id, state);
  if (home === undefined) return;
  await dropHome(home);
  await rm(linkOf(places, id, state), { force: true });
}

/** Removes a home that no link leads to any more, with the folders that were made for it. What is no home is left alone. */
export async function dropHome(home: string): Promise<void> {
  await emptyHome(home);
  for (let folder = dirname(home); !existsSync(home) && (await isMadeAndEmpty(folder)); folder = dirname(folder))
    await rm(folder, { recursive: true });
}

async function isMadeAndEmpty(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => []);
  return names.length === 1 && names[0] === madeMarker;
}

async function emptyHome(home: string): Promise<void> {
  if (!existsSync(home)) return;
  // An interrupted beginning may have made the folder and no more.
  if (!existsSync(join(home, marker)) && (await readdir(home)).length > 0) return;
  // The file that marks it as a home goes last, so that a removal that is cut off can be repeated.
  for (const name of await readdir(home))
    if (name !== marker) await rm(join(home, name), { recursive: true, force: true });
  await rm(home, { recursive: true, force: true });
}
