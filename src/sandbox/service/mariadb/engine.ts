import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Engine, Fault, Host } from '../engine.ts';
import type { CloneSettings } from '../estate.ts';
import { findAccount } from './account.ts';
import { backUp, backUpLogs, removeSnapshot } from './backups.ts';
import { convert, createPhysical, createVirtual, mount, refresh, remove, reset, share, start, stop } from './clones.ts';
import { commandsOf } from './commands.ts';
import { type Means, meansBetween } from './copying.ts';
import { discover, type Example, liveOf, makeExample, observe } from './lives.ts';
import { lock } from './lock.ts';
import { linked, makePlaces, placeFault, scriptFault } from './places.ts';
import { recover } from './recovery.ts';
import { restore, restoreFault } from './restores.ts';
import { portFault, serversOf } from './servers.ts';
import { findTools } from './tools.ts';
import { turns } from './turns.ts';
import { paramFault, variablesOf } from './variables.ts';
import { notes, type Workshop } from './workshop.ts';

export type MariadbOptions = Readonly<{
  /** The state folder; made where it is not there. */
  folder: string;
  example: Example;
  /** Folders beside the state folder's own below which clones may be placed and scripts may lie. */
  roots?: readonly string[];
  /** Milliseconds that a script of a request may take. */
  scriptLimit?: number;
  /** How often a server that is worked with is asked whether it is still there, in milliseconds. */
  pulse?: number;
}>;

/** The engine, or why there can be none, for people. */
export type Opened = { engine: Engine } | { reason: string };

/**
 * Opens the engine that works on real MariaDB servers of this machine, in its own folder: backups by mariadb-backup,
 * clones that share blocks with their snapshot where the file system can. Throws where the folder cannot be had.
 */
