import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, machineClock } from '../clock.ts';
import type { Engine, Host } from '../engine.ts';
import { type Means, meansBetween } from './backup/copying.ts';
import { clean } from './clean.ts';
import { engineOf } from './engine.ts';
import { lock } from './lock.ts';
import { linked, makePlaces, type Places } from './places.ts';
import { type Commands, commandsOf } from './programs/commands.ts';
import { findTools } from './programs/tools.ts';
import type { Example } from './servers/lives.ts';
import { serversOf } from './servers/servers.ts';
import { variablesOf } from './servers/variables.ts';
import { turns } from './turns.ts';
import { findAccount } from './wall/account.ts';
import { raiseWall } from './wall/raiseWall.ts';
import type { WallKind } from './wall/wall.ts';
import type { Workshop } from './workshop.ts';

/* The door of this room: nothing else of it is imported from outside. */

export type MariadbOptions = Readonly<{
  /** The state folder; made where it is not there. */
  folder: string;
  example: Example;
  /** Folders beside the state folder's own below which clones may be placed and scripts may lie. */
  roots?: readonly string[];
  /** Milliseconds that a script of a request may take. */
  scriptLimit?: number;
  /** Milliseconds between two questions to a busy server whether it still answers. */
  pulse?: number;
  /** The walls that may be tried; all when left out. */
  walls?: readonly WallKind[];
  /** Says how long something is kept. */
  clock?: Clock;
  /** Told before each step of a restore, once that is written down. */
  onStep?: (step: string) => Promise<void> | void;
}>;

/** The engine, or why there can be none, for people. */
export type Opened = { engine: Engine } | { reason: string };

/**
 * Opens the engine that works on real MariaDB servers of this machine, in its own folder: backups by mariadb-backup,
 * clones that share blocks with their snapshot where the file system can. Throws where the folder cannot be had.
 */
export async function openMariadb(options: MariadbOptions): Promise<Opened> {
  const { folder, example, roots = [], scriptLimit = 300_000, pulse, walls, clock = machineClock, onStep } = options;
  if (process.platform !== 'linux') return { reason: 'real servers are run on Linux only' };
  const found = await findTools(process.env.PATH ?? '');
  if ('missing' in found)
    return { reason: `${found.missing.join(', ')} not found (Debian: mariadb-server, mariadb-backup)` };
  const account = await findAccount();
  if (account === undefined) return { reason: 'MariaDB does not run as root, and there is no user mysql or nobody' };

  const places = await makePlaces(account, folder, roots);
  const closing = new AbortController();
  const { signal } = closing;
  if (!(await isWritable(commandsOf(account, places.state), places.state, signal)))
    return {
      reason: `the user ${account.name} cannot reach ${places.state}: choose a folder that every user may enter`,
    };
  const release = await lock(places.state);

  const { tools } = found;
  const wall = await raiseWall(account, places, tools, signal, walls);
  const commands = commandsOf(account, places.state, { pulse, wall });
  const workshop: Workshop = {
    tools,
    account,
    commands,
    places,
    wall,
    servers: serversOf(tools, commands, account, places.state, wall),
    variables: await variablesOf(commands, tools, signal),
    inTurn: turns(),
    clock,
    scriptLimit,
    onStep,
    meansTo: rememberedMeans(places, root => meansBetween(commands, account, places.snapshots, root, signal)),
  };
  return {
    engine: engineOf({
      workshop,
      host: await hostOf(workshop, signal),
      example,
      signal,
      async close() {
        closing.abort();
        const clones = await linked(places);
        const lives = (await readdir(places.live)).map(name => join(places.live, name));
        const homes = [...clones.map(({ home }) => home), ...lives];
        await Promise.all(homes.map(home => workshop.servers.stop(home)));
        await release();
      },
    }),
  };
}

/** Removes everything that the engine made in a state folder: see {@link clean}. */
export const cleanMariadb: typeof clean = folder => clean(folder);

/** Whether the engine's user may write in a folder. */
function isWritable(commands: Commands, folder: string, signal: AbortSignal): Promise<boolean> {
  return commands.run('test', ['-w', folder], { signal, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

/** Finds out once for each folder for clones how a snapshot is duplicated to a path below it. */
function rememberedMeans(
  { roots, state, mounts }: Places,
  find: (root: string) => Promise<Means>,
): (target: string) => Promise<Means> {
  const known = new Map<string, Promise<Means>>();
  return target => {
    const root = [...roots, state].find(place => target.startsWith(`${place}/`)) ?? mounts;
    const means = known.get(root) ?? find(root);
    known.set(root, means);
    return means;
  };
}

/** This machine as the service shows it. */
async function hostOf(workshop: Workshop, signal: AbortSignal): Promise<Host> {
  const { commands, tools, account, places, wall } = workshop;
  const [means, version, operatingSystem] = await Promise.all([
    workshop.meansTo(places.mounts, signal),
    commands.run(tools.server, ['--no-defaults', '--version'], { signal }),
    systemName(),
  ]);
  const [number = ''] = /\d+\.\d+\.\d+/.exec(version) ?? [];
  return {
    name: 'this-machine',
    host: '127.0.0.1',
    operatingSystem,
    installs: [{ vendor: 'MARIADB', name: `MARIADB ${number}`, version: number, path: dirname(dirname(tools.server)) }],
    users: [account.name],
    mountRoot: places.mounts,
    facts: {
      wall: wall.words,
      copyOnWrite: means === 'reflink' ? 'reflink: a clone shares its blocks' : 'none: each clone is a copy',
      mountRoots: places.roots.join(' or '),
      scriptFolder: places.scripts,
      registeredServers: places.registered,
    },
  };
}

async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? 'Linux';
}
