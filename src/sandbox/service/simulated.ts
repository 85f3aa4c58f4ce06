import type { Clock } from './clock.ts';
import type { Engine, Found, Observed, Scope, Task } from './engine.ts';
import { availableSnapshots, type Contents, type Database } from './estate.ts';
import type { Vendor } from './identifiers.ts';
import { letPass } from './jobs.ts';

/** A piece of work, as the vendor's tools call it where it fails. */
type Work =
  | 'virtual'
  | 'physical'
  | 'mount'
  | 'share'
  | 'convert'
  | 'stop'
  | 'start'
  | 'reset'
  | 'remove'
  | 'backup'
  | 'backupLogs'
  | 'removeSnapshot'
  | 'restore'
  | 'refresh';

/** The message of the vendor's own tools when a disk is full, which is the commonest reason for a failure. */
const faults: Record<Vendor, (what: Work, name: string) => string> = {
  ORACLE: (what, name) =>
    `ORA-19504: failed to create file "/u01/oradata/${name}/system01.dbf"\nORA-27040: file create error, unable to create file\nLinux-x86_64 Error: 28: No space left on device (during ${what})`,
  MYSQL: (what, name) =>
    `[ERROR] [MY-012592] [InnoDB] Operating system error number 28 in a file operation: no space left on device (${name}, during ${what})`,
  MARIADB: (what, name) =>
    `[ERROR] InnoDB: preallocating 12582912 bytes for file ./ibdata1 failed with error 28 "No space left on device" (${name}, during ${what})`,
};

type Options = {
  clock: Clock;
  /** The databases that a first discovery finds, by environment. */
  undiscovered: Map<string, readonly Found[]>;
  /** The host name of an environment's identifier. */
  hostOf(environment: string): string;
};

/** An engine that touches no database: it takes time, remembers nothing, and says that it is simulated. */
export function simulatedEngine({ clock, undiscovered, hostOf }: Options): Engine {
  async function work(what: Work, database: Readonly<Database>, task: Task): Promise<void> {
    await letPass(clock, task);
    if (task.effects.fault) throw new Error(faults[database.vendor](what, database.name));
  }

  /** A clone holds what its source held. */
  async function make(what: Work, clone: Readonly<Database>, contents: Contents, task: Task): Promise<Observed> {
    await work(what, clone, task);
    return { contents, facts: { connection: connection(clone, hostOf(clone.environment)), storage: 'simulated' } };
  }

  return {
    simulated: true,
    host: undefined,
    check: () => undefined,
    checkRestore: () => undefined,
    recover: () => Promise.resolve(new Map()),
    createVirtual: ({ clone, source, ...task }) => make('virtual', clone, source.contents, task),
    createPhysical: ({ clone, source, ...task }) => make('physical', clone, source.contents, task),
    mount: ({ clone, source, ...task }) => make('mount', clone, source.contents, task),
    share: ({ clone, source, ...task }) => make('share', clone, source.contents, task),
    convert: ({ clone, ...task }) => make('convert', clone, clone.contents, task),
    reset: ({ clone, ...task }) => make('reset', clone, clone.contents, task),
    async stop({ clone, ...task }) {
      await work('stop', clone, task);
      return {};
    },
    start: ({ clone, ...task }) => make('start', clone, clone.contents, task),
    async remove({ database, ...task }) {
      await work('remove', database, task);
      // A live database is only forgotten: it goes on running on its host, and the next discovery finds it.
      if (database.cloneType !== undefined) return;
      const { environment, name, vendor, install, port, contents, facts } = database;
      undiscovered.set(environment, [
        ...(undiscovered.get(environment) ?? []),
        { name, vendor, install, port, contents, facts },
      ]);
    },
    async backup({ database, ...task }) {
      await work('backup', database, task);
      const base = availableSnapshots(database).at(-1);
      // An increment on a base older than the last restore would hold wrong data, so a full backup follows a restore.
      const { restoredAt } = database.facts;
      const full = base === undefined || (restoredAt !== undefined && base.createdAt <= Date.parse(String(restoredAt)));
      return full ? { type: 'FULL', sizeMb: 2_048 } : { type: 'INCREMENTAL', sizeMb: 96 };
    },
    async backupLogs({ database, ...task }) {
      await work('backupLogs', database, task);
      return {};
    },
    removeSnapshot: ({ database, ...task }) => work('removeSnapshot', database, task),
    async restore({ database, scope, ...task }) {
      await work('restore', database, task);
      const missing = missingPart(database.contents, scope);
      if (missing !== undefined) throw new Error(missing);
      return {};
    },
    async refresh({ database, ...task }) {
      await work('refresh', database, task);
      return { contents: database.contents };
    },
    async discover({ environment, ...task }) {
      await letPass(clock, task);
      if (task.effects.fault) throw new Error(`${environment.host}: ssh: connect to port 22: Connection timed out`);
      const found = undiscovered.get(environment.id) ?? [];
      undiscovered.delete(environment.id);
      return { found: found.map(database => ({ ...database, facts: { host: environment.host, ...database.facts } })) };
    },
    close: () => Promise.resolve(),
  };
}

/** The command that opens a session on a simulated database, as a record shows it. */
export function connection({ vendor, name, port, databaseName }: Readonly<Database>, host: string): string {
  if (vendor === 'ORACLE') return `sqlplus system@//${host}:1521/${databaseName ?? name}`;
  return `${vendor === 'MYSQL' ? 'mysql' : 'mariadb'} --host=${host} --port=${port ?? 3306} --user=root -p`;
}

/** The server's message when a restore names a part that does not exist; undefined when all parts exist. */
function missingPart(contents: Contents, { pdb, tablespaceName, databaseName }: Readonly<Scope>): string | undefined {
  if (pdb !== undefined && !includes(contents.pluggableDatabases, pdb))
    return `ORA-65011: Pluggable database ${pdb} does not exist.`;
  if (tablespaceName !== undefined && !includes(contents.tablespaces, tablespaceName))
    return `ORA-00959: tablespace '${tablespaceName}' does not exist`;
  if (databaseName !== undefined && !(contents.databases ?? []).includes(databaseName))
    return `ERROR 1049 (42000): Unknown database '${databaseName}'`;
  return undefined;
}

/** Oracle's names have no case. */
function includes(names: readonly string[] | undefined, name: string): boolean {
  return (names ?? []).some(known => known.toUpperCase() === name.toUpperCase());
}
