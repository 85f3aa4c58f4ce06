import type { Contents, Database, Environment, JsonValue, Snapshot } from './estate.ts';
import type { Vendor } from './identifiers.ts';

/** What a person provoked by typing (failures.ts). Engines that do real work may ignore it. */
export type Effects = {
  /** How many times longer than usual the work takes; Infinity: it never ends. */
  pace: number;
  /** The work fails at its end. */
  fault: boolean;
};

/** What every piece of work is told. An engine stops, by throwing, when the signal aborts: the service is closing. */
export type Task = { effects: Effects; signal: AbortSignal };

/** What the engine learnt: shown in the record from then on. */
export type Observed = {
  contents?: Contents | undefined;
  facts?: Readonly<Record<string, JsonValue>> | undefined;
};

/** A database that discovery found on a host. */
export type Found = Observed & {
  name: string;
  vendor: Vendor;
  install?: string | undefined;
  port?: number | undefined;
  mountBase?: string | undefined;
};

/** What part of a database a restore concerns (spec §4.6). */
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
 * What really happens to databases, behind the API. The service has checked every request and keeps the estate; an
 * engine does the work, and a promise that it returns settles when the work is done. A rejection's message becomes the
 * record's `error`, so it is written for people. `clone` and `database` carry every setting of the request
 * (port, mountBase, databaseParams, parallel…). Records are read-only here: what was learnt is returned.
 */
export type Engine = {
  /** Shown in every record that this engine makes. */
  readonly simulated: boolean;

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
  /** Databases on the host that are not among `known`. */
  discover(
    task: Task & { environment: Readonly<Environment>; known: readonly Readonly<Database>[] },
  ): Promise<readonly Found[]>;

  /** Leaves nothing running. */
  close(): Promise<void>;
};

/** Which engine works for which vendor: a real one for MARIADB can stand beside a simulated one for ORACLE. */
export type Engines = Readonly<Record<Vendor, Engine>>;