export async function openMariadb(options: MariadbOptions): Promise<Opened> {
  const { folder, example, roots = [], scriptLimit = 300_000, pulse } = options;
  if (process.platform !== 'linux') return { reason: 'real servers are run on Linux only' };
  const found = await findTools(process.env.PATH ?? '');
  if ('missing' in found)
    return { reason: `${found.missing.join(', ')} not found (Debian: mariadb-server, mariadb-backup)` };
  const { tools } = found;
  const account = await findAccount();
  if (account === undefined) return { reason: 'MariaDB does not run as root, and there is no user mysql or nobody' };

  const places = await makePlaces(account, folder, roots);
  const commands = commandsOf(account, places.state, pulse);
  const closing = new AbortController();
  const { signal } = closing;
  const isReached = await commands.run('test', ['-w', places.state], { signal, cwd: '/' }).then(
    () => true,
    () => false,
  );
  if (!isReached)
    return {
      reason: `the user ${account.name} cannot reach ${places.state}: choose a folder that every user may enter`,
    };
  const release = await lock(places.state);

  const known = new Map<string, Promise<Means>>();
  const variables = await variablesOf(commands, tools, signal);
  const workshop: Workshop = {
    tools,
    account,
    commands,
    places,
    servers: serversOf(tools, commands, account, places.state),
    variables,
    inTurn: turns(),
    scriptLimit,
    meansTo(target) {
      const root = [...places.roots, places.state].find(place => target.startsWith(`${place}/`)) ?? places.mounts;
      const means = known.get(root) ?? meansBetween(commands, account, places.snapshots, root, signal);
      known.set(root, means);
      return means;
    },
  };
  const { inTurn } = workshop;
  const [means, version, operatingSystem] = await Promise.all([
    workshop.meansTo(places.mounts, signal),
    commands.run(tools.server, ['--no-defaults', '--version'], { signal }),
    systemName(),
  ]);
  const [number = ''] = /\d+\.\d+\.\d+/.exec(version) ?? [];

  const host: Host = {
    name: 'this-machine',
    host: '127.0.0.1',
    operatingSystem,
    installs: [{ vendor: 'MARIADB', name: `MARIADB ${number}`, version: number, path: dirname(dirname(tools.server)) }],
    users: [account.name],
    mountRoot: places.mounts,
    facts: {
      copyOnWrite: means === 'reflink' ? 'reflink: a clone shares its blocks' : 'none: each clone is a copy',
      mountRoots: places.roots.join(' or '),
      scriptFolder: places.scripts,
      registeredServers: places.registered,
    },
  };

  return {
    engine: {
      simulated: false,
      host,
      check,
      checkRestore: (database, scope) => restoreFault(workshop, database, scope),
      createVirtual: ({ clone, snapshot, ...task }) => createVirtual(workshop, clone, snapshot, task.signal),
      createPhysical: ({ clone, snapshot, ...task }) => createPhysical(workshop, clone, snapshot, task.signal),
      mount: ({ clone, snapshot, ...task }) => mount(workshop, clone, snapshot, task.signal),
      share: ({ clone, source, ...task }) => inTurn(source.id, () => share(workshop, clone, source, task.signal)),
      convert: ({ clone, localDirectory, ...task }) =>
        inTurn(clone.id, () => convert(workshop, clone, localDirectory, task.signal)),
      stop: ({ clone }) => inTurn(clone.id, () => stop(workshop, clone)),
      start: ({ clone, ...task }) => inTurn(clone.id, () => start(workshop, clone, task.signal)),
      reset: ({ clone, snapshot, ...task }) => inTurn(clone.id, () => reset(workshop, clone, snapshot, task.signal)),
      async remove({ database }) {
        if (database.cloneType !== undefined) return inTurn(database.id, () => remove(workshop, database));
        // A live server is only forgotten, and its backups with it.
        for (const snapshot of database.snapshots) await removeSnapshot(workshop, snapshot);
      },
      backup: ({ database, id, ...task }) => backUp(workshop, database, id, task.signal),
      async backupLogs({ database, ...task }) {
        const { logs, last } = await backUpLogs(workshop, liveOf(workshop, database), database, task.signal);
        return { facts: { fetchedLogs: logs, lastLog: last ?? null } };
      },
      removeSnapshot: ({ snapshot }) => removeSnapshot(workshop, snapshot),
      async restore({ database, snapshot, scope, ...task }) {
        const lines = await restore(workshop, database, snapshot, scope, task.signal);
        const observed = await observe(workshop, liveOf(workshop, database), task.signal);
        const said = notes([...lines, recoveryNote(scope.autoRecovery)]);
        // What an earlier restore had to say is over.
        const before = database.facts.notes === undefined ? {} : { notes: null };
        return { ...observed, facts: { ...observed.facts, ...before, ...said } };
      },
      refresh({ database, ...task }) {
        return database.cloneType === undefined
          ? observe(workshop, liveOf(workshop, database), task.signal)
          : refresh(workshop, database, task.signal);
      },
      discover: async ({ environment, known, ...task }) => {
        if (environment.name !== host.name) return { found: [] };
        await makeExample(workshop, example, task.signal);
        const lives = known.flatMap(({ name, cloneType }) => (cloneType === undefined ? [name] : []));
        return discover(workshop, lives, task.signal);
      },
      recover: databases => recover(workshop, databases, signal),
      async close() {
        closing.abort();
        const clones = await linked(places);
        const lives = (await readdir(places.live)).map(name => join(places.live, name));
        const homes = [...clones.map(({ home }) => home), ...lives];
        await Promise.all(homes.map(home => workshop.servers.stop(home)));
        await release();
      },
    },
  };

  function check({
    mountBase,
    localDirectory,
    port,
    specificPostScriptPath,
    databaseParams,
  }: Readonly<CloneSettings & { localDirectory?: string | undefined }>): Fault | undefined {
    const faults: readonly [string, string | undefined][] = [
      ['mountBase', mountBase && placeFault(places, mountBase)],
      ['localDirectory', localDirectory && placeFault(places, localDirectory)],
      ['port', port === undefined ? undefined : portFault(port)],
      ['specificPostScriptPath', specificPostScriptPath && scriptFault(places, specificPostScriptPath)],
      ['databaseParams', paramFault(places, variables, databaseParams ?? [])],
    ];
    for (const [field, message] of faults) if (message) return { field, message };
    return undefined;
  }
}

function recoveryNote(autoRecovery: boolean | undefined): string | undefined {
  if (autoRecovery === undefined) return undefined;
  return 'autoRecovery had no effect: InnoDB recovers by itself when it starts.';
}

async function systemName(): Promise<string> {
  const text = await readFile('/etc/os-release', 'utf8').catch(() => '');
  return /^PRETTY_NAME="?([^"\n]+)/m.exec(text)?.[1] ?? 'Linux';
}
