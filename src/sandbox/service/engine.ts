import type { CloneSettings, Contents, Database, Environment, JsonValue, Snapshot } from './estate.ts';
import type { Vendor } from './identifiers.ts';

/** The effects of provoking words that a person typed (failures.ts). Engines that do real work may ignore them. */
export type Effects = {
  /** Factor on the usual duration of the work; with Infinity it never ends. */
  pace: number;
  /** The work fails at its end. */
  fault: boolean;
};

/** The input that all pieces of work have in common. When the signal aborts, the service is closing: the engine stops by throwing. */
export type Task = {
  effects: Effects;
  /** Milliseconds that the simulated work takes at the usual pace. */
  lasts: number;
  signal: AbortSignal;
};

/** Facts that the engine learnt. The record shows them from then on. */
export type Observed = {
  contents?: Contents | undefined;
  facts?: Readonly<Record<string, JsonValue>> | undefined;
  /** Where the service chose the port (a mounted snapshot) and it was taken on the host, the one used instead. */
  port?: number | undefined;
};

/** The machine that an engine really works on. The service shows it as an environment. */
export type Host = {
  name: string;
  host: string;
  operatingSystem: string;
  installs: readonly { vendor: Vendor; name: string; version: string; path: string }[];
  users: readonly string[];
  /** The folder below which the service places what no person names a place for: mounted snapshots. */
  mountRoot: string;
  /** Shown in the environment's record as they are. */
  facts: Readonly<Record<string, JsonValue>>;
};

/** Why a request cannot be carried out, found before anything was begun. `message` is written for people. */
export type Fault = { field: string; message: string };

/**
 * A database as an engine found it after a start of the service: the fields of its record that are different now, or `gone`
 * where its deletion was under way and has been brought to its end.
 */
export type Recovered = 'gone' | Partial<Database>;

/** A database that discovery found on a host. */
export type Found = Observed & {
  name: string;
  vendor: Vendor;
  install?: string | undefined;
  port?: number | undefined;
  mountBase?: string | undefined;
};

/** The result of a search for databases on a host. */
export type Discovered = { found: readonly Found[]; facts?: Readonly<Record<string, JsonValue>> };

/** The part of a database that a restore concerns (spec §4.6). */
export type Scope = {
  objectType: string;
  autoRecovery?: boolean | undefined;
  completeRecovery?: boolean | undefined;
  fastRecovery?: boolean | undefined;
  pdb?: string | undefined;
  tablespaceName?: string | undefined;
  datafileName?: number | undefined;
  databaseName?: string | undefined;
  tableName?: string | undefined;
};

type CloneTask = Task & { clone: Readonly<Database>; source: Readonly<Database>; snapshot: Readonly<Snapshot> };

/**
 * The work on databases behind the API. The service has checked every request and keeps the estate; an
 * engine does the work, and a promise that it returns settles when the work is done. A rejection's message becomes the
 * record's `error`, so it is written for people. `clone` and `database` carry every setting of the request
 * (port, mountBase, databaseParams, parallel…). Records are read-only here: what was learnt is returned.
 */
export type Engine = {
  /** Shown in every record that this engine makes. */
  readonly simulated: boolean;
  /** Undefined for one that simulates hosts. */
  readonly host: Host | undefined;

  /** Looks at what a person typed before the request is accepted, so that a fault stands at its field. */
  check(wanted: Readonly<CloneSettings & { localDirectory?: string | undefined }>): Fault | undefined;

  /** Looks at a restore before the request is accepted: what never could be done is refused at once. */
  checkRestore(database: Readonly<Database>, scope: Readonly<Scope>): Fault | undefined;

  createVirtual(task: CloneTask): Promise<Observed>;
  createPhysical(task: CloneTask): Promise<Observed>;
  mount(task: CloneTask): Promise<Observed>;
  /** `source` is the clone that is shared; `snapshot` is the one that it came from. */
  share(task: CloneTask): Promise<Observed>;
  convert(task: Task & { clone: Readonly<Database>; localDirectory: string }): Promise<Observed>;

  stop(task: Task & { clone: Readonly<Database> }): Promise<Observed>;
  start(task: Task & { clone: Readonly<Database> }): Promise<Observed>;
  /** Back to the snapshot that the clone came from. */
  reset(task: Task & { clone: Readonly<Database>; snapshot: Readonly<Snapshot> }): Promise<Observed>;
  /** Removes a clone, or forgets a live database: a live one is never destroyed on its host. */
  remove(task: Task & { database: Readonly<Database> }): Promise<void>;

  /** Makes the snapshot `id`. Full where there is no base that an increment could stand on. */
  backup(
    task: Task & { database: Readonly<Database>; id: string },
  ): Promise<{ type: 'FULL' | 'INCREMENTAL'; sizeMb?: number }>;
  backupLogs(task: Task & { database: Readonly<Database> }): Promise<Observed>;
  removeSnapshot(task: Task & { database: Readonly<Database>; snapshot: Readonly<Snapshot> }): Promise<void>;
  restore(
    task: Task & { database: Readonly<Database>; snapshot: Readonly<Snapshot>; scope: Readonly<Scope> },
  ): Promise<Observed>;

  refresh(task: Task & { database: Readonly<Database> }): Promise<Observed>;
  /** Databases on the host that are not among `known`, and what the host's record shall show from now on. */
  discover(
    task: Task & { environment: Readonly<Environment>; known: readonly Readonly<Database>[] },
  ): Promise<Discovered>;

  /**
   * Finds the databases of the last run again, after an orderly end or not, before any request is taken. What was under
   * way is taken back or brought to its end, what belongs to no record is removed. By identifier; who is not in the
   * answer stays as the record says, or failed if it was in between.
   */
  recover(databases: readonly Readonly<Database>[]): Promise<ReadonlyMap<string, Recovered>>;

  /** Leaves nothing running. */
  close(): Promise<void>;
};

/** The engine of each vendor: a real one for MARIADB can stand beside a simulated one for ORACLE. */
export type Engines = Readonly<Record<Vendor, Engine>>;
